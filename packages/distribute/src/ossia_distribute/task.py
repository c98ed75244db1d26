"""A task of a cluster: what it keeps, and the parts of graphs that it runs for sessions."""
from __future__ import annotations

import itertools
import random
import threading
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ossia_core.backend import installed_backends
from ossia_core.forks import renewed
from ossia_core.graph.graph import Graph
from ossia_core.names import dtypes, errors
from ossia_core.primitives.state import SessionState
from ossia_core.proto import ClusterDef, ConfigProto, GraphDef
from ossia_core.session.compile.plan import Plan
from ossia_core.session.compile.rewrites import asked_for
from ossia_core.session.run.context import RunContext


class Part(NamedTuple):
    """What a task runs of a step, as it travels.

    graph: a serialised GraphDef.
    feeds, fetches, targets: names of tensors and operations.
    keeps: of each fetch, the name under which its value stays with the task for later parts of the step, or None.
    taken: of each feed, the name under which an earlier part of the step kept it, or None.
    config: a serialised ConfigProto.
    """

    graph: bytes
    feeds: tuple[str, ...]
    fetches: tuple[str, ...]
    targets: tuple[str, ...]
    keeps: tuple[str | None, ...]
    taken: tuple[str | None, ...]
    config: bytes


class Failure(Exception):
    """An error of a node of a part, which knows the node by name."""

    def __init__(self, error_class: type[errors.OpError], message: str, node: str | None) -> None:
        super().__init__(error_class, message, node)
        self.error_class, self.message, self.node = error_class, message, node


class _Session:
    """What a task knows of one session."""

    def __init__(self, state: SessionState) -> None:
        self.state = state
        self.parts: dict[int, tuple[Part, Plan, list[Any]]] = {}
        self.running: dict[int, list[RunContext]] = {}
        self.kept: dict[int, dict[str, Any]] = {}


