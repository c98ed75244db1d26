"""The GRU as one op, for one step."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import with_rank
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import TensorShape
from ossia_ops.nn.gate_functions import checked_shape, rounded, sample_values, sigmoid, state_shape

_GRU_WEIGHTS = "x: T, h_prev: T, w_ru: T, w_c: T, b_ru: T, b_c: T"
gru_block_cell_op = op(f"GRUBlockCell({_GRU_WEIGHTS}) -> r: T, u: T, c: T, h: T", T="{float}")


@gru_block_cell_op.shape
def _(x, h_prev, w_ru, w_c, b_ru, b_c):
    return (state_shape(x, h_prev),) * 4


def _checked_gru(x: Any, h_prev: Any, w_ru: Any, w_c: Any, b_ru: Any, b_c: Any) -> None:
    for name, array in {"x": x, "h_prev": h_prev}.items():
        if array.ndim != 2:
            raise InvalidArgumentError(None, None, f"{name} must be 2D, but has the shape {dims_text(array.shape)}")
    size, inputs = h_prev.shape[1], x.shape[1] + h_prev.shape[1]
    checked_shape("h_prev", h_prev, (len(x), size))
    checked_shape("w_ru", w_ru, (inputs, 2 * size))
    checked_shape("w_c", w_c, (inputs, size))
    checked_shape("b_ru", b_ru, (2 * size,))
    checked_shape("b_c", b_c, (size,))


@gru_block_cell_op.kernel
def _(x, h_prev, w_ru, w_c, b_ru, b_c):
    _checked_gru(x, h_prev, w_ru, w_c, b_ru, b_c)
    size, kind = h_prev.shape[1], x.dtype
    both = sigmoid(np.concatenate([x, h_prev], axis=1) @ w_ru + b_ru)
    r, u = np.array(both[:, :size], order="C"), np.array(both[:, size:], order="C")
    c = np.tanh(np.concatenate([x, h_prev * r], axis=1) @ w_c + b_c)
    return rounded((r, u, c, u * h_prev + (1 - u) * c), kind)


_GRU = (sample_values(2, 3), sample_values(2, 4), sample_values(7, 8), sample_values(7, 4, scale=0.5),
        sample_values(8), sample_values(4))
gru_block_cell_op.samples(
    plain=_GRU,
    nobody=(np.zeros((0, 3), "f4"), np.zeros((0, 4), "f4"), *_GRU[2:]),
    refused_state=(_GRU[0], _GRU[1][:1], *_GRU[2:]),
    refused_weights=(*_GRU[:2], sample_values(7, 7), *_GRU[3:]),
    refused_bias=(*_GRU[:5], sample_values(5)),
)

gru_block_cell_grad_op = op(f"GRUBlockCellGrad({_GRU_WEIGHTS}, r: T, u: T, c: T, d_h: T) -> d_x: T, d_h_prev: T, "
                            "d_c_bar: T, d_r_bar_u_bar: T", T="{float}")


@gru_block_cell_grad_op.shape
def _(x, h_prev, w_ru, w_c, b_ru, b_c, r, u, c, d_h):
    batch, inputs = with_rank(x, 2).as_tuple()
    size, both = with_rank(h_prev, 2).as_tuple()[1], with_rank(w_ru, 2).as_tuple()[1]
    state = TensorShape([batch, size])
    return TensorShape([batch, inputs]), state, state, TensorShape([batch, both])


@gru_block_cell_grad_op.kernel
def _(x, h_prev, w_ru, w_c, b_ru, b_c, r, u, c, d_h):
    _checked_gru(x, h_prev, w_ru, w_c, b_ru, b_c)
    for name, array in {"r": r, "u": u, "c": c, "d_h": d_h}.items():
        checked_shape(name, array, h_prev.shape)
    inputs, kind = x.shape[1], x.dtype
    c_grad = (1 - u) * d_h * (1 - c * c)
    u_grad = d_h * (h_prev - c) * u * (1 - u)
    from_c = c_grad @ w_c.T
    r_grad = from_c[:, inputs:] * h_prev * r * (1 - r)
    ru_grad = np.concatenate([r_grad, u_grad], axis=1)
    from_ru = ru_grad @ w_ru.T
    h_grad = from_ru[:, inputs:] + from_c[:, inputs:] * r + d_h * u
    return rounded((from_ru[:, :inputs] + from_c[:, :inputs], h_grad, c_grad, ru_grad), kind)


_OPEN = tuple(0.5 + sample_values(2, 4, scale=0.05 * k) for k in range(1, 4))
_GRAD = sample_values(2, 4, scale=-0.5)
gru_block_cell_grad_op.samples(
    plain=(*_GRU, *_OPEN, _GRAD),
    refused_gate=(*_GRU, _OPEN[0][:1], *_OPEN[1:], _GRAD),
    refused_grad=(*_GRU, *_OPEN, _GRAD[:1]),
)
