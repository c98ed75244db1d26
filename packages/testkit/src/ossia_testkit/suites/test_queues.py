"""Queues: what is put in comes out once, whatever the number of threads, and everything ends.

The keys of a sample: `make`, a function `(capacity, dtype, shape)` that makes the queue; `order`, a function from the
list of what was put in to the list of what comes out, None if the order is random; `first`, True if elements have an
int64 before them, which says when their turn is.
"""

from __future__ import annotations

import random
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from ossia_testkit.registered import Row

THREADS, EACH, PATIENCE = 8, 60, 20  # PATIENCE: seconds after which a thread counts as hanging
SHORT = 200  # milliseconds after which a run counts as waiting


class Queue:
    """A queue of a sample with ops on it; elements are numbers."""

    def __init__(self, row: Row, capacity: int = 10) -> None:
        import ossia as tf

        self.queue = row.sample["make"](capacity, tf.int64, [])
        width = 2 if row.sample.get("first") else 1
        self.x, self.many = tf.placeholder(tf.int64, []), tf.placeholder(tf.int64, [None])
        self.put, self.put_many = self.queue.enqueue([self.x] * width), self.queue.enqueue_many([self.many] * width)
        self.take, self.take_three = self._last(self.queue.dequeue()), self._last(self.queue.dequeue_many(3))
        self.take_up_to_three = self._last(self.queue.dequeue_up_to(3))
        self.size, self.close, self.closed = self.queue.size(), self.queue.close(), self.queue.is_closed()
        self.cancel = self.queue.close(cancel_pending_enqueues=True)

    @staticmethod
    def _last(taken: Any) -> Any:
        return taken[-1] if isinstance(taken, (list, tuple)) else taken


