"""Quantization simulated in floating point: values rounded to the steps that a few bits can tell apart."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import merge, merge_dim, unchanged, with_rank, with_rank_at_least
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import public
from ossia_ops.math.choice import in_blocks


def nudged(low: Any, high: Any, num_bits: int, narrow_range: bool) -> tuple[Any, Any, Any]:
    """A range moved so that zero is one of its steps: lower end, upper end and step, all float32."""
    first, last = np.float32(1 if narrow_range else 0), np.float32((1 << num_bits) - 1)
    step = (high - low) / (last - first)
    zero = first - low / step
    # Halves are rounded up: a zero point is never negative.
    zero = np.where(zero < first, first, np.where(zero > last, last, np.floor(zero + np.float32(0.5)))).astype(
        np.float32
    )
    return (first - zero) * step, (last - zero) * step, step


def _check_bits(num_bits: int) -> None:
    if not 2 <= num_bits <= 16:
        raise InvalidArgumentError(None, None, "num_bits must be between 2 and 16, inclusive")


def _rounded(x: Any, low: Any, high: Any, num_bits: int, narrow_range: bool, inverted: bool = False) -> Any:
    _check_bits(num_bits)
    lower, upper, step = nudged(low, high, num_bits, narrow_range)
    if inverted:
        result = _to_steps_by_product(x, lower, upper, step, np.float32(1) / step)
    else:
        result = _to_steps(x, lower, upper, step, step)
    empty = (low == 0) & (high == 0)
    return np.where(empty, np.float32(0), result) if np.any(empty) else result


def _stepping(scaled: np.ufunc) -> Callable[..., Any]:
    """Rounding to steps. Of numbers halfway between two, whether they are divided or multiplied decides."""

    @in_blocks
    def to_steps(x: Any, lower: Any, upper: Any, step: Any, by: Any) -> Any:
        result = np.asarray(np.minimum(x, upper))
        result = np.maximum(result, lower, out=result)  # which counts where the bounds are the wrong way round
        result -= lower
        scaled(result, by, out=result)
        result += np.float32(0.5)
        np.floor(result, out=result)
        result *= step
        result += lower
        return result

    return to_steps


_to_steps, _to_steps_by_product = _stepping(np.divide), _stepping(np.multiply)


def _masked(gradients: Any, x: Any, low: Any, high: Any, num_bits: int, narrow_range: bool) -> tuple[Any, Any, Any]:
    """The gradients of elements in range, below it and above it; the others are zero."""
    if np.shape(gradients) != np.shape(x):
        raise InvalidArgumentError(None, None, "gradient and input must be the same size")
    _check_bits(num_bits)
    lower, upper, _ = nudged(low, high, num_bits, narrow_range)
    empty = (low == 0) & (high == 0)
    below, above = (x < lower) & ~empty, (x > upper) & ~empty
    inside = ((x >= lower) & (x <= upper)) | empty  # NaN is nowhere
    # Products, as in the original: a gradient that is not finite is NaN where it does not count.
    with np.errstate(invalid="ignore"):
        return gradients * inside, gradients * below, gradients * above


fake_quant_with_min_max_args_op = op("FakeQuantWithMinMaxArgs(inputs: float) -> outputs: float", min="float = -6.0",
                                     max="float = 6.0", num_bits="int32 = 8", narrow_range="bool = false")


fake_quant_with_min_max_args_op.shape(unchanged)


def _check_upright(low: float, high: float) -> None:
    if not low < high:
        raise InvalidArgumentError(None, None, f"min has to be smaller than max, was: {low:g} >= {high:g}")


@fake_quant_with_min_max_args_op.kernel
def _(inputs, *, min, max, num_bits, narrow_range):
    _check_upright(min, max)
    return _rounded(inputs, np.float32(min), np.float32(max), num_bits, narrow_range, inverted=True)


@fake_quant_with_min_max_args_op.gradient
def _(node, grad):
    return fake_quant_with_min_max_args_gradient_op(
        grad, node.inputs[0], **{a: node.get_attr(a) for a in ("min", "max", "num_bits", "narrow_range")}
    )


fake_quant_with_min_max_args_op.samples(
    plain=[-7.0, 0.01, 3.3, 9.0],
    narrow=sample([0.3, 0.7], min=0.0, max=1.0, num_bits=3, narrow_range=True),
    halves=sample(np.arange(-24, 25, dtype=np.float32) / 8, min=-1.0, max=1.0, num_bits=4, narrow_range=True),
    wide_halves=sample(np.arange(-24, 25, dtype=np.float32) / 8, min=-0.5, max=2.0),
)


@public("quantization.fake_quant_with_min_max_args", "fake_quant_with_min_max_args")
def fake_quant_with_min_max_args(
    inputs: Any, min: float = -6, max: float = 6, num_bits: int = 8, narrow_range: bool = False, name: str | None = None
) -> Tensor:
    """`inputs` clipped to [`min`, `max`] and rounded to the steps of `num_bits` bits, as floats.

    Args:
      inputs: a float32 tensor.
      min: lower end of the range.
      max: upper end; both are moved a little, so that 0 is a step.
      num_bits: number of bits, from 2 to 16.
      narrow_range: leave out the lowest step.
      name: name of the result.
    """
    return fake_quant_with_min_max_args_op(
        inputs, min=min, max=max, num_bits=num_bits, narrow_range=narrow_range, name=name
    )


fake_quant_with_min_max_args_gradient_op = op("FakeQuantWithMinMaxArgsGradient(gradients: float, "
                                              "inputs: float) -> backprops: float", min="float = -6.0",
                                              max="float = 6.0", num_bits="int32 = 8", narrow_range="bool = false")


fake_quant_with_min_max_args_gradient_op.shape(unchanged)


@fake_quant_with_min_max_args_gradient_op.kernel
def _(gradients, inputs, *, min, max, num_bits, narrow_range):
    if np.shape(gradients) != np.shape(inputs):
        raise InvalidArgumentError(
            None,
            None,
            f"gradients and inputs must have the same size and shape. Input 0: {dims_text(np.shape(gradients))} != "
            f"input 1: {dims_text(np.shape(inputs))}",
        )
    _check_upright(min, max)
    return _masked(gradients, inputs, np.float32(min), np.float32(max), num_bits, narrow_range)[0]


fake_quant_with_min_max_args_gradient_op.samples(plain=([1., 2., 3.], [-7., 0., 7.]))


@public("quantization.fake_quant_with_min_max_args_gradient", "fake_quant_with_min_max_args_gradient")
def fake_quant_with_min_max_args_gradient(
    gradients: Any,
    inputs: Any,
    min: float = -6,
    max: float = 6,
    num_bits: int = 8,
    narrow_range: bool = False,
    name: str | None = None,
) -> Tensor:
    """The gradient of `fake_quant_with_min_max_args`: `gradients` where `inputs` are in range, else 0."""
    return fake_quant_with_min_max_args_gradient_op(
        gradients, inputs, min=min, max=max, num_bits=num_bits, narrow_range=narrow_range, name=name
    )


fake_quant_with_min_max_vars_op = op("FakeQuantWithMinMaxVars(inputs: float, min: float, "
                                     "max: float) -> outputs: float", num_bits="int32 = 8", narrow_range="bool = false")


@fake_quant_with_min_max_vars_op.shape
def _(inputs, min, max):
    with_rank(min, 0), with_rank(max, 0)
    return unchanged(inputs)


def _scalars(*bounds: Any) -> list[Any]:
    """The ends of a range as scalars, which arrays of one element are too."""
    if any(np.size(bound) != 1 for bound in bounds):
        shapes = ", ".join(dims_text(np.shape(bound)) for bound in bounds)
        raise InvalidArgumentError(None, None, f"min and max must be scalars, but have the shapes {shapes}")
    return [np.reshape(bound, ()) for bound in bounds]


@fake_quant_with_min_max_vars_op.kernel
def _(inputs, min, max, *, num_bits, narrow_range):
    return _rounded(inputs, *_scalars(min, max), num_bits, narrow_range)


@fake_quant_with_min_max_vars_op.gradient
def _(node, grad):
    return list(fake_quant_with_min_max_vars_gradient_op(grad, *node.inputs, num_bits=node.get_attr("num_bits"),
                                                         narrow_range=node.get_attr("narrow_range")))


fake_quant_with_min_max_vars_op.samples(
    plain=([-7., 0.01, 3.3, 9.], -1., 4.), empty=([1., -1.], 0., 0.), scalar=(np.float32(1.5), 0., 2.),
    halves=(np.arange(-24, 25, dtype=np.float32) / 8, -0.5, 2.),
)


@public("quantization.fake_quant_with_min_max_vars", "fake_quant_with_min_max_vars")
def fake_quant_with_min_max_vars(
    inputs: Any, min: Any, max: Any, num_bits: int = 8, narrow_range: bool = False, name: str | None = None
) -> Tensor:
    """`fake_quant_with_min_max_args` with the range given by scalar tensors, which get gradients too."""
    return fake_quant_with_min_max_vars_op(inputs, min, max, num_bits=num_bits, narrow_range=narrow_range, name=name)


fake_quant_with_min_max_vars_gradient_op = op("FakeQuantWithMinMaxVarsGradient(gradients: float, inputs: float, "
                                              "min: float, max: float) -> backprops_wrt_input: float, "
                                              "backprop_wrt_min: float, backprop_wrt_max: float", num_bits="int32 = 8",
                                              narrow_range="bool = false")


@fake_quant_with_min_max_vars_gradient_op.shape
def _(gradients, inputs, min, max):
    return merge(gradients, inputs), with_rank(min, 0), merge(max, with_rank(min, 0))


@fake_quant_with_min_max_vars_gradient_op.kernel
def _(gradients, inputs, min, max, *, num_bits, narrow_range):
    inside, below, above = _masked(gradients, inputs, *_scalars(min, max), num_bits, narrow_range)
    return inside, np.sum(below, dtype=np.float32), np.sum(above, dtype=np.float32)


fake_quant_with_min_max_vars_gradient_op.samples(
    plain=([1., 2., 3.], [-7., 0., 7.], -1., 4.), nan=([np.nan, np.inf, 3.], [-7., 0., 7.], -1., 4.),
    refused_sizes=([1.], [-7., 0., 7.], -1., 4.)
)


@public("quantization.fake_quant_with_min_max_vars_gradient", "fake_quant_with_min_max_vars_gradient")
def fake_quant_with_min_max_vars_gradient(
    gradients: Any,
    inputs: Any,
    min: Any,
    max: Any,
    num_bits: int = 8,
    narrow_range: bool = False,
    name: str | None = None,
) -> Any:
    """The gradients of `fake_quant_with_min_max_vars` by the inputs and by both ends of the range, as a tuple."""
    return fake_quant_with_min_max_vars_gradient_op(
        gradients, inputs, min, max, num_bits=num_bits, narrow_range=narrow_range, name=name
    )


def _channels(inputs: Any, low: Tensor, high: Tensor) -> tuple[int | None]:
    """The shape of what there is for each channel."""
    dims = with_rank_at_least(inputs, 1).as_tuple()
    channels = merge_dim(with_rank(low, 1).as_tuple()[0], with_rank(high, 1).as_tuple()[0])
    return (channels if dims is None else merge_dim(dims[-1], channels),)


def _check_channels(inputs: Any, low: Any, high: Any) -> None:
    for name, bounds in (("min", low), ("max", high)):
        if np.ndim(inputs) and np.size(bounds) != inputs.shape[-1]:
            raise InvalidArgumentError(
                None, None, f"{name} has incorrect size, expected {inputs.shape[-1]} was {np.size(bounds)}"
            )
    if not np.ndim(inputs) or low.shape != inputs.shape[-1:] or high.shape != low.shape:
        raise InvalidArgumentError(
            None,
            None,
            f"min and max must have as many elements as the last dimension of the inputs: {dims_text(low.shape)}, "
            f"{dims_text(high.shape)} vs. {dims_text(np.shape(inputs))}",
        )


fake_quant_with_min_max_vars_per_channel_op = op("FakeQuantWithMinMaxVarsPerChannel(inputs: float, min: float, "
                                                 "max: float) -> outputs: float", num_bits="int32 = 8",
                                                 narrow_range="bool = false")


@fake_quant_with_min_max_vars_per_channel_op.shape
def _(inputs, min, max):
    _channels(inputs, min, max)
    return unchanged(inputs)


@fake_quant_with_min_max_vars_per_channel_op.kernel
def _(inputs, min, max, *, num_bits, narrow_range):
    _check_channels(inputs, min, max)
    return _rounded(inputs, min, max, num_bits, narrow_range)


@fake_quant_with_min_max_vars_per_channel_op.gradient
def _(node, grad):
    return list(
        fake_quant_with_min_max_vars_per_channel_gradient_op(
            grad, *node.inputs, num_bits=node.get_attr("num_bits"), narrow_range=node.get_attr("narrow_range")
        )
    )


fake_quant_with_min_max_vars_per_channel_op.samples(
    plain=([[-7., 3.3], [0.01, 9.]], [-1., 0.], [4., 6.]),
    halves=(np.arange(-24, 24, dtype=np.float32).reshape(24, 2) / 8, [-0.5, -6.], [2., -1.]),
)


@public("quantization.fake_quant_with_min_max_vars_per_channel", "fake_quant_with_min_max_vars_per_channel")
def fake_quant_with_min_max_vars_per_channel(
    inputs: Any, min: Any, max: Any, num_bits: int = 8, narrow_range: bool = False, name: str | None = None
) -> Tensor:
    """`fake_quant_with_min_max_vars` with a range for each index of the last dimension."""
    return fake_quant_with_min_max_vars_per_channel_op(
        inputs, min, max, num_bits=num_bits, narrow_range=narrow_range, name=name
    )


fake_quant_with_min_max_vars_per_channel_gradient_op = op(
    "FakeQuantWithMinMaxVarsPerChannelGradient(gradients: float, inputs: float, min: float, max: float) -> "
    "backprops_wrt_input: float, backprop_wrt_min: float, backprop_wrt_max: float",
    num_bits="int32 = 8",
    narrow_range="bool = false",
)


@fake_quant_with_min_max_vars_per_channel_gradient_op.shape
def _(gradients, inputs, min, max):
    both = merge(with_rank_at_least(gradients, 1), inputs)
    channels = _channels(both, min, max)
    return both, channels, channels


@fake_quant_with_min_max_vars_per_channel_gradient_op.kernel
def _(gradients, inputs, min, max, *, num_bits, narrow_range):
    _check_channels(inputs, min, max)
    inside, below, above = _masked(gradients, inputs, min, max, num_bits, narrow_range)
    axes = tuple(range(inputs.ndim - 1))
    return inside, np.sum(below, axes, np.float32), np.sum(above, axes, np.float32)


fake_quant_with_min_max_vars_per_channel_gradient_op.samples(
    plain=([[1.0, 2.0], [3.0, 4.0]], [[-7.0, 3.3], [0.01, 9.0]], [-1.0, 0.0], [4.0, 6.0]),
    refused_sizes=([[1.0, 2.0]], [[-7.0, 3.3], [0.01, 9.0]], [-1.0, 0.0], [4.0, 6.0]),
)


@public(
    "quantization.fake_quant_with_min_max_vars_per_channel_gradient",
    "fake_quant_with_min_max_vars_per_channel_gradient",
)
def fake_quant_with_min_max_vars_per_channel_gradient(
    gradients: Any,
    inputs: Any,
    min: Any,
    max: Any,
    num_bits: int = 8,
    narrow_range: bool = False,
    name: str | None = None,
) -> Any:
    """The gradients of `fake_quant_with_min_max_vars_per_channel` by the inputs and by both ends of the ranges, as a
    tuple."""
    return fake_quant_with_min_max_vars_per_channel_gradient_op(
        gradients, inputs, min, max, num_bits=num_bits, narrow_range=narrow_range, name=name
    )
