"""Blocks whose inputs come from their outputs."""

import numpy as np

import ossia as tf


def test_forwards_and_backwards():
    block = tf.contrib.layers.RevBlock(tf.sin, lambda x: tf.layers.dense(x, 2), num_layers=2)
    inputs = tf.constant([[1.0, 2.0]]), tf.constant([[3.0, 4.0]])
    outputs = block.forward(*inputs)
    again = block.backward(*outputs)
    assert [v.op.name for v in tf.trainable_variables()][0] == "revblock/revlayer_0/g/dense/kernel"
    assert len(tf.trainable_variables()) == 4
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        got, given = session.run([again, inputs])
    assert np.allclose(got, given, atol=1e-5)


def test_gradient():
    x1, x2 = tf.constant([[1.0, 2.0]]), tf.constant([[3.0, 4.0]])
    y1, y2 = tf.contrib.layers.rev_block(x1, x2, tf.square, lambda x, side: x * side[0], g_side_input=[2.0])
    with tf.Session() as session:
        values, slopes = session.run([[y1, y2], tf.gradients(y1 + y2, [x1, x2])])
    assert np.allclose(values, [[[10.0, 18.0]], [[23.0, 40.0]]])
    assert np.allclose(slopes, [[[3.0, 3.0]], [[19.0, 25.0]]])
