"""The LSTM as one op, for one step or for a whole sequence."""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import with_rank
from ossia_core.names import sizes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import TensorShape
from ossia_ops.nn.gate_functions import checked_shape, rounded, sample_values, sigmoid, state_shape

_WEIGHTS = "w: T, wci: T, wcf: T, wco: T, b: T"
_GATES = "i: T, cs: T, f: T, o: T, ci: T, co: T"
_FLOATS = "{half, float}"
_ICFO, _IFCO = (0, 2, 1, 3), (0, 1, 2, 3)  # where the gates i, f, c, o stand among the columns of the weights


class _Cell(NamedTuple):
    """What all steps of an LSTM have in common."""

    weights: Any
    bias: Any
    peepholes: tuple[Any, Any, Any] | None
    order: tuple[int, ...]
    forget_bias: float = 0.0
    clip: float = 0.0


def _peepholes(used: bool, size: int, **diagonals: Any) -> tuple | None:
    if not used:
        return None
    for name, diagonal in diagonals.items():
        checked_shape(name, diagonal, (size,))
    return tuple(diagonal.astype(np.float32) for diagonal in diagonals.values())


def _checked_sizes(inputs: int, batch: int, cs_prev: Any, h_prev: Any, w: Any, b: Any) -> int:
    """The size of the cell.

    Raises:
      InvalidArgumentError: the shapes do not fit.
    """
    if cs_prev.ndim != 2:
        raise InvalidArgumentError(None, None, f"cs_prev must be 2D, but has the shape {dims_text(cs_prev.shape)}")
    size = cs_prev.shape[1]
    checked_shape("cs_prev", cs_prev, (batch, size))
    checked_shape("h_prev", h_prev, (batch, size))
    checked_shape("w", w, (inputs + size, 4 * size))
    checked_shape("b", b, (4 * size,))
    return size


def _step(cell: _Cell, projected: Any, cs_prev: Any, h_prev: Any) -> tuple:
    """The gates and the state after one step, from inputs times weights plus bias: i, cs, f, o, ci, co, h."""
    size = cs_prev.shape[1]
    gates = projected + h_prev @ cell.weights[-size:] if size else projected
    i, f, ci, o = (gates[:, place * size : (place + 1) * size] for place in cell.order)
    f = f + np.float32(cell.forget_bias)
    if cell.peepholes is not None:
        i, f = i + cs_prev * cell.peepholes[0], f + cs_prev * cell.peepholes[1]
    i, f, ci = sigmoid(i), sigmoid(f), np.tanh(ci)
    cs = ci * i + cs_prev * f
    if cell.clip > 0:
        cs = np.clip(cs, -np.float32(cell.clip), np.float32(cell.clip))
    o = sigmoid(o + cs * cell.peepholes[2] if cell.peepholes is not None else o)
    co = np.tanh(cs)
    return i, cs, f, o, ci, co, co * o


def _step_gradient(cell: _Cell, cs_prev: Any, gates: tuple, cs_grad: Any, h_grad: Any) -> tuple:
    """The gradients of one step: of the state before, and of the gates before their functions."""
    i, cs, f, o, ci, co = gates
    do = o * (1 - o) * h_grad * co
    dcs = (1 - co * co) * h_grad * o + cs_grad
    if cell.peepholes is not None:
        dcs = dcs + do * cell.peepholes[2]
    dci, df, di = (1 - ci * ci) * dcs * i, f * (1 - f) * dcs * cs_prev, i * (1 - i) * dcs * ci
    before = dcs * f
    if cell.peepholes is not None:
        before = before + di * cell.peepholes[0] + df * cell.peepholes[1]
    parts: list[Any] = [None] * 4
    for place, part in zip(cell.order, (di, df, dci, do), strict=True):
        parts[place] = part
    return before, np.concatenate(parts, axis=1), (di, df, do)


def _diagonal_gradients(cell: _Cell, cs_prev: Any, cs: Any, grads: tuple, size: int) -> list[Any]:
    if cell.peepholes is None:
        return [np.zeros(size, np.float32)] * 3
    di, df, do = grads
    return [(di * cs_prev).sum(0), (df * cs_prev).sum(0), (do * cs).sum(0)]


def _single(*arrays: Any) -> list[Any]:
    return [array.astype(np.float32, copy=False) for array in arrays]


# -- one step of an LSTM ------------------------------------------------------------------------------------

lstm_block_cell_op = op(f"LSTMBlockCell(x: T, cs_prev: T, h_prev: T, {_WEIGHTS}) -> {_GATES}, h: T",
                        forget_bias="float = 1.0", cell_clip="float = 3.0", use_peephole="bool = false", T=_FLOATS)


