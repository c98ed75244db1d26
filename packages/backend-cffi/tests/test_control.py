"""Loops, branches, arrays and stacks inside of programs, and regions that are cut around what cannot be compiled."""
from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import ossia as tf
from ossia_backend_cffi.run import region_program

from .conftest import needs_native

pytestmark = needs_native
X = np.random.RandomState(0).randn(4, 8).astype("f4")




def simple(x, w):
    return tf.while_loop(lambda i: i < 10, lambda i: i + 3, [0])


def wrapping(x, w):
    return tf.while_loop(lambda i, n: n < 40, lambda i, n: (i * 3, n + 1), [tf.constant(1, tf.int64), 0])


def swapped(x, w):
    return tf.while_loop(lambda i, a, b: i < 5, lambda i, a, b: (i + 1, b, a), [0, x, x * 2.0])


def kept(x, w):
    return tf.while_loop(lambda i, a, b: i < 5, lambda i, a, b: (i + 1, a, a + b), [0, x, x])


def never(x, w):
    return tf.while_loop(lambda i, a: i < 0, lambda i, a: (i + 1, a * 2.0), [0, x])


def bounded(x, w):
    return tf.while_loop(lambda i: True, lambda i: i + 1, [0], maximum_iterations=7)


def nested(x, w):
    def outer(i, a):
        return i + 1, tf.while_loop(lambda j, b: j < i, lambda j, b: (j + 1, tf.tanh(b) + 0.1), [0, a])[1]
    return tf.while_loop(lambda i, a: i < 5, outer, [0, x])


def gradient(x, w):
    y = tf.while_loop(lambda i, a: i < 5, lambda i, a: (i + 1, tf.tanh(tf.matmul(a, w) + a[:1])), [0, x])[1]
    return [y, *tf.gradients(tf.reduce_sum(y * y), [x, w])]


def nested_gradient(x, w):
    def outer(i, a):
        return i + 1, tf.while_loop(lambda j, b: j < 3, lambda j, b: (j + 1, tf.sin(tf.matmul(b, w))), [0, a])[1]
    y = tf.while_loop(lambda i, a: i < 4, outer, [0, x])[1]
    return [y, *tf.gradients(y, [x, w])]


def array(x, w):
    out = tf.TensorArray(tf.float32, 5)
    _, h, out = tf.while_loop(
        lambda i, h, t: i < 5, lambda i, h, t: (i + 1, tf.tanh(tf.matmul(h, w)), t.write(i, h)), [0, x, out]
    )
    rows = out.stack()
    return [h, rows, *tf.gradients(tf.reduce_sum(rows * 2.0) + tf.reduce_sum(h), [x, w])]


def unstacked(x, w):
    rows = tf.TensorArray(tf.float32, 4, clear_after_read=False).unstack(x)
    y = tf.while_loop(lambda i, a: i < 8, lambda i, a: (i + 1, a + rows.read(i % 4) * 0.5), [0, tf.zeros([8])])[1]
    return [y, rows.size(), rows.stack(), *tf.gradients(y, x)]


def concatenated(x, w):
    rows = tf.TensorArray(tf.float32, 2).unstack(tf.reshape(x, [2, 2, 8]))
    return [rows.concat()]


def missing(x, w):
    rows = tf.TensorArray(tf.float32, 3, element_shape=[8], clear_after_read=False).write(1, x[0])
    return [rows.stack(), *tf.gradients(rows.read(1) * 3.0, x)]


def mapped(x, w):
    return [tf.map_fn(lambda row: tf.reduce_sum(row) * row, x), tf.scan(lambda a, row: a * 0.5 + row, x)]


def mapped_gradient(x, w):
    return tf.gradients(tf.scan(lambda a, row: tf.tanh(a) * row, x), x)


def branches(x, w):
    first = tf.reduce_sum(x) > 0.0
    y = tf.cond(first, lambda: tf.matmul(x, w) + 1.0, lambda: x - 1.0)
    z = tf.cond(first, lambda: x, lambda: tf.cond(tf.reduce_max(x) > 0.0, lambda: x * 2.0, lambda: x * 3.0))
    return [y, z, *tf.gradients(tf.reduce_sum(y) + tf.reduce_sum(z), [x, w])]


