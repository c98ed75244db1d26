"""Integers bit by bit."""
from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import broadcast, unchanged, with_rank, with_rank_at_least
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import public
from ossia_ops.element_types import INTEGERS

bitwise_and_op = op("BitwiseAnd(x: T, y: T) -> z: T", T=INTEGERS)


bitwise_and_op.shape(broadcast)
bitwise_and_op.kernel_for(lambda node: np.bitwise_and)
bitwise_and_op.not_differentiable()
bitwise_and_op.samples(broadcast=([[1], [6]], [3, -1]))


@public("bitwise.bitwise_and")
@dispatches
def bitwise_and(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x & y` of integers, elementwise with broadcasting."""
    return bitwise_and_op(x, y, name=name)


bitwise_or_op = op("BitwiseOr(x: T, y: T) -> z: T", T=INTEGERS)


bitwise_or_op.shape(broadcast)
bitwise_or_op.kernel_for(lambda node: np.bitwise_or)
bitwise_or_op.not_differentiable()
bitwise_or_op.samples(broadcast=([[1], [6]], [3, -1]))


@public("bitwise.bitwise_or")
@dispatches
def bitwise_or(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x | y` of integers, elementwise with broadcasting."""
    return bitwise_or_op(x, y, name=name)


bitwise_xor_op = op("BitwiseXor(x: T, y: T) -> z: T", T=INTEGERS)


bitwise_xor_op.shape(broadcast)
bitwise_xor_op.kernel_for(lambda node: np.bitwise_xor)
bitwise_xor_op.not_differentiable()
bitwise_xor_op.samples(broadcast=([[1], [6]], [3, -1]))


@public("bitwise.bitwise_xor")
@dispatches
def bitwise_xor(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x ^ y` of integers, elementwise with broadcasting."""
    return bitwise_xor_op(x, y, name=name)


left_shift_op = op("LeftShift(x: T, y: T) -> z: T", T=INTEGERS)


left_shift_op.shape(broadcast)


@left_shift_op.kernel
def _(x, y):
    # Shifts out of range count as the nearest one in range.
    return np.left_shift(x, np.clip(y, 0, 8 * y.dtype.itemsize - 1))


left_shift_op.not_differentiable()
left_shift_op.samples(plain=([-5, 6], [1, 2]), far=([1], [100]))


@public("bitwise.left_shift")
@dispatches
def left_shift(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x << y` of integers, elementwise with broadcasting."""
    return left_shift_op(x, y, name=name)


right_shift_op = op("RightShift(x: T, y: T) -> z: T", T=INTEGERS)


right_shift_op.shape(broadcast)


@right_shift_op.kernel
def _(x, y):
    # Shifts out of range count as the nearest one in range.
    return np.right_shift(x, np.clip(y, 0, 8 * y.dtype.itemsize - 1))


right_shift_op.not_differentiable()
right_shift_op.samples(plain=([-5, 6], [1, 2]), far=([1], [100]))


@public("bitwise.right_shift")
@dispatches
def right_shift(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x >> y`, which keeps the sign, of integers, elementwise with broadcasting."""
    return right_shift_op(x, y, name=name)


invert_op = op("Invert(x: T) -> y: T", T=INTEGERS)


invert_op.shape(unchanged)
invert_op.kernel_for(lambda node: np.invert)
invert_op.not_differentiable()
invert_op.samples(plain=[0, 5, -1])


@public("bitwise.invert")
@dispatches
def invert(x: Any, name: str | None = None) -> Tensor:
    """All bits of integers flipped."""
    return invert_op(x, name=name)


population_count_op = op("PopulationCount(x: T) -> y: uint8", T=INTEGERS)


population_count_op.shape(unchanged)


@population_count_op.kernel
def _(x):
    parts = np.ascontiguousarray(x).reshape(-1, 1).view(np.uint16 if x.itemsize > 1 else np.uint8)
    ones = _ones()
    result = ones[parts[:, 0]]
    for part in parts.T[1:]:
        result += ones[part]
    return result.reshape(np.shape(x))


@functools.cache
def _ones() -> np.ndarray:
    """How many bits are set in each number of 16 bits."""
    halves = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).sum(1).astype(np.uint8)
    return (halves[:, None] + halves).reshape(-1)


population_count_op.not_differentiable()
population_count_op.samples(plain=[0, 7, -1], scalar=7)


compare_and_bitpack_op = op("CompareAndBitpack(input: T, threshold: T) -> output: uint8",
                            T="{bool, half, float, double, int8, int16, int32, int64}")


@compare_and_bitpack_op.shape
def _(input, threshold):
    dims = with_rank_at_least(input, 1).as_tuple()
    with_rank(threshold, 0)
    if dims is None or dims[-1] is None:
        return dims
    if dims[-1] % 8:
        raise ValueError(f"Dimension size must be evenly divisible by 8 but is {dims[-1]}")
    return (*dims[:-1], dims[-1] // 8)


@compare_and_bitpack_op.kernel
def _(input, threshold):
    if not input.ndim:
        raise InvalidArgumentError(None, None, "Input should be at least a vector, but saw a scalar.")
    if np.ndim(threshold):
        raise InvalidArgumentError(
            None, None, f"Compare must be a scalar, but saw shape: {dims_text(np.shape(threshold))}"
        )
    if input.shape[-1] % 8:
        raise InvalidArgumentError(
            None, None, f"Inner dimension of input should be divisible by 8, but saw shape: {dims_text(input.shape)}"
        )
    return np.packbits(input if input.dtype == np.dtype(bool) else input > threshold, axis=-1)


compare_and_bitpack_op.samples(plain=([[1., 2., 3., 4., 5., 6., 7., 8.]], 4.))
