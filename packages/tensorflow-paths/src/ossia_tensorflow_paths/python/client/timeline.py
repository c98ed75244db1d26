"""`timeline`: a traced run in the format of Chrome's trace viewer."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

_LABEL = re.compile(r"(?P<name>.*) = (?P<op>[^()]*)\((?P<inputs>.*)\)")


class AllocationMaximum(NamedTuple):
    """When the tensors of an allocator took most: the time, the bytes, and the names of the tensors there were."""

    timestamp: int
    num_bytes: int
    tensors: set[str]


class StepStatsAnalysis(NamedTuple):
    """What `Timeline.analyze_step_stats` finds."""

    chrome_trace: ChromeTrace
    allocator_maximums: dict[str, AllocationMaximum]


class ChromeTrace:
    """Events of a page: rows have numbers, and lanes in which nothing overlaps."""

    def __init__(self) -> None:
        self._rows: list[dict[str, Any]] = []
        self._events: list[dict[str, Any]] = []

    def row(self, name: str) -> int:
        """The number of a new row."""
        number = len(self._rows)
        self._rows.append({"name": "process_name", "ph": "M", "pid": number, "args": {"name": name}})
        return number

    def add(self, ph: str, category: str, name: str, row: int, lane: int, timestamp: int, **more: Any) -> None:
        """Adds an event."""
        self._events.append(
            {"ph": ph, "cat": category, "name": name, "pid": row, "tid": lane, "ts": timestamp, **more}
        )

    def format_to_string(self, pretty: bool = False) -> str:
        """The events as JSON text."""
        options: dict[str, Any] = {"indent": 4, "separators": (",", ": ")} if pretty else {"separators": (",", ":")}
        return json.dumps({"traceEvents": self._rows + self._events}, **options)


class _Tensor:
    """An output of a step: when it was made and filled, and until when something needed it."""

    def __init__(self, name: str, number: int, stats: Any, output: Any, place: tuple[int, int]) -> None:
        self.name, self.number, self.place, self.made = name, number, place, stats.all_start_micros
        self.filled = self.made + stats.op_end_rel_micros
        self._ends = self.made + stats.all_end_rel_micros
        self.uses: list[int] = []
        self.description = str(output.tensor_description).replace('"', "")
        allocation = output.tensor_description.allocation_description
        self.allocator, self.num_bytes = allocation.allocator_name, allocation.requested_bytes

    @property
    def dropped(self) -> int:
        """When its own step and all that take it had ended."""
        return max([self._ends, *self.uses])


class Timeline:
    """The steps of a run, from `RunMetadata.step_stats`, as events on a page of rows.

    Args:
        step_stats: A StepStats proto.
        graph: Ignored: the steps carry what is shown.
    """

    def __init__(self, step_stats: Any, graph: Any = None) -> None:
        self._step_stats = step_stats

    def _is_gputrace_device(self, device_name: str) -> bool:
        return "/stream:" in device_name or "/memcpy" in device_name

    def _parse_op_label(self, label: str) -> tuple[str, str, list[str]]:
        """The name, the op type and the inputs that the label of a step names."""
        match = _LABEL.match(label)
        if match is None:
            return "unknown", "unknown", []
        return match["name"], match["op"], match["inputs"].split(", ") if match["inputs"] else []

    def analyze_step_stats(self, show_dataflow: bool = True, show_memory: bool = True) -> StepStatsAnalysis:
        """The events of the run, and what its tensors took at most.

        Args:
            show_dataflow: Whether to draw an arrow from each step to the steps in other lanes that use its outputs.
            show_memory: Whether to show tensors, and the bytes that they take.
        """
        trace = ChromeTrace()
        allocators = trace.row("Allocators")
        devices = self._step_stats.dev_stats
        rows = [(trace.row(f"{each.device} Compute"), trace.row(f"{each.device} Tensors")) for each in devices]
        steps = [
            (stats, row, lane) for each, row in zip(devices, rows) for stats, lane in _lanes(each.node_stats)
        ]
        tensors = self._tensors(steps)
        for tensor in tensors.values() if show_memory else ():
            trace.add("N", "Tensor", tensor.name, tensor.place[1], 0, tensor.made, id=tensor.number)
            trace.add("O", "Tensor", tensor.name, tensor.place[1], 0, tensor.filled, id=tensor.number,
                      args={"snapshot": {"tensor_description": tensor.description}})
        for stats, (row, _), lane in steps:
            _, op, inputs = self._parse_op_label(stats.timeline_label)
            named = {f"input{i}": name for i, name in enumerate(inputs)}
            trace.add("X", "Op", op, row, lane, stats.all_start_micros, dur=stats.all_end_rel_micros,
                      args={"name": stats.node_name, "op": op, **named})
            for name in inputs if show_dataflow else ():
                source = tensors.get(_producer(name))
                if source is not None and source.place[0] != row:
                    ends = ("s", source.place[0], 0, source.made), ("t", row, lane, stats.all_start_micros)
                    for ph, *place in ends:
                        trace.add(ph, "DataFlow", source.name, *place, id=source.number)
        for tensor in tensors.values() if show_memory else ():
            trace.add("D", "Tensor", tensor.name, tensor.place[1], 0, tensor.dropped, id=tensor.number)
        maximums = {}
        for allocator in sorted({tensor.allocator for tensor in tensors.values()}):
            own = [tensor for tensor in tensors.values() if tensor.allocator == allocator]
            maximums[allocator], totals = _totals(own)
            for timestamp, total in totals if show_memory else ():
                trace.add("C", "Memory", allocator, allocators, 0, timestamp, args={allocator: total})
        return StepStatsAnalysis(trace, maximums)

    def _tensors(self, steps: list[tuple[Any, tuple[int, int], int]]) -> dict[str, _Tensor]:
        found: dict[str, _Tensor] = {}
        for stats, row, _ in steps:
            for output in stats.output:
                name = f"{stats.node_name}:{output.slot}" if output.slot else stats.node_name
                found[name] = _Tensor(name, len(found), stats, output, row)
        for stats, _, _ in steps:
            for name in self._parse_op_label(stats.timeline_label)[2]:
                if _producer(name) in found:
                    found[_producer(name)].uses.append(stats.all_start_micros + stats.all_end_rel_micros - 1)
        return found

    def generate_chrome_trace_format(
        self, show_dataflow: bool = True, show_memory: bool = False, op_time: str = "schedule"
    ) -> str:
        """The events as JSON text, for `chrome://tracing`; the arguments are those of `analyze_step_stats`."""
        return self.analyze_step_stats(show_dataflow, show_memory).chrome_trace.format_to_string(pretty=True)


def _producer(name: str) -> str:
    return name.removeprefix("^").removesuffix(":0")


def _lanes(node_stats: Any) -> list[tuple[Any, int]]:
    """The steps, each with the first lane that is free when it begins."""
    ends: list[int] = []
    found = []
    for stats in node_stats:
        start = stats.all_start_micros
        lane = next((i for i, end in enumerate(ends) if end <= start), len(ends))
        ends[lane:lane + 1] = [start + stats.all_end_rel_micros]
        found.append((stats, lane))
    return found


def _totals(tensors: list[_Tensor]) -> tuple[AllocationMaximum, list[tuple[int, int]]]:
    """What tensors take at most, and the bytes after each time that one is made or dropped."""
    changes = sorted([(tensor.made, tensor.num_bytes) for tensor in tensors]
                     + [(tensor.dropped, -tensor.num_bytes) for tensor in tensors])
    totals, total = [], 0
    for timestamp, change in changes:
        total += change
        totals.append((timestamp, total))
    most = max(totals, key=lambda item: item[1])
    there = {tensor.name for tensor in tensors if tensor.made <= most[0] <= tensor.dropped}
    return AllocationMaximum(*most, there), totals
