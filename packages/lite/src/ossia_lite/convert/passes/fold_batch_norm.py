"""Products with and sums of a constant per channel go into the convolution or matrix product before them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ossia_lite.builder import ModelBuilder
from ossia_lite.convert.passes.links import Links
from ossia_lite.schema import Record

_MATRIX = ("CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED")


def fold_batch_norm(model: ModelBuilder, outputs: Sequence[int]) -> None:
    """Changes weights and biases, and removes the operators that are then not needed.

    Args:
        model: The model under construction.
        outputs: Tensors that are fetched.
    """
    links = Links(model, outputs)
    kept = []
    for operator in model.graph.operators:
        if not _folded(model, links, operator):
            kept.append(operator)
    model.graph.operators = kept


def _folded(model: ModelBuilder, links: Links, operator: Record) -> bool:
    name = model.name_of(operator)
    if name not in ("MUL", "ADD", "SUB") or operator.builtin_options.fused_activation_function:
        return False
    for place in (0, 1) if name != "SUB" else (0,):
        before, value = links.only_maker(operator.inputs[place], *_MATRIX), model.value(operator.inputs[1 - place])
        if (
            before is None
            or value is None
            or value.dtype != np.float32
            or before.builtin_options.fused_activation_function
        ):
            continue
        weights = model.value(before.inputs[1])
        depthwise = model.name_of(before) == "DEPTHWISE_CONV_2D"
        if weights is None:
            continue
        count = weights.shape[3 if depthwise else 0]
        if value.size not in (1, count) or (value.size == count and value.ndim and value.shape[-1] != count):
            continue
        factors = np.broadcast_to(value.reshape(-1), (count,))
        if len(before.inputs) < 3:
            before.inputs.append(-1)
        bias = model.value(before.inputs[2]) if before.inputs[2] >= 0 else np.zeros(count, np.float32)
        if bias is None:
            continue
        stem = model.graph.tensors[operator.outputs[0]].name
        if name == "MUL":
            scaled = weights * (factors if depthwise else factors.reshape(-1, *[1] * (weights.ndim - 1)))
            before.inputs[1] = model.constant(f"{stem}/weights", scaled)
            bias = bias * factors
        else:
            bias = bias + (factors if name == "ADD" else -factors)
        if name != "MUL" or before.inputs[2] >= 0:
            before.inputs[2] = model.constant(f"{stem}/bias", bias.astype(np.float32))
        links.moved(before, operator.outputs[0])
        return True
    return False
