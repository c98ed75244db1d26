"""Operations that wait: whom they wait for, in which order they are served, and how the wait ends."""

import threading
import time

import numpy as np
import pytest

import ossia as tf
from ossia_queues.staging import MapStagingArea, StagingArea

SOON = 5.0  # seconds within which everything that can happen has happened


class Background:
    """A run in a thread."""

    def __init__(self, session, fetches, feeds=None):
        self._outcome = None
        self._thread = threading.Thread(target=self._run, args=(session, fetches, feeds), daemon=True)
        self._thread.start()

    def _run(self, session, fetches, feeds):
        try:
            self._outcome = session.run(fetches, feeds), None
        except Exception as error:
            self._outcome = None, error

    @property
    def waiting(self):
        self._thread.join(0.1)
        return self._thread.is_alive()

    def result(self):
        self._thread.join(SOON)
        assert not self._thread.is_alive(), "still waiting"
        value, error = self._outcome
        if error is not None:
            raise error
        return value


@pytest.fixture
def session():
    with tf.Graph().as_default(), tf.Session() as session:
        yield session


def test_consumers_are_served_in_turn(session):
    queue = tf.FIFOQueue(30, tf.int32, shapes=[[]])
    three, one, put, size = queue.dequeue_many(3), queue.dequeue(), queue.enqueue(1), queue.size()
    first = Background(session, three)
    assert first.waiting
    second = Background(session, one)
    assert second.waiting
    session.run(put)
    assert first.waiting and second.waiting and session.run(size) == 0
    session.run(put)
    session.run(put)
    np.testing.assert_array_equal(first.result(), [1, 1, 1])
    assert second.waiting
    session.run(put)
    assert second.result() == 1


def test_producers_fill_what_room_there_is(session):
    queue = tf.FIFOQueue(3, tf.float32, shapes=[[]])
    put = Background(session, queue.enqueue_many([[1.0, 2.0, 3.0, 4.0, 5.0]]))
    assert put.waiting and session.run(queue.size()) == 3
    # More than the capacity can be taken at once, as what is taken makes room.
    np.testing.assert_array_equal(session.run(queue.dequeue_many(4)), [1, 2, 3, 4])
    put.result()
    assert session.run(queue.size()) == 1


def test_close_waits_for_producers(session):
    queue = tf.FIFOQueue(1, tf.float32, shapes=[[]])
    put = Background(session, queue.enqueue_many([[1.0, 2.0]]))
    assert put.waiting
    close = Background(session, queue.close())
    assert close.waiting and not session.run(queue.is_closed())
    np.testing.assert_array_equal(session.run(queue.dequeue_many(2)), [1, 2])
    put.result()
    close.result()
    assert session.run(queue.is_closed())
    with pytest.raises(
        tf.errors.OutOfRangeError, match=r"closed and has insufficient elements \(requested 1, current size 0\)"
    ):
        session.run(queue.dequeue())
    with pytest.raises(tf.errors.CancelledError, match=r"FIFOQueue '.*' is closed\."):
        session.run(queue.enqueue(1.0))
    with pytest.raises(tf.errors.CancelledError, match="already closed"):
        session.run(queue.close())
    session.run(queue.close(cancel_pending_enqueues=True))


@pytest.mark.parametrize(
    "make",
    [
        lambda: tf.FIFOQueue(3, tf.float32, [[]]), lambda: tf.PaddingFIFOQueue(3, tf.float32, [[]]),
        lambda: tf.RandomShuffleQueue(3, 0, tf.float32, [[]]),
    ],
)
def test_none_go_into_a_closed_or_full_queue(session, make):
    queue, rows = make(), tf.placeholder(tf.float32, [None])
    put, size = queue.enqueue_many(rows), queue.size()
    session.run(put, {rows: [1.0, 2.0, 3.0]})
    session.run(put, {rows: []})
    session.run(queue.close())
    session.run(put, {rows: []})
    assert session.run(size) == 3
    with pytest.raises(tf.errors.CancelledError, match="is closed"):
        session.run(put, {rows: [1.0]})


def test_close_with_cancellation(session):
    queue = tf.FIFOQueue(3, tf.float32, shapes=[[]])
    put = Background(session, queue.enqueue_many([[1.0, 2.0, 3.0, 4.0, 5.0]]))
    assert put.waiting
    session.run(queue.close(cancel_pending_enqueues=True))
    with pytest.raises(tf.errors.CancelledError, match="Enqueue operation was cancelled"):
        put.result()
    with pytest.raises(tf.errors.OutOfRangeError, match=r"requested 4, current size 3"):
        session.run(queue.dequeue_many(4))
    np.testing.assert_array_equal(session.run(queue.dequeue_up_to(4)), [1, 2, 3])


@pytest.mark.parametrize("make", [
    lambda: tf.FIFOQueue(9, tf.int32, shapes=[[]]),
    lambda: tf.RandomShuffleQueue(9, 2, tf.int32, shapes=[[]]),
    lambda: tf.PaddingFIFOQueue(9, tf.int32, shapes=[[]]),
], ids=["fifo", "shuffle", "padding"])  # fmt: skip
def test_close_ends_the_wait_of_consumers(session, make):
    queue = make()
    session.run(queue.enqueue_many([[1, 2, 3]]))
    takes, wants = Background(session, queue.dequeue_many(5)), queue.dequeue_up_to(5)
    assert takes.waiting
    session.run(queue.close())
    with pytest.raises(tf.errors.OutOfRangeError, match="requested 5, current size 3"):
        takes.result()
    assert sorted(session.run(wants)) == [1, 2, 3]


