"""Runs side by side, and runs without end: no lost update, no mixed-up result, no growing memory."""
from __future__ import annotations

import resource
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
