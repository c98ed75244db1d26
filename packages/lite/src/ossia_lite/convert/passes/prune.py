"""Operators, tensors and buffers that no output needs are left out, and so that old runtimes can load it, missing
biases are given."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ossia_lite.builder import ModelBuilder

_WITH_BIAS = ("CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED")


def give_biases(model: ModelBuilder) -> None:
    """Gives convolutions and matrix products without a bias one of zeros.

    Args:
        model: The model under construction.
    """
    for operator in model.graph.operators:
        name = model.name_of(operator)
        if name in _WITH_BIAS and (len(operator.inputs) < 3 or operator.inputs[2] < 0):
            shape = model.graph.tensors[operator.inputs[1]].shape
            count = shape[3 if name == "DEPTHWISE_CONV_2D" else 0]
            stem = model.graph.tensors[operator.outputs[0]].name
            operator.inputs[2:] = [model.constant(f"{stem}_bias", np.zeros(count, np.float32))]


def prune(model: ModelBuilder, inputs: Sequence[int], outputs: Sequence[int]) -> tuple[list[int], list[int]]:
    """Leaves out what no output needs.

    Args:
        model: The model under construction.
        inputs: Tensors that are fed; they stay.
        outputs: Tensors that are fetched.

    Returns:
        The new indices of inputs and of outputs.
    """
    needed, kept = set(outputs), []
    for operator in reversed(model.graph.operators):
        if needed & set(operator.outputs):
            kept.append(operator)
            needed.update(operator.inputs)
            needed.update(operator.outputs)
    model.graph.operators = kept[::-1]
    needed.update(inputs)
    needed.discard(-1)
    places = {old: new for new, old in enumerate(sorted(needed))}
    buffers = [model.buffers[0]]
    tensors = []
    for index in sorted(needed):
        tensor = model.graph.tensors[index]
        if tensor.buffer:
            buffers.append(model.buffers[tensor.buffer])
            tensor.buffer = len(buffers) - 1
        tensors.append(tensor)
    model.graph.tensors, model.buffers = tensors, buffers
    used = sorted({operator.opcode_index for operator in model.graph.operators})
    model.codes = [model.codes[index] for index in used]
    for operator in model.graph.operators:
        operator.opcode_index = used.index(operator.opcode_index)
        operator.inputs = [places.get(index, -1) for index in operator.inputs]
        operator.outputs = [places[index] for index in operator.outputs]
    return [places[index] for index in inputs], [places[index] for index in outputs]