def branch_in_loop(x, w):
    def body(i, a):
        return i + 1, tf.cond(tf.equal(i % 2, 0), lambda: tf.matmul(a, w), lambda: a * a)
    y = tf.while_loop(lambda i, a: i < 5, body, [0, x * 0.1])[1]
    return [y, *tf.gradients(y, [x, w])]


def loop_in_branch(x, w):
    y = tf.cond(
        tf.reduce_sum(x) > 0.0,
        lambda: tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a + 1.0), [0, x])[1],
        lambda: tf.while_loop(lambda i, a: i < 4, lambda i, a: (i + 1, a * 2.0), [0, x])[1],
    )
    return [y, *tf.gradients(y, x)]


def recurrent(x, w):
    cell = tf.nn.rnn_cell.LSTMCell(6)
    inputs = tf.stack([x, x * 0.5, x * -1.0], 1)
    with tf.variable_scope("a", initializer=tf.ones_initializer()):
        outputs, state = tf.nn.dynamic_rnn(cell, inputs, dtype=tf.float32)
    with tf.variable_scope("b", initializer=tf.ones_initializer()):
        lengths = tf.constant([1, 3, 2, 0])
        others, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(5), inputs, lengths, dtype=tf.float32)
    total = tf.reduce_sum(outputs) + tf.reduce_sum(state.c) + tf.reduce_sum(others * others)
    return [outputs, others, *tf.gradients(total, [x, *tf.trainable_variables()[1:]])]


def growing(x, w):
    return tf.while_loop(
        lambda i, a: i < 3,
        lambda i, a: (i + 1, tf.concat([a, a], 0)),
        [0, x],
        [tf.TensorShape([]), tf.TensorShape([None, 8])],
    )


def declined(x, w):
    y = tf.tanh(tf.matmul(x, w)) + 1.0
    y = tf.cast(tf.cumsum(tf.cast(y, tf.float64), 1), tf.float32)
    order = tf.cast(tf.reduce_sum(x) * 0.0, tf.int32)
    z = tf.transpose(y, tf.stack([order + 1, order])) * 2.0
    return [tf.exp(-z), *tf.gradients(z, [x, w])]


def spread(x, w):
    images = tf.reshape(x, [-1, 2, 2, 2])
    means = tf.reduce_mean(images, [1, 2])
    centred = images - tf.reduce_mean(images, [1, 2], keepdims=True)
    return [means, *tf.gradients(tf.reduce_sum(tf.sin(means)), x), centred]


def cut_and_shaped(x, w):
    y = tf.matmul(x, w) + w[:1]
    y = tf.cast(tf.cumsum(tf.cast(y, tf.float64), 1), tf.float32)
    z = tf.reshape(tf.matmul(y, w) * y[:1], tf.shape(y)) + tf.reduce_mean(y, 0)
    return [z, *tf.gradients(tf.exp(-z * z), [x, w])]


def failing_if_taken(x, w):
    zero = tf.identity(tf.constant([0, 0]))
    wrong = tf.cond(tf.reduce_sum(x) > 1e9, lambda: tf.floordiv([1, 2], zero), lambda: tf.constant([3, 4]))
    return [wrong + 1, tf.tanh(x) * 2.0]


def random(x, w):
    noisy = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a + tf.random_uniform([8], seed=3)), [0, x])[1]
    first = tf.reduce_sum(x) > 0.0
    return [noisy * 2.0, tf.cond(first, lambda: x + tf.random_uniform([8], seed=5), lambda: x * 2.0) * w[0]]


PROGRAMS = [
    simple, wrapping, swapped, kept, never, bounded, nested, gradient, nested_gradient, array, unstacked, concatenated,
    missing, mapped, mapped_gradient, branches, branch_in_loop, loop_in_branch, recurrent, spread, growing, declined,
    cut_and_shaped, random, failing_if_taken,
]
CUT = (growing, declined, cut_and_shaped, nested_gradient, random, failing_if_taken)
WHOLE = [p for p in PROGRAMS if p not in CUT]


