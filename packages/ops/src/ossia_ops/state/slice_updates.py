"""Slices of variables, set and changed: `scatter_nd_*`, and assignment to `v[...]`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import merge
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.names.errors import InvalidArgumentError, UnimplementedError, dims_text
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.primitives.state import writable
from ossia_core.primitives.variable_ops import checked_handle_shape
from ossia_ops.array.slicing import numpy_index
from ossia_ops.element_types import INDEX, NUMBERS
from ossia_ops.state.row_updates import update_rows

# -- slices by index vectors ------------------------------------------------------------------------------


def checked_slices(whole: TensorShape, indices: TensorShape, updates: TensorShape) -> TensorShape:
    """The shape of what slices are changed of.

    Raises:
      ValueError: the updates do not fit the indices and the whole, or are for nothing.
    """
    for given in (indices, updates):
        if given.ndims == 0:
            raise ValueError("Shape must be at least rank 1 but is rank 0")
    if whole.num_elements() == 0 and indices.num_elements() != 0 and updates.num_elements() != 0:
        if indices.is_fully_defined() and updates.is_fully_defined():
            raise ValueError("Indices and updates specified for empty output shape")
    depth = indices[-1].value if indices.ndims else None
    if depth is not None and updates.ndims is not None:
        outer = indices.ndims - 1
        try:
            merge(indices[:outer], updates[:outer])
        except ValueError as e:
            raise ValueError(
                f"The outer {outer} dimensions of indices.shape={dims_text(indices.as_tuple())} must match the outer "
                f"{outer} dimensions of updates.shape={dims_text(updates.as_tuple())}: {e}"
            ) from None
        if whole.ndims is not None:
            inner = updates.ndims - outer
            try:
                merge(whole[depth:], updates[outer:])
            except ValueError as e:
                raise ValueError(
                    f"The inner {whole.ndims - depth} dimensions of input.shape={dims_text(whole.as_tuple())} must "
                    f"match the inner {inner} dimensions of updates.shape={dims_text(updates.as_tuple())}: {e}"
                ) from None
    return whole


def _for_nothing(indices: np.ndarray) -> InvalidArgumentError:
    return InvalidArgumentError(
        None, None, f"Indices and updates specified for empty output.  indices shape: {dims_text(indices.shape)}"
    )


def change_slices(buffer: np.ndarray, indices: Any, updates: Any, how: str) -> None:
    """Change the slices `buffer[indices[i]]` by `updates[i]` in place; `how` is "update" or one of COMBINATIONS.

    Raises:
      InvalidArgumentError: shapes that do not fit, or an index out of range.
    """
    indices, updates = np.asarray(indices), np.asarray(updates)
    depth = indices.shape[-1] if indices.ndim else 1
    if indices.size and not buffer.size:
        raise _for_nothing(indices)
    outer = max(indices.ndim - 1, 1)
    expected = indices.shape[:-1] + buffer.shape[depth:]
    if indices.ndim and updates.ndim and indices.shape[0] != updates.shape[0]:
        raise InvalidArgumentError(
            None,
            None,
            "The outermost dimension of updates and indices must match. Got indices.shape "
            f"{dims_text(indices.shape)}, updates.shape {dims_text(updates.shape)}",
        )
    if not indices.ndim or not updates.ndim or depth > buffer.ndim or updates.shape != expected:
        raise InvalidArgumentError(
            None,
            None,
            "Must have updates.shape = indices.shape[:batch_dim] + params_shape[slice_dim:], got updates.shape: "
            f"{dims_text(updates.shape)}, indices.shape: {dims_text(indices.shape)}, params_shape: "
            f"{dims_text(buffer.shape)}, slice_dim: {depth}, and batch_dim: {outer}",
        )
    if updates.size and not depth:
        raise _for_nothing(indices)
    if not updates.size:
        return
    places = indices.reshape(-1, depth)
    wrong = ((places < 0) | (places >= np.array(buffer.shape[:depth], places.dtype))).any(axis=1)
    if wrong.any():
        position = int(wrong.argmax())
        index = ",".join(map(str, np.unravel_index(position, indices.shape[:-1]))) if indices.ndim > 1 else "0"
        raise InvalidArgumentError(
            None,
            None,
            f"indices[{index}] = [{', '.join(map(str, places[position]))}] does not index into shape "
            f"{dims_text(buffer.shape)}",
        )
    inner = buffer.shape[depth:]
    rows = np.ravel_multi_index(tuple(places.T), buffer.shape[:depth])
    # A variable's buffer is contiguous: this is a view.
    update_rows(buffer.reshape(-1, *inner), rows, updates.reshape(-1, *inner), how)


def _slice_ops(how: str, allowed: str, locking: str) -> tuple[Any, Any]:
    """The two ops that change slices in one way: by reference, and by handle."""
    kind = how.capitalize()
    by_reference = op(
        f"ScatterNd{kind}(ref: Ref(T), indices: Tindices, updates: T) -> output_ref: Ref(T)",
        T=allowed,
        Tindices=INDEX,
        use_locking=f"bool = {locking}",
    )
    by_reference.updates("ref")

    @by_reference.shape
    def _(ref, indices, updates):
        return checked_slices(ref.shape, indices.shape, updates.shape)

    @by_reference.kernel(alias=True)
    def _(ref, indices, updates):
        with ref.lock:
            change_slices(ref.read(), indices, updates, how)
        return ref

    by_reference.not_differentiable()
    by_handle = op(
        f"ResourceScatterNd{kind}(ref: resource, indices: Tindices, updates: T)",
        stateful=True,
        T="type",
        Tindices=INDEX,
        use_locking="bool = true",
    )
    by_handle.updates("ref")

    @by_handle.shape
    def _(ref, indices, updates, *, T):
        checked_slices(checked_handle_shape(ref, T), indices.shape, updates.shape)

    @by_handle.kernel
    def _(ref, indices, updates, *, T):
        with ref.lock:
            change_slices(writable(ref, T), indices, updates, how)
        return ()
    return by_reference, by_handle


scatter_nd_update_op, resource_scatter_nd_update_op = _slice_ops("update", "type", "true")
scatter_nd_add_op, resource_scatter_nd_add_op = _slice_ops("add", NUMBERS, "false")
scatter_nd_sub_op, resource_scatter_nd_sub_op = _slice_ops("sub", NUMBERS, "false")


def _scatter_nd(
    by_reference: Any, by_handle: Any, ref: Any, indices: Any, updates: Any, use_locking: bool, name: str | None
) -> Any:
    if ref.dtype._is_ref_dtype:
        return by_reference(ref, indices, updates, use_locking=use_locking, name=name)
    return ref._lazy_read(by_handle(ref.handle, indices, convert_to_tensor(updates, dtype=ref.dtype), name=name))


@public("scatter_nd_update")
def scatter_nd_update(ref: Any, indices: Any, updates: Any, use_locking: bool = True, name: str | None = None) -> Any:
    """Set slices of a variable.

    Args:
      ref: a variable of either kind.
      indices: index vectors, of shape [..., k] with k not more than the rank of `ref`.
      updates: of shape `indices.shape[:-1] + ref.shape[k:]`.
      use_locking: whether other updates are kept out.
      name: name of the operation.

    Returns:
      A reference to the new value; for a resource variable, the variable as it is afterwards.

    Raises:
      ValueError: the shapes do not fit. An index out of range is an InvalidArgumentError of the run.
    """
    return _scatter_nd(scatter_nd_update_op, resource_scatter_nd_update_op, ref, indices, updates, use_locking, name)


@public("scatter_nd_add")
def scatter_nd_add(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Add to slices of a variable, repeated ones several times; arguments and result as for `scatter_nd_update`."""
    return _scatter_nd(scatter_nd_add_op, resource_scatter_nd_add_op, ref, indices, updates, use_locking, name)


