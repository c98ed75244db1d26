"""Recurrent networks in real numbers. State is a variable of the model: it is changed in place and kept from one run
to the next.

Sources: S. Hochreiter and J. Schmidhuber, "Long Short-Term Memory"; H. Sak and others,
https://arxiv.org/abs/1402.1128 (peepholes, projection).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_lite.kernels import Call, activate
from ossia_lite.kernels.activation import sigmoid

_GATES = 4  # input, forget, cell, output
_EPSILON = np.float32(1e-8)


def unidirectional_sequence_lstm(call: Call, *inputs: Any) -> np.ndarray:
    """A sequence through an LSTM: `[time, batch, depth]`, or `[batch, time, depth]`."""
    x = inputs[0] if call.option("time_major") else np.swapaxes(inputs[0], 0, 1)
    cell = _Cell(call, inputs)
    result = np.stack([cell.step(row) for row in x]) if len(x) else np.zeros((0, *inputs[18].shape), np.float32)
    return result if call.option("time_major") else np.swapaxes(result, 0, 1).copy()


def lstm(call: Call, *inputs: Any) -> Any:
    """One step of an LSTM."""
    if call.option("kernel_type"):
        raise NotImplementedError("LSTM in its basic form.")
    return _Cell(call, inputs).step(inputs[0])


class _Cell:
    def __init__(self, call: Call, inputs: tuple[Any, ...]) -> None:
        given = [*inputs, *[None] * (24 - len(inputs))]
        if any(array is not None and array.dtype != np.float32 for array in given):
            raise NotImplementedError(f"{call.name} with weights that are not float32.")
        self._call = call
        self._weights, self._recurrent = given[1:5], given[5:9]
        self._peepholes = [given[9], given[10], None, given[11]]
        self._biases, self._norms = given[12:16], given[20:24]
        self._projection, self._projection_bias = given[16], given[17]
        self._output, self._cell = given[18], given[19]
        if self._output is None or self._cell is None or any(weight is None for weight in self._weights[1:]):
            raise ValueError(f"{call.name}: a state or a matrix of weights is missing.")

    def step(self, x: np.ndarray) -> np.ndarray:
        options = self._call.options
        # Without an input gate of its own, the input gate is what the forget gate leaves.
        forget = sigmoid(self._gate(1, x, self._cell))
        admit = 1 - forget if self._weights[0] is None else sigmoid(self._gate(0, x, self._cell))
        cell = forget * self._cell + admit * activate(self._gate(2, x, None), options.fused_activation_function)
        if options.cell_clip > 0:
            cell = np.clip(cell, -options.cell_clip, options.cell_clip)
        output = sigmoid(self._gate(3, x, cell)) * activate(cell.copy(), options.fused_activation_function)
        if self._projection is not None:
            output = output @ self._projection.T
            if self._projection_bias is not None:
                output += self._projection_bias
            if options.proj_clip > 0:
                output = np.clip(output, -options.proj_clip, options.proj_clip)
        self._cell[...] = cell
        self._output[...] = output
        return output.astype(np.float32)

    def _gate(self, index: int, x: np.ndarray, cell: np.ndarray | None) -> np.ndarray:
        total = x @ self._weights[index].T + self._output @ self._recurrent[index].T
        peephole, norm, bias = self._peepholes[index], self._norms[index], self._biases[index]
        if peephole is not None and cell is not None:
            total += cell * peephole
        if norm is not None:
            centred = total - total.mean(-1, keepdims=True)
            total = centred / np.sqrt((centred * centred).mean(-1, keepdims=True) + _EPSILON) * norm
        return total if bias is None else total + bias


def rnn(
    call: Call, x: np.ndarray, weights: np.ndarray, recurrent: np.ndarray, bias: np.ndarray, state: np.ndarray
) -> np.ndarray:
    """One step of a basic recurrent cell."""
    if weights.dtype != np.float32:
        raise NotImplementedError(f"{call.name} with weights that are not float32.")
    state[...] = activate(x @ weights.T + state @ recurrent.T + bias, call.option("fused_activation_function"))
    return state.copy()


def unidirectional_sequence_rnn(
    call: Call, x: np.ndarray, weights: np.ndarray, recurrent: np.ndarray, bias: np.ndarray, state: np.ndarray
) -> np.ndarray:
    """A sequence through a basic recurrent cell: `[time, batch, depth]`, or `[batch, time, depth]`."""
    axis = 0 if call.option("time_major") else 1
    return np.stack([rnn(call, row, weights, recurrent, bias, state) for row in np.moveaxis(x, axis, 0)], axis)