@lstm_block_cell_op.shape
def _(x, cs_prev, h_prev, w, wci, wcf, wco, b):
    return (state_shape(x, cs_prev),) * 7


@lstm_block_cell_op.kernel
def _(x, cs_prev, h_prev, w, wci, wcf, wco, b, *, forget_bias, cell_clip, use_peephole):
    if x.ndim != 2:
        raise InvalidArgumentError(None, None, f"x must be 2D, but has the shape {dims_text(x.shape)}")
    kind = x.dtype
    size = _checked_sizes(x.shape[1], len(x), cs_prev, h_prev, w, b)
    peepholes = _peepholes(use_peephole, size, wci=wci, wcf=wcf, wco=wco)
    x, cs_prev, h_prev, w, b = _single(x, cs_prev, h_prev, w, b)
    cell = _Cell(w, b, peepholes, _ICFO, forget_bias, cell_clip)
    return rounded(_step(cell, x @ w[: x.shape[1]] + b, cs_prev, h_prev), kind)


_DIAGONALS = (sample_values(4), sample_values(4, scale=0.5), sample_values(4, scale=-0.5))
_LSTM = (sample_values(2, 3), sample_values(2, 4), sample_values(2, 4, scale=0.5), sample_values(7, 16), *_DIAGONALS,
         sample_values(16))
lstm_block_cell_op.samples(
    plain=_LSTM,
    peephole=sample(*_LSTM, use_peephole=True, cell_clip=-1.0, forget_bias=0.5),
    clipped=sample(_LSTM[0], _LSTM[1] * 9, *_LSTM[2:], cell_clip=0.5),
    half=tuple(value.astype(np.float16) for value in _LSTM),
    nobody=sample(np.zeros((0, 3), "f4"), np.zeros((0, 4), "f4"), np.zeros((0, 4), "f4"), *_LSTM[3:]),
    refused_state=(_LSTM[0], _LSTM[1][:1], *_LSTM[2:]),
    refused_output=(*_LSTM[:2], sample_values(2, 3), *_LSTM[3:]),
    refused_weights=(*_LSTM[:3], sample_values(7, 15), *_LSTM[4:]),
    refused_bias=(*_LSTM[:7], sample_values(15)),
)

lstm_block_cell_grad_op = op(
    f"LSTMBlockCellGrad(x: T, cs_prev: T, h_prev: T, {_WEIGHTS}, {_GATES}, cs_grad: T, h_grad: T) -> "
    "cs_prev_grad: T, dicfo: T, wci_grad: T, wcf_grad: T, wco_grad: T",
    use_peephole="bool", T=_FLOATS)


@lstm_block_cell_grad_op.shape
def _(x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, cs_grad, h_grad):
    state = state_shape(x, cs_prev)
    batch, size = state.as_tuple()
    diagonal = TensorShape([size])
    return state, TensorShape([batch, None if size is None else 4 * size]), diagonal, diagonal, diagonal


@lstm_block_cell_grad_op.kernel
def _(x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, cs_grad, h_grad, *, use_peephole):
    if x.ndim != 2:
        raise InvalidArgumentError(None, None, f"x must be 2D, but has the shape {dims_text(x.shape)}")
    kind, size = x.dtype, _checked_sizes(x.shape[1], len(x), cs_prev, h_prev, w, b)
    gates = {"i": i, "cs": cs, "f": f, "o": o, "ci": ci, "co": co, "cs_grad": cs_grad, "h_grad": h_grad}
    for name, gate in gates.items():
        checked_shape(name, gate, cs_prev.shape)
    cell = _Cell(w, b, _peepholes(use_peephole, size, wci=wci, wcf=wcf, wco=wco), _ICFO)
    cs_prev, i, cs, f, o, ci, co, cs_grad, h_grad = _single(cs_prev, *gates.values())
    before, dicfo, grads = _step_gradient(cell, cs_prev, (i, cs, f, o, ci, co), cs_grad, h_grad)
    return rounded((before, dicfo, *_diagonal_gradients(cell, cs_prev, cs, grads, size)), kind)


_OPEN = tuple(0.5 + sample_values(2, 4, scale=0.05 * k) for k in range(1, 7))
_GRADS = (sample_values(2, 4, scale=-0.5), sample_values(2, 4, scale=0.75))
lstm_block_cell_grad_op.samples(
    plain=sample(*_LSTM, *_OPEN, *_GRADS, use_peephole=False),
    peephole=sample(*_LSTM, *_OPEN, *_GRADS, use_peephole=True),
    refused_gate=sample(*_LSTM, _OPEN[0][:1], *_OPEN[1:], *_GRADS, use_peephole=True),
    refused_grad=sample(*_LSTM, *_OPEN, _GRADS[0], _GRADS[1][:1], use_peephole=True),
)


