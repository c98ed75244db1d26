"""Large weights as int8 numbers; activations stay real and are quantized on the fly."""

from __future__ import annotations

import numpy as np

from ossia_lite.builder import ModelBuilder
from ossia_lite.fixed_point import round_half_away

MIN_ELEMENTS = 1024  # smaller weights are not worth the loss
_WEIGHTS = {"CONV_2D": 1, "FULLY_CONNECTED": 1}


def quantize(model: ModelBuilder) -> None:
    """Quantizes weights, symmetric around zero, with one scale each.

    Args:
        model: The model under construction.
    """
    for operator in model.graph.operators:
        place = _WEIGHTS.get(model.name_of(operator))
        value = model.value(operator.inputs[place]) if place is not None else None
        if value is None or value.dtype != np.float32 or value.size < MIN_ELEMENTS or not np.isfinite(value).all():
            continue
        scale = np.float32(max(float(np.abs(value).max()), 1e-30) / 127)
        quantized = np.clip(round_half_away(value / scale), -127, 127).astype(np.int8)
        tensor = model.graph.tensors[operator.inputs[place]]
        operator.inputs[place] = model.constant(f"{tensor.name}_int8", quantized, (scale, 0))
    drop_unused_buffers(model)


def drop_unused_buffers(model: ModelBuilder) -> None:
    """Empties the buffers of constants that no operator uses any more.

    Args:
        model: The model under construction.
    """
    used = {index for operator in model.graph.operators for index in operator.inputs}
    for index, tensor in enumerate(model.graph.tensors):
        if tensor.buffer and index not in used:
            model.buffers[tensor.buffer].data = None
            tensor.buffer = 0
