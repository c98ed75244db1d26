"""Transforms that make weights smaller, on disk or packed."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_checkpoint.transforms.apply import Task
from ossia_checkpoint.transforms.constants import array_of, set_array
from ossia_checkpoint.transforms.nodes import with_nodes
from ossia_core.names import dtypes

_SMALLEST = 1024  # elements of what is quantized
_LEVELS = 256


def _float_constant(node: Any) -> np.ndarray | None:
    if node.op != "Const" or node.attr["dtype"].type != dtypes.float32.as_datatype_enum:
        return None
    return array_of(node)


def quantize_weights(graph: Any, task: Task) -> Any:
    """Store large float32 constants in eight bits, with a node behind that makes floats of them again."""
    smallest = task.number("minimum_size", _SMALLEST)
    nodes: list[Any] = []
    for node in graph.node:
        value = _float_constant(node)
        if value is None or value.size < smallest:
            nodes.append(node)
            continue
        low, high = float(value.min(initial=0.0)), float(value.max(initial=0.0))
        if low == high:
            high = low + 1.0  # all are zero
        step = (high - low) / (_LEVELS - 1)
        codes = np.clip(np.floor((value.astype(np.float64) - low) / step + 0.5), 0, _LEVELS - 1).astype(np.uint8)
        parts = []
        for suffix, part, dtype in (
            ("const", codes, dtypes.quint8), ("min", np.float32(low), None), ("max", np.float32(high), None)
        ):
            made = type(node)(name=f"{node.name}_quantized_{suffix}", device=node.device)
            set_array(made, np.asarray(part), dtype)
            parts.append(made)
        back = type(node)(name=node.name, op="Dequantize", device=node.device, input=[part.name for part in parts])
        back.attr["T"].type = dtypes.quint8.as_datatype_enum
        back.attr["mode"].s = b"MIN_FIRST"
        nodes += [*parts, back]
    return with_nodes(graph, nodes)


def round_weights(graph: Any, task: Task) -> Any:
    """Round float32 constants to few different values, so that a file of them packs well."""
    steps = task.number("num_steps", _LEVELS)
    for node in graph.node:
        value = _float_constant(node)
        if value is None or not value.size or value.min() == value.max():
            continue
        low, high = float(value.min()), float(value.max())
        width = (high - low) / steps
        bucket = np.floor((value.astype(np.float64) - low) / width)
        set_array(node, (low + (bucket + 0.5) * width).astype(np.float32))  # as in the original, above the highest, too
    return graph


TRANSFORMS = {"quantize_weights": quantize_weights, "round_weights": round_weights}