def results(program, name, monkeypatch):
    monkeypatch.setenv("OSSIA_BACKEND", name)
    found = []
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 8])
        w = tf.Variable(np.random.RandomState(1).randn(8, 8).astype("f4") * 0.5)
        fetches = program(x, w)
        session.run(tf.global_variables_initializer())
        for value in (X, X, -X, np.abs(X), X[:, ::-1].copy()):
            found.append(session.run(fetches, {x: value}))
    return found


@pytest.mark.parametrize("program", PROGRAMS)
def test_as_on_numpy(program, monkeypatch):
    for got, expected in zip(*(results(program, name, monkeypatch) for name in ("cffi", "numpy")), strict=True):
        for a, b in zip(tf.nest.flatten(got), tf.nest.flatten(expected), strict=True):
            assert np.asarray(a).dtype == np.asarray(b).dtype
            np.testing.assert_allclose(a, b, rtol=3e-4, atol=1e-4)


@pytest.mark.parametrize("program", WHOLE)
def test_one_program(program, monkeypatch):
    cuts = []
    made = region_program.Cut.__init__
    monkeypatch.setattr(region_program.Cut, "__init__", lambda self, region, node: (
        cuts.append(region.nodes[node].op.name), made(self, region, node))[-1])
    results(program, "cffi", monkeypatch)
    assert not cuts


def test_a_declined_node_leaves_the_others_compiled(monkeypatch, compiled):
    results(declined, "cffi", monkeypatch)
    assert compiled[0] >= 10


def test_shapes_stay_known_on_both_sides_of_a_cut(monkeypatch):
    declined_types = []
    made = region_program.Cut.__init__
    monkeypatch.setattr(region_program.Cut, "__init__", lambda self, region, node: (
        declined_types.append(region.nodes[node].op.type), made(self, region, node))[-1])
    results(cut_and_shaped, "cffi", monkeypatch)
    assert set(declined_types) <= {"Cast", "Cumsum"}


def test_handles_that_cross_a_cut_leave_the_others_compiled(monkeypatch):
    from ossia_core.session.compile.regions import Region

    tf.set_random_seed(1)
    x, more = tf.placeholder(tf.float32, [3, None, 4]), tf.placeholder(tf.int32, [])
    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(4), x, dtype=tf.float32)
    shares = tf.nn.softmax(tf.layers.dense(outputs[:, -1], 4))
    spread = tf.scatter_nd([[0, 1], [1, 2]], shares[:2, 0], [3, 4 + more])
    loss = tf.reduce_sum(spread ** 2) + tf.reduce_sum(outputs ** 2)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    steps = []
    interpret = Region.interpret
    monkeypatch.setattr(Region, "interpret", lambda self, inputs, context: (
        steps.extend(w.op.type for w in self.nodes if w.op is not None), interpret(self, inputs, context))[-1])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        feed = {x: np.ones((3, 5, 4)), more: 2}
        losses = []
        for _ in range(5):
            steps.clear()
            losses.append(session.run([loss, train], feed)[0])
    assert losses[-1] < losses[0]
    assert "MatMul" not in steps and len(steps) < 40


def test_a_loop_ends_at_its_deadline():
    with tf.Graph().as_default(), tf.Session() as session:
        endless = tf.while_loop(lambda i: i >= 0, lambda i: i * 0, [0])
        start = time.monotonic()
        with pytest.raises(tf.errors.DeadlineExceededError):
            session.run(endless, options=tf.RunOptions(timeout_in_ms=100))
        assert time.monotonic() - start < 5
        assert session.run(tf.constant(1) + 1) == 2


