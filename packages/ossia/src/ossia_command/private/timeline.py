"""`timeline`: a traced run in the format of Chrome's trace viewer."""

from __future__ import annotations

import json
import re
from typing import Any

_LABEL = re.compile(r"(?P<name>.*) = (?P<op>[^()]*)\((?P<inputs>.*)\)")


class Timeline:
    """The steps of a run, from `RunMetadata.step_stats`, as events on a page of rows.

    Args:
        step_stats: A StepStats proto.
        graph: Ignored: the steps carry what is shown.
    """

    def __init__(self, step_stats: Any, graph: Any = None) -> None:
        self._step_stats = step_stats

    def generate_chrome_trace_format(
        self, show_dataflow: bool = True, show_memory: bool = False, op_time: str = "schedule"
    ) -> str:
        """The events as JSON text, for `chrome://tracing`.

        Args:
            show_dataflow: Whether to draw an arrow from each step to the steps that use its outputs.
            show_memory: Whether to add a counter of the bytes of the outputs.
            op_time: Ignored.
        """
        events: list[dict[str, Any]] = []
        flows: list[dict[str, Any]] = []
        for number, device in enumerate(self._step_stats.dev_stats):
            title = {"name": f"{device.device} Compute"}
            events.append({"name": "process_name", "ph": "M", "pid": number, "args": title})
            ended: dict[str, tuple[int, int]] = {}
            total = 0
            for stats in sorted(device.node_stats, key=lambda stats: stats.all_start_micros):
                begin, duration = stats.all_start_micros, max(stats.all_end_rel_micros, 1)
                op, inputs = _parts(stats)
                events.append({
                    "name": op, "cat": "Op", "ph": "X", "pid": number, "tid": stats.thread_id, "ts": begin,
                    "dur": duration, "args": {"name": stats.node_name, "op": op,
                                              **{f"input{i}": name for i, name in enumerate(inputs)}},
                })
                for name in inputs if show_dataflow else ():
                    source = ended.get(name)
                    if source is not None:
                        flow = {"name": name, "cat": "DataFlow", "id": len(flows), "pid": number}
                        flows.append({**flow, "ph": "s", "tid": source[1], "ts": source[0]})
                        flows.append({**flow, "ph": "t", "tid": stats.thread_id, "ts": begin})
                ended[stats.node_name] = (begin + duration, stats.thread_id)
                if show_memory:
                    total += sum(output.tensor_description.allocation_description.allocated_bytes
                                 for output in stats.output)
                    events.append({"name": "Tensor bytes", "cat": "Tensor", "ph": "C", "pid": number, "ts": begin,
                                   "args": {"bytes": total}})
        return json.dumps({"traceEvents": events + flows}, indent=4, separators=(",", ": "))


def _parts(stats: Any) -> tuple[str, list[str]]:
    """The op type and the names of the inputs, from the label of a step."""
    match = _LABEL.match(stats.timeline_label)
    if match is None:
        return stats.node_name or "unknown_op", []
    inputs = [name for name in match["inputs"].split(", ") if name and not name.startswith("^")]
    return match["op"], inputs
