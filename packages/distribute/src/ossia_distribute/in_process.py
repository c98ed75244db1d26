"""The engine whose tasks are in one process: no sockets, no copies, the reference for others."""
from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from ossia_core.forks import renewed
from ossia_core.names import errors
from ossia_core.plugins.api_table import provides
from ossia_distribute.engine import Engine, Task
from ossia_distribute.task import TaskRuntime


class LocalTask(Task):
    """A task of this process."""

    here = True

    def __init__(self, address: str, runtime: TaskRuntime) -> None:
        self.address, self.runtime = address, runtime

    def submit(self, method: str, *args: Any, blocking: bool = False) -> Future:
        """Call the method in a thread of its own, so that it may wait."""
        return submitted(lambda: getattr(self.runtime, method)(*args))

    def call(self, method: str, *args: Any, timeout: float | None = None) -> Any:
        """Call the method."""
        return getattr(self.runtime, method)(*args)


def submitted(call: Callable[[], Any]) -> Future:
    """The future of a call in a thread that does not keep the process alive."""
    future: Future = Future()

    def run() -> None:
        try:
            result = call()
        except BaseException as error:  # handed to who waits
            future.set_exception(error)
        else:
            future.set_result(result)

    threading.Thread(target=run, daemon=True).start()
    return future


class InProcessEngine(Engine):
    """Tasks by address, in a dict."""

    name = "in-process"

    def __init__(self) -> None:
        self._lock = renewed(threading.Lock())
        self._tasks: dict[str, LocalTask] = {}

    def serve(self, address: str, runtime: TaskRuntime, joined: bool = False) -> None:
        """Let others of this process find the task."""
        with self._lock:
            found = self._tasks.get(address)
            if found is not None and found.runtime is not runtime:
                raise errors.UnknownError(None, None, f"Could not start gRPC server: {address} is taken")
            self._tasks[address] = LocalTask(address, runtime)

    def find(self, address: str) -> Task | None:
        """The task of this process with this address."""
        return self._tasks.get(address)

    def forget(self, address: str) -> None:
        """Let a task of another process be found in place of one of this process."""
        self._tasks.pop(address, None)

    def withdraw(self, address: str) -> None:
        """End a task."""
        with self._lock:
            found = self._tasks.pop(address, None)
        if found is not None:
            found.runtime.stop()


_engine = InProcessEngine()


@provides("ossia_engines", "in-process")
def in_process() -> InProcessEngine:
    """The engine."""
    return _engine
