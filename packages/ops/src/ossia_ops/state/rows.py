"""Rows of variables, set, changed and read: scatter updates, gathers from handles, counters."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup, op
from ossia_core.declare.shape_rules import merge, with_rank_at_least
from ossia_core.graph.composites import IndexedSlices
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.names.dtypes import DType
from ossia_core.names.errors import InvalidArgumentError, OutOfRangeError, dims_text
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.primitives.state import check_dtype, missing, writable
from ossia_core.primitives.variable_ops import checked_handle_shape, variable_shape_op
from ossia_ops.array.concat import concat
from ossia_ops.array.shape import expand_dims, reshape, shape, size, squeeze
from ossia_ops.element_types import INDEX, NUMBERS
from ossia_ops.state.row_updates import update_rows

# -- rows ---------------------------------------------------------------------------------------------


def _check_updates(variable: Any, indices: Any, updates: Any) -> TensorShape:
    """The shape of the variable; ValueError unless the updates are scalar, or rows for the indices."""
    whole = variable if isinstance(variable, TensorShape) else variable.shape
    given = updates.shape
    if given.ndims != 0:
        rows = indices.shape.concatenate(whole[1:]) if whole.ndims is not None else TensorShape(None)
        merge(given, rows)
    return whole


def _in_rows(indices: Any, buffer: np.ndarray) -> np.ndarray:
    """The indices as a vector of valid row numbers."""
    rows = np.ravel(indices)
    wrong = (rows < 0) | (rows >= buffer.shape[0])
    if wrong.any():
        position = int(wrong.argmax())
        place = dims_text(np.unravel_index(position, np.shape(indices))) if np.ndim(indices) else ""
        raise InvalidArgumentError(None, None, f"indices{place} = {rows[position]} is not in [0, {buffer.shape[0]})")
    return rows


def _change_rows(buffer: np.ndarray, indices: Any, updates: Any, how: str) -> None:
    if not buffer.ndim:
        raise InvalidArgumentError(None, None, "params must be at least 1-D, got shape []")
    if np.ndim(updates) and np.shape(updates) != np.shape(indices) + buffer.shape[1:]:
        raise InvalidArgumentError(
            None,
            None,
            "Must have updates.shape = indices.shape + params.shape[1:] or updates.shape = [], got updates.shape "
            f"{dims_text(np.shape(updates))}, indices.shape {dims_text(np.shape(indices))}, params.shape "
            f"{dims_text(buffer.shape)}",
        )
    rows = _in_rows(indices, buffer)
    if np.ndim(updates):
        updates = updates.reshape(rows.size, *buffer.shape[1:])
    update_rows(buffer, rows, updates, how)


def _row_ops(how: str, allowed: str, resource_allowed: str, locking: str) -> tuple[Any, Any]:
    """The two ops that change rows in one way: by reference, and by handle."""
    kind = how.capitalize()
    by_reference = op(
        f"Scatter{kind}(ref: Ref(T), indices: Tindices, updates: T) -> output_ref: Ref(T)",
        T=allowed,
        Tindices=INDEX,
        use_locking=f"bool = {locking}",
    )
    by_reference.updates("ref")
    by_reference.shape(_check_updates)

    @by_reference.kernel(alias=True)
    def _(ref, indices, updates):
        with ref.lock:
            _change_rows(ref.read(), indices, updates, how)
        return ref

    if how not in ("update", "min", "max"):
        by_reference.not_differentiable()
    by_handle = op(
        f"ResourceScatter{kind}(resource: resource, indices: Tindices, updates: dtype)",
        stateful=True,
        dtype=resource_allowed,
        Tindices=INDEX,
    )
    by_handle.updates("resource")

    @by_handle.shape
    def _(resource, indices, updates, *, dtype):
        _check_updates(checked_handle_shape(resource, dtype), indices, updates)

    @by_handle.kernel
    def _(resource, indices, updates, *, dtype):
        with resource.lock:
            _change_rows(writable(resource, dtype), indices, updates, how)
        return ()
    return by_reference, by_handle


_EXTREMES = "{half, bfloat16, float, double, int32, int64}"
scatter_update_op, resource_scatter_update_op = _row_ops("update", "type", "type", "true")
scatter_add_op, resource_scatter_add_op = _row_ops("add", NUMBERS, NUMBERS, "false")
scatter_sub_op, resource_scatter_sub_op = _row_ops("sub", NUMBERS, NUMBERS, "false")
scatter_mul_op, resource_scatter_mul_op = _row_ops("mul", NUMBERS, NUMBERS, "false")
scatter_div_op, resource_scatter_div_op = _row_ops("div", NUMBERS, NUMBERS, "false")
scatter_min_op, resource_scatter_min_op = _row_ops("min", _EXTREMES, NUMBERS, "false")
scatter_max_op, resource_scatter_max_op = _row_ops("max", _EXTREMES, NUMBERS, "false")


def _scatter(
    by_reference: Any, by_handle: Any, ref: Any, indices: Any, updates: Any, use_locking: bool, name: str | None
) -> Any:
    if ref.dtype._is_ref_dtype:
        return by_reference(ref, indices, updates, use_locking=use_locking, name=name)
    return ref._lazy_read(by_handle(ref.handle, indices, convert_to_tensor(updates, ref.dtype), name=name))


@public("scatter_update")
def scatter_update(ref: Any, indices: Any, updates: Any, use_locking: bool = True, name: str | None = None) -> Any:
    """Set rows of a variable.

    Args:
      ref: a variable of either kind.
      indices: row numbers, of any shape.
      updates: the rows, of shape `indices.shape + ref.shape[1:]`, or a scalar.
      use_locking: whether other updates are kept out (reference variables).
      name: name of the operation.

    Returns:
      A reference to the new value; for a resource variable, the variable as it is afterwards.

    Raises:
      ValueError: the shapes do not fit. A row number out of range is an InvalidArgumentError of the run.
    """
    return _scatter(scatter_update_op, resource_scatter_update_op, ref, indices, updates, use_locking, name)


@public("scatter_add")
def scatter_add(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Add to rows of a variable, repeated rows several times; arguments and result as for `scatter_update`."""
    return _scatter(scatter_add_op, resource_scatter_add_op, ref, indices, updates, use_locking, name)


