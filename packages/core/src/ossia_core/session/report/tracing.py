"""Runs that are measured: RunOptions and RunMetadata."""
from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ossia_core.declare.language import MERGE, NEXT
from ossia_core.graph.operation import Operation
from ossia_core.names.dtypes import as_dtype
from ossia_core.session.compile.plan import Plan
from ossia_core.session.compile.work import Work
from ossia_core.session.report.placed_graph import PlacedNode
from ossia_core.session.run.context import RunContext, release_held
from ossia_core.session.run.steps import Step

_HOST = "/host:CPU"  # the device of what threads do


class Wanted(NamedTuple):
    """What a RunMetadata is to tell of a run."""

    level: int = 0
    partitions: bool = False
    costs: bool = False


def run_traced(
    plan: Plan, context: RunContext, feeds: Sequence[Any], graphs: Sequence[Sequence[PlacedNode]], wanted: Wanted,
    metadata: Any,
) -> list[Any]:
    """Run a plan, and fill a RunMetadata.

    Args:
      plan, context, feeds: as for `Plan.run`.
      graphs: the nodes of the run, by device.
      wanted: what to fill in.
      metadata: the RunMetadata, empty.
    """
    if not wanted.level and not wanted.costs:
        results = plan.run(context, feeds)
    else:
        results = _timed(plan, context, feeds, graphs, wanted, metadata)
    if wanted.partitions:
        add_partitions(graphs, plan.graph, metadata)
    return results


def add_partitions(graphs: Sequence[Sequence[PlacedNode]], program: Any, metadata: Any) -> None:
    """Add the graphs of the devices to a RunMetadata; `program`: the graph that they are of, if there is one."""
    for nodes in graphs:
        graph = metadata.partition_graphs.add()
        graph.node.extend(node.node_def() for node in nodes)
        if program is not None:
            graph.versions.CopyFrom(program.graph_def_versions)


def _timed(
    plan: Plan, context: RunContext, feeds: Sequence[Any], graphs: Sequence[Sequence[PlacedNode]], wanted: Wanted,
    metadata: Any,
) -> list[Any]:
    """Run a plan, and fill in the times of its nodes."""
    slots = plan.start(context, feeds)
    trace = _Trace(plan, slots)
    try:
        plan.traced(trace.measured)(slots, context)
    except Exception as e:
        release_held(slots)
        explained = plan.explained(e, context)
        if explained is e:
            raise
        raise explained from e
    trace.write(graphs, metadata, wanted)
    return plan.results(slots)


class _Measure(NamedTuple):
    """When a node ran, on which thread, and type, shape and bytes of each output."""

    began: int
    ended: int
    thread: int
    sizes: list[Any]


