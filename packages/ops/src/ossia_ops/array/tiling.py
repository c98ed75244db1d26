"""Tensors repeated along their dimensions."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup, op
from ossia_core.declare.shape_rules import constant_shape, unknown, with_rank
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.tensor import Tensor
from ossia_core.names import sizes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import public
from ossia_ops.array.shape import reshape, shape, size
from ossia_ops.array.stacking import stack
from ossia_ops.array.transposition import transpose
from ossia_ops.element_types import INDEX_32
from ossia_ops.math.reduction import reduce_sum

_MOST_DIMS = 8  # which are copied at once, twice as many for NumPy

tile_op = op("Tile(input: T, multiples: Tmultiples) -> output: T", T="type", Tmultiples=INDEX_32)
tile_op.forwards(when=lambda multiples: multiples is not None and (multiples == 1).all())


@tile_op.shape
def _(input, multiples):
    with_rank(multiples, 1)
    dims, repeats = input.shape.as_tuple(), constant_shape(multiples).as_tuple()
    count = multiples.shape.as_tuple()[0] if multiples.shape.ndims == 1 else None
    if dims is None and count is not None:
        dims = (None,) * count
    if dims is None:
        return None
    if count is not None and count != len(dims):
        raise ValueError(f"Shape must be rank {len(dims)} but is rank {count}")
    if repeats is None:
        return tuple(0 if d == 0 else None for d in dims)
    return tuple(0 if d == 0 or n == 0 else None if d is None or n is None else d * n for d, n in zip(dims, repeats))


@tile_op.kernel
def _(input, multiples):
    if multiples.ndim != 1:
        raise InvalidArgumentError(
            None, None, f"Expected multiples to be 1-D, but got shape {dims_text(multiples.shape)}"
        )
    x, repeats = np.asarray(input), multiples.tolist()
    if len(repeats) != x.ndim:
        raise InvalidArgumentError(
            None, None, f"Expected multiples argument to be a vector of length {x.ndim} but got length {len(repeats)}"
        )
    for i, n in enumerate(repeats):
        if n < 0:
            raise InvalidArgumentError(None, None, f"Expected multiples[{i}] >= 0, but got {n}")
    sizes.allocatable([d * n for d, n in zip(x.shape, repeats)], x.dtype.itemsize)
    if x.ndim > _MOST_DIMS:
        return np.tile(x, repeats)
    apart = x.reshape([size for d in x.shape for size in (1, d)])
    whole = np.broadcast_to(apart, [size for pair in zip(repeats, x.shape) for size in pair])
    return np.array(whole, order="C").reshape([d * n for d, n in zip(x.shape, repeats)])  # one copy, however often


@tile_op.gradient
def _(node, grad):
    x, multiples = node.inputs
    interleaved = reshape(transpose(stack([multiples, shape(x, out_type=multiples.dtype)])), [-1])
    axes = lookup("Range")(0, size(interleaved), 2, name="range")
    result = reduce_sum(reshape(grad, interleaved), axes)
    result.set_shape(x.shape)
    return [result, None]


tile_op.samples(plain=([[1., 2.]], [2, 3]), none=([1, 2], [0]), scalar=(1, np.zeros(0, np.int32)))


@public("tile", "manip.tile")
@dispatches
def tile(input: Any, multiples: Any, name: str | None = None) -> Tensor:
    """`input` repeated `multiples[i]` times along each dimension `i`."""
    return tile_op(input, multiples, name=name)


# Even the original has no kernel that accepts it.
tile_grad_op = op("TileGrad(input: T, multiples: int32) -> output: T", T="type")
tile_grad_op.removed(3, "Sum the parts with tf.reduce_sum instead")
tile_grad_op.shape(unknown)


@tile_grad_op.kernel
def _(input, multiples):
    x, repeats = np.asarray(input), multiples.tolist()
    if len(repeats) != x.ndim or any(n < 1 or size % n for n, size in zip(repeats, x.shape)):
        raise InvalidArgumentError(
            None, None, f"Multiples {repeats} do not divide the sizes of a tensor of shape {dims_text(x.shape)}"
        )
    split = [part for n, size in zip(repeats, x.shape) for part in (n, size // n)]
    return x.reshape(split).sum(axis=tuple(range(0, 2 * x.ndim, 2)), dtype=x.dtype)


tile_grad_op.samples(plain=(np.arange(24, dtype=np.float32).reshape(4, 6), [2, 3]))