@public("scatter_nd_sub")
def scatter_nd_sub(ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None) -> Any:
    """Subtract from slices of a variable, repeated ones several times; arguments and result as for
    `scatter_nd_update`."""
    return _scatter_nd(scatter_nd_sub_op, resource_scatter_nd_sub_op, ref, indices, updates, use_locking, name)


# -- slices by ranges -------------------------------------------------------------------------------------

_MASKS = {
    "begin_mask": "int32 = 0",
    "end_mask": "int32 = 0",
    "ellipsis_mask": "int32 = 0",
    "new_axis_mask": "int32 = 0",
    "shrink_axis_mask": "int32 = 0",
}


def _assign_slice(buffer: np.ndarray, begin: Any, end: Any, strides: Any, value: Any, masks: dict[str, int]) -> None:
    if np.ndim(begin) != 1 or not np.shape(begin) == np.shape(end) == np.shape(strides):
        raise InvalidArgumentError(
            None,
            None,
            "Expected begin, end, and strides to be 1D equal size tensors, but got shapes "
            f"{dims_text(np.shape(begin))}, {dims_text(np.shape(end))}, and {dims_text(np.shape(strides))} instead.",
        )
    index = numpy_index(begin, end, strides, **masks)
    try:
        part = buffer[index]
    except IndexError:
        _report_index(buffer, index)
        raise
    if part.shape != np.shape(value):
        if not part.size:
            return
        raise UnimplementedError(
            None,
            None,
            f"sliced l-value shape {dims_text(part.shape)} does not match r-value shape "
            f"{dims_text(np.shape(value))}. Automatic broadcasting not yet implemented.",
        )
    buffer[index] = value


