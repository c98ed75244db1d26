"""Batch normalization of images in one op, and its gradient."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.declare.opdef import OpDef, op, sample
from ossia_core.declare.shape_rules import merge_dim, with_rank
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import UNKNOWN_SHAPE, TensorShape
from ossia_core.plugins.api_table import public
from ossia_derivatives.tape import GradientTape

_ATTRS = {"epsilon": "float = 0.0001", "data_format": "{'NHWC', 'NCHW'} = 'NHWC'", "is_training": "bool = true"}
_HALF = "{half, bfloat16, float}"
_LEAST_EPSILON = 1.001e-5
_X = np.arange(2 * 2 * 3 * 2, dtype="f4").reshape(2, 2, 3, 2) % 5
_V, _NONE = np.array([1., 2.], "f4"), np.zeros(0, "f4")


def _channels(*tensors: Any, data_format: bytes, size: int | None = None) -> tuple[TensorShape, TensorShape]:
    """The shape of the images and that of a vector of channels, of which there are `size`, if that is known."""
    dims = list(with_rank(tensors[0], 4).as_tuple())
    axis = 3 if data_format == b"NHWC" else 1
    size = merge_dim(dims[axis], size)
    for t in tensors[1:]:
        size = merge_dim(size, with_rank(t, 1).as_tuple()[0])
    dims[axis] = size
    return TensorShape(dims), TensorShape([size])


def _shape(
    x: Any, scale: Any, offset: Any, mean: Any, variance: Any, *, data_format: bytes, is_training: bool
) -> tuple:
    rest = () if is_training else (mean, variance)
    images, vector = _channels(x, scale, offset, *rest, data_format=data_format)
    return images, vector, vector, vector, vector


class _Images:
    """Images with their channels in reach: the axes that are averaged over, and vectors as they broadcast."""

    def __init__(self, x: np.ndarray, data_format: bytes) -> None:
        if x.ndim != 4:
            raise InvalidArgumentError(None, None, f"input must be 4-dimensional {dims_text(x.shape)}")
        self.last = data_format == b"NHWC"
        self.size = x.shape[3 if self.last else 1]
        self.axes = (0, 1, 2) if self.last else (0, 2, 3)
        self.count = math.prod(x.shape[a] for a in self.axes)

    def wide(self, vector: np.ndarray) -> np.ndarray:
        return vector if self.last else vector.reshape(-1, 1, 1)

    def sum(self, x: np.ndarray) -> np.ndarray:
        if self.last and x.flags.c_contiguous and x.size:
            return np.dot(np.ones(self.count, x.dtype), x.reshape(self.count, self.size))
        return x.sum(axis=self.axes, dtype=x.dtype)

    def check(self, **vectors: np.ndarray) -> None:
        for name, vector in vectors.items():
            if vector.shape != (self.size,):
                raise InvalidArgumentError(
                    None, None, f"{name} must be 1-dimensional with {self.size} elements, got {dims_text(vector.shape)}"
                )


def _forward(
    x: np.ndarray,
    scale: np.ndarray,
    offset: np.ndarray,
    mean: np.ndarray,
    variance: np.ndarray,
    epsilon: float,
    data_format: bytes,
    is_training: bool,
) -> tuple[np.ndarray, ...]:
    images = _Images(x, data_format)
    images.check(scale=scale, offset=offset)
    kind = x.dtype
    x = x.astype(np.float32, copy=False)
    if not is_training:
        images.check(mean=mean, variance=variance)
        factor = scale / np.sqrt(variance + np.float32(epsilon))
        y = x * images.wide(factor) + images.wide(offset - mean * factor)
        return y.astype(kind, copy=False), mean.copy(), variance.copy(), mean.copy(), variance.copy()
    for name, given in (("mean", mean), ("variance", variance)):
        if given.size:
            raise InvalidArgumentError(
                None, None, f"estimated_{name} must be empty for training, but has the shape {list(given.shape)}"
            )
    count = np.float32(images.count)
    with np.errstate(all="ignore"):
        mean = images.sum(x) / count
        centred = x - images.wide(mean)
        variance = images.sum(np.square(centred)) / count
        centred *= images.wide(scale / np.sqrt(variance + np.float32(epsilon)))
        centred += images.wide(offset)
    unbiased = variance * np.float32(images.count / max(images.count - 1, 1))
    return centred.astype(kind, copy=False), mean, unbiased, mean.copy(), variance


def _register(definition: OpDef, gradient: Any, extra: bool) -> None:
    """The shape rule, kernel, gradient and samples of a version of the op."""
    @definition.shape
    def _(x, scale, offset, mean, variance, *, data_format, is_training):
        shapes = _shape(x, scale, offset, mean, variance, data_format=data_format, is_training=is_training)
        return (*shapes, UNKNOWN_SHAPE) if extra else shapes

    @definition.kernel
    def _(x, scale, offset, mean, variance, *, epsilon, data_format, is_training):
        results = _forward(x, scale, offset, mean, variance, epsilon, data_format, is_training)
        return (*results, np.float32(0)) if extra else results

    @definition.gradient
    def _(node, grad, *_):
        return _gradient(node, grad, gradient(), 3 if extra else 2)

    definition.samples(
        training=sample(_X, _V, _V, _NONE, _NONE), inference=sample(_X, _V, _V, _V, _V, is_training=False, epsilon=0.01)
    )


def _gradient(node: Any, grad: Tensor, definition: OpDef, saved: int) -> tuple:
    x, scale, _, mean, variance = node.inputs
    data_format, training = node.get_attr("data_format"), node.get_attr("is_training")
    reserved = list(node.outputs[3:3 + saved])
    transpose = builder("transpose")
    turned = not training and data_format == b"NCHW"
    if not training:
        reserved[:2] = [mean, variance]
    if turned:
        x, grad = transpose(x, [0, 2, 3, 1]), transpose(grad, [0, 2, 3, 1])
    dx, dscale, doffset, *rest = definition(
        grad,
        x,
        scale,
        *reserved,
        epsilon=node.get_attr("epsilon"),
        data_format="NHWC" if turned else data_format,
        is_training=training,
    )
    rest = rest if training else [None, None]
    return transpose(dx, [0, 3, 1, 2]) if turned else dx, dscale, doffset, *rest


def _backward(
    grad: np.ndarray,
    x: np.ndarray,
    scale: np.ndarray,
    mean: np.ndarray,
    variance: np.ndarray,
    epsilon: float,
    data_format: bytes,
    is_training: bool,
) -> tuple[np.ndarray, ...]:
    images = _Images(x, data_format)
    if grad.shape != x.shape:
        raise InvalidArgumentError(
            None, None, f"x and y_backprop must have the same shape: {dims_text(x.shape)} vs. {dims_text(grad.shape)}"
        )
    images.check(scale=scale, reserve_space_1=mean, reserve_space_2=variance)
    kind = x.dtype
    x, grad = x.astype(np.float32, copy=False), grad.astype(np.float32, copy=False)
    inverse = np.float32(1) / np.sqrt(variance + np.float32(epsilon))
    centred = x - images.wide(mean)
    doffset = images.sum(grad)
    product = images.sum(grad * centred)
    dscale = product * inverse
    if is_training:
        count = np.float32(images.count)
        with np.errstate(all="ignore"):
            centred *= images.wide(-product / count * inverse * inverse)
            centred += grad
            centred -= images.wide(doffset / count)
        centred *= images.wide(scale * inverse)
        return centred.astype(kind, copy=False), dscale, doffset, np.zeros(0, np.float32), np.zeros(0, np.float32)
    dx = grad * images.wide(scale * inverse)
    return dx.astype(kind, copy=False), dscale, doffset, np.zeros_like(scale), np.zeros_like(scale)


def _register_gradient(definition: OpDef, extra: bool) -> None:
    @definition.shape
    def _(y_backprop, x, scale, reserve_space_1, reserve_space_2, *rest, data_format, is_training):
        size = with_rank(x, 4).as_tuple()[3 if data_format == b"NHWC" else 1]
        images, vector = _channels(
            y_backprop, scale, reserve_space_1, reserve_space_2, data_format=data_format, size=size
        )
        rest_shape = TensorShape([0]) if is_training else vector
        return images, vector, vector, rest_shape, rest_shape

    @definition.kernel
    def _(y_backprop, x, scale, reserve_space_1, reserve_space_2, *rest, epsilon, data_format, is_training):
        return _backward(y_backprop, x, scale, reserve_space_1, reserve_space_2, epsilon, data_format, is_training)

    @definition.gradient
    def _(node, *grads):
        return (*_second(node, grads[:3]), *[None] * (3 if extra else 2))

    definition.samples(training=sample(_X, _X, _V, _V, _V, *([_NONE] if extra else [])),
                       inference=sample(_X, _X, _V, _V, _V, *([_NONE] if extra else []), is_training=False))


def _second(node: Any, grads: tuple) -> list[Tensor]:
    """Gradients of the gradient's outputs by grad, x and scale: the formula written out, and differentiated."""
    grad, x, scale, mean, variance = node.inputs[:5]
    settings = [node.get_attr(name) for name in ("epsilon", "data_format", "is_training")]
    with GradientTape() as tape:
        for source in (grad, x, scale):
            tape.watch(source)
        outputs = _written_out(grad, x, scale, mean, variance, *settings)
    # The order in which the original plays them back; a tape of ours begins with the last target.
    if x.dtype.base_dtype.name == "float32":
        order = (2, 1, 0) if node.get_attr("is_training") and settings[1] == b"NHWC" else (1, 2, 0)
    else:
        order = (1, 2, 0) if node.get_attr("is_training") else (0, 2, 1)
    return tape.gradient([outputs[i] for i in order], [grad, x, scale], output_gradients=[grads[i] for i in order])


