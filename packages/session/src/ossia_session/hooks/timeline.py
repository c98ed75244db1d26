"""The steps of a traced run in the trace format that Chrome shows (chrome://tracing)."""
from __future__ import annotations

import json
import re
from typing import Any

_LABEL = re.compile(r"^.*? = (\w+)\((.*)\)$")


def chrome_trace(step_stats: Any, show_dataflow: bool = True, show_memory: bool = False) -> str:
    """A StepStats as JSON.

    Args:
        step_stats: The `step_stats` of a RunMetadata.
        show_dataflow: Whether to draw arrows from the op that makes a value to those that use it.
        show_memory: Whether to add up the bytes of the values made.

    Returns:
        The text, an object with the list `traceEvents`; times are in microseconds.
    """
    events: list[dict[str, Any]] = []
    ends: dict[str, tuple[int, int]] = {}  # node -> (device, end of its step)
    flows = 0
    for pid, device in enumerate(step_stats.dev_stats):
        events.append(_named("process_name", pid, f"{device.device} Compute"))
        total = 0
        for stats in device.node_stats:
            start, length = stats.all_start_micros, max(stats.all_end_rel_micros, 1)
            label = _LABEL.match(stats.timeline_label)
            op, inputs = label.groups() if label else (stats.node_name, "")
            sources = [name.strip().lstrip("^").partition(":")[0] for name in inputs.split(",") if name.strip()]
            args = {"name": stats.node_name, "op": op, **{f"input{i}": source for i, source in enumerate(sources)}}
            where = {"pid": pid, "tid": stats.thread_id}
            events.append({"ph": "X", "cat": "Op", "name": op, "ts": start, "dur": length, "args": args, **where})
            for source in sources if show_dataflow else ():
                if source in ends:
                    from_pid, end = ends[source]
                    common = {"cat": "DataFlow", "name": source, "id": flows, "tid": 0}
                    events.append({"ph": "s", "pid": from_pid, "ts": end, **common})
                    events.append({"ph": "t", "pid": pid, "ts": max(start, end), **common})
                    flows += 1
            ends[stats.node_name] = pid, start + length
            if show_memory:
                total += sum(o.tensor_description.allocation_description.allocated_bytes for o in stats.output)
                events.append(
                    {
                        "ph": "C",
                        "cat": "Memory",
                        "name": "values made",
                        "pid": pid,
                        "ts": start + length,
                        "args": {"bytes": total},
                    }
                )
    return json.dumps({"traceEvents": events}, indent=1)


def _named(what: str, pid: int, name: str) -> dict[str, Any]:
    return {"ph": "M", "name": what, "pid": pid, "args": {"name": name}}
