"""Sorting, largest elements, and positions in sorted sequences."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup, op, sample
from ossia_core.declare.shape_rules import merge_dim, size_given, with_rank, with_rank_at_least
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.static_value import get_static_value
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import public
from ossia_ops.array.fill import zeros
from ossia_ops.array.gather import gather
from ossia_ops.array.shape import expand_dims, rank, reshape, shape, size
from ossia_ops.array.stacking import stack
from ossia_ops.array.transposition import transpose
from ossia_ops.element_types import INDEX_32, REALS
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import equal
from ossia_ops.math.division import div
from ossia_ops.math.nan_order import largest_with_nan
from ossia_ops.math.reduction import reduce_prod, reduce_sum
from ossia_ops.math.sequence import range as range_tensor

_FIRST = 64  # classes that are looked at first
_RANKED = 1 << 16  # elements that are compared with their targets at a time
_LONG_ROW = 1 << 14  # elements from which on a part of them shows which are large
_EVERY = 16
_FEW_OF = 4  # so many times more elements than are asked for, and rows are not sorted


def _largest(x: Any, k: int) -> tuple[Any, Any]:
    """The `k` largest elements of each row and their positions; of equal ones the first come first."""
    count = x.shape[-1] if x.ndim else -1
    if k < 0 and x.ndim:
        raise InvalidArgumentError(None, None, f"Need k >= 0, got {k}")
    if k < 0 or k > count:
        raise InvalidArgumentError(
            None,
            None,
            f"input must have at least k columns. Had {count}, needed {k}"
            if x.ndim
            else "input must be >= 1-D, got shape []",
        )
    if k == 1 and x.size:
        chosen = np.argmax(x, -1)[..., None]
        if x.dtype.kind == "f" and np.isnan(np.take_along_axis(x, chosen, -1)).any():  # one alone is never NaN
            chosen = np.argmax(np.where(np.isnan(x), x.dtype.type(-np.inf), x), -1)[..., None]
    else:
        few = _few_largest(x.reshape(-1, count), k) if 0 < _FEW_OF * k < count and x.size else None
        chosen = _sorted_down(x)[..., :k] if few is None else few.reshape(*x.shape[:-1], k)
        if k and x.dtype.kind not in "biu" and (unordered := np.isnan(x).any(-1)).any():
            rows = [largest_with_nan(row, k) for row in x[unordered]]
            chosen[unordered] = rows
    return np.take_along_axis(x, chosen, -1), chosen.astype(np.int32)


def _sorted_down(x: Any) -> Any:
    """The positions in each row from the largest element to the smallest; of equal ones the first come first."""
    return x.shape[-1] - 1 - np.argsort(x[..., ::-1], axis=-1, kind="stable")[..., ::-1]


def _few_largest(rows: Any, k: int) -> Any:
    """The positions of the `k` largest elements of each row, without sorting the rows; None where that does not tell
    which of equal ones come first, or that NaN is the largest."""
    count = rows.shape[1]
    if count >= _LONG_ROW and k * _EVERY * 2 <= count:
        best = [_few_of_long(row, k) for row in rows]
        return None if any(one is None for one in best) else np.stack(best)
    least = np.partition(rows, count - k, axis=1)[:, count - k, None]
    chosen = np.flatnonzero(rows >= least)
    if chosen.size != k * len(rows):
        return None
    found = chosen.reshape(len(rows), k) - np.arange(len(rows))[:, None] * count
    if (found[:, 0] < 0).any() or (found[:, -1] >= count).any():
        return None
    return np.take_along_axis(found, _sorted_down(np.take_along_axis(rows, found, 1)), 1)


def _few_of_long(row: Any, k: int) -> Any:
    """`_few_largest` of one row: what is less than the `k`th of every so manieth element is not looked at again."""
    if row.dtype.kind not in "biu" and np.isnan(row.max()):
        return None
    sample = row[::_EVERY]
    places = np.flatnonzero(row >= np.partition(sample, len(sample) - k)[-k])
    values = row[places]
    places = places[values >= np.partition(values, len(values) - k)[-k]]
    return places[_sorted_down(row[places])] if len(places) == k else None


def _top_shape(input: Tensor, k: int | None) -> tuple:
    dims = with_rank_at_least(input, 1).as_tuple()
    if k is not None and k < 0:
        raise ValueError(f"Dimension size, given by scalar input 1, must be non-negative but is {k}")
    if dims is None:
        return None, None
    if k is not None and dims[-1] is not None and dims[-1] < k:
        raise ValueError(f"input must have last dimension >= k = {k} but is {dims[-1]}")
    return (*dims[:-1], k), (*dims[:-1], k)


def _top_gradient(node: Any, grad: Any, _: Any) -> list:
    """The gradient goes back to where the largest elements stood."""
    input_shape = shape(node.inputs[0])
    index_shape = shape(node.outputs[1])
    wide = cast(index_shape, dtypes.int64)
    last = gather(wide, size(index_shape) - 1)
    rows = reshape(node.outputs[1], stack([-1, last]))
    wide_input = cast(input_shape, dtypes.int64)
    row_size = gather(wide_input, size(input_shape) - 1)
    count = shape(rows)[0]
    starts = range_tensor(0, cast(count, dtypes.int64) * row_size, row_size)
    flat = reshape(rows + cast(expand_dims(starts, -1), dtypes.int32), [-1])
    scattered = lookup("ScatterNd")(expand_dims(flat, -1), reshape(grad, [-1]), [reduce_prod(input_shape)])
    result = reshape(scattered, input_shape)
    return [result, *[zeros([], dtypes.int32)] * (len(node.inputs) - 1)]


top_k_op = op("TopK(input: T) -> values: T, indices: int32", k="int >= 0", sorted="bool = true", T=REALS)


@top_k_op.shape
def _(input, *, k):
    return _top_shape(input, k)


@top_k_op.kernel
def _(input, *, k):
    return _largest(np.asarray(input), k)


top_k_op.gradient(_top_gradient)
top_k_op.removed(7, "Use TopKV2 instead")
top_k_op.samples(plain=sample([[1., 5., 3.]], k=2))


top_k_v2_op = op("TopKV2(input: T, k: int32) -> values: T, indices: int32", sorted="bool = true", T=REALS)


@top_k_v2_op.shape
def _(input, k):
    return _top_shape(input, size_given(k, 1))


@top_k_v2_op.kernel
def _(input, k):
    if np.ndim(k):
        raise InvalidArgumentError(None, None, f"k must be scalar, got shape {dims_text(np.shape(k))}")
    return _largest(np.asarray(input), int(k))


top_k_v2_op.gradient(_top_gradient)
top_k_v2_op.samples(refused_k=([1., 2.], [1, 1]),
                    plain=([[1., 5., 3.], [2., 2., 2.]], 2), none=([1., 2.], 0), all=([3, 1, 2], 3),
                     nan=([[np.nan, 1.0, np.nan, 2.0], [1.0, np.nan, 3.0, 2.0]], 1))


@public("nn.top_k", "math.top_k")
def top_k(input: Any, k: Any = 1, sorted: bool = True, name: str | None = None) -> Any:
    """The `k` largest elements along the last dimension, and their positions.

    Args:
      input: a tensor of rank 1 or more.
      k: how many, an int32 scalar.
      sorted: whether the largest must come first.
      name: name of the op.

    Returns:
      A tuple `(values, indices)`; of equal elements those of smaller positions come first.
    """
    return top_k_v2_op(input, k, sorted=sorted, name=name)


def _in_top(predictions: Any, targets: Any, k: Any) -> Any:
    if np.ndim(k):
        raise InvalidArgumentError(None, None, f"k must be 0-D, got shape {dims_text(np.shape(k))}")
    if predictions.ndim == 2 and targets.ndim == 1 and len(predictions) != len(targets):
        raise InvalidArgumentError(None, None, f"First dimension of predictions {len(predictions)} must match length "
                                               f"of targets {len(targets)}")
    if predictions.ndim != 2 or targets.ndim != 1:
        raise InvalidArgumentError(
            None,
            None,
            "predictions must be 2-dimensional and targets 1-dimensional, got shapes "
            f"{dims_text(predictions.shape)} and {dims_text(targets.shape)}",
        )
    classes = predictions.shape[1]
    valid = (targets >= 0) & (targets < classes)
    own = (
        np.take_along_axis(predictions, np.where(valid, targets, 0)[:, None], 1)
        if classes
        else np.zeros((len(targets), 1))
    )
    result = valid
    if classes > 2 * _FIRST:
        # The first classes already rule out most rows whose target is not among the largest.
        result = valid & (_larger_than(predictions[:, :_FIRST], own) < int(k))
    left = np.flatnonzero(result)
    step = max(1, _RANKED // max(classes, 1))
    for start in range(0, len(left), step):
        chosen = left[start : start + step]
        rows = predictions[chosen]
        result[chosen] = (_larger_than(rows, own[chosen]) < int(k)) & np.isfinite(rows).all(1)
    return result


def _larger_than(rows: Any, own: Any) -> Any:
    """How many elements of each row are larger than its own one."""
    return np.add.reduce((rows > own).view(np.int8), axis=1, dtype=np.int32)


in_top_k_op = op("InTopK(predictions: float, targets: T) -> precision: bool", k="int32", T=INDEX_32)


@in_top_k_op.shape
def _(predictions, targets):
    return (merge_dim(with_rank(predictions, 2).as_tuple()[0], with_rank(targets, 1).as_tuple()[0]),)


@in_top_k_op.kernel
def _(predictions, targets, *, k):
    return _in_top(predictions, targets, k)


in_top_k_op.samples(plain=sample([[1., 5., 3.], [1., 2., 3.]], [2, 0], k=2))


in_top_k_v2_op = op("InTopKV2(predictions: float, targets: T, k: T) -> precision: bool", T=INDEX_32)


@in_top_k_v2_op.shape
def _(predictions, targets, k):
    return (merge_dim(with_rank(predictions, 2).as_tuple()[0], with_rank(targets, 1).as_tuple()[0]),)


in_top_k_v2_op.kernel(_in_top)
in_top_k_v2_op.samples(plain=([[1., 5., 3.], [1., 2., 3.]], [2, 0], 2), invalid=([[1., np.nan], [1., 2.]], [0, 7], 1))


@public("nn.in_top_k", "math.in_top_k")
def in_top_k(predictions: Any, targets: Any, k: Any, name: str | None = None) -> Tensor:
    """Whether the prediction of each row's target class is among the `k` largest of the row.

    Args:
      predictions: float32, of shape [rows, classes].
      targets: classes, an integer vector.
      k: an integer scalar.
      name: name scope.
    """
    with name_scope(name, "in_top_k"):
        return in_top_k_v2_op(predictions, targets, k, name=name)


nth_element_op = op("NthElement(input: T, n: int32) -> values: T", reverse="bool = false", T=REALS)


@nth_element_op.shape
def _(input, n):
    dims, known = with_rank_at_least(input, 1).as_tuple(), size_given(n, 1)
    if dims is None:
        return None
    if known is not None and dims[-1] is not None and dims[-1] <= known:
        raise ValueError(f"Input must have last dimension > n = {known} but is {dims[-1]}")
    return dims[:-1]


@nth_element_op.kernel
def _(input, n, *, reverse):
    if np.ndim(n):
        raise InvalidArgumentError(None, None, f"n must be a scalar, got shape {dims_text(n.shape)}")
    if not np.ndim(input):
        raise InvalidArgumentError(None, None, "Input must be >= 1-D, got shape []")
    position = int(n)
    if position < 0:
        raise InvalidArgumentError(None, None, f"Need n >= 0, got {position}")
    if position >= input.shape[-1]:
        raise InvalidArgumentError(
            None, None, f"Input must have at least n+1 columns, got {input.shape[-1]} columns and n = {position}"
        )
    if reverse:
        position = input.shape[-1] - 1 - position
    return np.partition(input, position, -1)[..., position]


@nth_element_op.gradient
def _(node, grad):
    x = node.inputs[0]
    chosen = cast(equal(expand_dims(node.outputs[0], -1), x), grad.dtype)
    grad = expand_dims(grad, -1)
    count = expand_dims(reduce_sum(chosen, -1), -1)
    return [div(chosen, count) * grad, None]


nth_element_op.samples(plain=([[3., 1., 2.]], 1), reverse=sample([3, 1, 2], 0, reverse=True))


@public("sort")
def sort(values: Any, axis: int = -1, direction: str = "ASCENDING", name: str | None = None) -> Tensor:
    """The elements sorted along `axis`.

    Args:
      values: a tensor.
      axis: the dimension along which to sort.
      direction: "ASCENDING" or "DESCENDING".
      name: name scope.

    Raises:
      ValueError: the axis is not known, or another direction.
    """
    with name_scope(name, "sort"):
        return _sort(values, axis, direction, False)


@public("argsort")
def argsort(
    values: Any, axis: int = -1, direction: str = "ASCENDING", stable: bool = False, name: str | None = None
) -> Tensor:
    """The positions, int32, that would sort the elements along `axis`; equal ones keep their order. `stable` changes
    nothing."""
    with name_scope(name, "argsort"):
        return _sort(values, axis, direction, True)


def _sort(values: Any, axis: Any, direction: str, positions: bool) -> Tensor:
    if direction not in ("ASCENDING", "DESCENDING"):
        raise ValueError(f"{direction} should be one of ASCENDING, DESCENDING")
    axis_tensor = convert_to_tensor(axis, name="axis")
    static = get_static_value(axis_tensor)
    if static is None or axis_tensor.shape.ndims != 0:
        raise ValueError("axis must be a constant scalar")
    axis = int(static)
    values = convert_to_tensor(values, name="values")
    ascending = direction == "ASCENDING"
    if ascending:
        values = -values
    count = shape(values)[axis]
    dimensions = rank(values)
    ndims = values.shape.ndims
    last = axis == -1 or (ndims is not None and axis + 1 == ndims)
    swap: Any = None
    if not last:
        if ndims is not None:
            order = np.arange(ndims)
            order[axis], order[-1] = order[-1], order[axis]
            swap = convert_to_tensor(order, name="transposition")
        else:
            from ossia_ops.array.concat import concat

            axis = axis + dimensions if axis < 0 else axis
            swap = concat(
                [range_tensor(axis), [dimensions - 1], range_tensor(axis + 1, dimensions - 1), [axis]], axis=0
            )
        values = transpose(values, swap)
    found = top_k(values, count)
    result = found.indices if positions else found.values
    if swap is not None:
        result = transpose(result, swap)
    return -result if ascending and not positions else result


def _bound_shape(sorted_inputs, values):
    with_rank(sorted_inputs, 2), with_rank(values, 2)
    return values.shape


def _bound(rows: Any, values: Any, side: Any, out_type: Any) -> Any:
    if rows.ndim != 2 or values.ndim != 2 or len(rows) != len(values):
        raise InvalidArgumentError(None, None, "Leading dim_size of both tensors must match.")
    kind = out_type.as_numpy_dtype
    return np.array([np.searchsorted(row, value, side) for row, value in zip(rows, values)], kind).reshape(values.shape)


lower_bound_op = op("LowerBound(sorted_inputs: T, values: T) -> output: out_type", T="type", out_type=INDEX_32)


lower_bound_op.shape(_bound_shape)


@lower_bound_op.kernel
def _(sorted_inputs, values, *, out_type):
    return _bound(sorted_inputs, values, "left", out_type)


lower_bound_op.samples(plain=([[1., 2., 2., 3.]], [[2., 0., 5.]]))


upper_bound_op = op("UpperBound(sorted_inputs: T, values: T) -> output: out_type", T="type", out_type=INDEX_32)


upper_bound_op.shape(_bound_shape)


@upper_bound_op.kernel
def _(sorted_inputs, values, *, out_type):
    return _bound(sorted_inputs, values, "right", out_type)


upper_bound_op.samples(plain=([[1., 2., 2., 3.]], [[2., 0., 5.]]))


@public("searchsorted")
def searchsorted(
    sorted_sequence: Any, values: Any, side: str = "left", out_type: Any = dtypes.int32, name: str | None = None
) -> Tensor:
    """Where `values` would have to be inserted into sorted sequences to keep them sorted.

    Args:
      sorted_sequence: a tensor sorted along its last dimension.
      values: a tensor with the same leading dimensions.
      side: "left" for the first suitable position, "right" for the last one.
      out_type: dtype of the positions, int32 or int64.
      name: name of the op.

    Raises:
      ValueError: another side.
    """
    length = shape(sorted_sequence)[-1]
    count = shape(values)[-1]
    rows = reshape(sorted_sequence, [-1, length])
    wanted = reshape(values, [-1, count])
    if side not in ("left", "right"):
        raise ValueError(f"side must be either 'right' or 'left'.  Saw: {side}.")
    found = (upper_bound_op if side == "right" else lower_bound_op)(rows, wanted, out_type=out_type, name=name)
    return reshape(found, shape(values))
