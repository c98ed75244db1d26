"""Recurrent networks agree with TensorFlow 1.15.5: graphs, values, gradients, errors."""
import pytest

import ossia as tf
from ossia_testkit.golden import golden_tests

test_rnn = golden_tests(__file__, "rnn_cases.py")
test_cells = golden_tests(__file__, "rnn_cells_cases.py")
test_sequences = golden_tests(__file__, "rnn_sequences_cases.py")


@pytest.mark.parametrize(
    ("message", "call"),
    [
        (r"saw shape: \(None, None\)", lambda cell, x: cell(x, cell.zero_state(2, tf.float32))),
        (r"dimension 0 of inputs", lambda cell, x: tf.nn.static_rnn(cell, [x], dtype=tf.float32)),
        (r'Tensor\("ones:0", shape=\(3,\)', lambda cell, x: tf.nn.dynamic_rnn(cell, tf.ones([3]), dtype=tf.float32)),
        (r"between 0 and 1: 1$", lambda cell, x: tf.nn.rnn_cell.DropoutWrapper(cell, output_keep_prob=1.5)),
    ],
)
def test_what_is_said_of_inputs_that_do_not_fit(message, call):
    with tf.Graph().as_default(), pytest.raises(ValueError, match=message):
        call(tf.nn.rnn_cell.GRUCell(3), tf.placeholder(tf.float32, [None, None]))
