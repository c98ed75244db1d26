"""Runs side by side, and runs without end: no lost update, no mixed-up result, no growing memory."""
from __future__ import annotations

import os
import resource
import subprocess
import sys
import threading

import numpy as np
import pytest

import ossia as tf
from ossia_backend_cffi.loader import native

pytestmark = pytest.mark.skipif(native() is None, reason="built without a compiler")
THREADS = 16


def in_threads(work):
    failures = []

    def guarded(number):
        try:
            work(number)
        except BaseException as e:
            failures.append(e)

    threads = [threading.Thread(target=guarded, args=(i,)) for i in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_one_session():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 8])
        w = tf.Variable(np.ones((8, 8), "f4"))
        y = tf.nn.relu(tf.matmul(x, w)) + 1.0
        session.run(w.initializer)

        def work(number):
            for n in range(100):
                value = np.full((number % 3 + 1, 8), number + n, "f4")
                np.testing.assert_allclose(session.run(y, {x: value}), value * 8 + 1)

        in_threads(work)


def test_no_update_is_lost():
    with tf.Graph().as_default(), tf.Session() as session:
        step, total = tf.Variable(0, dtype=tf.int64), tf.Variable(np.zeros(100, "f4"))
        both = tf.group(tf.assign_add(step, 1), tf.assign_add(total, tf.exp(total * 0.0)))
        session.run([step.initializer, total.initializer])
        in_threads(lambda number: [session.run(both) for _ in range(200)])
        assert session.run(step) == THREADS * 200
        np.testing.assert_array_equal(session.run(total), THREADS * 200)


def test_a_run_sees_one_value_of_a_resource_variable():
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable(np.zeros(20_000, "f4"), use_resource=True)
        updates = [
            v.assign_add(tf.exp(tf.tanh(v * 0.0)), read_value=False),
            tf.raw_ops.ResourceApplyGradientDescent(var=v.handle, alpha=-1.0, delta=tf.exp(tf.tanh(v * 0.0))),
        ]
        value = v.read_value()
        both = [value, tf.tanh(value * 0.0) + value * 2.0]
        session.run(v.initializer)

        def work(number):
            for _ in range(100):
                if number % 2:
                    session.run(updates[number // 2 % 2])
                else:
                    alone, with_it = session.run(v), session.run(both)
                    assert (alone == alone[0]).all() and (with_it[0] == with_it[0][0]).all()
                    np.testing.assert_array_equal(with_it[1], with_it[0] * 2.0)

        in_threads(work)
        np.testing.assert_array_equal(session.run(v), THREADS // 2 * 100)


def test_results_are_of_the_shape_that_the_run_saw():
    with tf.Graph().as_default(), tf.Session() as session:
        given = tf.placeholder(tf.float32, [None])
        v = tf.Variable(np.zeros(3, "f4"), use_resource=True, shape=tf.TensorShape([None]))
        assign, value = v.assign(given, read_value=False), v.read_value()
        both = [value, tf.tanh(value * 2.0) + 1.0]
        session.run(v.initializer)

        def work(number):
            for n in range(200):
                if number % 2:
                    session.run(assign, {given: np.zeros(3 + (number + n) % 3)})
                else:
                    alone, result = session.run(both)
                    assert alone.shape == result.shape

        in_threads(work)


def values_of(threads):
    """What a program with long passes, sums, products and convolutions computes."""
    config = tf.ConfigProto(intra_op_parallelism_threads=threads)
    random = np.random.RandomState(0)
    with tf.Graph().as_default(), tf.Session(config=config) as session:
        x = tf.placeholder(tf.float32, [None, 16, 16, 3])
        w = tf.Variable(random.randn(3, 3, 3, 24).astype("f4"))
        v = tf.Variable(random.randn(16 * 16 * 24, 200).astype("f4") * 0.01)
        h = tf.nn.max_pool(tf.nn.relu(tf.nn.conv2d(x, w, [1, 1, 1, 1], "SAME")), [1, 3, 3, 1], [1, 1, 1, 1], "SAME")
        y = tf.matmul(tf.reshape(h, [-1, 16 * 16 * 24]), v)
        loss = tf.reduce_sum(tf.square(tf.tanh(y))) + tf.reduce_mean(h)
        gradients = tf.gradients(loss, [x, w, v])
        train = tf.train.AdamOptimizer().apply_gradients(zip(gradients[1:], [w, v]))
        session.run(tf.global_variables_initializer())
        found = session.run([y, loss, *gradients], {x: random.randn(70, 16, 16, 3).astype("f4")})
        session.run(train, {x: random.randn(70, 16, 16, 3).astype("f4")})
        return [*found, *session.run([w, v])]


def test_results_do_not_depend_on_the_number_of_threads():
    alone = values_of(1)
    for threads in (2, 3, 8):
        for expected, got in zip(alone, values_of(threads), strict=True):
            np.testing.assert_array_equal(got, expected)


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_after_a_fork():
    expected = values_of(2)
    child = os.fork()
    if not child:
        try:
            same = all(np.array_equal(a, b) for a, b in zip(expected, values_of(2), strict=True))
        except BaseException:
            same = False
        os._exit(0 if same else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_one_thread_starts_none():
    program = (
        "import threading, os, sys; sys.path.insert(0, os.path.dirname(sys.argv[1])); import test_threads as t; "
        "before = len(os.listdir('/proc/self/task')); t.values_of(1); one = len(os.listdir('/proc/self/task')); "
        "t.values_of(2); print(one - before, len(os.listdir('/proc/self/task')) - before)"
    )
    done = subprocess.run([sys.executable, "-c", program, __file__], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["0", "1"], done.stdout + done.stderr


def test_many_sessions():
    def work(number):
        with tf.Graph().as_default(), tf.Session() as session:
            w = tf.Variable(np.full(4, number, "f4"))
            y = tf.square(w) + 1.0
            session.run(w.initializer)
            for _ in range(20):
                np.testing.assert_allclose(session.run(y), number ** 2 + 1)

    in_threads(work)


def test_memory_does_not_grow():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 64])
        w = tf.Variable(np.zeros((64, 64), "f4"))
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - 1.0))
        train = tf.train.AdamOptimizer(0.01).minimize(loss)
        session.run(tf.global_variables_initializer())
        value = np.ones((32, 64), "f4")

        def run(count):
            for _ in range(count):
                session.run([train, loss], {x: value})
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

        before = run(500)
        assert run(10_000) - before < 1024  # KiB
