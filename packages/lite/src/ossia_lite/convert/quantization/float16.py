"""Constants of half precision, which the runtime widens when it loads them."""

from __future__ import annotations

import numpy as np

from ossia_lite.builder import ModelBuilder
from ossia_lite.operators import TYPE_CODES
from ossia_lite.schema import record


def quantize(model: ModelBuilder) -> None:
    """Turns constants of float32 into float16 ones behind DEQUANTIZE operators.

    Args:
        model: The model under construction.
    """
    operators, model.graph.operators = model.graph.operators, []
    for index in range(len(model.graph.tensors)):
        tensor = model.graph.tensors[index]
        value = model.value(index)
        if value is None or tensor.type != TYPE_CODES["FLOAT32"]:
            continue
        narrow = model.constant(f"{tensor.name}_fp16", np.clip(value, -65504, 65504).astype(np.float16))
        model.buffers[tensor.buffer].data = None
        tensor.buffer = 0
        model.operator("DEQUANTIZE", [narrow], [index], record("DequantizeOptions"))
        model.codes[model.graph.operators[-1].opcode_index].version = 3
    model.graph.operators += operators