class TaskRuntime:
    """A task.

    Attributes:
      name: how the names of its devices begin.
      incarnation: a number that tells it from another task at its address.
      cpus: how many CPU devices it has.
      timeout_ms: how long a run takes at most, unless it says so itself; 0 for as long as it needs.
      state: its variables, queues and tables.
      arguments: what makes another one like it.
    """

    def __init__(self, name: str, config: Any = None, cluster: bytes = b"") -> None:
        self.arguments = name, b"" if config is None else config.SerializeToString(), cluster
        self._cluster = cluster
        self.name, self.incarnation = name, random.SystemRandom().getrandbits(63)
        self.cpus = int(config.device_count.get("CPU", 1)) if config is not None and config.device_count else 1
        self.timeout_ms = int(config.operation_timeout_in_ms) if config is not None else 0
        self.state = SessionState()
        self.state.device = name
        self._lock = renewed(threading.RLock())
        self._sessions: dict[str, _Session] = {}
        self._numbers = itertools.count()
        self.alive = True

    @classmethod
    def made(cls, name: str, config: bytes, cluster: bytes) -> TaskRuntime:
        """A task with the `arguments` of another one."""
        return cls(name, ConfigProto.FromString(config), cluster)

    def describe(self) -> tuple[str, int, int, int]:
        """Name, incarnation, CPU devices, and timeout in milliseconds."""
        return self.name, self.incarnation, self.cpus, self.timeout_ms

    def cluster(self) -> Any:
        """The ClusterDef of its cluster."""
        return ClusterDef.FromString(self._cluster)

    def open(self, session: str, name: str, isolated: bool) -> int:
        """Begin a session.

        Args:
          session: its key.
          name: how the names of this task's devices begin in it.
          isolated: whether it shares nothing with others.

        Returns:
          The incarnation of the task.
        """
        self._check_alive()
        state = SessionState() if isolated else self.state.view()
        state.device, state.served = name, True
        with self._lock:
            self._sessions[session] = _Session(state)
        return self.incarnation

    def session_state(self, session: str) -> SessionState:
        """What a session of this process keeps here."""
        return self._of(session).state

    def register(self, session: str, part: Part) -> int:
        """Take a part of a session's graph in, to be run later by the number that this returns."""
        found = self._of(session)
        graph = Graph()
        proto = GraphDef.FromString(part.graph)
        from ossia_core.graph.import_graph import import_nodes
        import_nodes(graph, proto)
        config = ConfigProto.FromString(part.config) if part.config else None
        fetches = [graph.get_tensor_by_name(name) for name in part.fetches]
        targets = [graph.get_operation_by_name(name) for name in part.targets]
        feeds = [graph.get_tensor_by_name(name) for name in part.feeds]
        plan = Plan(
            [*fetches, *targets], feeds, found.state, installed_backends(config), asked_for(config), config
        )
        number = next(self._numbers)
        found.parts[number] = part, plan, [tensor.dtype.base_dtype for tensor in fetches]
        return number

    def run(
        self, session: str, number: int, step: int, values: Sequence[Any], seconds: float | None, last: bool
    ) -> list[Any]:
        """Run a part.

        Args:
          session, number: the session, and what `register` returned.
          step: the number of the step in its session.
          values: of the feeds; None for those that were kept.
          seconds: how long it may take.
          last: whether the step has no later part here.

        Returns:
          The values of the fetches; None for those that are kept.

        Raises:
          Failure: a node failed.
          tf.errors.AbortedError: there is no such session or part, as after a restart.
        """
        found = self._of(session)
        if number not in found.parts:
            raise errors.AbortedError(None, None, f"Graph handle {number} is not found: the task may have restarted.")
        part, plan, kinds = found.parts[number]
        context = RunContext(found.state)
        if seconds is not None:
            context.deadline = time.monotonic() + seconds
        kept = found.kept.setdefault(step, {}) if any(part.keeps) else found.kept.get(step, {})
        given = [value if name is None else kept[name] for value, name in zip(values, part.taken)]
        running = found.running.setdefault(step, [])
        running.append(context)
        try:
            results = plan.run(context, given)
        except errors.OpError as error:
            self._check_alive()
            raise _failure(error) from None
        finally:
            running.remove(context)
            if last:
                found.kept.pop(step, None)
                found.running.pop(step, None)
        for i, name in enumerate(part.keeps):
            if name is not None:
                kept[name] = as_fed(results[i], kinds[i])
                results[i] = None
        return results

    def cancel(self, session: str, step: int) -> None:
        """End what runs of a step; none of its parts follows."""
        found = self._sessions.get(session)
        if found is not None:
            for context in found.running.pop(step, ()):
                context.failed = True
            found.kept.pop(step, None)

    def close(self, session: str) -> None:
        """End a session."""
        with self._lock:
            found = self._sessions.pop(session, None)
        if found is not None:
            found.state.close()

    def reset(self, containers: Sequence[str] = (), sessions: bool = True) -> None:
        """Drop the resources of the containers named, of all if none is; and end all sessions."""
        self._check_alive()
        self.state.reset(containers)
        if sessions:
            for session in list(self._sessions):
                self.close(session)

    def stop(self) -> None:
        """End all that runs here: the task is gone."""
        self.alive = False
        for session in list(self._sessions):
            self.close(session)
        self.state.close()

    def _of(self, session: str) -> _Session:
        self._check_alive()
        found = self._sessions.get(session)
        if found is None:
            raise errors.AbortedError(None, None, f"Session {session} is not found.")
        return found

    def _check_alive(self) -> None:
        if not self.alive:
            raise errors.UnavailableError(None, None, f"The task {self.name} is gone")


def as_fed(value: Any, dtype: Any) -> Any:
    """A fetched value as it is fed: an array, where it is not something else."""
    if type(value) is np.ndarray or dtype in (dtypes.resource, dtypes.variant):
        return value
    if dtype is dtypes.string:
        made = np.empty((), object)
        made[()] = value
        return made
    return np.asarray(value, dtype.as_numpy_dtype)


def _failure(error: errors.OpError) -> Failure:
    node = error._op
    message = error._message.split("\n\t [[node ", 1)[0] if node is not None else error._message
    return Failure(type(error), message, None if node is None else node.name)
