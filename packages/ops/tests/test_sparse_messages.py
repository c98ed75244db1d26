"""What functions of sparse tensors say of arguments that they refuse: the words that programs' tests match."""

import pytest

import ossia as tf


def sparse(rows=2, columns=3):
    return tf.SparseTensor([[0, 1]], [1.0], [rows, columns])


def texts(rows):
    return tf.SparseTensor([[0, 0]], ["a"], [rows, 1])


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ([-1, -1], "only one output dimension may be -1, not both 0 and 1"),
        ([0, -1], "reshape cannot infer the missing input size for an empty tensor"),
        ([-1, 4], r"requires a multiple of 4. input_shape=\[2,3\] output_shape=\[1,4\]"),
        ([5], r"6 dense values, but the requested shape has 5. input_shape=\[2,3\] output_shape=\[5\]"),
    ],
)
def test_reshape(shape, message):
    with tf.Graph().as_default(), tf.Session() as session:
        wanted = tf.placeholder(tf.int64)
        with pytest.raises(tf.errors.InvalidArgumentError, match=message):
            session.run(tf.sparse.reshape(sparse(), wanted), {wanted: shape})


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        (lambda: [texts(1), texts(2)], "Expected batch size 1 got 2 at position 1"),
        (lambda: [texts(2), tf.constant([["a"]])], "Expected batch size 2 got 1 at dense tensor 0"),
        (lambda: [tf.constant([["a"]]), tf.constant([["b"], ["c"]])], "Expected batch size 1 got 2 at dense tensor 1"),
    ],
)
def test_cross(inputs, message):
    with tf.Graph().as_default(), tf.Session() as session:
        with pytest.raises(tf.errors.InvalidArgumentError, match=message):
            session.run(tf.sparse.cross(inputs()))


def test_arguments():
    with pytest.raises(TypeError, match=r"At least one input should be SparseTensor; do you mean to use tf.add\(\)"):
        tf.sparse.add([1.0], [2.0])
    with pytest.raises(TypeError, match="All inputs must be SparseTensors"):
        tf.sparse.cross([[["a"]]])
    with pytest.raises(ValueError, match="Can't specify both axis' and 'reduction_indices'"):
        tf.sparse.reduce_sum(sparse(), axis=0, reduction_axes=0)
