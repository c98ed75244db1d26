"""Recurrent networks. State is a variable of the model: it is changed in place and kept from one run to the next.

Weights are float32, or int8 with activations that are quantized on the fly.

Sources: S. Hochreiter and J. Schmidhuber, "Long Short-Term Memory"; H. Sak and others,
https://arxiv.org/abs/1402.1128 (peepholes, projection); J. Ba and others, https://arxiv.org/abs/1607.06450 (layer
normalization).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_lite.kernels import Call, activate
from ossia_lite.kernels.activation import sigmoid
from ossia_lite.kernels.hybrid import quantize_rows

_EPSILON = np.float32(1e-8)
# The places of a cell's inputs: weights and recurrent weights of the gates (input, forget, cell, output), peepholes
# (input, forget, output), biases, projection, its bias, output state, cell state, auxiliary weights, norms.
_ONE_WAY = (range(1, 5), range(5, 9), range(9, 12), range(12, 16), 16, 17, 18, 19, (), range(20, 24))
_FORWARD = (range(1, 5), range(5, 9), range(9, 12), range(12, 16), 16, 17, 35, 36, range(40, 44), ())
_BACKWARD = (range(18, 22), range(22, 26), range(26, 29), range(29, 33), 33, 34, 37, 38, range(44, 48), ())


def unidirectional_sequence_lstm(call: Call, *inputs: Any) -> np.ndarray:
    """A sequence through an LSTM: `[time, batch, depth]`, or `[batch, time, depth]`."""
    if inputs[0].dtype != np.float32:
        from ossia_lite.kernels import integer_lstm

        return integer_lstm.sequence(call, inputs)
    major = bool(call.option("time_major"))
    return _in_order(_through(_Cell(call, inputs, _ONE_WAY), _by_time(inputs[0], major)), major)


def bidirectional_sequence_lstm(call: Call, *inputs: Any) -> Any:
    """A sequence through two LSTMs, one of which sees it backwards."""
    given, major = [*inputs, *[None] * (48 - len(inputs))], bool(call.option("time_major"))
    x, auxiliary = _by_time(given[0], major), given[39]
    also = None if auxiliary is None else _by_time(auxiliary, major)
    # Without weights of its own, an auxiliary input is what the backward cell takes instead of the first one.
    crossed = also is not None and given[40] is None and given[41] is None
    forward = _through(_Cell(call, given, _FORWARD), x, None if crossed else also)
    behind = also if crossed and also is not None else x
    turned = None if crossed or also is None else also[::-1]
    backward = _through(_Cell(call, given, _BACKWARD), behind[::-1], turned)[::-1]
    return _both(call, _in_order(forward, major), _in_order(backward, major))


def lstm(call: Call, *inputs: Any) -> Any:
    """One step of an LSTM."""
    if call.option("kernel_type"):
        return _basic_lstm(call, *inputs)
    if inputs[0].dtype != np.float32:
        from ossia_lite.kernels import integer_lstm

        return integer_lstm.step(call, inputs)
    return _Cell(call, inputs, _ONE_WAY).step(inputs[0], None)


def _basic_lstm(
    call: Call, x: np.ndarray, output: np.ndarray, weights: np.ndarray, bias: np.ndarray, cell: np.ndarray
) -> Any:
    """One step of an LSTM whose gates (input, cell, forget, output) have one matrix."""
    if x.dtype != np.float32:
        raise NotImplementedError("LSTM in its basic form of quantized numbers.")
    joined = np.concatenate([x, output], -1)
    gates = joined @ weights.T + bias
    admit, fresh, forget, show = np.split(gates, 4, -1)
    new_cell = sigmoid(admit) * np.tanh(fresh) + sigmoid(forget) * cell
    return sigmoid(show) * np.tanh(new_cell), new_cell, joined, gates


def product(x: np.ndarray, weights: np.ndarray, info: Any, asymmetric: bool) -> np.ndarray:
    """Rows times a matrix with the units in front; int8 weights take rows that are quantized on the fly.

    Args:
        x: `[batch, depth]`.
        weights: `[units, depth]`.
        info: What is known of the weights.
        asymmetric: Whether rows are quantized with a zero point.
    """
    if weights.dtype == np.float32:
        return x @ weights.T
    rows, scales, zeros = quantize_rows(x, asymmetric)
    return ((rows - zeros) @ weights.T.astype(np.float64) * scales * _scales(info)).astype(np.float32)


def _scales(info: Any) -> Any:
    return info.scales.astype(np.float64) if info.scales.size > 1 else info.scale


def _real(values: Any, info: Any) -> Any:
    return values if values is None or values.dtype == np.float32 else values.astype(np.float32) * _scales(info)


def _by_time(x: np.ndarray, time_major: bool) -> np.ndarray:
    return x if time_major else np.swapaxes(x, 0, 1)


def _in_order(x: np.ndarray, time_major: bool) -> np.ndarray:
    return x if time_major else np.swapaxes(x, 0, 1).copy()


def _both(call: Call, forward: np.ndarray, backward: np.ndarray) -> Any:
    return np.concatenate([forward, backward], -1) if call.option("merge_outputs") else (forward, backward.copy())


class _Cell:
    def __init__(self, call: Call, inputs: Sequence[Any], places: Any) -> None:
        def at(place: int) -> Any:
            return inputs[place] if place < len(inputs) else None

        def real(place: int) -> Any:
            return _real(at(place), call.inputs[place] if at(place) is not None else None)

        self._call, self._asymmetric = call, bool(call.option("asymmetric_quantize_inputs"))
        weights, recurrent, peepholes, biases, projection, projection_bias, output, cell, auxiliary, norms = places
        self._infos = call.inputs
        self._weights = [(place, at(place)) for place in weights]
        self._recurrent = [(place, at(place)) for place in recurrent]
        self._auxiliary = [(place, at(place)) for place in auxiliary]
        into, forget, out = (real(place) for place in peepholes)
        self._peepholes = [into, forget, None, out]
        self._biases, self._norms = [at(place) for place in biases], [real(place) for place in norms] or [None] * 4
        self._projection, self._projection_bias = (projection, at(projection)), at(projection_bias)
        self._output, self._cell = at(output), at(cell)
        if self._output is None or self._cell is None or any(weight is None for _, weight in self._weights[1:]):
            raise ValueError(f"{call.name}: a state or a matrix of weights is missing.")

    def step(self, x: np.ndarray, also: np.ndarray | None) -> np.ndarray:
        options = self._call.options
        # Without an input gate of its own, the input gate is what the forget gate leaves.
        forget = sigmoid(self._gate(1, x, also, self._cell))
        admit = 1 - forget if self._weights[0][1] is None else sigmoid(self._gate(0, x, also, self._cell))
        cell = forget * self._cell + admit * activate(self._gate(2, x, also, None), options.fused_activation_function)
        if options.cell_clip > 0:
            cell = np.clip(cell, -options.cell_clip, options.cell_clip)
        output = sigmoid(self._gate(3, x, also, cell)) * activate(cell.copy(), options.fused_activation_function)
        if self._projection[1] is not None:
            output = self._product(output, self._projection)
            if self._projection_bias is not None:
                output += self._projection_bias
            if options.proj_clip > 0:
                output = np.clip(output, -options.proj_clip, options.proj_clip)
        self._cell[...] = cell
        self._output[...] = output
        return output.astype(np.float32)

    def empty(self) -> np.ndarray:
        return np.zeros((0, *self._output.shape), np.float32)

    def _product(self, x: np.ndarray, weights: tuple[int, Any]) -> np.ndarray:
        place, matrix = weights
        return product(x, matrix, self._infos[place], self._asymmetric)

    def _gate(self, index: int, x: np.ndarray, also: np.ndarray | None, cell: np.ndarray | None) -> np.ndarray:
        total = self._product(x, self._weights[index]) + self._product(self._output, self._recurrent[index])
        if also is not None and self._auxiliary and self._auxiliary[index][1] is not None:
            total += self._product(also, self._auxiliary[index])
        peephole, norm, bias = self._peepholes[index], self._norms[index], self._biases[index]
        if peephole is not None and cell is not None:
            total += cell * peephole
        if norm is not None:
            centred = total - total.mean(-1, keepdims=True)
            total = centred / np.sqrt((centred * centred).mean(-1, keepdims=True) + _EPSILON) * norm
        return total if bias is None else total + bias


def _through(cell: _Cell, x: np.ndarray, also: np.ndarray | None = None) -> np.ndarray:
    """The outputs of a cell for each step of a sequence."""
    if not len(x):
        return cell.empty()
    return np.stack([cell.step(row, None if also is None else also[place]) for place, row in enumerate(x)])


def rnn(
    call: Call, x: np.ndarray, weights: np.ndarray, recurrent: np.ndarray, bias: np.ndarray, state: np.ndarray
) -> np.ndarray:
    """One step of a basic recurrent cell."""
    return _rnn_step(call, x, (1, weights), (2, recurrent), bias, state)


def _rnn_step(
    call: Call, x: np.ndarray, weights: Any, recurrent: Any, bias: np.ndarray, state: np.ndarray, also: Any = None
) -> np.ndarray:
    asymmetric = bool(call.option("asymmetric_quantize_inputs"))
    total = product(x, weights[1], call.inputs[weights[0]], asymmetric) + bias
    total += product(state, recurrent[1], call.inputs[recurrent[0]], asymmetric)
    if also is not None:
        values, (place, matrix) = also
        total += product(values, matrix, call.inputs[place], asymmetric)
    state[...] = activate(total, call.option("fused_activation_function"))
    return state.copy()


def unidirectional_sequence_rnn(
    call: Call, x: np.ndarray, weights: np.ndarray, recurrent: np.ndarray, bias: np.ndarray, state: np.ndarray
) -> np.ndarray:
    """A sequence through a basic recurrent cell: `[time, batch, depth]`, or `[batch, time, depth]`."""
    axis = 0 if call.option("time_major") else 1
    return np.stack([rnn(call, row, weights, recurrent, bias, state) for row in np.moveaxis(x, axis, 0)], axis)


def bidirectional_sequence_rnn(call: Call, *inputs: Any) -> Any:
    """A sequence through two basic recurrent cells, one of which sees it backwards."""
    given, major = [*inputs, *[None] * (12 - len(inputs))], bool(call.option("time_major"))
    x, found = _by_time(given[0], major), []
    also = None if given[9] is None else _by_time(given[9], major)
    for first, extra, turn in ((1, 10, 1), (5, 11, -1)):
        rows = also if turn < 0 and also is not None and given[11] is None else x
        added = also if given[extra] is not None else None
        steps = range(len(x))[::turn]
        outputs = [
            _rnn_step(
                call, rows[i], (first, given[first]), (first + 1, given[first + 1]), given[first + 2],
                given[first + 3], None if added is None else (added[i], (extra, given[extra])),
            )
            for i in steps
        ]
        found.append(_in_order(np.stack(outputs[::turn]), major))
    return _both(call, *found)


def svdf(
    call: Call, x: np.ndarray, features: np.ndarray, times: np.ndarray, bias: np.ndarray | None, state: np.ndarray
) -> np.ndarray:
    """A layer whose filters are products of one over features and one over the last steps.

    Source: P. Nakkiran and others, "Compressing Deep Neural Networks using a Rank-Constrained Topology".
    """
    rank, (filters, memory), batch = call.options.rank, times.shape, x.shape[0]
    kept = state.reshape(batch, filters, memory)
    if x.dtype != np.float32:
        return _integer_svdf(call, x, features, times, bias, kept)
    fresh = product(x, features, call.inputs[1], bool(call.option("asymmetric_quantize_inputs")))
    kept[:, :, :-1] = kept[:, :, 1:].copy()
    kept[:, :, -1] = fresh
    sums = (kept * _real(times, call.inputs[2])).sum(-1, dtype=np.float32)
    total = sums.reshape(batch, filters // rank, rank).sum(-1)
    return activate(total if bias is None else total + bias, call.option("fused_activation_function"))


def _integer_svdf(call: Call, x: Any, features: Any, times: Any, bias: Any, kept: np.ndarray) -> np.ndarray:
    from ossia_lite.fixed_point import limits, quantize_factor, scale, to_output

    source, first, second, _, memory = call.inputs[:5]
    result, rank = call.outputs[0], call.options.rank
    fresh = (x.astype(np.int64) - source.zero_point) @ features.T.astype(np.int64)
    fresh = scale(fresh, *quantize_factor(float(source.scale) * first.scale / memory.scale))
    kept[:, :, :-1] = kept[:, :, 1:].copy()
    kept[:, :, -1] = np.clip(fresh, *limits(kept.dtype))
    sums = (kept.astype(np.int64) * times).sum(-1).reshape(kept.shape[0], -1, rank).sum(-1)
    total = sums if bias is None else sums + bias
    return to_output(scale(total, *quantize_factor(float(memory.scale) * second.scale / result.scale)), result)
