"""Runs that are measured: RunOptions and RunMetadata."""
from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from ossia_core.session.context import RunContext
from ossia_core.session.failures import explain
from ossia_core.session.plan import Plan
from ossia_core.session.steps import holds

_CPU = "/job:localhost/replica:0/task:0/device:CPU:0"


def run_traced(plan: Plan, context: RunContext, feeds: Sequence[Any], options: Any, run_metadata: Any) -> list[Any]:
    """Run a plan; if the options ask for a trace, fill `run_metadata` with the times of its steps."""
    from ossia_core.proto import RunOptions
    level = options.trace_level if options is not None else RunOptions.NO_TRACE
    if run_metadata is not None:
        run_metadata.Clear()
    if run_metadata is None or level in (RunOptions.NO_TRACE, RunOptions.HARDWARE_TRACE) or plan.blocking:
        return plan.run(context, feeds)
    device = run_metadata.step_stats.dev_stats.add(device=_CPU)
    slots = plan.start(context, feeds)
    for work in plan.work:
        step = work.step
        began = time.time_ns()
        try:
            if not work.guard or holds(work.guard, slots):
                step(slots)
        except Exception as e:
            explained = explain(e, plan.node_of)
            if explained is e:
                raise
            raise explained from e
        ended = time.time_ns()
        stats = device.node_stats.add(
            node_name=work.node.name,
            all_start_micros=began // 1000,
            op_start_rel_micros=0,
            op_end_rel_micros=(ended - began) // 1000,
            all_end_rel_micros=(ended - began) // 1000,
            timeline_label=f"{work.node.name} = {work.node.type}({', '.join(t.op.name for t in work.node._inputs)})",
        )
        for i, slot in enumerate(work.writes):
            nbytes = getattr(slots[slot], "nbytes", None)
            if nbytes is not None:
                output = stats.output.add(slot=i)
                output.tensor_description.allocation_description.allocated_bytes = nbytes
    if getattr(options, "output_partition_graphs", False):
        graph = run_metadata.partition_graphs.add()
        graph.node.extend(op.node_def for op in plan.ops)
    return plan.results(slots)
