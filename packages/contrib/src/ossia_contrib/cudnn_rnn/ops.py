"""The ops of cuDNN's recurrent layers, with kernels for CPUs."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_contrib.cudnn_rnn.recurrence import Layout, Recurrence
from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import with_rank
from ossia_core.names.errors import InvalidArgumentError, UnimplementedError
from ossia_core.names.shapes import TensorShape

_ATTRS = {
    "T": "{half, float, double}",
    "rnn_mode": '{"rnn_relu", "rnn_tanh", "lstm", "gru"} = "lstm"',
    "input_mode": '{"linear_input", "skip_input", "auto_select"} = "linear_input"',
    "direction": '{"unidirectional", "bidirectional"} = "unidirectional"',
    "dropout": "float = 0", "seed": "int = 0", "seed2": "int = 0",
}


def _recurrence(
    x: Any, h: Any, c: Any, params: Any, rnn_mode: bytes, input_mode: bytes, direction: bytes, dropout: float
) -> Recurrence:
    if input_mode == b"skip_input" or dropout:
        raise UnimplementedError(None, None, "CudnnRNN has no kernel for CPUs with skipped inputs or dropout")
    directions = 2 if direction == b"bidirectional" else 1
    if x.ndim != 3 or h.ndim != 3 or not x.size or not h.size:
        raise InvalidArgumentError(None, None, f"CudnnRNN takes no inputs of shape {x.shape} and {h.shape}")
    layout = Layout(rnn_mode.decode(), h.shape[0] // directions, h.shape[2], x.shape[2], directions)
    return Recurrence(layout, x, h, c, params)


cudnn_rnn_op = op(
    "CudnnRNN(input: T, input_h: T, input_c: T, params: T)"
    " -> output: T, output_h: T, output_c: T, reserve_space: T",
    stateful=True, **_ATTRS, is_training="bool = true",
)
cudnn_rnn_op.in_any_order()


@cudnn_rnn_op.shape
def _(input, input_h, input_c, params, *, direction):
    x, h = with_rank(input, 3).as_tuple(), with_rank(input_h, 3).as_tuple()
    with_rank(params, 1)
    factor = 2 if direction == b"bidirectional" else 1
    units = h[2] * factor if h and h[2] is not None else None
    output = TensorShape.from_tuple((*(x[:2] if x else (None, None)), units))
    return output, input_h.shape, input_h.shape, TensorShape(None)


@cudnn_rnn_op.kernel
def _(input, input_h, input_c, params, *, rnn_mode, input_mode, direction, dropout):
    done = _recurrence(input, input_h, input_c, params, rnn_mode, input_mode, direction, dropout)
    return done.output, done.last_h, done.last_c, np.zeros(0, input.dtype)


@cudnn_rnn_op.gradient
def _(node, *grads):
    names = ("rnn_mode", "input_mode", "direction", "dropout", "seed", "seed2")
    return list(cudnn_rnn_backprop_op(
        *node.inputs, *node.outputs[:3], *grads[:3], node.outputs[3], **{name: node.get_attr(name) for name in names}
    ))


cudnn_rnn_backprop_op = op(
    "CudnnRNNBackprop(input: T, input_h: T, input_c: T, params: T, output: T, output_h: T, output_c: T, "
    "output_backprop: T, output_h_backprop: T, output_c_backprop: T, reserve_space: T)"
    " -> input_backprop: T, input_h_backprop: T, input_c_backprop: T, params_backprop: T",
    stateful=True, **_ATTRS,
)
cudnn_rnn_backprop_op.in_any_order()


@cudnn_rnn_backprop_op.shape
def _(input, input_h, input_c, params, *others):
    return input.shape, input_h.shape, input_c.shape, params.shape


@cudnn_rnn_backprop_op.kernel
def _(
    input, input_h, input_c, params, output, output_h, output_c, output_backprop, output_h_backprop,
    output_c_backprop, reserve_space, *, rnn_mode, input_mode, direction, dropout,
):
    done = _recurrence(input, input_h, input_c, params, rnn_mode, input_mode, direction, dropout)
    if output_backprop.shape != done.output.shape or output_h_backprop.shape != input_h.shape:
        raise InvalidArgumentError(None, None, f"gradients of shape {output_backprop.shape} do not fit")
    if rnn_mode == b"lstm" and output_c_backprop.shape != input_h.shape:
        raise InvalidArgumentError(None, None, f"gradients of shape {output_c_backprop.shape} do not fit")
    dx, dh, dc, dparams = done.backward(output_backprop, output_h_backprop, output_c_backprop)
    return dx, dh, dc if rnn_mode == b"lstm" else np.zeros_like(input_c), dparams


cudnn_rnn_backprop_op.not_differentiable()
_X = np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 2, 2)
_H = np.full((1, 2, 2), 0.1, np.float32)
_HH = np.full((4, 2, 2), 0.1, np.float32)


def _params(count: int) -> np.ndarray:
    return np.linspace(-0.5, 0.6, count, dtype=np.float32)


cudnn_rnn_op.samples(
    lstm=(_X, _H, _H, _params(48)),
    gru=sample(_X, _H, _H, _params(36), rnn_mode="gru"),
    tanh=sample(_X, _H, _H, _params(12), rnn_mode="rnn_tanh"),
    bidirectional=sample(_X, _HH, _HH, _params(224), direction="bidirectional"),
    refused_params=(_X, _H, _H, _params(47)),
    refused_states=(_X, _H[:, :1], _H, _params(48)),
)
