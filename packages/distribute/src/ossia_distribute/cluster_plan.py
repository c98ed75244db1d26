"""Plans of runs in which several tasks take part: their parts, registered once, called once per step each."""
from __future__ import annotations

import functools
import itertools
import queue
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, NamedTuple

import numpy as np

from ossia_core.graph.export import node_def
from ossia_core.graph.operation import Operation
from ossia_core.graph.tensor import Tensor
from ossia_core.names import errors
from ossia_core.proto import GraphDef
from ossia_core.session.compile.plan import Plan
from ossia_core.session.run.context import RunContext
from ossia_distribute.engine import Task
from ossia_distribute.partition import Segment, is_source, takes_reference, variable_of
from ossia_distribute.task import Failure, Part, as_fed

_steps = itertools.count(1)
_GRACE = 1.0  # seconds that a failed run waits for its parts to give up


def _note(finished: queue.SimpleQueue[tuple[int, Future]], i: int, done: Future) -> None:
    finished.put((i, done))


class _Call(NamedTuple):
    """A part as it is called: where, its number there, the parts behind it, what it gets and gives."""

    task: Task
    name: str
    number: int
    waits: bool
    followers: list[int]
    feeds: list[int | None]  # slots; None for what is kept at the task
    gives: list[tuple[int, Any] | None]
    last: bool


class ClusterPlan:
    """What a session runs for some fetches and feeds; it has what sessions use of `Plan`.

    Args:
      graph: the program's graph.
      fetches, feeds: what is fetched and fed.
      parts: the segments.
      task: gives the task with a name.
      session: the key of the session.
      config: its ConfigProto, serialised.
      make: makes the plan that would run all of it here.
    """

    blocking = True  # whether a step may wait for something outside of the plan

    def __init__(
        self, graph: Any, fetches: Sequence[Tensor | Operation], feeds: Sequence[Tensor], parts: list[Segment],
        task: Callable[[str], Task], session: str, config: bytes, make: Callable[[], Plan],
    ) -> None:
        self._graph, self._session, self._make = graph, session, make
        self._whole: Plan | None = None
        self._slots: dict[Tensor, int] = {tensor: i for i, tensor in enumerate(feeds)}
        self._kinds = [tensor.dtype.base_dtype for tensor in feeds]
        position = {segment: i for i, segment in enumerate(parts)}
        given_by = {tensor: segment for segment in parts for tensor in segment.gives}
        wanted = {f for f in fetches if isinstance(f, Tensor)}
        used: dict[Tensor, set[str]] = {}
        for segment in parts:
            for tensor in segment.feeds:
                used.setdefault(tensor, set()).add(segment.task)
        stays = {
            tensor for tensor, segment in given_by.items() if tensor not in wanted and used[tensor] == {segment.task}
        }
        last = {segment.task: segment for segment in parts}
        self._calls: list[_Call] = []
        self._first = [len(segment.follows) for segment in parts]
        for segment in parts:
            number = task(segment.task).call("register", session, _part(segment, stays, config))
            self._calls.append(_Call(
                task(segment.task), segment.task, number, segment.key[2],
                [position[other] for other in parts if segment in other.follows],
                [None if tensor in stays else self._slot(tensor) for tensor in segment.feeds],
                [None if t in stays else (self._slot(t), t.dtype.base_dtype) for t in segment.gives],
                last[segment.task] is segment,
            ))
        self._fetches = [self._slots[f] for f in fetches if isinstance(f, Tensor)]

    def _slot(self, tensor: Tensor) -> int:
        return self._slots.setdefault(tensor, len(self._slots))

    @property
    def whole(self) -> Plan:
        """A plan with all nodes, to be told of and not run."""
        if self._whole is None:
            self._whole = self._make()
        return self._whole

    def run(self, context: RunContext, feeds: Sequence[Any]) -> list[Any]:
        """Run all parts and return the values of the fetched tensors.

        Raises:
          OpError: a node failed, a task died, or the time is over.
        """
        if context.session_state.closed.is_set():
            raise errors.AbortedError(None, None, f"Session {self._session} is not found.")
        slots: list[Any] = [*feeds, *[None] * (len(self._slots) - len(feeds))]
        waits, step = self._first.copy(), next(_steps)
        ready = [i for i, count in enumerate(waits) if not count]
        finished: queue.SimpleQueue[tuple[int, Future]] = queue.SimpleQueue()
        running: set[int] = set()
        try:
            while ready or running:
                while ready:
                    context.check()
                    i = ready.pop()
                    call = self._calls[i]
                    values = [None if slot is None else slots[slot] for slot in call.feeds]
                    args = "run", self._session, call.number, step, values, context.remaining(), call.last
                    if call.task.here and not ready and not running:
                        self._take(i, call.task.call(*args), slots, waits, ready)
                    else:
                        running.add(i)
                        future = call.task.submit(*args, blocking=call.waits)
                        future.add_done_callback(functools.partial(_note, finished, i))
                if running:
                    i, future = self._next(finished, context)
                    running.discard(i)
                    self._take(i, future.result(), slots, waits, ready)
        except BaseException as error:
            self._give_up(step, running, finished)
            raise self._explained(error) from None
        return [_callers(slots[slot]) for slot in self._fetches]

    def _next(self, finished: queue.SimpleQueue, context: RunContext) -> tuple[int, Future]:
        while True:
            left = context.remaining()
            try:
                return finished.get(timeout=0.05 if left is None else max(0.0, min(left, 0.05)))
            except queue.Empty:
                context.check()

    def _take(self, i: int, results: list[Any], slots: list[Any], waits: list[int], ready: list[int]) -> None:
        call = self._calls[i]
        for value, given in zip(results, call.gives):
            if given is not None:
                slots[given[0]] = value if type(value) is np.ndarray else as_fed(value, given[1])
        for follower in call.followers:
            waits[follower] -= 1
            if not waits[follower]:
                ready.append(follower)

    def _give_up(self, step: int, running: set[int], finished: queue.SimpleQueue) -> None:
        """Let the parts of a failed step end."""
        for name, task in {call.name: call.task for call in self._calls}.items():
            if task.here or name in {self._calls[i].name for i in running}:
                try:
                    task.submit("cancel", self._session, step) if not task.here else task.call(
                        "cancel", self._session, step
                    )
                except errors.OpError:
                    pass
        while running:
            try:
                running.discard(finished.get(timeout=_GRACE)[0])
            except queue.Empty:
                break

    def _explained(self, error: BaseException) -> BaseException:
        if isinstance(error, Failure):
            kind, message, node = error.args
            made = kind(None, None, message)
            if node is not None:
                made.attach(self._graph._by_name.get(node))
            return made
        if isinstance(error, errors.DeadlineExceededError):
            return errors.DeadlineExceededError(None, None, "Operation timed out.")
        return error

    def elsewhere(
        self, context: RunContext, feeds: Sequence[Any], graphs: Sequence[Any], wanted: Any, metadata: Any
    ) -> list[Any]:
        """Run, and fill a RunMetadata: times of the run as a whole for each device, and the graphs of the devices."""
        from ossia_core.session.report.tracing import add_partitions
        began = time.time_ns() // 1000
        results = self.run(context, feeds)
        took = time.time_ns() // 1000 - began
        for nodes in graphs or () if wanted.level or wanted.costs else ():
            stats = metadata.step_stats.dev_stats.add(device=nodes[0].device)
            for node in nodes:
                stats.node_stats.add(
                    node_name=node.name, all_start_micros=began, all_end_rel_micros=took,
                    timeline_label=f"{node.name} = {node.type}({', '.join(node.input_names())})",
                )
        if wanted.partitions:
            add_partitions(graphs, self._graph, metadata)
        return results


