"""Local response normalization across channels, and its gradient."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import merge, with_rank
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public

_ATTRS = {"depth_radius": "int = 5", "bias": "float = 1.0", "alpha": "float = 1.0", "beta": "float = 0.5"}
_T = "{half, bfloat16, float} = DT_FLOAT"
_FEW = 256  # channels whose windows a product sums
_X = np.arange(2 * 2 * 1 * 5, dtype="f4").reshape(2, 2, 1, 5) / 5


def _windowed(x: np.ndarray, radius: int) -> np.ndarray:
    """The sums of `x` ([channels, pixels]) over the channels within `radius`."""
    channels = len(x)
    radius = min(radius, channels)
    total = np.zeros((channels + 2 * radius + 1, x.shape[1]), x.dtype)
    inside = total[radius + 1 : radius + 1 + channels]
    np.cumsum(x, axis=0, out=inside)
    total[radius + 1 + channels :] = inside[-1:]
    return total[2 * radius + 1 :] - total[:channels]


def _lowered(norm: np.ndarray, beta: float) -> np.ndarray:
    """`norm ** -beta`, for the usual values by roots, which are much faster."""
    if beta == 0.5:
        return 1 / np.sqrt(norm)
    if beta == 0.75:
        root = np.sqrt(norm)
        return 1 / (root * np.sqrt(root))
    return norm**-beta


def _channels(x: np.ndarray) -> np.ndarray:
    """An image as [channels, pixels], so that the channels of a window lie in rows."""
    if x.ndim != 4:
        raise InvalidArgumentError(None, None, "in must be 4-dimensional")
    return x.reshape(math.prod(x.shape[:3]), x.shape[3]).T.astype(np.float64, order="C")


def _image(channels: np.ndarray, like: np.ndarray) -> np.ndarray:
    return channels.T.astype(like.dtype, order="C").reshape(like.shape)


lrn_op = op("LRN(input: T) -> output: T", **_ATTRS, T=_T)


@lrn_op.shape
def _(input):
    return with_rank(input, 4)


def _narrow(x: np.ndarray, radius: int, bias: float, alpha: float, beta: float) -> np.ndarray | None:
    """The normalized float32 image, its windows summed by a product with a band matrix; None where that would not do:
    for many channels, and where squares are not finite."""
    channels = x.shape[-1]
    if x.dtype != np.float32 or x.ndim != 4 or not 0 < channels <= _FEW or not x.size:
        return None
    flat = x.reshape(-1, channels)
    numbers = np.arange(channels)
    band = (np.abs(numbers[:, None] - numbers) <= radius).astype(np.float32) * np.float32(alpha)
    norm = np.square(flat) @ band
    if not np.isfinite(norm.sum(dtype=np.float64)):
        return None
    norm += np.float32(bias)
    if beta == 0.5:
        np.sqrt(norm, out=norm)
    elif beta == 0.75:
        root = np.sqrt(norm)
        np.multiply(root, np.sqrt(root), out=norm)
    else:
        np.power(norm, np.float32(beta), out=norm)
    np.divide(flat, norm, out=norm)
    return norm.reshape(x.shape)


def _check_radius(radius: int) -> None:
    if not 0 <= radius < 2**31 - 1:
        raise InvalidArgumentError(None, None, f"depth_radius = {radius} larger than int max")


@lrn_op.kernel
def _(input, *, depth_radius, bias, alpha, beta):
    _check_radius(depth_radius)
    found = _narrow(input, depth_radius, bias, alpha, beta)
    if found is not None:
        return found
    x = _channels(input)
    return _image(x * _lowered(bias + alpha * _windowed(x * x, depth_radius), beta), input)


@lrn_op.gradient
def _(node, grad):
    return lrn_grad_op(grad, node.inputs[0], node.outputs[0], **{name: node.get_attr(name) for name in _ATTRS})


lrn_op.samples(
    plain=sample(_X, depth_radius=1),
    wide=sample(_X),
    roots=sample(_X, beta=0.75),
    powers=sample(_X, beta=0.6, alpha=0.1, bias=2.0),
    empty=sample(_X[:0]),
)

lrn_grad_op = op("LRNGrad(input_grads: T, input_image: T, output_image: T) -> output: T", **_ATTRS, T=_T)


@lrn_grad_op.shape
def _(input_grads, input_image, output_image):
    return merge(merge(with_rank(input_grads, 4), input_image), output_image)


@lrn_grad_op.kernel
def _(input_grads, input_image, output_image, *, depth_radius, bias, alpha, beta):
    _check_radius(depth_radius)
    if not input_grads.shape == input_image.shape == output_image.shape:
        raise InvalidArgumentError(None, None, "input_grads, input_image, and out_image should have the same shape")
    x, grad, y = _channels(input_image), _channels(input_grads), _channels(output_image)
    norm = bias + alpha * _windowed(x * x, depth_radius)
    shared = _windowed(grad * y / norm, depth_radius)
    return _image(grad * _lowered(norm, beta) - 2 * alpha * beta * x * shared, input_grads)


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