def _report_index(buffer: np.ndarray, index: tuple) -> None:
    """Raise the error for the first single index that is out of bounds."""
    rest = buffer.ndim - sum(1 for item in index if item is not None and item is not Ellipsis)
    axis = 0
    for item in index:
        if item is Ellipsis:
            axis += rest
            continue
        if item is None:
            continue
        if isinstance(item, int) and axis < buffer.ndim and not -buffer.shape[axis] <= item < buffer.shape[axis]:
            raise InvalidArgumentError(None, None, f"slice index {item} of dimension {axis} out of bounds.")
        axis += 1


strided_slice_assign_op = op(
    "StridedSliceAssign(ref: Ref(T), begin: Index, end: Index, strides: Index, value: T) -> output_ref: Ref(T)",
    T="type",
    Index=INDEX,
    **_MASKS,  # type: ignore[arg-type]
)
strided_slice_assign_op.changes("ref")


@strided_slice_assign_op.shape
def _(ref, begin, end, strides, value):
    return ref.shape


@strided_slice_assign_op.kernel(alias=True)
def _(ref, begin, end, strides, value, *, begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask):
    with ref.lock:
        _assign_slice(
            ref.read(),
            begin,
            end,
            strides,
            value,
            {
                "begin_mask": begin_mask,
                "end_mask": end_mask,
                "ellipsis_mask": ellipsis_mask,
                "new_axis_mask": new_axis_mask,
                "shrink_axis_mask": shrink_axis_mask,
            },
        )
    return ref


resource_strided_slice_assign_op = op(
    "ResourceStridedSliceAssign(ref: resource, begin: Index, end: Index, strides: Index, value: T)",
    stateful=True,
    T="type",
    Index=INDEX,
    **_MASKS,
)
resource_strided_slice_assign_op.changes("ref")


@resource_strided_slice_assign_op.shape
def _(ref, begin, end, strides, value, *, T):
    checked_handle_shape(ref, T)


@resource_strided_slice_assign_op.kernel
def _(ref, begin, end, strides, value, *, T, begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask):
    with ref.lock:
        _assign_slice(
            writable(ref, T),
            begin,
            end,
            strides,
            value,
            {
                "begin_mask": begin_mask,
                "end_mask": end_mask,
                "ellipsis_mask": ellipsis_mask,
                "new_axis_mask": new_axis_mask,
                "shrink_axis_mask": shrink_axis_mask,
            },
        )
    return ()