def test_shuffle_keeps_enough_to_choose_from(session):
    queue = tf.RandomShuffleQueue(9, 2, tf.int32, shapes=[[]])
    session.run(queue.enqueue_many([[1, 2, 3]]))
    taken = [session.run(queue.dequeue())]
    with pytest.raises(tf.errors.DeadlineExceededError):
        session.run(queue.dequeue(), options=tf.RunOptions(timeout_in_ms=50))
    session.run(queue.close())
    assert sorted([*taken, *session.run(queue.dequeue_many(2))]) == [1, 2, 3]


def test_a_deadline_gives_back_what_was_taken(session):
    queue = tf.FIFOQueue(9, tf.int32, shapes=[[]])
    session.run(queue.enqueue_many([[1, 2, 3]]))
    with pytest.raises(tf.errors.DeadlineExceededError):
        session.run(queue.dequeue_many(5), options=tf.RunOptions(timeout_in_ms=50))
    np.testing.assert_array_equal(session.run(queue.dequeue_many(3)), [1, 2, 3])


@pytest.mark.parametrize("wait", ["dequeue", "enqueue", "take_grad", "read", "unstage", "unstage_key"])
def test_closing_the_session_ends_every_wait(wait):
    with tf.Graph().as_default():
        queue = tf.FIFOQueue(1, tf.string)
        key = tf.constant(1, tf.int64)
        op = {
            "dequeue": lambda: queue.dequeue(),
            "enqueue": lambda: queue.enqueue("b"),
            "take_grad": lambda: tf.ConditionalAccumulator(tf.float32).take_grad(1),
            "read": lambda: tf.IdentityReader().read(queue),
            "unstage": lambda: StagingArea([tf.float32]).get(),
            "unstage_key": lambda: MapStagingArea([tf.float32]).get(key),
        }[wait]()
        session = tf.Session()
        if wait == "enqueue":
            session.run(queue.enqueue("a"))
        waits = Background(session, op)
        assert waits.waiting
        session.close()
        with pytest.raises(tf.errors.CancelledError, match="cancelled"):
            waits.result()


def test_waiting_holds_up_nothing_else(session):
    """A run with a step that waits does the rest of its work meanwhile, which may be what ends the wait."""
    queue = tf.FIFOQueue(1, tf.float32, shapes=[[]])
    step = tf.get_variable("step", [], initializer=tf.zeros_initializer())
    session.run(step.initializer)
    count, taken = tf.assign_add(step, 1.0), queue.dequeue()
    run = Background(session, [taken, count])
    deadline = time.monotonic() + SOON
    while session.run(step) < 1 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert session.run(step) == 1 and run.waiting
    session.run(queue.enqueue(4.0))
    assert run.result()[0] == 4
    assert session.run([taken, queue.enqueue(5.0)])[0] == 5


def test_staging_waits_for_room(session):
    area = StagingArea([tf.float32], shapes=[[]], capacity=1)
    put, get = area.put([tf.constant(1.0)]), area.get()
    session.run(put)
    again = Background(session, put)
    assert again.waiting and session.run(area.size()) == 1
    assert session.run(get) == [1.0]
    again.result()
    session.run(area.clear())
    assert session.run(area.size()) == 0


def test_staging_memory(session):
    area = StagingArea([tf.float32], memory_limit=100)
    x = tf.placeholder(tf.float32)
    put = area.put([x])
    with pytest.raises(
        tf.errors.ResourceExhaustedError, match="'200' bytes into Staging Area with a memory limit of '100'"
    ):
        session.run(put, {x: np.zeros(50)})
    session.run(put, {x: np.zeros(20)})
    again = Background(session, put, {x: np.zeros(10)})
    assert again.waiting
    session.run(area.get())
    again.result()


def test_staging_on_other_devices():
    tf.reset_default_graph()
    area = StagingArea([tf.float32])
    with tf.device("/cpu:0"):
        put, got, key = area.put([tf.zeros([])]), area.get()[0], MapStagingArea([tf.float32]).get()[0]
    assert [t.device for t in (put, got, key)] == ["", "/device:CPU:0", "/device:CPU:0"]
    assert got.op.type == "Identity" and got.op.inputs[0].device == ""
    assert area.get()[0].op.type == "Unstage"


def test_map_staging(session):
    for ordered in (False, True):
        area = MapStagingArea([tf.float32, tf.int32], names=["x", "y"], ordered=ordered)
        key, x, y = tf.placeholder(tf.int64, []), tf.placeholder(tf.float32), tf.placeholder(tf.int32)
        both, only_x, only_y = area.put(key, {"x": x, "y": y}), area.put(key, {"x": x}), area.put(key, {"y": y})
        sizes = [area.size(), area.incomplete_size()]
        for k in (5, 2, 9):
            session.run(both, {key: k, x: k, y: k})
        session.run(only_x, {key: 7, x: 7})
        assert session.run(sizes) == [3, 1]
        with pytest.raises(tf.errors.InvalidArgumentError, match="index '0' for key '7' was already initialized"):
            session.run(only_x, {key: 7, x: 7})
        session.run(only_y, {key: 7, y: 7})
        assert session.run(area.peek(key), {key: 5}) == {"x": 5, "y": 5}
        assert session.run(area.get(key), {key: 9}) == (9, {"x": 9, "y": 9})
        k, values = session.run(area.get())
        assert values == {"x": k, "y": k} and (k == 2 or not ordered)
        session.run(area.clear())
        assert session.run(sizes) == [0, 0]