# -- an LSTM over a sequence --------------------------------------------------------------------------------

_SEQUENCE = f"seq_len_max: int64, x: T, cs_prev: T, h_prev: T, {_WEIGHTS}"
block_lstm_op = op(f"BlockLSTM({_SEQUENCE}) -> {_GATES}, h: T", forget_bias="float = 1.0", cell_clip="float = 3.0",
                   use_peephole="bool = false", T=_FLOATS)
block_lstm_v2_op = op(f"BlockLSTMV2({_SEQUENCE}) -> {_GATES}, h: T", cell_clip="float = 0.0",
                      use_peephole="bool = false", T=_FLOATS)


def _sequence_shape(seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b):
    time, batch, _ = with_rank(x, 3).as_tuple()
    (columns,) = with_rank(b, 1).as_tuple()
    if columns is not None and columns % 4:
        raise ValueError(f"Dimension size must be evenly divisible by 4 but is {columns}")
    return (TensorShape([time, batch, None if columns is None else columns // 4]),) * 7


def _checked_sequence(seq_len_max: Any, x: Any, cs_prev: Any, h_prev: Any, w: Any, b: Any) -> tuple[int, int]:
    """How many steps there are, and the size of the cell."""
    if x.ndim != 3:
        raise InvalidArgumentError(None, None, f"x must be 3D, but has the shape {dims_text(x.shape)}")
    steps = sizes.scalar(seq_len_max, "seq_len_max")
    size = _checked_sizes(x.shape[2], x.shape[1], cs_prev, h_prev, w, b)
    if not 0 <= steps <= len(x):
        raise InvalidArgumentError(None, None, f"seq_len_max must be in [0, {len(x)}], but is {steps}")
    sizes.allocatable((*x.shape[:2], size), 4)
    return steps, size


def _run(cell: _Cell, steps: int, x: Any, cs_prev: Any, h_prev: Any) -> tuple:
    kind, inputs = x.dtype, x.shape[2]
    x, cs, h, weights, bias = _single(x, cs_prev, h_prev, cell.weights, cell.bias)
    cell = cell._replace(weights=weights)
    projected = x[:steps] @ weights[:inputs] + bias
    results = [np.zeros((*x.shape[:2], cs.shape[1]), kind) for _ in range(7)]
    for t in range(steps):
        found = rounded(_step(cell, projected[t], cs, h), kind)
        for result, value in zip(results, found, strict=True):
            result[t] = value
        cs, h = _single(found[1], found[6])
    return tuple(results)


@block_lstm_op.kernel
def _(seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, *, forget_bias, cell_clip, use_peephole):
    steps, size = _checked_sequence(seq_len_max, x, cs_prev, h_prev, w, b)
    peepholes = _peepholes(use_peephole, size, wci=wci, wcf=wcf, wco=wco)
    return _run(_Cell(w, b, peepholes, _ICFO, forget_bias, cell_clip), steps, x, cs_prev, h_prev)


@block_lstm_v2_op.kernel
def _(seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, *, cell_clip, use_peephole):
    steps, size = _checked_sequence(seq_len_max, x, cs_prev, h_prev, w, b)
    peepholes = _peepholes(use_peephole, size, wci=wci, wcf=wcf, wco=wco)
    return _run(_Cell(w, b, peepholes, _IFCO, 0.0, cell_clip), steps, x, cs_prev, h_prev)


_SEQUENCE_GRAD = (f"{_SEQUENCE}, {_GATES}, h: T, cs_grad: T, h_grad: T) -> x_grad: T, cs_prev_grad: T, h_prev_grad: T, "
                  "w_grad: T, wci_grad: T, wcf_grad: T, wco_grad: T, b_grad: T")
block_lstm_grad_op = op(f"BlockLSTMGrad({_SEQUENCE_GRAD}", use_peephole="bool", T=_FLOATS)
block_lstm_grad_v2_op = op(f"BlockLSTMGradV2({_SEQUENCE_GRAD}", use_peephole="bool", T=_FLOATS)


def _sequence_gradient_shape(
    seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, h, cs_grad, h_grad
):
    return (with_rank(x, 3), with_rank(cs_prev, 2), with_rank(h_prev, 2), with_rank(w, 2),
            *(with_rank(diagonal, 1) for diagonal in (wci, wcf, wco)), with_rank(b, 1))


def _run_back(cell: _Cell, steps: int, x: Any, states: tuple, gates: dict[str, Any], grads: dict[str, Any]) -> tuple:
    kind, inputs, size = x.dtype, x.shape[2], states[0].shape[1]
    shape = (*x.shape[:2], size)
    for name, array in {**gates, **grads}.items():
        checked_shape(name, array, shape)
    x, cs_prev, h_prev, weights = _single(x, *states, cell.weights)
    i, cs, f, o, ci, co, h, cs_grad, h_grad = _single(*gates.values(), *grads.values())
    before, after = np.zeros_like(cs_prev), np.zeros_like(h_prev)
    dicfo = np.zeros((steps, x.shape[1], 4 * size), np.float32)
    diagonals = [np.zeros(size, np.float32)] * 3
    for t in reversed(range(steps)):
        last = cs[t - 1] if t else cs_prev
        before, dicfo[t], parts = _step_gradient(
            cell, last, (i[t], cs[t], f[t], o[t], ci[t], co[t]), cs_grad[t] + before, h_grad[t] + after
        )
        after = dicfo[t] @ weights[inputs:].T
        found = _diagonal_gradients(cell, last, cs[t], parts, size)
        diagonals = [total + part for total, part in zip(diagonals, found, strict=True)]
    x_grad = np.zeros(x.shape, np.float32)
    x_grad[:steps] = dicfo @ weights[:inputs].T
    outputs = np.concatenate([h_prev[np.newaxis], h[: max(steps - 1, 0)]])[:steps]
    both = np.concatenate([x[:steps], outputs], axis=2).reshape(-1, inputs + size)
    flat = dicfo.reshape(-1, 4 * size)
    return rounded((x_grad, before, after, both.T @ flat, *diagonals, flat.sum(0)), kind)


def _sequence_gradient_kernel(order: tuple[int, ...]) -> Any:
    def kernel(seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, h, cs_grad, h_grad, *,
               use_peephole):
        steps, size = _checked_sequence(seq_len_max, x, cs_prev, h_prev, w, b)
        cell = _Cell(w, b, _peepholes(use_peephole, size, wci=wci, wcf=wcf, wco=wco), order)
        gates = {"i": i, "cs": cs, "f": f, "o": o, "ci": ci, "co": co, "h": h}
        return _run_back(cell, steps, x, (cs_prev, h_prev), gates, {"cs_grad": cs_grad, "h_grad": h_grad})

    return kernel


block_lstm_grad_op.kernel(_sequence_gradient_kernel(_ICFO))
block_lstm_grad_v2_op.kernel(_sequence_gradient_kernel(_IFCO))


def _sequence_gradient(node: Any, *grads: Any) -> tuple:
    # The original takes this op for both kinds, though the second has its gates in another order.
    peephole = node.get_attr("use_peephole")
    found = block_lstm_grad_op(*node.inputs, *node.outputs, grads[1], grads[6], use_peephole=peephole)
    return None, *found


for _definition in (block_lstm_op, block_lstm_v2_op):
    _definition.shape(_sequence_shape)
    _definition.gradient(_sequence_gradient)
for _definition in (block_lstm_grad_op, block_lstm_grad_v2_op):
    _definition.shape(_sequence_gradient_shape)

_STEPS = np.int64(5)
_LONG = (sample_values(5, 2, 3), *_LSTM[1:])
_STATES = tuple(0.5 + sample_values(5, 2, 4, scale=0.05 * k) for k in range(1, 8))
_LONG_GRADS = (sample_values(5, 2, 4, scale=-0.5), sample_values(5, 2, 4, scale=0.75))
for _definition in (block_lstm_op, block_lstm_v2_op):
    _definition.samples(
        plain=(_STEPS, *_LONG),
        peephole=sample(_STEPS, *_LONG, use_peephole=True, cell_clip=0.75),
        half=(np.int64(1), *(value.astype(np.float16) for value in (_LONG[0][:1], *_LONG[1:]))),
        refused_steps=(np.int64(6), *_LONG),
        refused_negative=(np.int64(-1), *_LONG),
        refused_state=(_STEPS, _LONG[0], _LONG[1][:1], *_LONG[2:]),
        refused_weights=(_STEPS, *_LONG[:3], sample_values(8, 16), *_LONG[4:]),
    )
for _definition in (block_lstm_grad_op, block_lstm_grad_v2_op):
    _definition.samples(
        plain=sample(_STEPS, *_LONG, *_STATES, *_LONG_GRADS, use_peephole=False),
        peephole=sample(_STEPS, *_LONG, *_STATES, *_LONG_GRADS, use_peephole=True),
        some=sample(np.int64(3), *_LONG, *_STATES, *_LONG_GRADS, use_peephole=True),
        refused_gate=sample(_STEPS, *_LONG, _STATES[0][:4], *_STATES[1:], *_LONG_GRADS, use_peephole=False),
    )
