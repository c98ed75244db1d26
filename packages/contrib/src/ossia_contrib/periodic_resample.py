"""Elements moved from one dimension into others (sub-pixel convolution, Shi et al. 2016, for any rank)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public

_DTYPES = (
    "{float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, uint16, complex128, "
    "half, uint32, uint64}"
)


def _sources(given: tuple[int, ...], desired: tuple[int | None, ...]) -> np.ndarray:
    """For each place of the result, in its shape, the element of the flattened input that comes there."""
    if len(desired) != len(given):
        raise InvalidArgumentError(
            None, None, f"periodic_resample expects the rank of the input tensor, {len(given)}, to be the same as the "
            f"length of the desired shape, {len(desired)}.",
        )
    free = [axis for axis, size in enumerate(desired) if size is None]
    if len(free) > 1:
        raise InvalidArgumentError(None, None, "periodic_resample expects only one index to be marked as adjustable.")
    for axis, size in enumerate(desired):
        if size is not None and size < given[axis]:
            raise InvalidArgumentError(
                None, None, "periodic_resample expects the size of non-adjustable dimensions be at least as large as "
                f"size of input tensor. Dimension {axis} input tensor has size {given[axis]}, desired shape has size "
                f"{size}.",
            )
    if not free:
        raise InvalidArgumentError(None, None, "periodic_resample expects at least one dimension to be adjustable")
    (free_axis,) = free
    others = int(np.prod([size for size in desired if size is not None]))
    total = int(np.prod(given))
    if not total:
        raise InvalidArgumentError(None, None, f"periodic_resample needs elements, saw an input of shape {given}")
    shape = tuple(total // others if size is None else size for size in desired)
    strides = np.cumprod((1, *given[:0:-1]))[::-1]
    source, step = np.zeros(shape, np.int64), shape[free_axis]
    for axis, size in enumerate(shape):
        places = np.arange(size).reshape([-1 if each == axis else 1 for each in range(len(shape))])
        if axis == free_axis:
            source = source + places * strides[axis]
        else:
            factor = -(-size // given[axis])
            source = source + places // factor * strides[axis] + places % factor * step * strides[free_axis]
            step *= factor
    if source.size and source.max() >= total:
        raise InvalidArgumentError(None, None, f"periodic_resample makes no {shape} of an input of shape {given}")
    return source


periodic_resample_op = op("PeriodicResample(values: T) -> output: T", T=_DTYPES, shape="shape")


@periodic_resample_op.shape
def _(values, *, shape):
    desired, given = shape.as_tuple(), values.shape.as_tuple()
    if desired is None:
        return TensorShape(None)
    sizes = [size for size in desired if size is not None]
    known = given is not None and None not in given and len(sizes) == len(desired) - 1
    free = int(np.prod(given)) // max(int(np.prod(sizes)), 1) if known else None
    return TensorShape.from_tuple(tuple(free if size is None else size for size in desired))


@periodic_resample_op.kernel
def _(values, *, shape):
    return values.ravel()[_sources(values.shape, shape.as_tuple())]


@periodic_resample_op.gradient
def _(node, grad):
    if not node.inputs[0].shape.is_fully_defined():
        raise NotImplementedError("The gradient of PeriodicResample needs an input of known shape.")
    return periodic_resample_op_grad_op(
        grad, original_shape=node.inputs[0].shape, desired_shape=node.get_attr("shape")
    )


periodic_resample_op_grad_op = op(
    "PeriodicResampleOpGrad(grad: T) -> grad_values: T", T=_DTYPES, original_shape="shape", desired_shape="shape"
)


@periodic_resample_op_grad_op.shape
def _(grad, *, original_shape):
    return original_shape


@periodic_resample_op_grad_op.kernel
def _(grad, *, original_shape, desired_shape):
    given = original_shape.as_tuple()
    sources = _sources(given, desired_shape.as_tuple())
    if grad.shape != sources.shape:
        raise InvalidArgumentError(None, None, f"expected a gradient of shape {sources.shape}, saw {grad.shape}")
    values = np.zeros(int(np.prod(given)), grad.dtype)
    np.add.at(values, sources.ravel(), grad.ravel())
    return values.reshape(given)


periodic_resample_op_grad_op.not_differentiable()
_VALUES = np.arange(12, dtype=np.float32).reshape(4, 3)
periodic_resample_op.samples(
    rows=sample(_VALUES, shape=[6, None]),
    planes=sample(np.arange(64, dtype=np.float32).reshape(2, 2, 16), shape=[4, 4, None]),
    first=sample(np.arange(72, dtype=np.int32).reshape(2, 3, 12), shape=[None, 4, 12]),
    refused_rank=sample(_VALUES, shape=[6, None, 2]),
    refused_less=sample(_VALUES, shape=[2, None]),
)
periodic_resample_op_grad_op.samples(
    rows=sample(np.ones((6, 2), np.float32), original_shape=[4, 3], desired_shape=[6, None])
)


@public("contrib.periodic_resample.periodic_resample")
def periodic_resample(values: Any, shape: Any, name: str | None = None) -> Any:
    """Moves elements from one dimension into the others, each of which grows to a given size.

    Args:
      values: a tensor.
      shape: the new size of each dimension, None for the one from which elements are taken.
      name: name of the op.

    Returns:
      A tensor of that shape.
    """
    return periodic_resample_op(values, shape=shape, name=name)
