"""The actors of tasks: one runs the task, the other hands calls on to the process that runs it."""
from __future__ import annotations

import itertools
import os
import queue
import threading
from typing import Any

from ossia_core.names import errors
from ossia_distribute.task import Failure, TaskRuntime

_BLOCKING = 256  # calls that wait for queues at the same time
_RELAYED = 8  # calls that a process fetches ahead


def _started(ray: Any, kind: type, address: str, *args: Any) -> Any:
    """A new actor."""
    groups = {"compute": max(2, os.cpu_count() or 2), "blocking": _BLOCKING, "control": 4 + _RELAYED}
    made = ray.remote(num_cpus=0, max_restarts=0, concurrency_groups=groups)(kind)
    return made.options(name=address, namespace="ossia").remote(*args)


def answer(runtime: TaskRuntime, method: str, args: tuple) -> tuple[bool, Any]:
    """What a method of the task returns, with True; else what it raises."""
    try:
        return True, getattr(runtime, method)(*args)
    except (errors.OpError, Failure) as error:
        return False, error
    except Exception as error:  # a fault of the task's
        return False, errors.InternalError(None, None, f"{type(error).__name__}: {error}")


class TaskActor:
    """Runs a task."""

    def __init__(self, arguments: tuple) -> None:
        self._runtime = TaskRuntime.made(*arguments)

    def handle(self, method: str, args: tuple) -> tuple[bool, Any]:
        """Call a method of the task."""
        return answer(self._runtime, method, args)

    def attend(self) -> None:
        """Last as long as the actor."""
        threading.Event().wait()


class RelayActor:
    """Hands calls on to the process that runs the task."""

    def __init__(self) -> None:
        self._numbers = itertools.count()
        self._requests: queue.SimpleQueue = queue.SimpleQueue()
        self._replies: dict[int, queue.SimpleQueue] = {}

    def handle(self, method: str, args: tuple) -> tuple[bool, Any]:
        """Call a method of the task."""
        number = next(self._numbers)
        reply = self._replies[number] = queue.SimpleQueue()
        self._requests.put((number, method, args))
        try:
            return reply.get()
        finally:
            del self._replies[number]

    def fetch(self) -> tuple[int, str, tuple]:
        """The next call."""
        return self._requests.get()

    def reply(self, number: int, result: tuple[bool, Any]) -> None:
        """Give a call its result."""
        waiting = self._replies.get(number)
        if waiting is not None:
            waiting.put(result)

    def attend(self) -> None:
        """Last as long as the actor."""
        threading.Event().wait()


def task_actor(ray: Any, address: str, arguments: tuple) -> Any:
    """A new actor that runs a task.

    Raises:
      ValueError: another actor has this address.
    """
    actor = _started(ray, TaskActor, address, arguments)
    fine, value = ray.get(actor.handle.options(concurrency_group="control").remote("describe", ()))
    if not fine:
        raise value
    return actor


def relay_actor(ray: Any, address: str, runtime: TaskRuntime) -> Any:
    """A new actor that hands calls on to this process.

    Raises:
      ValueError: another actor has this address.
    """
    actor = _started(ray, RelayActor, address)
    fetch = actor.fetch.options(concurrency_group="blocking")
    reply = actor.reply.options(concurrency_group="control")

    def run(number: int, method: str, args: tuple) -> None:
        reply.remote(number, answer(runtime, method, args))

    def attend() -> None:
        pending = [fetch.remote() for _ in range(_RELAYED)]
        while True:
            try:
                ready, pending = ray.wait(pending, num_returns=1)
                request = ray.get(ready[0])
                pending.append(fetch.remote())
            except Exception:  # the actor is gone, or the process ends
                return
            threading.Thread(target=run, args=request, daemon=True).start()

    threading.Thread(target=attend, daemon=True).start()
    return actor
