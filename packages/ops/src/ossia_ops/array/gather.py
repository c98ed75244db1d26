"""Rows and elements of tensors chosen by index."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup, op, sample
from ossia_core.declare.shape_rules import constant as constant_value
from ossia_core.declare.shape_rules import with_rank, with_rank_at_least
from ossia_core.graph.composites import IndexedSlices
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.scopes import colocate_with, name_scope
from ossia_core.graph.static_value import get_static_value
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import public
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import ones, zeros
from ossia_ops.array.shape import expand_dims, reshape, shape, size, squeeze
from ossia_ops.array.stacking import stack
from ossia_ops.array.transposition import transpose
from ossia_ops.element_types import INDEX
from ossia_ops.math.cast import cast, cast_op
from ossia_ops.math.sequence import range as range_tensor
from ossia_ops.math.sequence import range_op


def _check_range(indices: Any, size: int) -> None:
    if indices.size and (int(indices.min()) < 0 or int(indices.max()) >= size):
        where = np.argwhere((indices < 0) | (indices >= size))[0]
        position = f"[{','.join(map(str, where.tolist()))}]" if where.size else ""
        raise InvalidArgumentError(None, None, f"indices{position} = {indices[tuple(where)]} is not in [0, {size})")


def gathered(params: Any, indices: Any, axis: int, batch_dims: int = 0) -> Any:
    """The slices of `params` along `axis` at `indices`; the first `batch_dims` dimensions belong together.

    Raises:
      InvalidArgumentError: an index is out of range.
    """
    params, indices = np.asarray(params), np.asarray(indices)
    if not params.ndim:
        raise InvalidArgumentError(None, None, "params must be at least 1 dimensional")
    if not -params.ndim <= axis < params.ndim:
        raise InvalidArgumentError(
            None, None, f"Expected axis in the range [{-params.ndim}, {params.ndim}), but got {axis}"
        )
    if batch_dims and not -indices.ndim <= batch_dims < indices.ndim:
        raise InvalidArgumentError(
            None, None, f"Expected batch_dims in the range [{-indices.ndim}, {indices.ndim}), but got {batch_dims}"
        )
    batch_dims += indices.ndim if batch_dims < 0 else 0
    if batch_dims > axis % params.ndim:
        raise InvalidArgumentError(
            None, None, f"batch_dims ({batch_dims}) must be less than or equal to axis ({axis % params.ndim})."
        )
    axis %= params.ndim
    if not batch_dims and 0 in params.shape[:axis]:  # nothing is taken, wherever it would be
        return np.empty((*params.shape[:axis], *indices.shape, *params.shape[axis + 1 :]), params.dtype)
    _check_range(indices, params.shape[axis])
    if not batch_dims:
        return np.take(params, indices, axis)
    batch = params.shape[:batch_dims]
    if indices.shape[:batch_dims] != batch:
        raise InvalidArgumentError(
            None,
            None,
            f"params.shape[:{batch_dims}]: {list(batch)} should be equal to indices.shape[:{batch_dims}]: "
            f"{dims_text(indices.shape[:batch_dims])}",
        )
    outer, inner = params.shape[batch_dims:axis], params.shape[axis + 1:]
    count = int(np.prod(batch, dtype=np.int64))
    flat = params.reshape(
        count, int(np.prod(outer, dtype=np.int64)), params.shape[axis], int(np.prod(inner, dtype=np.int64))
    )
    chosen = flat[np.arange(count)[:, None], :, indices.reshape(count, -1)]
    return np.ascontiguousarray(chosen.swapaxes(1, 2)).reshape(batch + outer + indices.shape[batch_dims:] + inner)


gather_op = op("Gather(params: Tparams, indices: Tindices) -> output: Tparams", validate_indices="bool = true",
               Tparams="type", Tindices=INDEX)


@gather_op.shape
def _(params, indices):
    a, b = with_rank_at_least(params, 1).as_tuple(), indices.shape.as_tuple()
    return None if a is None or b is None else b + a[1:]


@gather_op.kernel
def _(params, indices):
    return gathered(params, indices, 0)


@gather_op.gradient
def _(node, grad):
    return [_slices(node, grad)[0], None]


gather_op.samples(rows=([[1., 2.], [3., 4.]], [1, 0, 1]), none=([[1, 2]], np.zeros((0, 2), np.int32)))


gather_v2_op = op("GatherV2(params: Tparams, indices: Tindices, axis: Taxis) -> output: Tparams",
                  batch_dims="int32 = 0", Tparams="type", Tindices=INDEX, Taxis=INDEX)


@gather_v2_op.shape
def _(params, indices, axis, *, batch_dims):
    a, b = with_rank_at_least(params, 1).as_tuple(), indices.shape.as_tuple()
    with_rank(axis, 0)
    position = constant_value(axis)
    if position is None:  # as in the original, whatever `batch_dims` takes away
        return None if a is None or b is None else (None,) * (len(a) + len(b) - 1)
    position = int(position)
    for n in (position, batch_dims):
        with_rank_at_least(params, n + 1 if n >= 0 else -n)
    if b is not None and batch_dims < -len(b):
        raise ValueError(f"Subshape start out of bounds: {batch_dims}, for shape with rank {len(b)}")
    if a is None or b is None:
        return None
    position %= len(a)
    return a[:position] + b[batch_dims:] + a[position + 1:]  # what does not fit is refused when it runs


@gather_v2_op.kernel
def _(params, indices, axis, *, batch_dims):
    if np.ndim(axis):
        raise InvalidArgumentError(None, None, "axis must be scalar")
    return gathered(params, indices, int(axis), batch_dims)


@gather_v2_op.gradient
def _(node, grad):
    params, indices, axis = node.inputs
    batch_dims = node.get_attr("batch_dims")
    if batch_dims < 0:
        batch_dims += indices.shape.ndims
    known = get_static_value(axis)
    if known is not None and known == 0:
        return [_slices(node, grad)[0], None, None]
    params_shape = _params_shape(params)
    expand_dims(size(indices), 0)  # the number of indices, which only the case of axis 0 uses
    outer, inner = params_shape[:axis], params_shape[axis:][1:]
    values_shape = concat([outer, [-1], inner], 0)
    values_dims, axis_dims = size(values_shape), size(outer)
    outer_batches = range_tensor(batch_dims)
    batch_axis = range_tensor(batch_dims, axis_dims)
    inner_axes = range_tensor(axis_dims + 1, values_dims)
    values = reshape(grad, values_shape)
    values = transpose(values, concat([outer_batches, [axis_dims], batch_axis, inner_axes], 0))
    result = _batch_gradient(params_shape, values, indices, batch_dims, params_shape[axis])
    return [transpose(result, concat([outer_batches, batch_axis + 1, [batch_dims], inner_axes], 0)), None, None]


def _params_shape(params: Tensor) -> Tensor:
    with colocate_with(params):
        return cast(shape(params, out_type=dtypes.int64), dtypes.int32)


def _slices(node: Any, grad: Any) -> tuple[IndexedSlices, Tensor]:
    """The gradient of rows taken along the first axis."""
    params, indices = node.inputs[:2]
    params_shape = _params_shape(params)
    count = expand_dims(size(indices), 0)
    values = reshape(grad, concat([count, params_shape[1:]], 0))
    return IndexedSlices(values, reshape(indices, count), params_shape), params_shape


def _batch_gradient(
    params_shape: Tensor, values: Tensor, indices: Tensor, batch_dims: int, gathered_size: Tensor
) -> Tensor:
    count = expand_dims(size(indices), 0)
    if batch_dims:
        values_shape = shape(values)
        outer, inner = values_shape[:batch_dims], values_shape[batch_dims:][1:]
        batch_size = lookup("Prod")(outer, [0], keep_dims=False)
        flat_shape = concat([[-1], inner], 0)
        gathered_size *= batch_size
        indices = _batch_indices(params_shape, indices, batch_dims, lambda x: cast(x, indices.dtype), range_tensor)
        values = reshape(values, flat_shape)
    indices = reshape(indices, count)
    result = lookup("UnsortedSegmentSum")(values, indices, gathered_size)
    return reshape(result, concat([outer, flat_shape], 0)) if batch_dims else result


def _batch_indices(params_shape: Tensor, indices: Tensor, batch_dims: int, converted: Any, make_range: Any) -> Tensor:
    """Indices into the flattened batch: each plus the position of its batch."""
    rank, dtype = indices.shape.ndims, indices.dtype.base_dtype
    cast_first = make_range is range_tensor
    if cast_first:
        params_shape = converted(params_shape)
    stride = ones((), dtype)
    if not cast_first:
        params_shape = converted(params_shape)
    for dim in range(batch_dims, 0, -1):
        length = params_shape[dim - 1]
        stride *= params_shape[dim]
        positions = make_range(zeros((), dtype), length, ones((), dtype))
        positions *= stride
        indices += reshape(positions, stack([1] * (dim - 1) + [length] + [1] * (rank - dim), axis=0))
    return indices


gather_v2_op.samples(
    refused_batch=sample([1., 2.], 0, 0, batch_dims=1),
    refused_whole_batch=sample([[1, 2], [3, 4]], [1, 0], 1, batch_dims=1),
    refused_batch_of_scalar=sample(["a", "b"], 1, 0, batch_dims=-2),
    batch_from_the_end=sample([[1, 2], [3, 4]], [[1], [0]], 1, batch_dims=-1),
    rows=([[1.0, 2.0], [3.0, 4.0]], [1, 0, 1], 0),
    columns=([[1.0, 2.0], [3.0, 4.0]], [[1, 1]], 1),
    strings=(["a", "b"], 1, 0),
    batch=sample([[1, 2], [3, 4]], [[1], [0]], 1, batch_dims=1),
)


@public("gather")
@dispatches
def gather(
    params: Any,
    indices: Any,
    validate_indices: Any = None,
    name: str | None = None,
    axis: Any = None,
    batch_dims: int = 0,
) -> Tensor:
    """The slices of `params` along `axis` at the positions `indices`.

    Args:
      params: a tensor or variable.
      indices: an integer tensor; its shape takes the place of dimension `axis`.
      validate_indices: ignored; indices are always checked.
      name: name of the result.
      axis: the dimension to choose from; `batch_dims` if None.
      batch_dims: number of leading dimensions that `params` and `indices` share; with -1 all but the last of `indices`.
    """
    if axis is None:
        axis = batch_dims
    known = get_static_value(axis) if isinstance(axis, Tensor) else axis
    if known is None or known != 0:
        return gather_v2_op(params, indices, axis, batch_dims=batch_dims, name=name)
    read = getattr(params, "sparse_read", None)
    return gather_v2_op(params, indices, axis, name=name) if read is None else read(indices, name=name)


@public("batch_gather")
@dispatches
def batch_gather(params: Any, indices: Any, name: str | None = None) -> Tensor:
    """`gather` with all dimensions of `indices` but the last as batch dimensions.

    Raises:
      ValueError: the rank of `indices` is not known.
    """
    with name_scope(name, "BatchGather", [params, indices]):
        indices = convert_to_tensor(indices, name="indices")
        params = convert_to_tensor(params, name="params")
        if indices.shape.ndims is None:
            raise ValueError("tf.batch_gather does not allow indices with unknown shape.")
        batch_dims = indices.shape.ndims - 1
        if batch_dims < 0:
            raise ValueError(f"batch_dims = {batch_dims} must be less than rank(indices) = 0")
        if params.shape.ndims is not None and batch_dims >= params.shape.ndims:
            raise ValueError(f"batch_dims = {batch_dims} must be less than rank(params) = {params.shape.ndims}")
        indices_shape, params_shape = shape(indices), shape(params)
        dtype = indices.dtype.base_dtype
        flat = reshape(
            _batch_indices(params_shape, indices, batch_dims, lambda x: cast_op(x, DstT=dtype), range_op), [-1]
        )
        outer = params_shape[batch_dims + 1:]
        inner_size = lookup("Prod")(params_shape[:batch_dims + 1], [0], keep_dims=False)
        rows = gather(reshape(params, concat([[inner_size], outer], axis=0)), flat)
        result = reshape(rows, concat([indices_shape, outer], axis=0))
        static = indices.shape[:batch_dims].merge_with(params.shape[:batch_dims])
        result.set_shape(static.concatenate(indices.shape[batch_dims:]).concatenate(params.shape[batch_dims + 1:]))
        return result


gather_nd_op = op("GatherNd(params: Tparams, indices: Tindices) -> output: Tparams", Tparams="type", Tindices=INDEX)


@gather_nd_op.shape
def _(params, indices):
    a, b = params.shape.as_tuple(), with_rank_at_least(indices, 1).as_tuple()
    if a is None or b is None or not b or b[-1] is None:
        return None
    if b[-1] > len(a):
        raise ValueError(
            f"indices.shape[-1] must be <= params.rank, but saw indices shape: {dims_text(b)} and params shape: "
            f"{dims_text(a)}"
        )
    return b[:-1] + a[b[-1]:]


@gather_nd_op.kernel
def _(params, indices):
    params = np.asarray(params)
    if indices.ndim < 1:
        raise InvalidArgumentError(None, None, "indices must be at least a vector")
    depth = indices.shape[-1]
    if depth > params.ndim:
        raise InvalidArgumentError(
            None, None, f"index innermost dimension length must be <= params rank; saw: {depth} vs. {params.ndim}"
        )
    if not params.size and math.prod(indices.shape[:-1]):
        raise InvalidArgumentError(
            None, None, f"Requested more than 0 entries, but params is empty.  Params shape: {dims_text(params.shape)}"
        )
    index = nd_index(indices, params.shape[:depth], "param ", params.shape)
    if depth and indices.ndim > 1:
        return params[index]
    found = params[index] if depth else np.broadcast_to(params, indices.shape[:-1] + params.shape)
    return found.copy() if isinstance(found, np.ndarray) else found  # one index, or none, gives a view


def nd_index(indices: Any, dims: tuple, what: str, shape: tuple) -> tuple:
    """The last dimension of `indices` as a NumPy index, checked against the sizes `dims`.

    Raises:
      InvalidArgumentError: an index is out of range.
    """
    bad = (indices < 0) | (indices >= np.array(dims, indices.dtype).reshape(-1)) if indices.size else np.zeros(0, bool)
    if bad.any():
        where = np.argwhere(bad.any(-1))[0]
        position = f"[{','.join(map(str, where.tolist()))}]" if where.size or not what else ""
        text = ",".join(map(str, shape))
        found = ", ".join(map(str, indices[tuple(where)].tolist()))
        raise InvalidArgumentError(
            None,
            None,
            f"indices{position} = [{found}] does not index into {what}shape [{text}]",
        )
    return tuple(np.moveaxis(indices, -1, 0))


@gather_nd_op.gradient
def _(node, grad):
    params, indices = node.inputs
    dims = shape(params, out_type=indices.dtype)
    last = indices.shape.as_tuple()
    if last is not None and len(last) == 2 and last[-1] == 1:
        return [IndexedSlices(grad, squeeze(indices, axis=-1), dims), None]
    return [lookup("ScatterNd")(indices, grad, dims), None]


gather_nd_op.samples(
    elements=([[1.0, 2.0], [3.0, 4.0]], [[0, 1], [1, 0]]),
    rows=([[1.0, 2.0], [3.0, 4.0]], [[1]]),
    all=([1, 2], np.zeros((2, 0), np.int32)),
)


@public("gather_nd", "manip.gather_nd")
@dispatches
def gather_nd(params: Any, indices: Any, name: str | None = None, batch_dims: int = 0) -> Tensor:
    """The parts of `params` at the index tuples in the last dimension of `indices`.

    Args:
      params: a tensor or variable.
      indices: an integer tensor whose last dimension holds indices into the first dimensions of `params`.
      name: name of the result.
      batch_dims: number of leading dimensions that `params` and `indices` share.

    Raises:
      TypeError: `batch_dims` is not known.
      ValueError: it is negative, or too large.
    """
    known = get_static_value(batch_dims)
    if known is not None:
        batch_dims = int(known)
    if batch_dims is None or isinstance(batch_dims, Tensor):
        raise TypeError(f"batch_dims must be an int; got {batch_dims}")
    if batch_dims:
        from ossia_ops.array.batched_gather import batch_gather_nd

        return batch_gather_nd(params, indices, batch_dims)
    read = getattr(params, "gather_nd", None)
    return gather_nd_op(params, indices, name=name) if read is None else read(indices, name=name)
