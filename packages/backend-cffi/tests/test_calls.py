"""Nodes whose own steps a program calls: what they raise, and when."""
from __future__ import annotations

import signal
import subprocess
import sys

import numpy as np
import pytest

import ossia as tf
from ossia_backend_cffi.compile.calls import CALLED
from ossia_core.declare.opdef import find

from .conftest import needs_native

pytestmark = needs_native


def test_only_what_computes_values_from_values_is_called():
    for kind in CALLED - {"Assert"}:
        definition = find(kind)  # those of images are in a package of their own
        assert definition is None or definition.foldable, kind


def test_what_a_called_node_raises_names_it(compiled):
    with tf.Graph().as_default(), tf.Session() as session:
        x, n = tf.placeholder(tf.float32, [3, 2]), tf.placeholder(tf.int32, [])
        total = tf.while_loop(
            lambda i, a: i < n, lambda i, a: (i + 1, a + tf.gather_nd(x, [[i, 0]], name="taken")[0]), [0, 0.0]
        )[1]
        feed = np.ones((3, 2), "f4")
        assert session.run(total, {x: feed, n: 3}) == 3
        assert compiled[0]
        with pytest.raises(tf.errors.InvalidArgumentError, match="taken"):
            session.run(total, {x: feed, n: 5})


@pytest.mark.parametrize("before", [True, False])
def test_an_assertion_before_and_after_an_update(before, compiled):
    with tf.Graph().as_default(), tf.Session() as session:
        v, n = tf.get_variable("v", initializer=np.zeros(3, "f4"), use_resource=True), tf.placeholder(tf.int32, [])
        i = tf.while_loop(lambda i: i < n, lambda i: i + 1, [0])
        if before:
            with tf.control_dependencies([tf.Assert(tf.less(i, 5), ["too many:", i], name="check")]):
                done = v.assign_add(tf.ones([3]))
        else:
            with tf.control_dependencies([v.assign_add(tf.fill([3], tf.cast(i, tf.float32)) * 0.0 + 1.0)]):
                done = tf.Assert(tf.less(i, 5), ["too many:", i], name="check")
        session.run(v.initializer)
        session.run(done, {n: 4})
        assert compiled[0]
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"too many:.*\[6\](.|\n)*check"):
            session.run(done, {n: 6})
        np.testing.assert_array_equal(session.run(v), np.full(3, 1.0 if before else 2.0, "f4"))


@pytest.mark.parametrize("dtype", ["f8", "f4", "i4", "i8", "u1", "?", "f2"])
def test_values_of_all_dtypes(dtype, backend, compiled):
    found = []
    for name in ("numpy", "cffi"):
        backend(name)
        with tf.Graph().as_default(), tf.Session() as session:
            x = tf.placeholder(np.dtype(dtype), [2, 3])
            rows = tf.while_loop(
                lambda i, a: i < 3,
                lambda i, a: (i + 1, tf.reverse(tf.gather_nd(a, [[1], [0]]), [1])), [0, x],
            )[1]
            found.append(session.run([rows, tf.zeros([0, 2])], {x: np.arange(6).reshape(2, 3).astype(dtype)})[0])
    assert compiled[0]
    assert found[0].dtype == found[1].dtype == dtype
    np.testing.assert_array_equal(*found)


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_a_loop_of_calls_can_be_interrupted():
    program = (
        "import ossia as tf, threading, os, signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "n = tf.placeholder(tf.int32, [])\n"
        "ones = lambda i: tf.fill([3], tf.cast(i, 'float'))\n"
        "body = lambda k: lambda i: i + k * tf.cast(tf.reduce_all(tf.is_finite(ones(i))), 'int32')\n"
        "ends, goes_on = (tf.while_loop(lambda i: i < n, body(k), [0]) for k in (1, 0))\n"
        "session = tf.Session()\n"
        "session.run(ends, {n: 3})\n"
        "threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "session.run(goes_on, {n: 3})\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode in (1, 130, -signal.SIGINT)
    assert "KeyboardInterrupt" in done.stderr


@pytest.mark.parametrize("written", [0, 2])
def test_elements_that_were_never_written(written):
    with tf.Graph().as_default(), tf.Session() as session:
        x, n = tf.placeholder(tf.float32, [None, 2]), tf.placeholder(tf.int32, [])
        array = tf.TensorArray(tf.float32, 4, element_shape=[None, 2])
        array = tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, a.write(i, x)), [0, array])[1]
        stacked = array.stack()
        feed = {x: np.ones((3, 2), "f4"), n: written}
        if written:
            np.testing.assert_array_equal(session.run(stacked, feed)[:, 0, 0], [1, 1, 0, 0])
        else:
            with pytest.raises(tf.errors.InvalidArgumentError, match="Could not read from TensorArray index 0"):
                session.run(stacked, feed)
