"""Local response normalization across channels, and its gradient."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.api_table import public
from ossia_core.errors import InvalidArgumentError
from ossia_core.graph.tensor import Tensor
from ossia_core.opdef import op, sample
from ossia_core.shape_rules import merge, with_rank

_ATTRS = {"depth_radius": "int = 5", "bias": "float = 1.0", "alpha": "float = 1.0", "beta": "float = 0.5"}
_T = "{half, bfloat16, float} = DT_FLOAT"
_X = np.arange(2 * 2 * 1 * 5, dtype="f4").reshape(2, 2, 1, 5) / 5


def _windowed(x: np.ndarray, radius: int) -> np.ndarray:
    """The sums of `x` over the channels within `radius`."""
    total = np.zeros((*x.shape[:-1], x.shape[-1] + 1), x.dtype)
    np.cumsum(x, axis=-1, out=total[..., 1:])
    places = np.arange(x.shape[-1])
    return total[..., np.minimum(places + radius + 1, x.shape[-1])] - total[..., np.maximum(places - radius, 0)]


def _images(x: np.ndarray) -> np.ndarray:
    if x.ndim != 4:
        raise InvalidArgumentError(None, None, "in must be 4-dimensional")
    return x.astype(np.float64)


lrn_op = op("LRN(input: T) -> output: T", **_ATTRS, T=_T)


@lrn_op.shape
def _(input):
    return with_rank(input, 4)


@lrn_op.kernel
def _(input, *, depth_radius, bias, alpha, beta):
    x = _images(input)
    return (x * (bias + alpha * _windowed(x * x, depth_radius)) ** -beta).astype(input.dtype)


@lrn_op.gradient
def _(node, grad):
    return lrn_grad_op(grad, node.inputs[0], node.outputs[0], **{name: node.get_attr(name) for name in _ATTRS})


lrn_op.samples(plain=sample(_X, depth_radius=1), wide=sample(_X), empty=sample(_X[:0]))

lrn_grad_op = op("LRNGrad(input_grads: T, input_image: T, output_image: T) -> output: T", **_ATTRS, T=_T)


@lrn_grad_op.shape
def _(input_grads, input_image, output_image):
    return merge(merge(with_rank(input_grads, 4), input_image), output_image)


@lrn_grad_op.kernel
def _(input_grads, input_image, output_image, *, depth_radius, bias, alpha, beta):
    x, grad, y = _images(input_image), _images(input_grads), _images(output_image)
    norm = bias + alpha * _windowed(x * x, depth_radius)
    shared = _windowed(grad * y / norm, depth_radius)
    return (grad * norm ** -beta - 2 * alpha * beta * x * shared).astype(input_grads.dtype)


lrn_grad_op.samples(plain=sample(np.ones_like(_X), _X, _X, depth_radius=1))


@public("nn.lrn", "nn.local_response_normalization")
def lrn(
    input: Any, depth_radius: int = 5, bias: float = 1, alpha: float = 1, beta: float = 0.5, name: str | None = None
) -> Tensor:
    """`input / (bias + alpha * s)**beta`, s the sum of squares over the channels within `depth_radius` (Krizhevsky et
    al. 2012).

    Args:
      input: [batch, height, width, channels].
      depth_radius: half the width of the window.
      bias, alpha, beta: parameters of the formula.
      name: name of the result.
    """
    return lrn_op(input, depth_radius=depth_radius, bias=bias, alpha=alpha, beta=beta, name=name)