def _written_out(grad: Tensor, x: Tensor, scale: Tensor, mean: Any, variance: Any, epsilon: float, data_format: bytes,
                 is_training: bool) -> tuple[Tensor, Tensor, Tensor]:
    from ossia_ops.array.shape import reshape, size, squeeze
    from ossia_ops.math.arithmetic import squared_difference
    from ossia_ops.math.cast import cast
    from ossia_ops.math.elementwise import reciprocal, rsqrt
    from ossia_ops.math.reduction import reduce_mean, reduce_sum
    kind = x.dtype
    if kind.name != "float32":
        x, grad = cast(x, "float32"), cast(grad, "float32")
    first = data_format == b"NCHW"
    axes = [0, 2, 3] if first else [0, 1, 2]
    if first:
        wide = [1, size(scale), 1, 1]
        if not is_training:
            mean, variance = reshape(mean, wide), reshape(variance, wide)
        scale = reshape(scale, wide)
    if is_training:
        mean_grad = reduce_mean(grad, axes, keepdims=first)
        mean = reduce_mean(x, axes, keepdims=first)
        variance = reduce_mean(squared_difference(x, builder("stop_gradient")(mean)), axes, keepdims=first)
        grad_offset, x_offset = grad - mean_grad, x - mean
        mean_product = reduce_mean(grad * x_offset, axes, keepdims=first)
        inside = rsqrt(variance + epsilon)
        dx = scale * inside * (grad_offset - reciprocal(variance + epsilon) * mean_product * x_offset)
        dscale = rsqrt(variance + epsilon) * reduce_sum(grad * x_offset, axes, keepdims=first)
        dscale = squeeze(dscale) if first else dscale
        doffset = reduce_sum(grad, axes)
    else:
        doffset = reduce_sum(grad, axes)
        scaled = rsqrt(variance + epsilon)
        dscale = reduce_sum(grad * (x - mean) * scaled, axes)
        dx = grad * scale * scaled
    return (cast(dx, kind) if kind.name != "float32" else dx), dscale, doffset


