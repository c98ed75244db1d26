"""Engines: what sessions see of a task that an engine reaches, and what they see when it dies.

The keys of a sample: `apart`, whether the other task of each check is a process of its own; it is by default, but for
the engine `in-process`.
"""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

_SERVE = """
import sys
import ossia as tf
server = tf.train.Server({"ps": [sys.argv[1]], "worker": [sys.argv[2]]}, "ps", 0)
print("serves", flush=True)
server.join()
"""
_LARGE = int(os.environ.get("OSSIA_LARGE_BYTES", 1 << 24))
_PS = "/job:ps/task:0"


class _Pair:
    """A parameter server, perhaps in a process of its own, and a worker in this one."""

    def __init__(self, engine: Any, name: str, apart: bool) -> None:
        self.engine, self._name, self.apart = engine, name, apart
        self._addresses = [f"localhost:{port}" for port in _ports(2)]
        self._process: Any = None
        self.start()
        self.worker = self._server("worker")

    def _server(self, job: str) -> Any:
        import ossia as tf
        return tf.train.Server({"ps": [self._addresses[0]], "worker": [self._addresses[1]]}, job, 0)

    def start(self) -> None:
        """Start the parameter server."""
        if not self.apart:
            self._ps = self._server("ps")
            return
        self._process = subprocess.Popen(
            [sys.executable, "-c", _SERVE, *self._addresses], stdout=subprocess.PIPE, text=True, env=os.environ,
        )
        if self._process.stdout.readline() != "serves\n":
            self.kill()
            pytest.fail("the parameter server did not start")

    def kill(self) -> None:
        """End the parameter server without warning."""
        if self._process is None:
            self._ps._stop()
        else:
            self._process.kill()
            self._process.wait()
            self._process.stdout.close()

    def session(self, **options: Any) -> Any:
        """A session of the worker."""
        import ossia as tf
        return tf.Session(self.worker.target, **options)

    def end(self) -> None:
        """End both."""
        self.worker._stop()
        if self._process is not None and self._process.poll() is None:
            self.kill()


