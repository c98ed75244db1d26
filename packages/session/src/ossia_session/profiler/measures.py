"""What is known of each node: parameters, operations, and what a traced run took."""
from __future__ import annotations

import math
import sys
from collections import defaultdict
from typing import Any

from ossia_core.graph.collections import GraphKeys
from ossia_session.profiler.flops import UnknownShapeError, float_ops

NUMBERS = (
    "bytes", "peak_bytes", "residual_bytes", "output_bytes", "micros", "accelerator_micros", "cpu_micros", "params",
    "float_ops", "runs", "definitions",
)
TRAINABLE = "_trainable_variables"


class Measured:
    """A node of the graph with its numbers.

    numbers: By what they count, see NUMBERS.
    types: The op type, the devices, and what an op log says.
    """

    def __init__(self, op: Any) -> None:
        self.name, self.op_type, self.trace = op.name, op.type, op.traceback
        self.inputs = [tensor.op.name for tensor in op.inputs]
        self.input_shapes = [tensor.shape.as_tuple() for tensor in op.inputs]
        self.types = {op.type}
        self.devices: set[str] = {op.device} if op.device else set()
        self.numbers: dict[str, int] = dict.fromkeys(NUMBERS, 0)
        self.numbers["definitions"] = 1
        self.shape = _declared_shape(op)
        if self.shape is not None:
            self.numbers["params"] = math.prod(self.shape)


def _declared_shape(op: Any) -> tuple[int, ...] | None:
    """The shape that a variable or a placeholder is made with, if it is known."""
    shape = op.attrs.get("shape")
    dims = shape.as_tuple() if hasattr(shape, "as_tuple") else None
    return None if dims is None or None in dims else dims


def measure(graph: Any, op_log: Any = None) -> dict[str, Measured]:
    """The nodes of a graph by name, without what runs take.

    Args:
        graph: The graph.
        op_log: An OpLogProto with more types and operations, or None.
    """
    found = {}
    unknown = 0
    for op in graph.get_operations():
        node = found[op.name] = Measured(op)
        try:
            node.numbers["float_ops"] = float_ops(op)
        except UnknownShapeError:
            unknown += 1
    for variable in graph.get_collection(GraphKeys.TRAINABLE_VARIABLES):
        if variable.op.name in found:
            found[variable.op.name].types.add(TRAINABLE)
    for entry in op_log.log_entries if op_log is not None else ():
        if entry.name in found:
            found[entry.name].types.update(entry.types)
            found[entry.name].numbers["float_ops"] = entry.float_ops or found[entry.name].numbers["float_ops"]
    if unknown:
        sys.stderr.write(f"{unknown} ops no flops stats due to incomplete shapes.\n")
    return found


def add_run(found: dict[str, Measured], run_meta: Any, share: int = 1) -> None:
    """Add what a traced run took to the numbers of its nodes.

    Args:
        found: The nodes.
        run_meta: The RunMetadata of the run.
        share: Over how many runs the numbers are a mean.
    """
    taken: dict[str, dict[str, int]] = defaultdict(lambda: dict.fromkeys(NUMBERS, 0))
    for device in run_meta.step_stats.dev_stats:
        is_accelerator = "gpu" in device.device.lower()
        for stats in device.node_stats:
            node = found.get(stats.node_name.partition(":")[0])
            if node is None:
                continue
            numbers = taken[node.name]
            numbers["micros"] += stats.all_end_rel_micros
            numbers["accelerator_micros" if is_accelerator else "cpu_micros"] += stats.all_end_rel_micros
            numbers["runs"] += 1
            for memory in stats.memory:
                numbers["bytes"] += max(memory.total_bytes, 0)
                numbers["peak_bytes"] += max(memory.peak_bytes, 0)
                numbers["residual_bytes"] += max(memory.live_bytes, 0)
            numbers["output_bytes"] += sum(
                output.tensor_description.allocation_description.requested_bytes for output in stats.output
            )
            place = device.device.replace("device:CPU", "device:cpu").replace("device:GPU", "device:gpu")
            node.devices = {place}
            node.types.add(place)
    for name, numbers in taken.items():
        for key, value in numbers.items():
            found[name].numbers[key] += value // share
