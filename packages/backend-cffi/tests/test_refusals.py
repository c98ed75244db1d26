"""Emitters that spare asking the shape rules refuse what these refuse: shapes that are known when a program runs."""
from __future__ import annotations

import numpy as np
import pytest

import ossia as tf
from ossia_backend_cffi.loader import native

pytestmark = pytest.mark.skipif(native() is None, reason="built without a compiler")


def ones(*shape):
    return np.ones(shape, "f4")


CASES = {
    "reshape to two open sizes": (tf.reshape, ones(4), np.array([-1, -1], "i4")),
    "reshape to a negative size": (tf.reshape, ones(4), np.array([-2, -2], "i4")),
    "reshape to another size": (tf.reshape, ones(4), np.array([3, -1], "i4")),
    "reshape to a matrix": (tf.reshape, ones(4), np.array([[4]], "i4")),
    "no such axis": (tf.reduce_sum, ones(2, 3), np.array([2], "i4")),
    "no such axis from behind": (tf.reduce_mean, ones(2, 3), np.array([-3], "i4")),
    "no such place": (tf.expand_dims, ones(2, 3), np.array(3, "i4")),
    "a bias of one": (tf.nn.bias_add, ones(2, 3), ones(1)),
    "a bias of another size": (tf.nn.bias_add, ones(2, 3), ones(2)),
    "a bias that is a matrix": (tf.nn.bias_add, ones(2, 3), ones(1, 3)),
    "a sum of other shapes": (lambda a, b: tf.add_n([a, b]), ones(2, 3), ones(3)),
    "a product of other sizes": (tf.matmul, ones(2, 3), ones(2, 3)),
    "images of other channels": (
        lambda x, w: tf.nn.conv2d(x, w, [1, 1, 1, 1], "VALID"), ones(1, 8, 8, 3), ones(3, 3, 2, 4),
    ),
    "a scale of another size": (
        lambda x, scale: tf.nn.fused_batch_norm(x, scale, scale)[0], ones(2, 4, 4, 3), ones(2),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_shape_rules_refuse(name, backend):
    function, *values = CASES[name]
    found = []
    for which in ("numpy", "cffi"):
        backend(which)
        with tf.Graph().as_default(), tf.Session() as session:
            fed = [tf.placeholder(value.dtype, None) for value in values]
            if values[1].dtype == np.int32:
                # What shapes are made of is known to the program, not to the graph.
                fed[1] = tf.placeholder_with_default(tf.constant(values[1]), None)
                feeds = {fed[0]: values[0]}
            else:
                feeds = dict(zip(fed, values, strict=True))
            result = tf.tanh(function(*(tf.identity(each) for each in fed))) * 2.0 + 1.0
            with pytest.raises(tf.errors.InvalidArgumentError) as refused:
                session.run(result, feeds)
            found.append((type(refused.value), refused.value.op.type))
    assert found[0] == found[1]


def test_a_cast_to_handles():
    with tf.Graph().as_default(), tf.Session() as session:
        variable = tf.Variable(2.0, use_resource=True)
        handles = tf.convert_to_tensor([variable], tf.resource)
        session.run(variable.initializer)
        with pytest.raises(tf.errors.UnimplementedError, match="Cast float to resource is not supported"):
            session.run(handles)
