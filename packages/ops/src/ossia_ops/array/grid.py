"""Coordinates of grids, and elements repeated."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup, op
from ossia_core.declare.shape_rules import with_rank
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import public
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import ones
from ossia_ops.array.shape import expand_dims, rank, reshape, shape, size
from ossia_ops.array.stacking import stack
from ossia_ops.element_types import INDEX_32

unravel_index_op = op("UnravelIndex(indices: Tidx, dims: Tidx) -> output: Tidx", Tidx=INDEX_32)


@unravel_index_op.shape
def _(indices, dims):
    index, (count,) = indices.shape.as_tuple(), with_rank(dims, 1).as_tuple()
    if index is None:
        return None
    if not index:
        return (count,)
    return count, None if None in index else math.prod(index)


@unravel_index_op.kernel
def _(indices, dims):
    if dims.ndim != 1:
        raise InvalidArgumentError(None, None, f"The dims must be 1-D, got {dims_text(dims.shape)}")
    if indices.ndim > 1:
        raise InvalidArgumentError(
            None, None, f"The indices can only be scalar or vector, got {dims_text(indices.shape)}"
        )
    sizes = dims.tolist()
    if indices.size and 0 in sizes:
        raise InvalidArgumentError(None, None, f"index is out of bound as with dims {sizes}")
    rows = np.zeros((len(sizes), *indices.shape), indices.dtype)
    stride = 1
    for k, dim in reversed(list(enumerate(sizes))):
        # Indices beyond the array wrap around as they do in the original: quotients and remainders as in C.
        if abs(stride) <= np.iinfo(indices.dtype).max:
            rows[k] = np.fmod((indices - np.fmod(indices, stride)) // stride, dim)
        stride *= dim
    return rows


unravel_index_op.samples(
    vector=([5, 6], [3, 3]),
    scalar=(5, [2, 4]),
    beyond=([20, -1, -17], [3, 4]),
    over=(-100, [2, 3, 4]),
    no_dims=(2, np.zeros(0, np.int32)),
    refused_matrix=([[0]], [3, 4]),
    refused_dims=([0], [[3, 4]]),
)


@public("unravel_index")
def unravel_index(indices: Any, dims: Any, name: str | None = None) -> Tensor:
    """The coordinates, in an array of shape `dims`, of flat indices: one row per dimension."""
    return unravel_index_op(indices, dims, name=name)


@public("meshgrid")
def meshgrid(*args: Any, **kwargs: Any) -> list[Tensor]:
    """The coordinates of all points of a grid, one tensor per dimension.

    Args:
      *args: a vector of coordinates for each dimension.
      **kwargs: `indexing`: "xy" (the first two dimensions change places, as in a plot) or "ij"; `name`.

    Raises:
      TypeError: another keyword.
      IndexError: no vector.
      ValueError: another kind of indexing.
    """
    indexing = kwargs.pop("indexing", "xy")
    name = kwargs.pop("name", "meshgrid")
    if kwargs:
        raise TypeError(f"'{next(iter(kwargs))}' is an invalid keyword argument for this function")
    if indexing not in ("xy", "ij"):
        raise ValueError("indexing parameter must be either 'xy' or 'ij'")
    with name_scope(name, "meshgrid", args):
        count = len(args)
        columns = [reshape(stack(x), (1,) * i + (-1,) + (1,) * (count - i - 1)) for i, x in enumerate(args)]
        sizes = [size(x) for x in args]
        dtype = convert_to_tensor(args[0]).dtype.base_dtype
        if indexing == "xy" and count > 1:
            columns[0] = reshape(columns[0], (1, -1) + (1,) * (count - 2))
            columns[1] = reshape(columns[1], (-1, 1) + (1,) * (count - 2))
            sizes[0], sizes[1] = sizes[1], sizes[0]
        factor = ones(sizes, dtype)
        return [x * factor for x in columns]


def tile_one_dimension(data: Tensor, axis: int, multiple: Any) -> Tensor:
    """A tensor as often as `multiple` says along one dimension."""
    from ossia_ops.array.tiling import tile
    if data.shape.ndims is not None:
        multiples: Any = [1] * data.shape.ndims
        multiples[axis] = multiple
    else:
        every = ones(rank(data), dtypes.int32)
        multiples = concat([every[:axis], [multiple], every[axis + 1:]], axis=0)
    return tile(data, multiples)


def _with_some_dimension(x: Tensor) -> Tensor:
    """A scalar as a vector of one element; anything else as it is."""
    if x.shape.ndims is not None:
        return x if x.shape.ndims else stack([x])
    dims, count = shape(x), rank(x)
    return reshape(x, concat([[1], dims], axis=0)[-count:])


@public("repeat")
def repeat(input: Any, repeats: Any, axis: int | None = None, name: str | None = None) -> Tensor:
    """Each element repeated.

    Args:
      input: a tensor.
      repeats: how often, for all or for each slice along `axis`.
      axis: the dimension along which to repeat; the flattened input if None.
      name: name scope.

    Raises:
      TypeError: `repeats` are no integers.
      ValueError: `repeats` has more than one dimension, or does not fit `input`.
    """
    from ossia_ops.array.masking import boolean_mask, sequence_mask
    from ossia_ops.math.broadcast import broadcast_to
    if axis is None:
        input, axis = reshape(input, [-1]), 0
    with name_scope(name, "Repeat", [input, repeats]):
        input = convert_to_tensor(input, name="data")
        repeats = convert_to_tensor(repeats, name="repeats", preferred_dtype=dtypes.int32)
        if not repeats.dtype.is_integer:
            raise TypeError(f"repeats must be an integer tensor; dtype={repeats.dtype!r}")
        repeats = lookup("Cast")(repeats, DstT=dtypes.int32)
        repeats.shape.with_rank_at_most(1)
        input = _with_some_dimension(input)
        data_shape = shape(input)
        axis = positive_axis(axis, input.shape.ndims)
        static = input.shape
        if repeats.shape.ndims == 0:
            tiled = tile_one_dimension(expand_dims(input, axis + 1), axis + 1, repeats)
            return reshape(tiled, concat([data_shape[:axis], [-1], data_shape[axis + 1:]], axis=0))
        if repeats.shape.ndims == 1:
            static[axis].assert_is_compatible_with(repeats.shape[0])
        if repeats.shape.ndims != axis + 1:
            own = shape(repeats)
            repeats = broadcast_to(repeats, concat([data_shape[:axis + 1 - rank(repeats)], own], axis=0))
            repeats.set_shape([None] * (axis + 1))
        longest = lookup("Maximum")(0, lookup("Max")(repeats, _all_axes(repeats)))
        mask = sequence_mask(repeats, longest)
        tiled = tile_one_dimension(expand_dims(input, axis + 1), axis + 1, longest)
        masked = boolean_mask(tiled, mask)
        if axis == 0:
            return masked
        return reshape(masked, concat([data_shape[:axis], [-1], data_shape[axis + 1:]], axis=0))


def positive_axis(axis: Any, ndims: int | None) -> int:
    """An axis counted from the first one.

    Raises:
      TypeError: it is no int.
      ValueError: it is none of the axes, or negative where their number is not known.
    """
    if not isinstance(axis, int):
        raise TypeError(f"axis must be an int; got {type(axis).__name__}")
    if ndims is not None and not -ndims <= axis < ndims:
        raise ValueError(f"axis={axis} out of bounds: expected {-ndims}<=axis<{ndims}")
    if axis < 0 and ndims is None:
        raise ValueError("axis may only be negative if ndims is statically known.")
    return axis + ndims if axis < 0 and ndims is not None else axis


def _all_axes(x: Tensor) -> Tensor:
    from ossia_ops.math.reduction import reduction_axes
    return reduction_axes(x, None)
