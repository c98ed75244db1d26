"""How a server finds the other tasks of its cluster: in its process, else through the engine for several processes."""
from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable

from ossia_core.forks import renewed
from ossia_core.names import errors
from ossia_core.plugins import manager
from ossia_distribute.cluster import ClusterSpec
from ossia_distribute.engine import Engine, Task, local_address
from ossia_distribute.in_process import in_process
from ossia_distribute.task import TaskRuntime

_ALONE = 1.0  # seconds after which tasks that are not in this process are looked for in others


class Membership:
    """A task among the others of its cluster.

    Args:
      address: its address.
      runtime: the task.
      cluster: the cluster.
      release: called when it leaves, to give the address free, which nobody else may take while the task can be found.
    """

    def __init__(self, address: str, runtime: TaskRuntime, cluster: ClusterSpec, release: Callable[[], None]) -> None:
        self._address, self._runtime, self._cluster, self._release = address, runtime, cluster, release
        self._began = time.monotonic()
        self._lock = renewed(threading.Lock())
        self._engine: Engine | None = None
        self._together = False  # whether all tasks were in this process once: one that dies comes back there
        in_process().serve(address, runtime)
        chosen = os.environ.get("OSSIA_ENGINE", "").partition(":")[0]
        if chosen not in ("", "in-process"):
            self._attach(self._chosen(chosen), False)

    def find(self, address: str) -> Task | None:
        """The task with this address, if it is there."""
        found = in_process().find(address)
        elsewhere = self._engine is not None or (not self._together and time.monotonic() - self._began > _ALONE)
        if found is None and elsewhere:
            found = self._attached(False).find(address)
        return found

    def join(self) -> None:
        """Let others reach the task until the process ends."""
        while self._engine is None:
            if self._complete():
                threading.Event().wait(_ALONE)
            elif time.monotonic() - self._began > _ALONE:
                self._attached(True)
            else:
                time.sleep(0.05)
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, _leave)
        self._engine.attend(self._address).result()
        raise errors.UnavailableError(None, None, f"The task at {self._address} is gone")

    def task(self) -> Task:
        """The task as sessions of this process reach it."""
        while self._engine is None and not self._complete():
            if time.monotonic() - self._began > _ALONE:
                try:
                    self._attached(False)
                except errors.FailedPreconditionError:
                    break  # those of this process go on without the others
            time.sleep(0.005)
        found = self.find(self._address)
        assert found is not None
        return found

    def leave(self) -> None:
        """End the task: those that call it get UnavailableError."""
        for engine in (in_process(), self._engine):
            if engine is not None:
                engine.withdraw(self._address)
        self._release()

    def _complete(self) -> bool:
        """Whether all tasks are, or have been, in this process."""
        if self._together:
            return True
        addresses = [
            local_address(self._cluster.task_address(job, index))
            for job in self._cluster.jobs for index in self._cluster.task_indices(job)
        ]
        self._together = len(addresses) == 1 or all(in_process().find(address) is not None for address in addresses)
        return self._together

    def _attached(self, joined: bool) -> Engine:
        with self._lock:
            if self._engine is None:
                chosen = os.environ.get("OSSIA_ENGINE", "").partition(":")[0]
                self._attach(self._chosen(chosen), joined)
            assert self._engine is not None
            return self._engine

    def _attach(self, engine: Engine, joined: bool) -> None:
        engine.serve(self._address, self._runtime, joined)
        self._engine = engine

    def _chosen(self, name: str) -> Engine:
        """The engine for several processes.

        Raises:
          NotFoundError: none has this name.
          FailedPreconditionError: none can be used.
        """
        table = {key: make() for key, make in manager.load_all("ossia_engines").items() if key != "in-process"}
        if name:
            if name not in table:
                raise errors.NotFoundError(None, None, f"OSSIA_ENGINE={name}: there is no such engine")
            table = {name: table[name]}
        why = {key: engine.available() for key, engine in table.items()}
        usable = [key for key in table if why[key] is None]
        if not usable:
            raise errors.FailedPreconditionError(
                None, None, "The cluster has tasks in other processes, which an engine has to reach: "
                + "; ".join(filter(None, why.values()))
            )
        return table[usable[0]]


def _leave(number: int, frame: object) -> None:
    """End the process as SIGTERM does, with what it has at exit."""
    sys.exit(128 + number)