class TestQueues:
    """The checks."""

    kind = "queue"
    packages: tuple[str, ...] = ()

    @pytest.fixture
    def session(self) -> Iterator[Any]:
        """A session in which nothing waits for long."""
        import ossia as tf

        config = tf.ConfigProto(operation_timeout_in_ms=SHORT)
        with tf.Graph().as_default(), tf.Session(config=config) as session:
            yield session

    @pytest.fixture
    def impatient_switches(self) -> Iterator[None]:
        """Threads are switched often."""
        before = sys.getswitchinterval()
        sys.setswitchinterval(1e-5)
        yield
        sys.setswitchinterval(before)

    def test_is_served(self, row):
        """Programs find it as `tf.queue.<name>`."""
        import ossia as tf

        assert issubclass(row.load(), tf.queue.QueueBase)
        assert getattr(tf.queue, row.name) is row.load()

    def test_order(self, row, session):
        """Everything comes out in the order of the kind, one by one and several at once."""
        queue, numbers = Queue(row), [5, 3, 8, 1, 9]
        for number in numbers[:2]:
            session.run(queue.put, {queue.x: number})
        session.run(queue.put_many, {queue.many: numbers[2:]})
        assert session.run(queue.size) == 5
        taken = [session.run(queue.take), *session.run(queue.take_three), session.run(queue.take)]
        assert sorted(taken) == sorted(numbers) and session.run(queue.size) == 0
        if row.sample["order"] is not None:
            assert taken == row.sample["order"](numbers)

    def test_capacity(self, row, session):
        """A step waits that puts into a full queue or takes from an empty one; in vain, it leaves no trace."""
        import ossia as tf

        queue = Queue(row, capacity=3)
        session.run(queue.put_many, {queue.many: [1, 2, 3]})
        with pytest.raises(tf.errors.DeadlineExceededError):
            session.run(queue.put, {queue.x: 4})
        assert session.run(queue.size) == 3
        assert sorted(session.run(queue.take_three)) == [1, 2, 3]
        with pytest.raises(tf.errors.DeadlineExceededError):
            session.run(queue.take)
        session.run(queue.put, {queue.x: 5})
        assert session.run(queue.take) == 5

    def test_close(self, row, session):
        """A closed queue takes nothing more, gives what it has, and says then that this is all."""
        import ossia as tf

        queue = Queue(row)
        session.run(queue.put_many, {queue.many: [1, 2, 3, 4]})
        assert not session.run(queue.closed)
        session.run(queue.close)
        assert session.run(queue.closed)
        with pytest.raises(tf.errors.CancelledError):
            session.run(queue.put, {queue.x: 4})
        taken = session.run(queue.take_three).tolist()
        with pytest.raises(tf.errors.OutOfRangeError):
            session.run(queue.take_three)
        taken += session.run(queue.take_up_to_three).tolist()
        assert sorted(taken) == [1, 2, 3, 4]
        with pytest.raises(tf.errors.OutOfRangeError):
            session.run(queue.take)

    def test_waiting_steps(self, row):
        """A step that waits goes on when it can, and ends with an error when the queue is closed."""
        import ossia as tf

        with tf.Graph().as_default(), tf.Session() as session:
            queue, found = Queue(row, capacity=1), []

            def step(op: Any, feeds: Any = None) -> threading.Thread:
                def run() -> None:
                    try:
                        found.append(session.run(op, feeds))
                    except tf.errors.OpError as error:
                        found.append(type(error))

                thread = threading.Thread(target=run, daemon=True)
                thread.start()
                return thread

            waiting = step(queue.take)
            session.run(queue.put, {queue.x: 7})
            waiting.join(PATIENCE)
            assert found == [7]
            session.run(queue.put, {queue.x: 1})
            waiting = step(queue.put, {queue.x: 2})
            session.run(queue.cancel)
            waiting.join(PATIENCE)
            assert found == [7, tf.errors.CancelledError]

    def test_refused(self, row, session):
        """Elements of another dtype or shape are refused when the step is built."""
        import ossia as tf

        queue = Queue(row).queue
        more = [tf.constant(1, tf.int64)] if row.sample.get("first") else []
        for element in (tf.constant("text"), tf.zeros([2], tf.int64)):
            with pytest.raises((ValueError, TypeError)):
                queue.enqueue([*more, element])

    def test_shared_by_name(self, row):
        """Two steps on a queue see the same elements, and another session sees its own."""
        import ossia as tf

        with tf.Graph().as_default() as graph:
            queue = Queue(row)
            with tf.Session(graph=graph) as first, tf.Session(graph=graph) as second:
                first.run(queue.put, {queue.x: 3})
                assert (first.run(queue.size), second.run(queue.size)) == (1, 0)

    @pytest.mark.parametrize("seed", range(3))
    def test_each_element_comes_once(self, row, seed, impatient_switches):
        """Many threads put and take: nothing is lost, nothing comes twice, and all of them end."""
        import ossia as tf

        chance = random.Random(f"{row.name}{seed}")
        with tf.Graph().as_default(), tf.Session() as session:
            queue = Queue(row, chance.choice([3, 5, 20]))
            taken: list[int] = []
            errors: list[Exception] = []

            def produce(base: int) -> None:
                at = base
                while at < base + EACH:
                    count = min(random.Random(at).choice([1, 1, 4]), base + EACH - at)
                    if count == 1:
                        session.run(queue.put, {queue.x: at})
                    else:
                        session.run(queue.put_many, {queue.many: range(at, at + count)})
                    at += count

            def consume(own: int) -> None:
                try:
                    while True:
                        values = session.run(queue.take_up_to_three) if own % 2 else [session.run(queue.take)]
                        taken.extend(int(value) for value in values)
                except tf.errors.OutOfRangeError:
                    pass
                except Exception as error:
                    errors.append(error)

            producers = [threading.Thread(target=produce, args=(i * EACH,), daemon=True) for i in range(THREADS)]
            consumers = [threading.Thread(target=consume, args=(i,), daemon=True) for i in range(THREADS)]
            for thread in producers + consumers:
                thread.start()
            for thread in producers:
                thread.join(PATIENCE)
            session.run(queue.close)
            for thread in consumers:
                thread.join(PATIENCE)
            assert not any(thread.is_alive() for thread in producers + consumers)
            assert not errors
        assert sorted(taken) == list(range(THREADS * EACH))

    @pytest.mark.parametrize("seed", range(2))
    def test_a_close_at_any_moment_ends_everything(self, row, seed, impatient_switches):
        """Closed while many threads wait, it lets all of them end."""
        import ossia as tf

        with tf.Graph().as_default(), tf.Session() as session:
            queue, failed = Queue(row, capacity=2), []

            def loop(op: Any) -> None:
                try:
                    while True:
                        session.run(op, {queue.many: range(5)} if op is queue.put_many else None)
                except (tf.errors.OutOfRangeError, tf.errors.CancelledError):
                    pass
                except Exception as error:
                    failed.append(error)

            ops = [queue.put_many, queue.take] * THREADS
            threads = [threading.Thread(target=loop, args=(op,), daemon=True) for op in ops]
            for thread in threads:
                thread.start()
            threading.Event().wait(random.Random(seed).uniform(0.0, 0.1))
            session.run(queue.cancel)
            for thread in threads:
                thread.join(PATIENCE)
            assert not any(thread.is_alive() for thread in threads) and not failed
