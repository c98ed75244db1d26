"""Recurrent networks agree with TensorFlow 1.15.5: graphs, values, gradients, errors."""
from ossia_testkit.golden import golden_tests

test_rnn = golden_tests(__file__, "rnn_cases.py")
test_cells = golden_tests(__file__, "rnn_cells_cases.py")
test_sequences = golden_tests(__file__, "rnn_sequences_cases.py")