def test_a_loop_ends_with_its_session():
    with tf.Graph().as_default():
        session = tf.Session()
        endless = tf.while_loop(lambda i: i >= 0, lambda i: i * 0, [0])
        threading.Timer(0.2, session.close).start()
        with pytest.raises(tf.errors.CancelledError):
            session.run(endless)


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_a_loop_can_be_interrupted():
    program = (
        "import ossia as tf, threading, os, signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # shells leave it out for what runs beside them
        "n = tf.placeholder(tf.int32, [])\n"
        "ends, goes_on = (tf.while_loop(lambda i: i < n, lambda i: i + k, [0]) for k in (1, 0))\n"
        "session = tf.Session()\n"
        "session.run(ends, {n: 3})\n"  # all is imported
        "threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "session.run(goes_on, {n: 3})\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode in (1, 130, -signal.SIGINT)
    assert "KeyboardInterrupt" in done.stderr


def test_values_kept_for_a_gradient_are_bounded(monkeypatch):
    monkeypatch.setattr(region_program, "stack_bytes", lambda: 1 << 20)
    with tf.Graph().as_default(), tf.Session() as session:
        n, x = tf.placeholder(tf.int32, []), tf.placeholder(tf.float32, [100])
        y = tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, tf.sin(a)), [0, x])[1]
        grad = tf.gradients(y, x)[0]
        feed = np.zeros(100, "f4")
        with pytest.raises(tf.errors.ResourceExhaustedError, match="loop"):
            session.run(grad, {n: 1_000_000_000, x: feed})
        np.testing.assert_array_equal(session.run(grad, {n: 3, x: feed}), np.ones(100, "f4"))


def test_an_error_in_a_loop_names_its_node():
    with tf.Graph().as_default(), tf.Session() as session:
        rows, n = tf.placeholder(tf.float32, [3, 2]), tf.placeholder(tf.int32, [])
        y = tf.while_loop(
            lambda i, a: i < n, lambda i, a: (i + 1, a + tf.gather(rows, i, name="taken")), [0, tf.zeros([2])]
        )[1]
        feed = np.ones((3, 2), "f4")
        np.testing.assert_array_equal(session.run(y, {rows: feed, n: 3}), [3, 3])
        with pytest.raises(tf.errors.InvalidArgumentError, match="taken"):
            session.run(y, {rows: feed, n: 5})


def test_an_array_that_is_too_large_for_one_buffer(monkeypatch):
    monkeypatch.setattr("ossia_backend_cffi.emitters.tensor_arrays.LARGEST", 1 << 8)
    for got, expected in zip(*(results(array, name, monkeypatch) for name in ("cffi", "numpy")), strict=True):
        for a, b in zip(got, expected, strict=True):
            np.testing.assert_allclose(a, b, rtol=3e-4, atol=1e-4)


def test_an_array_is_written_once():
    with tf.Graph().as_default(), tf.Session() as session:
        array, n = tf.TensorArray(tf.float32, 3), tf.placeholder(tf.int32, [])
        array = tf.while_loop(lambda i, t: i < n, lambda i, t: (i + 1, t.write(i // 2, 1.0)), [0, array])[1]
        with pytest.raises(tf.errors.InvalidArgumentError, match="already been written"):
            session.run(array.stack(), {n: 2})


@pytest.mark.parametrize("taken", [True, False])
def test_an_update_in_a_branch(taken):
    with tf.Graph().as_default(), tf.Session() as session:
        v, p = tf.get_variable("v", initializer=np.ones(3, "f4"), use_resource=True), tf.placeholder(tf.bool, [])
        done = tf.cond(p, lambda: tf.assign_add(v, [1.0, 2.0, 3.0]) * 2.0, lambda: v * 1.0)
        session.run(v.initializer)
        for _ in range(2):
            session.run(done, {p: taken})
        np.testing.assert_array_equal(session.run(v), [3, 5, 7] if taken else [1, 1, 1])


def test_updates_in_a_loop():
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.get_variable("v", initializer=np.zeros(3, "f4"), use_resource=True)

        def body(i, total):
            with tf.control_dependencies([v.assign_add([1.0, 2.0, 3.0])]):
                return i + 1, total + v.read_value()
        total = tf.while_loop(lambda i, t: i < 4, body, [0, tf.zeros([3])])[1]
        session.run(v.initializer)
        np.testing.assert_array_equal(session.run(total), [10, 20, 30])
        np.testing.assert_array_equal(session.run(v), [4, 8, 12])


def test_threads_side_by_side():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [4, 8])
        w = tf.constant(np.eye(8, dtype="f4"))
        y, grad = gradient(x, w)[:2]
        expected = session.run([y, grad], {x: X})
        failed = []

        def work():
            for _ in range(50):
                for a, b in zip(session.run([y, grad], {x: X}), expected, strict=True):
                    if not np.array_equal(a, b):
                        failed.append(a)
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failed