@public("scatter_sub")
def scatter_sub(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Subtract from rows of a variable, repeated rows several times; arguments and result as for `scatter_update`."""
    return _scatter(scatter_sub_op, resource_scatter_sub_op, ref, indices, updates, use_locking, name)


@public("scatter_mul")
def scatter_mul(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Multiply rows of a variable, repeated rows several times; arguments and result as for `scatter_update`."""
    return _scatter(scatter_mul_op, resource_scatter_mul_op, ref, indices, updates, use_locking, name)


@public("scatter_div")
def scatter_div(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Divide rows of a variable, repeated rows several times; arguments and result as for `scatter_update`."""
    return _scatter(scatter_div_op, resource_scatter_div_op, ref, indices, updates, use_locking, name)


@public("scatter_min")
def scatter_min(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Take the smaller of rows of a variable and `updates`; arguments and result as for `scatter_update`."""
    return _scatter(scatter_min_op, resource_scatter_min_op, ref, indices, updates, use_locking, name)


@public("scatter_max")
def scatter_max(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Take the larger of rows of a variable and `updates`; arguments and result as for `scatter_update`."""
    return _scatter(scatter_max_op, resource_scatter_max_op, ref, indices, updates, use_locking, name)


@public("batch_scatter_update")
def batch_scatter_update(
    ref: Any, indices: Any, updates: Any, use_locking: bool = True, name: str | None = None
) -> Any:
    """Set rows of each entry of a batch: entry `b` gets the rows `indices[b]` set to `updates[b]`.

    Args:
      ref: a variable of shape [batch..., rows, ...].
      indices: row numbers, of shape [batch..., n], of known rank.
      updates: of shape [batch..., n, ...].
      use_locking: whether other updates are kept out.
      name: name of the operation.

    Raises:
      ValueError: the rank of `indices` is not known.
    """
    from ossia_ops.array.fill import ones_like
    from ossia_ops.math.cast import cast
    from ossia_ops.state.slice_updates import scatter_nd_update

    indices = convert_to_tensor(indices, name="indices")
    rank = indices.shape.ndims
    sizes = shape(indices)
    if rank is None:
        raise ValueError("batch_gather does not allow indices with unknown shape.")
    innermost = expand_dims(indices, axis=-1)
    places = []
    for axis in range(rank - 1):
        count = sizes[axis]
        batch = reshape(lookup("Range")(0, count, 1), [count if i == axis else 1 for i in range(rank + 1)])
        if batch.dtype.base_dtype != innermost.dtype:
            batch = cast(batch, innermost.dtype)
        places.append(batch * ones_like(innermost))
    return scatter_nd_update(ref, concat([*places, innermost], axis=-1), updates, use_locking, name)


# -- reading by handle ----------------------------------------------------------------------------------

resource_gather_op = op(
    "ResourceGather(resource: resource, indices: Tindices) -> output: dtype",
    stateful=True,
    batch_dims="int32 = 0",
    validate_indices="bool = true",
    dtype="type",
    Tindices=INDEX,
)
resource_gather_op.reads("resource")


@resource_gather_op.shape
def _(resource, indices, *, dtype, batch_dims):
    whole = with_rank_at_least(checked_handle_shape(resource, dtype), 1)
    if whole.ndims is None or indices.shape.ndims is None:
        return None
    if batch_dims < 0 or batch_dims > indices.shape.ndims or batch_dims >= whole.ndims:
        raise ValueError(f"Shape must be at least rank {batch_dims + 1}: {whole}, {indices.shape}, batch_dims")
    entries = merge(indices.shape[:batch_dims], whole[:batch_dims])
    return entries.concatenate(indices.shape[batch_dims:]).concatenate(whole[batch_dims + 1 :])


def _value(resource: Any, dtype: DType) -> np.ndarray:
    with resource.lock:  # an update in place that has begun must be over
        value = resource.value
    if value is None:
        raise missing(resource)
    check_dtype(resource, dtype, "read")
    return value


@resource_gather_op.kernel
def _(resource, indices, *, dtype, batch_dims):
    value = _value(resource, dtype)
    if not value.ndim:
        raise InvalidArgumentError(None, None, "params must be at least 1 dimensional")
    if not batch_dims:
        return value.take(_in_rows(indices, value), axis=0).reshape(np.shape(indices) + value.shape[1:])
    entries = indices.shape[:batch_dims]
    flat, picked = value.reshape(-1, *value.shape[batch_dims:]), indices.reshape(int(np.prod(entries)), -1)
    wrong = (picked < 0) | (picked >= flat.shape[1])
    if wrong.any():
        raise InvalidArgumentError(
            None, None, f"indices[{int(wrong.argmax())}] = {picked[wrong][0]} is not in [0, {flat.shape[1]})"
        )
    return flat[np.arange(len(flat))[:, None], picked].reshape(indices.shape + value.shape[batch_dims + 1 :])


@resource_gather_op.gradient
def _(node, grad):
    handle, indices = node.inputs
    from ossia_core.primitives.handle_shape import shape_of_variable
    whole = shape_of_variable(handle)
    count = expand_dims(size(indices), 0)
    values = reshape(grad, concat([count, whole[1:]], 0))
    return IndexedSlices(values, reshape(indices, count), whole), None


resource_gather_nd_op = op(
    "ResourceGatherNd(resource: resource, indices: Tindices) -> output: dtype",
    stateful=True,
    dtype="type",
    Tindices=INDEX,
)
resource_gather_nd_op.reads("resource")


@resource_gather_nd_op.shape
def _(resource, indices, *, dtype):
    whole, places = checked_handle_shape(resource, dtype), with_rank_at_least(indices, 1)
    if whole.ndims is None or places.ndims is None or places[-1].value is None:
        return None
    depth = places[-1].value
    if depth > whole.ndims:
        raise ValueError(
            f"indices.shape[-1] must be <= params.rank, but saw indices shape: {dims_text(places.as_tuple())} and "
            f"params shape: {dims_text(whole.as_tuple())}"
        )
    return places[:-1].concatenate(whole[depth:])


@resource_gather_nd_op.kernel
def _(resource, indices, *, dtype):
    value = _value(resource, dtype)
    if not np.ndim(indices):
        raise InvalidArgumentError(None, None, "indices must be at least a vector")
    depth = indices.shape[-1]
    if depth > value.ndim:
        raise InvalidArgumentError(
            None, None, f"index innermost dimension length must be <= params rank; saw: {depth} vs. {value.ndim}"
        )
    if not value.size and math.prod(indices.shape[:-1]):
        raise InvalidArgumentError(
            None, None, f"Requested more than 0 entries, but params is empty.  Params shape: {dims_text(value.shape)}"
        )
    flat = indices.reshape(math.prod(indices.shape[:-1]), depth)
    wrong = ((flat < 0) | (flat >= np.array(value.shape[:depth], flat.dtype))).any(axis=1)
    if wrong.any():
        position = int(wrong.argmax())
        place = ",".join(map(str, np.unravel_index(position, indices.shape[:-1]))) if indices.ndim > 1 else "0"
        raise InvalidArgumentError(
            None,
            None,
            f"indices[{place}] = [{', '.join(map(str, flat[position]))}] does not index into param shape "
            f"{dims_text(value.shape)}",
        )
    found = value[tuple(flat.T)] if depth else np.broadcast_to(value, (len(flat), *value.shape))
    return np.array(found).reshape(indices.shape[:-1] + value.shape[depth:])


@resource_gather_nd_op.gradient
def _(node, grad):
    handle, indices = node.inputs
    whole = variable_shape_op(handle, out_type=indices.dtype)
    if indices.shape.ndims == 2 and indices.shape[-1].value == 1:
        return IndexedSlices(grad, squeeze(indices, axis=-1), whole), None
    return lookup("ScatterNd")(indices, grad, whole), None

# -- counters -------------------------------------------------------------------------------------------

count_up_to_op = op("CountUpTo(ref: Ref(T)) -> output: T", limit="int", T="{int32, int64}")
count_up_to_op.changes("ref")
resource_count_up_to_op = op(
    "ResourceCountUpTo(resource: resource) -> output: T", stateful=True, limit="int", T="{int32, int64}"
)
resource_count_up_to_op.changes("resource")


@count_up_to_op.shape
def _(ref):
    return merge(ref, TensorShape(()))


@resource_count_up_to_op.shape
def _(resource, *, T):
    return merge(checked_handle_shape(resource, T), TensorShape(()))


def _count(buffer: np.ndarray, limit: int) -> np.ndarray:
    if buffer.dtype == np.int32 and not -(2**31) <= limit < 2**31:
        raise InvalidArgumentError(None, None, f"Attr limit has value {limit} out of range for an int32")
    if buffer >= limit:
        raise OutOfRangeError(None, None, f"Reached limit of {limit}")
    before = buffer.copy()
    buffer += buffer.dtype.type(1)
    return before


@count_up_to_op.kernel
def _(ref, *, limit):
    with ref.lock:
        return _count(ref.read(), limit)


@resource_count_up_to_op.kernel
def _(resource, *, T, limit):
    with resource.lock:
        return _count(writable(resource, T), limit)


@public("count_up_to")
def count_up_to(ref: Any, limit: int, name: str | None = None) -> Any:
    """The value of an integer scalar variable before 1 is added to it; OutOfRangeError once it has reached `limit`."""
    if ref.dtype._is_ref_dtype:
        return count_up_to_op(ref, limit=limit, name=name)
    return resource_count_up_to_op(ref.handle, limit=limit, T=ref.dtype, name=name)
