"""Runs that are measured: RunOptions and RunMetadata."""
from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

from ossia_core.graph.operation import Operation
from ossia_core.session.context import RunContext, release_held
from ossia_core.session.plan import Plan
from ossia_core.session.steps import Step
from ossia_core.session.traits import ALIASES
from ossia_core.session.work import Work

_CPU = "/job:localhost/replica:0/task:0/device:CPU:0"


def run_traced(plan: Plan, context: RunContext, feeds: Sequence[Any], options: Any, run_metadata: Any) -> list[Any]:
    """Run a plan; if the options ask for a trace, fill `run_metadata` with the nodes that ran and their times."""
    from ossia_core.proto import RunOptions
    level = options.trace_level if options is not None else RunOptions.NO_TRACE
    if run_metadata is not None:
        run_metadata.Clear()
    if run_metadata is not None and getattr(options, "output_partition_graphs", False):
        graph = run_metadata.partition_graphs.add()
        graph.node.extend(op.node_def for op in plan.ops)
    if run_metadata is None or level in (RunOptions.NO_TRACE, RunOptions.HARDWARE_TRACE):
        return plan.run(context, feeds)
    trace = _Trace(run_metadata.step_stats.dev_stats.add(device=_CPU))
    slots = plan.start(context, feeds)
    try:
        plan.traced(trace.measured)(slots, context)
    except Exception as e:
        release_held(slots)
        explained = plan.explained(e)
        if explained is e:
            raise
        raise explained from e
    trace.write()
    return plan.results(slots)


class _Trace:
    """The times of steps, to be written into a DeviceStepStats."""

    def __init__(self, device: Any) -> None:
        self._device = device
        self._threads: dict[int, int] = {}
        self._times: list[tuple[Work, int, int, int, list[Any]]] = []

    def measured(self, work: Work) -> Step:
        """The step of `work`, which notes when it runs."""
        step, writes, times, threads = work.step, work.outs, self._times, self._threads

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

    def write(self) -> None:
        """Add an entry for each node. The nodes of a step that stands for several, a region that was compiled or a
        loop, share its time evenly, one after the other."""
        for work, began, ended, thread, sizes in self._times:
            nodes = list(dict.fromkeys(_nodes(work)))
            for i, node in enumerate(nodes):
                start = began + (ended - began) * i // len(nodes)
                stop = began + (ended - began) * (i + 1) // len(nodes)
                stats = self._entry(node, start, stop, thread)
                _add_outputs(stats, sizes if len(nodes) == 1 else _known_sizes(node))

    def _entry(self, node: Operation, start: int, stop: int, thread: int) -> Any:
        inputs = ", ".join(t.op.name for t in node._inputs)
        return self._device.node_stats.add(
            node_name=node.name,
            all_start_micros=start // 1000,
            all_start_nanos=start,
            op_end_rel_micros=(stop - start) // 1000,
            op_end_rel_nanos=stop - start,
            all_end_rel_micros=(stop - start) // 1000,
            all_end_rel_nanos=stop - start,
            scheduled_micros=start // 1000,
            scheduled_nanos=start,
            thread_id=thread,
            timeline_label=f"{node.name} = {node.type}({inputs})",
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
            if each.node.type in ALIASES and not each.node._control_inputs:
                yield each.node  # which has no other step
        else:
            yield each.node


def _known_sizes(node: Operation) -> list[Any]:
    """Type, shape and bytes of the outputs of a node inside a step, as far as the graph tells them."""
    sizes: list[Any] = []
    for t in node.outputs:
        dims, kind = t.shape.as_tuple(), t.dtype.base_dtype
        known = dims is not None and None not in dims and (kind.is_bool or kind.is_integer or kind.is_floating)
        sizes.append((kind, dims, math.prod(dims) * kind.size) if known else (None, (), None))
    return sizes


def _add_outputs(stats: Any, sizes: list[Any]) -> None:
    from ossia_core.dtypes import as_dtype
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
    if total:
        stats.memory.add(allocator_name="cpu", total_bytes=total, peak_bytes=total, live_bytes=total)
