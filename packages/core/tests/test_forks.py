"""Sessions that a forked child inherits while other threads run in them."""
import os
import signal
import threading
import time

import numpy as np
import pytest

import ossia as tf
from ossia_core import forks

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork"),
    pytest.mark.filterwarnings("ignore:This process:DeprecationWarning"),
]
_LIMIT = 30  # seconds that a child may take; it needs a fraction of one


def in_child(work):
    """Run `work` in a forked child; what it has to say, "" if all is well."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(_LIMIT)
        try:
            work()
        except BaseException as error:
            os.write(writer, f"{type(error).__name__}: {error}"[:1000].encode() or b"?")
            os._exit(1)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        said = pipe.read()
    status = os.waitpid(child, 0)[1]
    return said or ("" if not status else f"ended by signal {status}")


@pytest.fixture
def program():
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [8, 8])
        w = tf.get_variable("w", initializer=np.eye(8, dtype=np.float32))
        r = tf.get_variable("r", initializer=np.zeros(8, np.float32), use_resource=True)
        queue = tf.FIFOQueue(10, tf.float32, shapes=[[]])
        table = tf.lookup.StaticHashTable(
            tf.lookup.KeyValueTensorInitializer(tf.constant(["a"]), tf.constant([1])), 0
        )
        fetches = [
            tf.nn.relu(tf.matmul(x, w) * 2 + 1), tf.assign_add(w, tf.ones([8, 8])), r.assign_add(tf.ones([8])),
            tf.random_normal([4]), table.lookup(tf.constant(["a"])), queue.enqueue(1.0), queue.dequeue(), queue.size(),
        ]
        session = tf.Session()
        session.run([tf.global_variables_initializer(), tf.tables_initializer()])

        def run():
            for fetch in fetches:
                session.run(fetch, {x: np.ones((8, 8))})

        run()
        yield session, run, queue
        session.close()


def build_and_run():
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.get_variable("v", initializer=3.0)
        session.run(v.initializer)
        assert session.run(tf.reduce_sum(tf.ones([4])) + v) == 7.0


def test_locks_that_another_thread_holds(program):
    session, run, _ = program
    held, done = threading.Event(), threading.Event()

    def hold():
        taken = [lock for lock in list(forks._locks) if hasattr(lock, "acquire") and lock.acquire(timeout=5)]
        held.set()
        done.wait()
        for lock in reversed(taken):
            lock.release()

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    try:
        said = in_child(lambda: (run(), build_and_run(), session.close()))
    finally:
        done.set()
        thread.join()
    assert said == ""
    run()  # the parent's locks are as they were


def test_a_lock_that_the_forking_thread_holds(program):
    session, run, _ = program

    def work():
        assert session.state.updates._is_owned()
        run()

    with session.state.updates:
        assert in_child(work) == ""
    assert not session.state.updates._is_owned()


def test_threads_that_wait_are_not_in_the_child(program):
    """A consumer that waited in the parent takes nothing from the child's queue."""
    session, _, queue = program
    dequeued, enqueue = queue.dequeue(), queue.enqueue(5.0)
    thread = threading.Thread(target=lambda: session.run(dequeued))
    thread.start()
    (resource,) = (r for c in session.state._containers.values() for r in c.values() if hasattr(r, "_consumers"))
    while not resource._consumers:
        time.sleep(0.001)

    def work():
        session.run(enqueue)
        assert session.run(dequeued) == 5.0

    said = in_child(work)
    session.run(enqueue)
    thread.join()
    assert said == ""


def test_forks_while_threads_run(program):
    session, run, _ = program
    stop = threading.Event()

    def loop():
        while not stop.is_set():
            run()

    threads = [threading.Thread(target=loop) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        said = [in_child(lambda: (run(), build_and_run(), session.close())) for _ in range(8)]
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert said == [""] * 8
