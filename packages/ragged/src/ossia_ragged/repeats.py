"""Parts of a tensor several times over: each element, or each row of a ragged tensor."""
from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import ones
from ossia_ops.array.gather import gather
from ossia_ops.array.masking import boolean_mask, sequence_mask
from ossia_ops.array.shape import expand_dims, rank, reshape, shape
from ossia_ops.array.stacking import stack
from ossia_ops.array.tiling import tile
from ossia_ops.math.arithmetic import maximum
from ossia_ops.math.broadcast import broadcast_to
from ossia_ops.math.cast import cast_op
from ossia_ops.math.reduction import reduce_max
from ossia_ragged.range_op import ragged_range_op


def _tiled_once(data: Tensor, axis: int, count: Any) -> Tensor:
    """`data` `count` times along `axis`."""
    multiples = [1] * data.shape.ndims
    multiples[axis] = count
    return tile(data, stack(multiples, name="Tile/multiples"))


def repeat(data: Any, repeats: Any, axis: int, name: str | None = None) -> Tensor:
    """Each slice of `data` along `axis` as often as `repeats` says.

    Args:
      data: a tensor of known rank, one at least.
      repeats: int32 or int64, how often; a scalar, or a vector with an element for each slice.
      axis: the dimension.
      name: name scope.
    """
    with name_scope(name, "Repeat", [data, repeats]):
        data = convert_to_tensor(data, name="data")
        repeats = cast_op(convert_to_tensor(repeats, name="repeats"), DstT=dtypes.int32)
        repeats.shape.with_rank_at_most(1)
        data.shape.with_rank_at_least(1)
        dims = shape(data)
        if repeats.shape.ndims == 0:
            copies = _tiled_once(expand_dims(data, axis + 1), axis + 1, repeats)
            return reshape(copies, concat([dims[:axis], [-1], dims[axis + 1:]], axis=0))
        if repeats.shape.ndims is None:
            repeats = _broadcast_front(repeats, dims[axis:axis + 1] if data.shape.ndims != 1 else dims)
        most = maximum(0, reduce_max(repeats))
        mask = sequence_mask(repeats, most)
        copies = _tiled_once(expand_dims(data, axis + 1), axis + 1, most)
        chosen = boolean_mask(copies, mask)
        return chosen if axis == 0 else reshape(chosen, concat([dims[:axis], [-1], dims[axis + 1:]], axis=0))


def _broadcast_front(repeats: Tensor, dims: Tensor) -> Tensor:
    """`repeats` of unknown rank as a vector."""
    own = shape(repeats)
    repeats = broadcast_to(repeats, concat([dims[:1 - rank(repeats)], own], axis=0))
    repeats.set_shape([None])
    return repeats


def repeat_ranges(params: Tensor, splits: Tensor, repeats: Tensor) -> Tensor:
    """The part of `params` between each two neighbours in `splits` as often as `repeats` says."""
    if repeats.shape.ndims == 0:
        repeated = repeat(splits, repeats, axis=0)
        starts = repeated[:shape(repeated, out_type=repeats.dtype)[0] - repeats]
        limits = repeated[repeats:]
    else:
        starts = repeat(splits[:-1], repeats, axis=0)
        limits = repeat(splits[1:], repeats, axis=0)
    places = ragged_range_op(starts, limits, ones((), starts.dtype))
    return gather(params, places.rt_dense_values)