def _callers(value: Any) -> Any:
    """A value as the caller's own: a scalar, or an array that may be written to."""
    if type(value) is not np.ndarray:
        return value
    if not value.ndim:
        return value[()]
    return value if value.flags.writeable else value.copy()


def _part(segment: Segment, stays: set[Tensor], config: bytes) -> Part:
    """A segment as it travels: a graph in which placeholders stand for what it gets."""
    graph = segment.ops[0].graph
    proto = GraphDef()
    proto.versions.CopyFrom(graph.graph_def_versions)
    for function in graph._functions.values():
        proto.library.function.append(function.definition)
    for name, gradient in graph._function_gradients.items():
        proto.library.gradient.add(function_name=name, gradient_func=gradient)
    names: dict[Tensor, str] = {}
    for i, tensor in enumerate(segment.feeds):
        names[tensor] = f"{tensor.op.name}/_{i}"
        node = proto.node.add(name=names[tensor], op="Placeholder", device=segment.ops[0].device)
        node.attr["dtype"].type = tensor.dtype.base_dtype.as_datatype_enum
        node.attr["shape"].shape.CopyFrom(tensor.shape.as_proto())
    own = set(segment.ops)
    copied: set[Operation] = set()
    for op in segment.ops:
        for tensor in op._inputs:
            if tensor not in names and tensor.op not in own and takes_reference(op, tensor):
                tensor = variable_of(tensor)
            source = tensor.op
            if tensor not in names and source not in own and source not in copied and is_source(source):
                copied.add(source)
                _add(proto, source, own, {})
    for op in segment.ops:
        _add(proto, op, own, names)
    return Part(
        proto.SerializeToString(),
        tuple([f"{names[tensor]}:0" for tensor in segment.feeds]),
        tuple([tensor.name for tensor in segment.gives]),
        tuple([op.name for op in segment.targets]),
        tuple([tensor.name if tensor in stays else None for tensor in segment.gives]),
        tuple([tensor.name if tensor in stays else None for tensor in segment.feeds]),
        config,
    )


def _add(proto: Any, op: Operation, own: set[Operation], names: dict[Tensor, str]) -> None:
    node = node_def(op)
    node.attr.pop("_class", None)
    inputs = []
    for tensor, text in zip(op._inputs, node.input):
        if tensor in names:
            text = names[tensor]
        elif tensor.op not in own and takes_reference(op, tensor):
            variable = variable_of(tensor)
            text = variable.op.name if variable.value_index == 0 else f"{variable.op.name}:{variable.value_index}"
        inputs.append(text)
    del node.input[:]
    node.input.extend([*inputs, *sorted(f"^{c.name}" for c in op._control_inputs if c in own)])
    proto.node.append(node)
