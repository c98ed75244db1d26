"""Replicas of a model: the same function called once for each, in threads that take turns where values are merged."""
from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ossia_core.graph.convert import constant
from ossia_core.graph.replicas import replica_context, set_replica_context
from ossia_core.graph.scopes import device, name_scope
from ossia_core.graph.stack import get_default_graph
from ossia_core.plugins.api_table import public
from ossia_core.variables.creation import variable_creator_scope
from ossia_core.variables.scope import get_variable_scope
from ossia_core.variables.variable_scope import variable_scope
from ossia_distribute.strategy.context import Cross, stack
from ossia_distribute.strategy.values import ReduceOp, regrouped, selected


@public("distribute.ReplicaContext", "compat.v2.distribute.ReplicaContext")
class ReplicaContext:
    """What a replica knows of itself, while the graph of the replica is built.

    Args:
      strategy: its strategy.
      replica_id_in_sync_group: its number, a tensor.
    """

    is_cross = False

    def __init__(self, strategy: Any, replica_id_in_sync_group: Any) -> None:
        self._strategy, self._replica_id = strategy, replica_id_in_sync_group

    @property
    def strategy(self) -> Any:
        """The strategy."""
        return self._strategy

    @property
    def num_replicas_in_sync(self) -> int:
        """How many replicas there are."""
        return self._strategy.num_replicas_in_sync

    @property
    def replica_id_in_sync_group(self) -> Any:
        """The number of the replica, an int32 tensor."""
        return self._replica_id

    @property
    def devices(self) -> tuple[str, ...]:
        """The devices of the replica."""
        return self._strategy.extended.worker_devices[:1]

    def __enter__(self) -> ReplicaContext:
        stack.replicas.append(self)
        return self

    def __exit__(self, *exc: object) -> None:
        stack.replicas.pop()

    def merge_call(self, merge_fn: Callable, args: Sequence[Any] = (), kwargs: dict[str, Any] | None = None) -> Any:
        """Call `merge_fn(strategy, *args, **kwargs)` once for all replicas; each argument that differs among them is a
        PerReplica value.

        Returns:
          What it returns, of PerReplica values that of this replica.
        """
        stack.replicas.append(Cross(self._strategy))
        try:
            return merge_fn(self._strategy, *args, **(kwargs or {}))
        finally:
            stack.replicas.pop()

    def all_reduce(self, reduce_op: Any, value: Any) -> Any:
        """The sum or mean of a tensor, or of each tensor of a structure, over the replicas."""
        def reduced(strategy: Any, value: Any) -> Any:
            from ossia_core.names import nest
            return nest.map_structure(lambda v: strategy.extended.reduce_to(reduce_op, v), value)
        return self.merge_call(reduced, args=(value,))


class _Replica(ReplicaContext):
    """One of several replicas: a thread, which waits for the others where it merges."""

    def __init__(self, strategy: Any, number: int, group: _Group) -> None:
        super().__init__(strategy, None)
        self.number, self._group = number, group
        self.turn, self.done = threading.Semaphore(0), False
        self.merging: Any = None
        self.result: Any = None
        self.error: BaseException | None = None

    @property
    def devices(self) -> tuple[str, ...]:
        return (self._strategy.extended.worker_devices[self.number],)

    def merge_call(self, merge_fn: Callable, args: Sequence[Any] = (), kwargs: dict[str, Any] | None = None) -> Any:
        """Hand the arguments over, let the other replicas come here, and go on with what came of it."""
        self.merging = merge_fn, tuple(args), dict(kwargs or {}), get_default_graph()._name_stack
        self._group.turned.release()
        self.turn.acquire()
        if self._group.failed:
            raise SystemExit
        return self.result

    def run(self, fn: Callable, args: tuple, kwargs: dict, graph: Any, scopes: tuple) -> None:
        """Build the replica."""
        self.turn.acquire()
        try:
            if self._group.failed:
                return
            names, variables = scopes
            before = set_replica_context(self)
            with graph.as_default(), contextlib.ExitStack() as inside:
                graph._name_stack = names
                if self.number:
                    inside.enter_context(name_scope(f"replica_{self.number}"))
                inside.enter_context(self)
                inside.enter_context(device(self.devices[0]))
                inside.enter_context(variable_scope(
                    variables, reuse=True if self.number else variables.reuse, auxiliary_name_scope=False
                ))
                self._replica_id = constant(self.number)
                self.result = fn(*args, **kwargs)
            set_replica_context(before)
        except SystemExit:
            pass
        except BaseException as error:  # raised in the thread that waits
            self.error = error
        finally:
            self.done = True
            self._group.turned.release()


