"""Sessions in a cluster: which tasks they reach, where their nodes go, how they begin and end."""
from __future__ import annotations

import os
import time
import uuid
import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ossia_core.graph.operation import Operation
from ossia_core.graph.tensor import Tensor
from ossia_core.names import errors, logging
from ossia_core.names.device import DeviceSpec
from ossia_core.primitives.state import SessionState
from ossia_core.session.compile import ordering
from ossia_core.session.compile.plan import Plan
from ossia_core.session.report import placement
from ossia_core.session.report.devices import DeviceAttributes, local_devices
from ossia_core.session.run.context import Connection, Target
from ossia_distribute.cluster import ClusterSpec
from ossia_distribute.cluster_plan import ClusterPlan
from ossia_distribute.engine import Task, local_address
from ossia_distribute.in_process import LocalTask
from ossia_distribute.partition import segments

_LOG_SECONDS = 10.0


class ClusterTarget(Target):
    """What sessions connect to: a task, and through it its cluster.

    Args:
      task: gives the task.
      find: gives the task with an address, or None as long as there is none.
      cluster: the cluster; of a task that is found by its address, asked of it.
    """

    def __init__(
        self, task: Callable[[], Task], find: Callable[[str], Task | None], cluster: ClusterSpec | None = None
    ) -> None:
        self._task, self._find, self._cluster = task, find, cluster

    def connect(self, config: Any) -> Connection:
        """A connection of a new session."""
        task, spec = self._task(), self._cluster
        if config is not None and config.HasField("cluster_def"):
            spec = ClusterSpec(config.cluster_def)
        elif spec is None:
            spec = ClusterSpec(task.call("cluster"))
        return ClusterConnection(task, spec, self._find, config)


