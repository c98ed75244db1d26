"""Steps that wait: they never hold up what else can run, and end with the run."""
import queue
import threading
import time

import numpy as np
import pytest

import ossia as tf
from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import scalar
from ossia_core.names import errors

_queues: dict[bytes, queue.Queue] = {}
put_op = op("TestPut(value: float)", key="string", stateful=True)
take_op = op("TestTake() -> value: float", key="string", stateful=True)
take_op.shape(scalar)


@put_op.kernel(blocking=True)
def _(value, *, key):
    _queues[key].put(np.array(value))
    return ()


@take_op.kernel(blocking=True)
def _(*, key, context):
    while True:
        try:
            return _queues[key].get(timeout=0.02)
        except queue.Empty:
            context.check()


@pytest.fixture
def session():
    _queues.clear()
    _queues[b"a"], _queues[b"b"] = queue.Queue(), queue.Queue()
    with tf.Graph().as_default(), tf.Session() as session:
        yield session


def test_both_sides_in_one_run(session):
    taken = take_op(key="a")
    put = put_op(3.0, key="a")
    assert session.run([taken + 1.0, put])[0] == 4.0


def test_a_chain_through_two_queues(session):
    last = take_op(key="b")
    put_op_b = put_op(take_op(key="a") * 2.0, key="b")
    put_op_a = put_op(tf.constant(5.0), key="a")
    assert session.run([last, put_op_b, put_op_a])[0] == 10.0


def test_other_steps_do_not_wait(session):
    v = tf.Variable(0.0, use_resource=True)
    session.run(v.initializer)
    taken = take_op(key="a")
    add = v.assign_add(1.0)
    thread = threading.Thread(target=lambda: session.run([taken, add.op]))
    thread.start()
    deadline = time.monotonic() + 5
    while session.run(v) != 1.0 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert session.run(v) == 1.0 and thread.is_alive()
    _queues[b"a"].put(np.float32(1.0))
    thread.join(5)
    assert not thread.is_alive()


def test_order_is_kept_around_waiting_steps(session):
    with tf.control_dependencies([take_op(key="a")]):
        put = put_op(7.0, key="b")
    first = put_op(1.0, key="a")
    session.run([put, first])
    assert _queues[b"b"].get_nowait() == 7.0


def test_an_error_ends_the_waiting(session):
    taken = take_op(key="a")
    bad = tf.Assert(tf.placeholder_with_default(False, []), ["bad"])
    with pytest.raises(tf.errors.InvalidArgumentError, match="bad"):
        session.run([taken, bad])


def test_an_error_after_waiting_ends_the_other_waiting(session):
    _queues[b"b"].put(np.float32(-1.0))
    check = tf.Assert(take_op(key="b") > 0.0, ["late"])
    with pytest.raises(tf.errors.InvalidArgumentError, match="late"):
        session.run([take_op(key="a"), check])


def test_the_deadline_ends_the_waiting(session):
    with pytest.raises(tf.errors.DeadlineExceededError):
        session.run(take_op(key="a"), options=tf.RunOptions(timeout_in_ms=100))
    with pytest.raises(tf.errors.DeadlineExceededError):
        session.run([take_op(key="a"), take_op(key="b")], options=tf.RunOptions(timeout_in_ms=100))


def test_closing_the_session_ends_the_waiting(session):
    raised = []

    def work():
        try:
            session.run([taken, other])
        except tf.errors.OpError as error:
            raised.append(error)
    taken, other = take_op(key="a"), take_op(key="b")
    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.1)
    session.close()
    thread.join(5)
    assert not thread.is_alive() and isinstance(raised[0], errors.CancelledError)


def test_waiting_inside_of_a_loop(session):
    for value in (1.0, 2.0, 3.0):
        _queues[b"a"].put(np.float32(value))
    _, total = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s + take_op(key="a")), [0, 0.0])
    assert session.run(total) == 6.0