class _Group:
    """The replicas of one call."""

    def __init__(self) -> None:
        self.turned = threading.Semaphore(0)
        self.failed = False
        self._made: list[Any] = []
        self._counts: dict[int, int] = {}

    def create(self, following: Callable, **kwargs: Any) -> Any:
        """A variable creator: what the first replica makes, the others get."""
        replica = replica_context()
        if replica is None:
            return following(**kwargs)
        count = self._counts[replica.number] = self._counts.get(replica.number, -1) + 1
        if replica.number == 0 or count >= len(self._made):
            self._made.append(following(**kwargs))
        return self._made[count]


def call_for_each(strategy: Any, fn: Callable, args: Sequence[Any], kwargs: dict[str, Any] | None) -> Any:
    """What `fn` gives in each replica, as one structure.

    Raises:
      RuntimeError: the replicas merge at different places.
    """
    count = strategy.num_replicas_in_sync
    graph = get_default_graph()
    graph.switch_to_thread_local()
    scopes = graph._name_stack, get_variable_scope()
    group = _Group()
    replicas = [_Replica(strategy, number, group) for number in range(count)]
    for replica in replicas:
        given = selected(replica.number, tuple(args)), selected(replica.number, dict(kwargs or {}))
        threading.Thread(target=replica.run, args=(fn, *given, graph, scopes), daemon=True).start()
    try:
        with variable_creator_scope(group.create):
            return _built(strategy, graph, group, replicas)
    finally:
        group.failed = True
        for replica in replicas:
            if not replica.done:
                replica.turn.release()


def _built(strategy: Any, graph: Any, group: _Group, replicas: list[_Replica]) -> Any:
    while True:
        for replica in replicas:
            replica.turn.release()
            group.turned.acquire()
            if replica.error is not None:
                raise replica.error
        if all(replica.done for replica in replicas):
            return regrouped([replica.result for replica in replicas])
        if any(replica.done for replica in replicas):
            raise RuntimeError("Some replicas made a different number of replica_context().merge_call() calls.")
        _merge(strategy, graph, replicas)


def _merge(strategy: Any, graph: Any, replicas: list[_Replica]) -> None:
    function, _, _, names = replicas[0].merging
    args = regrouped([replica.merging[1] for replica in replicas])
    kwargs = regrouped([replica.merging[2] for replica in replicas])
    with _named(graph, names):
        stack.replicas.append(Cross(strategy))
        try:
            result = function(strategy, *args, **kwargs)
        finally:
            stack.replicas.pop()
    for replica in replicas:
        replica.result = selected(replica.number, result)


@contextlib.contextmanager
def _named(graph: Any, names: str) -> Iterator[None]:
    before, graph._name_stack = graph._name_stack, names
    try:
        yield
    finally:
        graph._name_stack = before


def reduced(reduce_op: Any, values: Sequence[Any]) -> Any:
    """The sum or mean of tensors, or of IndexedSlices."""
    from ossia_core.declare.builders import builder
    from ossia_core.graph.composites import IndexedSlices
    mean = ReduceOp(getattr(reduce_op, "value", reduce_op)) is ReduceOp.MEAN
    if isinstance(values[0], IndexedSlices):
        concat = builder("concat")
        rows = concat([value.values for value in values], 0)
        rows = rows / len(values) if mean else rows
        return IndexedSlices(rows, concat([value.indices for value in values], 0), values[0].dense_shape)
    total = values[0] if len(values) == 1 else builder("add_n")(list(values))
    return total / len(values) if mean and len(values) > 1 else total