fused_batch_norm_op = op(
    "FusedBatchNorm(x: T, scale: T, offset: T, mean: T, variance: T) -> y: T, batch_mean: T, batch_variance: T, "
    "reserve_space_1: T, reserve_space_2: T",
    T="{float}",
    **_ATTRS,
)
fused_batch_norm_grad_op = op(
    "FusedBatchNormGrad(y_backprop: T, x: T, scale: T, reserve_space_1: T, reserve_space_2: T) -> x_backprop: T, "
    "scale_backprop: T, offset_backprop: T, reserve_space_3: T, reserve_space_4: T",
    T="{float}",
    **_ATTRS,
)
fused_batch_norm_v2_op = op(
    "FusedBatchNormV2(x: T, scale: U, offset: U, mean: U, variance: U) -> y: T, batch_mean: U, batch_variance: U, "
    "reserve_space_1: U, reserve_space_2: U",
    T=_HALF,
    U="{float}",
    **_ATTRS,
)
fused_batch_norm_grad_v2_op = op(
    "FusedBatchNormGradV2(y_backprop: T, x: T, scale: float, reserve_space_1: U, reserve_space_2: U) -> "
    "x_backprop: T, scale_backprop: U, offset_backprop: U, reserve_space_3: U, reserve_space_4: U",
    T=_HALF,
    U="{float}",
    **_ATTRS,
)
fused_batch_norm_v3_op = op(
    "FusedBatchNormV3(x: T, scale: U, offset: U, mean: U, variance: U) -> y: T, batch_mean: U, batch_variance: U, "
    "reserve_space_1: U, reserve_space_2: U, reserve_space_3: U",
    T=_HALF,
    U="{float}",
    **_ATTRS,
)
fused_batch_norm_grad_v3_op = op(
    "FusedBatchNormGradV3(y_backprop: T, x: T, scale: float, reserve_space_1: U, reserve_space_2: U, "
    "reserve_space_3: U) -> x_backprop: T, scale_backprop: U, offset_backprop: U, reserve_space_4: U, "
    "reserve_space_5: U",
    T=_HALF,
    U="{float}",
    **_ATTRS,
)
_register(fused_batch_norm_op, lambda: fused_batch_norm_grad_op, False)
_register(fused_batch_norm_v2_op, lambda: fused_batch_norm_grad_v2_op, False)
_register(fused_batch_norm_v3_op, lambda: fused_batch_norm_grad_v3_op, True)
_register_gradient(fused_batch_norm_grad_op, False)
_register_gradient(fused_batch_norm_grad_v2_op, False)
_register_gradient(fused_batch_norm_grad_v3_op, True)