class _Trace:
    """The times of steps, to be written into a RunMetadata."""

    def __init__(self, plan: Plan, slots: list[Any]) -> None:
        self._plan, self._slots = plan, slots
        self._fed = {tensor: slots[slot] for tensor, slot in zip(plan.feeds, plan.feed_slots)}
        self._threads: dict[int, int] = {}
        self._times: list[tuple[Work, int, int, int, list[Any]]] = []
        self._with_step: set[Operation] = set()
        self._began = time.time_ns()

    def measured(self, work: Work) -> Step:
        """The step of `work`, which notes when it runs."""
        step, writes, times, threads = work.step, work.outs, self._times, self._threads
        self._with_step.update(_nodes(work))

        def timed(slots: list[Any]) -> None:
            began = time.time_ns()
            step(slots)
            ended = time.time_ns()
            thread = threads.setdefault(threading.get_ident(), len(threads))
            values = [slots[slot] for slot in writes]
            sizes = [(getattr(value, "dtype", None), getattr(value, "shape", ()), getattr(value, "nbytes", None))
                     for value in values]
            times.append((work, began, ended, thread, sizes))

        return timed

    def write(self, graphs: Sequence[Sequence[PlacedNode]], metadata: Any, wanted: Wanted) -> None:
        """Fill in the times of all nodes, in the order in which they began, and their costs."""
        from ossia_core.proto import RunOptions
        ran = self._ran()
        host = None
        if wanted.level == RunOptions.FULL_TRACE and ran:
            host = metadata.step_stats.dev_stats.add(device=_HOST)
            for thread in self._threads.values():
                host.thread_names[thread] = "tf_Compute"
        measures: dict[PlacedNode, _Measure] = {}
        ids = 0
        for nodes in graphs:
            entries = [(node, measure) for node in nodes if (measure := self._measure(node, ran, measures))]
            if not entries:
                continue
            device = metadata.step_stats.dev_stats.add(device=nodes[0].device)
            began = min(measure.began for _, measure in entries)
            _entry(device, "_SOURCE", "_SOURCE = NoOp()", _Measure(began, began, 0, []))
            for node, measure in sorted(entries, key=lambda entry: entry[1].began):
                inputs = ", ".join(node.input_names())
                stats = _entry(device, node.name, f"{node.name} = {node.type}({inputs})", measure)
                has_step = node.op in ran
                _add_outputs(stats, measure.sizes, has_step)
                stats.memory_stats.SetInParent()
                if node.values is not None:
                    stats.memory_stats.persistent_memory_size = sum(value.nbytes for value in node.values)
                if has_step and host is not None:
                    host.node_stats.add(
                        node_name=f"{node.name}:{node.type}", all_start_micros=measure.began // 1000,
                        all_end_rel_micros=(measure.ended - measure.began) // 1000, thread_id=measure.thread,
                        timeline_label=f"id=1,device={node.device},async=false",
                    )
            if wanted.costs:
                _add_costs(metadata.cost_graph, nodes, measures, ids)
                ids += len(nodes) + 2

    def _ran(self) -> dict[Any, _Measure]:
        """The measure of each node that a step ran. The nodes of a step that stands for several, a region that was
        compiled or a loop, share its time evenly, one after the other."""
        ran: dict[Any, _Measure] = {}
        for work, began, ended, thread, sizes in self._times:
            nodes = list(dict.fromkeys(_nodes(work)))
            for i, node in enumerate(nodes):
                start = began + (ended - began) * i // len(nodes)
                stop = began + (ended - began) * (i + 1) // len(nodes)
                ran.setdefault(node, _Measure(start, stop, thread, sizes if len(nodes) == 1 else _known_sizes(node)))
        return ran

    def _measure(
        self, node: PlacedNode, ran: dict[Any, _Measure], measures: dict[PlacedNode, _Measure]
    ) -> _Measure | None:
        """The measure of a node; that of one without a step of its own takes no time when its inputs are there. None
        of nodes that did not run: those of a branch that was not taken."""
        if node.op is not None and not self._plan.reached(node.op, self._slots):
            return None
        measure = ran.get(node.op)
        if measure is None:
            if node.op in self._with_step:
                return None
            before = [measures.get(source) for source in (*(source for source, _ in node.inputs), *node.controls)]
            if None in before and (node.op is None or node.op.definition.role not in (MERGE, NEXT)):
                return None
            ended = max((each.ended for each in before if each is not None), default=self._began)
            measure = _Measure(ended, ended, 0, self._sizes(node, before))
        measures[node] = measure
        return measure

    def _sizes(self, node: PlacedNode, before: Sequence[_Measure | None]) -> list[Any]:
        if node.values is not None:
            return [_size(value) for value in node.values]
        if node.is_feed and node.tensor is not None:
            return [_size(self._fed[node.tensor])]
        if node.op is None:
            return []
        if node.forwards and before[0] is not None:
            source, index = node.inputs[0]
            return before[0].sizes[index:index + 1]
        return _known_sizes(node.op)


def _entry(device: Any, name: str, label: str, measure: _Measure) -> Any:
    """An entry of a device; its end is rounded up, so that its outputs are there for some time."""
    taken = measure.ended - measure.began
    return device.node_stats.add(
        node_name=name,
        all_start_micros=measure.began // 1000,
        all_start_nanos=measure.began,
        op_end_rel_micros=taken // 1000,
        op_end_rel_nanos=taken,
        all_end_rel_micros=taken // 1000 + 1,
        all_end_rel_nanos=taken,
        scheduled_micros=measure.began // 1000,
        scheduled_nanos=measure.began,
        thread_id=measure.thread,
        timeline_label=label,
    )