def _ports(count: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        held = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in held:
            each.bind(("", 0))
        return [each.getsockname()[1] for each in held]


class TestEngines:
    """The checks."""

    kind = "engine"
    packages: tuple[str, ...] = ()

    @pytest.fixture
    def pair(self, row, monkeypatch) -> Iterator[_Pair]:
        """A parameter server and a worker that find each other through the engine."""
        engine = row.load()()
        missing = engine.available()
        assert missing is None, missing
        apart = row.sample.get("apart", row.name != "in-process")
        monkeypatch.setenv("OSSIA_ENGINE", row.name)
        import ossia as tf
        with tf.Graph().as_default():
            made = _Pair(engine, row.name, apart)
            yield made
        made.end()

    def test_steps(self, pair):
        """Values go back and forth, variables are shared and keep their values, order is kept, errors name the task."""
        import ossia as tf
        with tf.device(_PS):
            variable = tf.Variable(np.arange(4, dtype=np.float32))
            words = tf.Variable(["a", "bc"])
        with tf.device("/job:worker/task:0"):
            gradient = variable * 2.0
        update = variable.assign_add(gradient)
        with tf.control_dependencies([update]), tf.device(_PS):
            after = tf.identity(variable.read_value())
        with pair.session() as session:
            with pytest.raises(tf.errors.FailedPreconditionError, match="^From /job:ps/replica:0/task:0:"):
                session.run(variable)
            session.run(tf.global_variables_initializer())
            np.testing.assert_array_equal(session.run(after), [0.0, 3.0, 6.0, 9.0])
            assert session.run(words).tolist() == [b"a", b"bc"]
        with pair.session() as session:
            fetched = session.run(variable)
            fetched += 1.0  # it is the caller's own
            np.testing.assert_array_equal(session.run(variable), [0.0, 3.0, 6.0, 9.0])

    def test_large_values(self, pair):
        """Many bytes in, and out again."""
        import ossia as tf
        with tf.device(_PS):
            given = tf.placeholder(tf.uint8, [None])
            kept = tf.Variable(given, validate_shape=False)
        value = np.arange(_LARGE, dtype=np.uint32).astype(np.uint8)
        with pair.session() as session:
            session.run(kept.initializer, {given: value})
            np.testing.assert_array_equal(session.run(kept), value)

    def test_blocked_calls_hold_nothing_up(self, pair):
        """64 steps wait for one queue; others go on, and what they put releases all."""
        import ossia as tf
        with tf.device(_PS):
            queue = tf.FIFOQueue(64, tf.int32, shapes=[[]])
            number = tf.placeholder(tf.int32, [])
            put, taken, size = queue.enqueue(number), queue.dequeue(), queue.size()
        with pair.session() as session:
            session.run(size)
            found: list[int] = []
            threads = [threading.Thread(target=lambda: found.append(int(session.run(taken)))) for _ in range(64)]
            for thread in threads:
                thread.start()
            for i in range(64):
                session.run(put, {number: i})
            for thread in threads:
                thread.join(60)
            assert sorted(found) == list(range(64))

    def test_deadlines(self, pair):
        """A step that waits ends at its deadline, and takes nothing afterwards."""
        import ossia as tf
        with tf.device(_PS):
            queue = tf.FIFOQueue(2, tf.int32, shapes=[[]])
            put, taken = queue.enqueue(7), queue.dequeue()
        with pair.session() as session:
            session.run(queue.size())
            with pytest.raises(tf.errors.DeadlineExceededError):
                session.run(taken, options=tf.RunOptions(timeout_in_ms=300))
            time.sleep(0.2)
            session.run(put)
            assert session.run(queue.size()) == 1

    def test_closing(self, pair):
        """Closing a session ends what waits in it, and no other session."""
        import ossia as tf
        with tf.device(_PS):
            queue = tf.FIFOQueue(2, tf.int32, shapes=[[]], shared_name="shared")
            put, taken = queue.enqueue(7), queue.dequeue()
        ends: list[Any] = []

        def wait(session: Any) -> None:
            try:
                ends.append(int(session.run(taken)))
            except tf.errors.OpError as error:
                ends.append(type(error))

        closed, kept = pair.session(), pair.session()
        for session in (closed, kept):
            session.run(queue.size())
        threads = [threading.Thread(target=wait, args=(session,)) for session in (closed, kept)]
        threads[0].start()
        time.sleep(0.3)
        closed.close()
        threads[0].join(30)
        assert ends == [tf.errors.CancelledError]
        threads[1].start()
        kept.run(put)
        threads[1].join(30)
        assert ends == [tf.errors.CancelledError, 7]
        kept.close()

    @pytest.mark.parametrize("when", ["idle", "waiting"])
    def test_a_task_that_dies(self, pair, when):
        """What calls it ends with UnavailableError; a new one at its address begins anew, for new sessions."""
        import ossia as tf
        with tf.device(_PS):
            variable = tf.Variable(1.0)
            taken = tf.FIFOQueue(1, tf.float32, shapes=[[]]).dequeue()
        session = pair.session()
        session.run(variable.initializer)
        ends: list[Any] = []

        def run() -> None:
            try:
                session.run(taken if when == "waiting" else variable)
            except tf.errors.OpError as error:
                ends.append(error)

        if when == "waiting":
            thread = threading.Thread(target=run)
            thread.start()
            time.sleep(0.5)
        pair.kill()
        began = time.monotonic()
        if when == "waiting":
            thread.join(60)
        else:
            run()
        assert [type(end) for end in ends] == [tf.errors.UnavailableError], ends
        assert time.monotonic() - began < 10
        pair.start()
        with pytest.raises((tf.errors.UnavailableError, tf.errors.AbortedError)):
            session.run(variable)
        session.close()
        with pair.session() as renewed:
            with pytest.raises(tf.errors.FailedPreconditionError):
                renewed.run(variable)
            renewed.run(variable.initializer)
            assert renewed.run(variable) == 1.0