class ClusterConnection(Connection):
    """A session's connection to the tasks of a cluster. It waits for another task when it first needs it."""

    def __init__(
        self, task: Task, spec: ClusterSpec, find: Callable[[str], Task | None], config: Any
    ) -> None:
        own, _, self.cpus, self.timeout_ms = task.call("describe")
        self._session = uuid.uuid4().hex[:16]
        propagated = config is not None and config.HasField("cluster_def")
        isolated = config is not None and (config.isolate_session_state or propagated)
        names = dict(_names(spec))
        if propagated:
            own = next((name for name, address in names.items() if local_address(address) == task.address), own)
        names = {own: task.address} | {
            name: address for name, address in names.items()
            if name != own and _passes(name, config.device_filters if config is not None else ())
        }
        self._own, self._isolated = own, isolated
        self._addresses, self._find = names, find
        self._tasks = {own: task}
        self._incarnations = {own: task.call("open", self._session, own, isolated)}
        self._cpus = dict.fromkeys(names, 1) | {own: self.cpus}
        self._alone = len(names) == 1 and task.here
        state = task.runtime.session_state(self._session) if isinstance(task, LocalTask) else SessionState()
        state.device = own
        super().__init__(state)
        for name, address in names.items():
            if name != own and find(local_address(address)) is not None:
                self.task(name)
        self._finish = weakref.finalize(self, _close, self._tasks, self._session)
        self._finish.atexit = False

    def task(self, name: str) -> Task:
        """A task of the cluster, which knows the session from now on."""
        found = self._tasks.get(name)
        if found is None:
            found = waited_for(name, self._addresses[name], self._find, self.state)
            self._cpus[name] = found.call("describe")[2]
            self._incarnations[name] = found.call("open", self._session, name, self._isolated)
            self._tasks[name] = found
        return found

    def plan(
        self, fetches: Sequence[Tensor | Operation], feeds: Sequence[Tensor], make: Callable[[], Plan], config: Any
    ) -> Any:
        """One plan of this process, where all of it is here; else one in parts."""
        if self._alone:
            return self._here(make)
        parts = segments(fetches, feeds, lambda ops: self._tasks_of(ops, config))
        if isinstance(self._tasks[self._own], LocalTask) and all(part.task == self._own for part in parts):
            return self._here(make)
        graph = fetches[0].graph
        serialised = b"" if config is None else config.SerializeToString()
        return ClusterPlan(graph, fetches, feeds, parts, self.task, self._session, serialised, make)

    def _here(self, make: Callable[[], Plan]) -> Plan:
        if self.state.closed.is_set():
            raise errors.AbortedError(None, None, f"Session {self._session} is not found.")
        return make()

    def _tasks_of(self, ops: Sequence[Operation], config: Any) -> dict[Operation, str]:
        """The task of each node."""
        found = placement.devices_of(ops, self.places(config, ()))
        tasks: dict[str, str] = {}
        for device in set(found.values()):
            spec = DeviceSpec.from_string(device)
            tasks[device] = f"/job:{spec.job}/replica:0/task:{spec.task}"
        return {op: tasks[found[op]] if op in found else self._own for op in ops}

    def check_partial(self, fetches: Sequence[Tensor | Operation], feeds: Sequence[Tensor]) -> None:
        """Refuse a run in parts of nodes of several tasks."""
        targets = {f if isinstance(f, Operation) else f.op for f in fetches}
        ops = ordering.needed(targets, set(feeds))
        if not self._alone and set(self._tasks_of(ops, None).values()) != {self._own}:
            raise errors.UnimplementedError(None, None, "partial_run with nodes on several tasks of a cluster")

    def devices(self, config: Any) -> list[Any]:
        """The devices of all tasks that the session reaches."""
        found: list[DeviceAttributes] = []
        for name, cpus in self._cpus.items():
            found += [
                DeviceAttributes(d.name, d.device_type, d.memory_limit_bytes, self._incarnations.get(name, 1))
                for d in local_devices(None, name, cpus)
            ]
        return found

    def places(self, config: Any, backends: Sequence[Any]) -> placement.Devices:
        """The devices of all tasks that the session reaches."""
        others = tuple(sorted((name, cpus) for name, cpus in self._cpus.items() if name != self._own))
        soft = config is not None and config.allow_soft_placement
        return placement.Devices(self._own, self._cpus[self._own], backends, soft, others)

    def reset(self, containers: Any) -> None:
        """Drop resources at every task, and end the sessions of this one."""
        named = [c.decode() if isinstance(c, bytes) else c for c in containers or ()]
        for name in self._addresses:
            self.task(name).call("reset", named, name == self._own)

    def close(self) -> None:
        """End the session at every task."""
        self._finish()


def _close(tasks: dict[str, Task], session: str) -> None:
    for task in tasks.values():
        try:
            if task.here:
                task.call("close", session)
            else:
                task.submit("close", session)
        except errors.OpError:
            pass  # it is gone, and the session with it


def _names(spec: ClusterSpec) -> Iterable[tuple[str, str]]:
    for job in spec.jobs:
        for index in spec.task_indices(job):
            yield f"/job:{job}/replica:0/task:{index}", spec.task_address(job, index)


def _passes(name: str, filters: Sequence[str]) -> bool:
    """Whether a session with these `device_filters` reaches a task."""
    task = DeviceSpec.from_string(name)
    return not filters or any(
        (f.job in (None, task.job)) and (f.replica in (None, task.replica)) and (f.task in (None, task.task))
        for f in map(DeviceSpec.from_string, filters)
    )


def waited_for(name: str, address: str, find: Callable[[str], Task | None], state: SessionState) -> Task:
    """The task, as soon as it is there, for a session that may be closed meanwhile."""
    address = local_address(address)
    patience = float(os.environ.get("OSSIA_START_TIMEOUT", "inf"))
    began = told = time.monotonic()
    pause = 0.005
    while True:
        found = find(address)
        if found is not None:
            return found
        if state.closed.is_set():
            raise errors.CancelledError(None, None, "Session has been closed.")
        now = time.monotonic()
        if now - began > patience:
            raise errors.DeadlineExceededError(None, None, f"No answer from {name} at {address}")
        if now - told > _LOG_SECONDS:
            logging.info("CreateSession still waiting for response from worker: %s", name)
            told = now
        time.sleep(pause)
        pause = min(0.2, pause * 1.5)