def _nodes(work: Work) -> Iterator[Operation]:
    """The nodes that a step stands for; of the branches in a compiled region, all."""
    pending = [work]
    while pending:
        each = pending.pop()
        inner: list[Work] = list(each.members)
        if each.loop is not None:
            inner += [*each.loop.condition_work, *each.loop.body_work, *each.loop.end_work]
        if inner:
            pending += inner[::-1]
        elif each.is_read:
            yield from (t.op for t in each.node._inputs if t.dtype._is_ref_dtype)
            if each.node.definition.forwards_input and not each.node._control_inputs:
                yield each.node  # which has no other step
        else:
            yield each.node


def _size(value: Any) -> tuple[Any, Any, Any]:
    """Type, shape and bytes of a value."""
    array = np.asarray(value)
    return array.dtype, array.shape, array.nbytes


def _known_sizes(node: Operation) -> list[Any]:
    """Type, shape and bytes of the outputs of a node inside a step, as far as the graph tells them."""
    sizes: list[Any] = []
    for t in node.outputs:
        dims, kind = t.shape.as_tuple(), t.dtype.base_dtype
        known = dims is not None and None not in dims and (kind.is_bool or kind.is_integer or kind.is_floating)
        sizes.append((kind, dims, math.prod(dims) * kind.size) if known else (None, (), None))
    return sizes


def _add_outputs(stats: Any, sizes: list[Any], allocated: bool) -> None:
    """Add the outputs, and what they take of memory if the node has allocated them."""
    for i, (dtype, shape, nbytes) in enumerate(sizes):
        if nbytes is None:
            continue
        description = stats.output.add(slot=i).tensor_description
        description.dtype = as_dtype(dtype).as_datatype_enum
        for size in shape:
            description.shape.dim.add(size=size)
        description.allocation_description.requested_bytes = nbytes
        description.allocation_description.allocated_bytes = nbytes
        description.allocation_description.allocator_name = "cpu"
    total = sum(nbytes or 0 for _, _, nbytes in sizes)
    if total and allocated:
        stats.memory.add(allocator_name="cpu", total_bytes=total, peak_bytes=total, live_bytes=total)


def _add_costs(
    cost_graph: Any, nodes: Sequence[PlacedNode], measures: dict[PlacedNode, _Measure], first: int
) -> None:
    """Add the nodes of one device to a CostGraphDef, numbered from `first` on."""
    numbers = {node: first + i for i, node in enumerate(nodes, 2)}
    used = {source for node in nodes for source in (*(source for source, _ in node.inputs), *node.controls)}
    cost_graph.node.add(name="_SOURCE", id=first)
    ends = [number for node, number in numbers.items() if node not in used]
    cost_graph.node.add(name="_SINK", id=first + 1, control_input=[first, *ends])
    for node, number in numbers.items():
        cost = cost_graph.node.add(name=node.name, device=node.device, id=number)
        for source, index in node.inputs:
            cost.input_info.add(preceding_node=numbers[source], preceding_port=index)
        cost.control_input.extend([numbers[control] for control in node.controls])
        if not node.inputs and not node.controls:
            cost.control_input.append(first)
        measure = measures.get(node)
        for dtype, shape, nbytes in measure.sizes if measure is not None else ():
            output = cost.output_info.add(alias_input_port=0 if node.forwards else -1)
            if nbytes is None:
                output.size, output.shape.unknown_rank = -1, True
                continue
            output.size, output.dtype = nbytes, as_dtype(dtype).as_datatype_enum
            output.shape.SetInParent()
            for size in shape:
                output.shape.dim.add(size=size)
        if measure is not None:
            cost.compute_cost = cost.compute_time = (measure.ended - measure.began) // 1000
        if node.values is not None:
            cost.persistent_memory_size = sum(value.nbytes for value in node.values)
