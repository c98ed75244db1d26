"""An LSTM in integers: activations and weights of 8 bits, gates and the cell of 16.

Source: the published specification of 8-bit recurrent networks, A. Kolesnikov and others,
https://ai.google.dev/edge/litert/models/quantization_spec.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_lite.fixed_point import limits, quantize_factor, round_half_away, rounded_shift, scale
from ossia_lite.kernels import Call
from ossia_lite.tensors import TensorInfo

_GATE = 2.0**-12  # what one stands for before an activation
_FRACTION = 2.0**-15


def sequence(call: Call, inputs: Sequence[Any]) -> np.ndarray:
    """A sequence: `[time, batch, depth]`, or `[batch, time, depth]`.

    Args:
        call: The operator.
        inputs: Its inputs.
    """
    x = inputs[0] if call.option("time_major") else np.swapaxes(inputs[0], 0, 1)
    result = np.stack([step(call, [row, *inputs[1:]]) for row in x])
    return result if call.option("time_major") else np.swapaxes(result, 0, 1).copy()


def step(call: Call, inputs: Sequence[Any]) -> np.ndarray:
    """One step.

    Args:
        call: The operator.
        inputs: Its inputs.

    Raises:
        NotImplementedError: The cell is not of 16 bits.
    """
    given = [*inputs, *[None] * (24 - len(inputs))]
    infos = [*call.inputs, *[None] * (24 - len(call.inputs))]
    output, cell = given[18], given[19]
    if cell is None or cell.dtype != np.int16:
        raise NotImplementedError(f"{call.name} of quantized numbers with a cell that is not INT16.")
    options, cell_scale = call.options, infos[19].scale
    gates = [None if given[1 + gate] is None else _gate(call, given, infos, gate) for gate in range(3)]
    forget = _sigmoid(gates[1])
    admit = np.minimum(32768 - forget, 32767) if gates[0] is None else _sigmoid(gates[0])
    fresh = _fraction(np.tanh(np.asarray(gates[2]) * _GATE))
    low, high = limits(np.int16)
    shift = -int(np.rint(np.log2(_FRACTION * _FRACTION / cell_scale)))
    total = rounded_shift(forget * cell.astype(np.int64), 15) + rounded_shift(admit * fresh, shift)
    new = np.clip(total, low, high)
    if options.cell_clip > 0:
        bound = int(min(max(options.cell_clip / cell_scale, low), high))
        new = np.clip(new, -bound, bound)
    cell[...] = new
    show = _sigmoid(_gate(call, given, infos, 3))
    hidden = call.intermediates[4] if len(call.intermediates) > 4 else infos[18]
    squashed = _fraction(np.tanh(new * np.float64(cell_scale)))
    found = scale(show * squashed, *quantize_factor(_FRACTION * _FRACTION / hidden.scale)) + hidden.zero_point
    found = np.clip(found, -128, 127)
    if given[16] is not None:
        found = _projected(call, found, given, infos, hidden)
    output[...] = found
    return output.copy()


def _gate(call: Call, given: Any, infos: Any, gate: int) -> np.ndarray:
    """A gate before its activation, in steps of 2**-12."""
    norm = given[20 + gate]
    unit = call.intermediates[gate].scale if norm is not None else _GATE
    total = np.int64(0)
    for place, values, source in ((1 + gate, given[0], infos[0]), (5 + gate, given[18], infos[18])):
        sums = (values.astype(np.int64) - source.zero_point) @ given[place].T.astype(np.int64)
        if place < 5 and norm is None and given[12 + gate] is not None:
            sums = sums + given[12 + gate]
        part = scale(sums, *quantize_factor(float(source.scale) * infos[place].scale / unit))
        total = np.clip(total + part, -32768, 32767)
    peephole = {0: 9, 1: 10, 3: 11}.get(gate)
    if peephole is not None and given[peephole] is not None:
        factor = float(infos[19].scale) * infos[peephole].scale / unit
        part = scale(given[19].astype(np.int64) * given[peephole], *quantize_factor(factor))
        total = np.clip(total + part, -32768, 32767)
    if norm is None:
        return total
    real = total.astype(np.float64)
    centred = real - real.mean(-1, keepdims=True)
    unit_values = centred / np.sqrt((centred * centred).mean(-1, keepdims=True) + 1e-8)
    scaled = unit_values * norm * infos[20 + gate].scale
    if given[12 + gate] is not None:
        scaled = scaled + given[12 + gate] * float(infos[20 + gate].scale) * 2.0**-10
    return np.clip(round_half_away(scaled / _GATE), -32768, 32767).astype(np.int64)


def _projected(call: Call, hidden: np.ndarray, given: Any, infos: Any, source: TensorInfo) -> np.ndarray:
    sums = (hidden.astype(np.int64) - source.zero_point) @ given[16].T.astype(np.int64)
    if given[17] is not None:
        sums = sums + given[17]
    result = infos[18]
    factor = float(source.scale) * infos[16].scale / result.scale
    found = np.clip(scale(sums, *quantize_factor(factor)) + result.zero_point, -128, 127)
    if call.options.proj_clip > 0:
        bound = int(min(call.options.proj_clip / result.scale, 127))
        found = np.clip(found, -bound, bound)
    return found


def _fraction(x: np.ndarray) -> np.ndarray:
    return np.clip(round_half_away(x * 32768), -32768, 32767).astype(np.int64)


def _sigmoid(x: Any) -> np.ndarray:
    return _fraction(1 / (1 + np.exp(-np.asarray(x) * _GATE)))
