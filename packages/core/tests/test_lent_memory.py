"""Kernels get their own copies of indices in memory that others may write to, and of what an update would overwrite."""
from __future__ import annotations

import numpy as np
import pytest

import ossia as tf
from ossia_core.declare.opdef import lookup

pytest.importorskip("ossia_ops")


@pytest.fixture
def seen(monkeypatch):
    """What the NumPy kernel of an op is called with, from `seen(op type)` on."""
    monkeypatch.setenv("OSSIA_BACKEND", "numpy")

    def watch(kind):
        found, definition = [], lookup(kind)
        kernel = definition.kernel_fn

        def watched(*args, **attrs):
            found.append(args)
            return kernel(*args, **attrs)

        watched.__wrapped__ = kernel  # whose keyword-only arguments are the attributes
        monkeypatch.setattr(definition, "kernel_fn", watched)
        return found

    return watch


def test_fed_indices_are_copied(seen):
    calls = seen("GatherNd")
    with tf.Graph().as_default(), tf.Session() as session:
        x, i = tf.placeholder(tf.float32, [3]), tf.placeholder(tf.int32, [2, 1])
        values, places = np.arange(3, dtype="f4"), np.array([[2], [0]], "i4")
        assert session.run(tf.gather_nd(x, i), {x: values, i: places}).tolist() == [2, 0]
    (params, indices), = calls
    assert np.shares_memory(params, values) and not np.shares_memory(indices, places)


@pytest.mark.parametrize("through", ["itself", "reshape", "cond", "while"])
def test_indices_in_a_variable_are_copied(seen, through):
    calls = seen("GatherNd")
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable([[2], [0]], use_resource=False)
        x = tf.constant([1.0, 2.0, 3.0]) * tf.placeholder_with_default(1.0, [])
        if through == "cond":
            found = tf.cond(tf.placeholder_with_default(True, []), lambda: tf.gather_nd(x, v), lambda: x[:2])
        elif through == "while":
            found = tf.while_loop(lambda k, y: k < 1, lambda k, y: (k + 1, tf.gather_nd(x, v)), [0, x[:2]])[1]
        else:
            found = tf.gather_nd(x, tf.reshape(v, [2, 1]) if through == "reshape" else v)
        session.run(v.initializer)
        session.run(found)
        session.run(tf.assign(v, [[1], [1]]))  # in place
        for _, indices in calls:
            assert indices.tolist() == [[2], [0]]
    assert calls


def test_numbers_of_a_run_itself_are_not_copied(seen):
    calls = seen("GatherNd")
    with tf.Graph().as_default(), tf.Session() as session:
        i = tf.placeholder(tf.int32, [2, 1])
        computed = i + 1
        x = tf.constant([1.0, 2.0, 3.0])
        found, same = session.run([tf.gather_nd(x, computed), computed], {i: np.array([[0], [1]], "i4")})
    assert found.tolist() == [2, 3] and np.shares_memory(calls[0][1], same)
