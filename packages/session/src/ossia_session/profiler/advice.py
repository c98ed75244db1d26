"""What `tf.profiler.advise` says of a run."""
from __future__ import annotations

import os
import sys
from typing import Any

from ossia_session.profiler import text
from ossia_session.profiler.measures import Measured

_TOP = 3


def advise(found: dict[str, Measured], options: dict[str, Any]) -> Any:
    """Runs the checkers that the options name, prints what they report, and returns it as an AdviceProto."""
    from ossia_core.proto import AdviceProto

    made = AdviceProto()
    for name, check in (
        ("ExpensiveOperationChecker", _expensive), ("OperationChecker", _layouts),
        ("AcceleratorUtilizationChecker", lambda nodes: []),
    ):
        if name in options:
            reports = check(found)
            made.checkers[name].reports.extend(reports)
            sys.stdout.write("\n".join(("", f"{name}:", *reports, "")))
    sys.stdout.flush()
    return made


def _expensive(found: dict[str, Measured]) -> list[str]:
    """The types of ops, the nodes and the lines that take most time."""
    by_type: dict[str, list[Measured]] = {}
    for node in found.values():
        if node.numbers["runs"]:
            by_type.setdefault(node.op_type, []).append(node)
    if not by_type:
        return []
    whole = sum(node.numbers["micros"] for nodes in by_type.values() for node in nodes) or 1
    kinds = sorted(by_type, key=lambda kind: -sum(node.numbers["micros"] for node in by_type[kind]))[:_TOP]
    types = [
        f"top {i} operation type: {kind}, {_times(by_type[kind])} "
        f"({100 * sum(node.numbers['micros'] for node in by_type[kind]) / whole:.2f}%)"
        for i, kind in enumerate(kinds, 1)
    ]
    slowest = sorted(found.values(), key=lambda node: -node.numbers["micros"])[:_TOP]
    nodes = [f"top {i} graph node: {node.name}, {_times([node])}" for i, node in enumerate(slowest, 1)]
    lines = [
        f"{os.path.basename(node.trace[-1][0])}:{node.trace[-1][1]}:{node.trace[-1][2]}, {_times([node])}"
        for node in slowest if node.trace and node.numbers["micros"]
    ]
    return ["\n".join(part) for part in (types, nodes, lines)]


def _times(nodes: list[Measured]) -> str:
    cpu, accelerator, total = (
        text.time(sum(node.numbers[key] for node in nodes)) for key in ("cpu_micros", "accelerator_micros", "micros")
    )
    return f"cpu: {cpu}, accelerator: {accelerator}, total: {total}"


def _layouts(found: dict[str, Measured]) -> list[str]:
    """Nothing: layouts of images matter to accelerators alone."""
    return []