@public("nn.fused_batch_norm")
def fused_batch_norm(
    x: Any,
    scale: Any,
    offset: Any,
    mean: Any = None,
    variance: Any = None,
    epsilon: float = 0.001,
    data_format: str = "NHWC",
    is_training: bool = True,
    name: str | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Batch normalization of images (Ioffe & Szegedy 2015), per channel.

    Args:
      x: [batch, height, width, channels], or as `data_format` says.
      scale, offset: vectors, one number per channel.
      mean, variance: those of the population, for inference only.
      epsilon: added to the variance, at least 1.001e-5.
      data_format: "NHWC" or "NCHW".
      is_training: normalize by the batch's mean and variance, instead of the given ones.
      name: name of the op.

    Returns:
      The normalized images, the mean, and the variance (of a batch, the unbiased estimate).

    Raises:
      ValueError: mean or variance given for training.
    """
    x = convert_to_tensor(x, name="input")
    scale = convert_to_tensor(scale, name="scale")
    offset = convert_to_tensor(offset, name="offset")
    if is_training and (mean is not None or variance is not None):
        raise ValueError("Both 'mean' and 'variance' must be None if is_training is True.")
    mean = constant([]) if mean is None else mean
    variance = constant([]) if variance is None else variance
    y, batch_mean, batch_variance, *_ = fused_batch_norm_v3_op(
        x,
        scale,
        offset,
        mean,
        variance,
        epsilon=max(epsilon, _LEAST_EPSILON),
        data_format=data_format,
        is_training=is_training,
        name=name,
    )
    return y, batch_mean, batch_variance
