"""Graphs rewritten for quantized training agree with TensorFlow 1.15.5."""

import pytest

import ossia as tf
from ossia_testkit.golden import golden_tests

test_quantize = golden_tests(__file__, "quantize_cases.py")


@pytest.fixture(autouse=True)
def _graph():
    with tf.Graph().as_default():
        yield


def test_gradients_reach_weights():
    slim = tf.contrib.slim
    x = tf.constant(1.0, shape=[2, 4, 4, 3]) * tf.reshape(tf.range(96.0), [2, 4, 4, 3])
    with tf.variable_scope("net"):
        y = slim.conv2d(x, 2, 3, normalizer_fn=slim.batch_norm, scope="a")
    tf.contrib.quantize.create_training_graph()
    output = tf.get_default_graph().get_tensor_by_name("net/a/act_quant/FakeQuantWithMinMaxVars:0")
    gradients = tf.gradients(tf.reduce_sum(output * output), tf.trainable_variables())
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert all((abs(each) < float("inf")).all() for each in session.run(gradients))
    assert y.op.inputs[0].op.name == "net/a/add_fold"


@pytest.mark.parametrize(("options", "message"), [({"fused": False}, "is not fused"), ({}, "dilated convolution")])
def test_refused(options, message):
    slim = tf.contrib.slim
    x = tf.placeholder(tf.float32, [2, 8, 8, 3])
    slim.conv2d(x, 2, 3, rate=1 if options else 2, normalizer_fn=slim.batch_norm, normalizer_params=options)
    with pytest.raises(NotImplementedError, match=message):
        tf.contrib.quantize.create_training_graph()
