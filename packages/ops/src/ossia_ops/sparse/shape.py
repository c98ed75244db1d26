"""Sparse tensors cut, joined, reshaped, and freed of their empty rows."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import constant_shape, merge_dim, vector, with_rank
from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.static_value import get_static_value, static_shape
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, sizes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import identity
from ossia_ops.array.concat import concat
from ossia_ops.array.gather import gather
from ossia_ops.array.selection import where
from ossia_ops.array.shape import one_of, rank, reshape
from ossia_ops.array.transposition import transpose
from ossia_ops.math.cast import cast
from ossia_ops.math.reduction import reduce_max
from ossia_ops.math.sequence import range as range_of
from ossia_ops.sparse.dense import as_sparse, check_inside
from ossia_ops.sparse.order import sparse_reorder
from ossia_ops.sparse.rows import check_parts, numbered

sparse_reshape_op = op("SparseReshape(input_indices: int64, input_shape: int64, new_shape: int64) -> "
                       "output_indices: int64, output_shape: int64")


@sparse_reshape_op.shape
def _(input_indices, input_shape, new_shape):
    indices = with_rank(input_indices, 2).as_tuple()
    with_rank(input_shape, 1)
    new = with_rank(new_shape, 1)
    return TensorShape((indices[0], new.as_tuple()[0])), new


@sparse_reshape_op.kernel(alias=True)
def _(input_indices, input_shape, new_shape):
    if input_shape.ndim != 1 or new_shape.ndim != 1 or input_indices.ndim != 2:
        raise InvalidArgumentError(None, None, "Input indices should be a matrix, input and target shapes vectors; got "
                                   f"shapes {input_indices.shape}, {input_shape.shape} and {new_shape.shape}")
    old, new = input_shape.tolist(), new_shape.tolist()
    if new.count(-1) > 1:
        first, second = [i for i, n in enumerate(new) if n == -1][:2]
        raise InvalidArgumentError(
            None, None, f"only one output dimension may be -1, not both {first} and {second}")
    if min(new, default=0) < -1:
        axis, size = next((i, n) for i, n in enumerate(new) if n < -1)
        raise InvalidArgumentError(None, None, f"size {axis} must be non-negative, not {size}")
    total, known = sizes.elements(old), math.prod(n for n in new if n != -1)
    if -1 in new:
        if not known:
            raise InvalidArgumentError(
                None, None, "reshape cannot infer the missing input size for an empty tensor unless all specified "
                "input sizes are non-zero")
        new[new.index(-1)] = total // known
        if total % known:
            raise InvalidArgumentError(
                None, None, f"Input to reshape is a SparseTensor with {total} dense values, but the requested shape "
                f"requires a multiple of {known}. input_shape={dims_text(old)} output_shape={dims_text(new)}")
    elif known != total:
        raise InvalidArgumentError(
            None, None, f"Input to reshape is a tensor with {total} dense values, but the requested shape has {known}. "
            f"input_shape={dims_text(old)} output_shape={dims_text(new)}")
    sizes.elements(new)
    check_inside(input_indices, old)
    if not len(input_indices):
        return np.zeros((0, len(new)), np.int64), np.array(new, np.int64)
    if old == new:
        return input_indices, np.array(new, np.int64)
    flat = np.ravel_multi_index(tuple(input_indices.T), old)
    return np.stack(np.unravel_index(flat, new), 1).astype(np.int64), np.array(new, np.int64)


sparse_reshape_op.samples(same=(np.array([[1, 1], [0, 2]]), np.array([2, 3]), np.array([-1, 3])),
                          plain=(np.array([[0, 1], [1, 2]]), np.array([2, 3]), np.array([3, -1])),
                          none=(np.zeros((0, 1), np.int64), np.array([4]), np.array([2, 2])))


@public("sparse.reshape", "sparse_reshape", "compat.v2.sparse.reshape")
def sparse_reshape(sp_input: Any, shape: Any, name: str | None = None) -> SparseTensor:
    """A sparse tensor with its elements, in row-major order, under another shape.

    Args:
      sp_input: a SparseTensor.
      shape: the shape; one dimension may be -1, to follow from the others.
      name: name of the indices.

    Raises:
      ValueError: the numbers of elements are known and differ.
    """
    x = as_sparse(sp_input)
    shape = cast(shape, dtype=dtypes.int64)
    with name_scope(name, "SparseReshape", [x]) as name:
        indices, new_shape = sparse_reshape_op(x.indices, x.dense_shape, shape, name=name)
        known = get_static_value(shape)
        dims = static_shape(shape).as_tuple() if known is None else tuple(known.tolist())
        # One size that is not known counts as one to be inferred.
        if dims is not None and x.shape.is_fully_defined() and dims.count(None) < 2:
            completed = _completed([-1 if n is None else n for n in dims], x.shape.num_elements())
            new_shape = constant(completed, dtypes.int64)
        return SparseTensor(indices, identity(x.values), new_shape)


def _completed(dims: list, total: int) -> list:
    if dims.count(-1) > 1:
        raise ValueError(f"At most one dimension can be inferred (-1). Found: [{' '.join(map(str, dims))}]")
    others = math.prod(n for n in dims if n >= 0)
    completed = [n if n >= 0 else total // (others or 1) for n in dims]
    size = math.prod(completed)
    if size != total:
        wanted = [None if n == -1 else n for n in dims]
        raise ValueError(f"Cannot reshape a tensor with {total} elements to shape {wanted} ({size} elements).")
    return completed


@public("sparse.retain", "sparse_retain", "compat.v2.sparse.retain")
def sparse_retain(sp_input: Any, to_retain: Any) -> SparseTensor:
    """Some of the elements of a sparse tensor.

    Args:
      sp_input: a SparseTensor with n elements.
      to_retain: a bool vector of length n, True for elements that stay.
    """
    x = as_sparse(sp_input)
    to_retain = convert_to_tensor(to_retain)
    with_rank(to_retain, 1)
    places = x.values.shape.with_rank_at_least(1)[0]
    places.merge_with(to_retain.shape[0])
    chosen = reshape(where(to_retain), [-1])
    return SparseTensor(gather(x.indices, chosen), gather(x.values, chosen), identity(x.dense_shape))


sparse_slice_op = op("SparseSlice(indices: int64, values: T, shape: int64, start: int64, size: int64) -> "
                     "output_indices: int64, output_values: T, output_shape: int64", T="type")


@sparse_slice_op.shape
def _(indices, values, shape, start, size):
    return TensorShape((None, shape.shape.num_elements())), vector(None), shape.shape


@sparse_slice_op.kernel
def _(indices, values, shape, start, size):
    for what, found in (("start", start), ("size", size)):
        if found.ndim != 1:
            raise InvalidArgumentError(
                None, None, f"Input {what} should be a vector but received shape {dims_text(found.shape)}")
    if not len(shape) == len(start) == len(size) == indices.shape[1]:
        what, found = ("start", start) if len(start) != len(shape) else ("size", size)
        raise InvalidArgumentError(
            None, None, f"Expected {what} to be a vector of length {len(shape)} but got length {len(found)}")
    stop = np.minimum(start + size, shape)
    # Indices beyond the shape are not looked at.
    inside = np.ones(len(indices), bool)
    for column, first, end in zip(indices.T, start, start + size, strict=True):
        inside &= (column >= first) & (column < end)
    chosen = np.flatnonzero(inside)
    return indices.take(chosen, axis=0) - start, values[chosen], np.maximum(stop - start, 0)


@sparse_slice_op.gradient
def _(node, unused_indices_grad, grad, unused_shape_grad):
    indices, _, _, start = node.inputs[:4]
    return [None, sparse_slice_grad_op(grad, indices, start, node.outputs[0]), None, None, None]


sparse_slice_op.samples(plain=(np.array([[0, 1], [1, 2]]), [1.0, 2.0], np.array([2, 3]), np.array([1, 0]),
                               np.array([5, 3])),
                        beyond=(np.array([[0, 1], [2, 0]]), [1.0, 2.0], np.array([2, 3]), np.array([1, -1]),
                                np.array([5, 3])),
                        refused_size=(np.array([[0, 1], [2, 0]]), [1.0, 2.0], np.array([2, 3]), np.array([1, 0]),
                                      np.array([[5, 3], [5, 3]])))

sparse_slice_grad_op = op(
    "SparseSliceGrad(backprop_val_grad: T, input_indices: int64, input_start: int64, output_indices: int64) -> "
    "val_grad: T", T="{float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, "
                     "uint16, complex128, half, uint32, uint64}")


@sparse_slice_grad_op.shape
def _(backprop_val_grad, input_indices, input_start, output_indices):
    return vector(with_rank(input_indices, 2).as_tuple()[0])


@sparse_slice_grad_op.kernel
def _(backprop_val_grad, input_indices, input_start, output_indices):
    matrices = input_indices.ndim == output_indices.ndim == 2
    if not matrices or not input_indices.shape[1] == output_indices.shape[1] == np.size(input_start):
        shapes = [list(np.shape(x)) for x in (input_indices, input_start, output_indices)]
        raise InvalidArgumentError(None, None, f"Indices should be matrices with a column per start, not {shapes}")
    if backprop_val_grad.shape != (len(output_indices),):
        raise InvalidArgumentError(None, None, f"{dims_text(backprop_val_grad.shape)} gradients are given for "
                                               f"{len(output_indices)} elements")
    result = np.zeros(len(input_indices), backprop_val_grad.dtype)
    own, taken = numbered(input_indices, output_indices + input_start)
    # The elements that the slice took, in the order in which it took them.
    chosen = np.flatnonzero(np.isin(own, taken))
    if np.array_equal(own[chosen], taken):
        result[chosen] = backprop_val_grad
        return result
    place, wanted = 0, taken.tolist()
    for i, number in enumerate(own.tolist()):
        if place < len(wanted) and number == wanted[place]:
            result[i] = backprop_val_grad[place]
            place += 1
    if place < len(wanted):
        raise InvalidArgumentError(None, None, f"Only {place} of {len(wanted)} gradients belong to the slice")
    return result


sparse_slice_grad_op.samples(plain=([3.0], np.array([[0, 1], [1, 2]]), np.array([1, 0]), np.array([[0, 2]])))


@public("sparse.slice", "sparse_slice", "compat.v2.sparse.slice")
def sparse_slice(sp_input: Any, start: Any, size: Any, name: str | None = None) -> SparseTensor:
    """A block of a sparse tensor.

    Args:
      sp_input: a SparseTensor.
      start: where the block starts, one int64 number per dimension.
      size: how large it is, cut at the end of the tensor.
      name: name of the result.
    """
    x = as_sparse(sp_input)
    start = convert_to_tensor(start, dtypes.int64)
    size = convert_to_tensor(size, dtypes.int64)
    with name_scope(name, "SparseSlice", [x]) as name:
        return SparseTensor(*sparse_slice_op(x.indices, x.values, x.dense_shape, start, size, name=name))


sparse_concat_op = op("SparseConcat(indices: N * int64, values: N * T, shapes: N * int64) -> output_indices: int64, "
                      "output_values: T, output_shape: int64", concat_dim="int32", N="int >= 2", T="type")


@sparse_concat_op.shape
def _(indices, values, shapes):
    places = [with_rank(x, 2).as_tuple() for x in indices]
    counts = [merge_dim(place[0], with_rank(x, 1).as_tuple()[0]) for place, x in zip(places, values, strict=True)]
    count = None if None in counts else sum(counts)
    rank = columns = None  # as in the original, neither says anything of the other
    for place, x in zip(places, shapes, strict=True):
        columns = merge_dim(columns, place[1])
        rank = merge_dim(rank, with_rank(x, 1).as_tuple()[0])
    return TensorShape((count, columns)), vector(count), vector(rank)


@sparse_concat_op.kernel
def _(indices, values, shapes, *, concat_dim):
    count = len(shapes[0])
    if not -count <= concat_dim < count:
        raise InvalidArgumentError(
            None, None, f"Concat dimension must be in range [{-count}, {count}), got {concat_dim}"
        )
    axis, offset, parts = concat_dim % count, 0, []
    for i, (index, items, dims) in enumerate(zip(indices, values, shapes, strict=True)):
        check_parts(index, items, dims)
        if len(dims) != count or np.any(np.delete(dims, axis) != np.delete(shapes[0], axis)):
            if len(dims) != count:
                raise InvalidArgumentError(
                    None, None, f"Ranks of all input tensors must match: expected {count} but got {len(dims)} at "
                    f"position {i}")
            other = next(j for j in range(count) if j != axis and dims[j] != shapes[0][j])
            raise InvalidArgumentError(
                None, None, f"Input shapes must match: expected {shapes[0][other]} for dimension {other} but got "
                f"{dims[other]} at position {i}")
        moved = index.copy()
        moved[:, axis] += offset
        parts.append(moved)
        offset += int(dims[axis])
        if offset > sizes.MAX_ELEMENTS:
            raise InvalidArgumentError(None, None, f"Dimension {axis} of the result is too large: {offset}")
    joined, shape = np.concatenate(parts), shapes[0].copy()
    shape[axis] = offset
    order = np.lexsort(joined.T[::-1])
    return joined[order], np.concatenate(values)[order], shape


sparse_concat_op.not_differentiable()
sparse_concat_op.samples(columns=sample([np.array([[0, 1]]), np.array([[0, 0]])], [[1.0], [2.0]],
                                        [np.array([1, 2]), np.array([1, 3])], concat_dim=1))


@public("sparse.concat", "sparse_concat")
def sparse_concat(axis: Any, sp_inputs: Any, name: str | None = None, expand_nonconcat_dim: bool = False,
                  concat_dim: Any = None, expand_nonconcat_dims: bool | None = None) -> SparseTensor:
    """Sparse tensors joined along a dimension.

    Args:
      axis: the dimension.
      sp_inputs: a list of SparseTensors.
      name: name of the result.
      expand_nonconcat_dim: whether other dimensions may differ, and grow to the largest.
      concat_dim: old name of `axis`.
      expand_nonconcat_dims: other name of `expand_nonconcat_dim`.

    Raises:
      TypeError: `sp_inputs` is no list, or an element no SparseTensor.
      ValueError: an argument is given under both of its names.
    """
    axis = one_of("axis", axis, "concat_dim", concat_dim)
    if expand_nonconcat_dims is not None:
        expand_nonconcat_dim = one_of("expand_nonconcat_dim", expand_nonconcat_dim or None, "expand_nonconcat_dims",
                                      expand_nonconcat_dims)
    return sparse_concat_v2(axis, sp_inputs, expand_nonconcat_dim, name)


@public("compat.v2.sparse.concat")
def sparse_concat_v2(axis: Any, sp_inputs: Any, expand_nonconcat_dims: bool = False,
                     name: str | None = None) -> SparseTensor:
    """Sparse tensors joined along a dimension; the arguments are those of `tf.sparse.concat`."""
    if not isinstance(sp_inputs, (list, tuple)):
        raise TypeError("Inputs must be a list or tuple.")
    tensors = [as_sparse(x) for x in sp_inputs]
    if len(tensors) == 1:
        return tensors[0]
    shapes = [x.dense_shape for x in tensors]
    if expand_nonconcat_dims:
        largest = reduce_max(concat([reshape(x, [1, -1]) for x in shapes], 0), 0)
        shapes = [
            concat([largest[:axis], x[-1:] if axis == -1 else x[axis:axis + 1],
                    [] if axis == -1 else largest[axis + 1:]], 0)
            for x in shapes
        ]
    indices, values, shape = sparse_concat_op([x.indices for x in tensors], [x.values for x in tensors], shapes,
                                              concat_dim=axis, name=name)
    known = [get_static_value(dims) for dims in shapes]
    if all(dims is not None for dims in known):
        joined = np.array(known[0])
        joined[axis] = sum(dims[axis] for dims in known)
        shape = convert_to_tensor(joined)
    return SparseTensor(indices, values, shape)


@public("sparse.transpose", "sparse_transpose", "compat.v2.sparse.transpose")
def sparse_transpose(sp_input: Any, perm: Any = None, name: str | None = None) -> SparseTensor:
    """A sparse tensor with its dimensions in another order.

    Args:
      sp_input: a SparseTensor.
      perm: for each dimension the one it was before; the reversed order if None.
      name: name scope.
    """
    with name_scope(name, "SparseTranspose", [sp_input]):
        if perm is None:
            count = rank(sp_input)
            perm = (count - 1) - range_of(0, count, 1)
        indices = transpose(gather(transpose(sp_input.indices), perm))
        known = get_static_value(convert_to_tensor(perm))
        if known is not None and sp_input.shape.is_fully_defined():
            old = sp_input.shape.as_list()
            shape: Any = list(old)
            for i, dimension in enumerate(known.tolist()):
                shape[i] = old[dimension]
        else:
            shape = gather(sp_input.dense_shape, perm)
        return sparse_reorder(SparseTensor(indices, sp_input.values, shape))


sparse_fill_empty_rows_op = op("SparseFillEmptyRows(indices: int64, values: T, dense_shape: int64, default_value: T) "
                               "-> output_indices: int64, output_values: T, empty_row_indicator: bool, "
                               "reverse_index_map: int64", T="type")


@sparse_fill_empty_rows_op.shape
def _(indices, values, dense_shape, default_value):
    (number,), (rank,) = with_rank(values, 1).as_tuple(), with_rank(dense_shape, 1).as_tuple()
    with_rank(default_value, 0)
    count, width = with_rank(indices, 2).as_tuple()
    merge_dim(width, rank)
    sizes = constant_shape(dense_shape).as_tuple()
    rows = sizes[0] if sizes else None
    return TensorShape((None, rank)), vector(None), vector(rows), vector(merge_dim(count, number))


@sparse_fill_empty_rows_op.kernel
def _(indices, values, dense_shape, default_value):
    if np.ndim(default_value) or dense_shape.ndim != 1 or values.ndim != 1 or indices.ndim != 2:
        raise InvalidArgumentError(
            None, None, "default_value must be a scalar, indices a matrix, dense_shape and values vectors"
        )
    rows = int(dense_shape[0]) if len(dense_shape) else 0
    if not rows and len(indices):
        raise InvalidArgumentError(None, None, f"Received SparseTensor with dense_shape[0] = 0 but indices.shape[0] = "
                                               f"{len(indices)}")
    outside = (indices[:, 0] < 0) | (indices[:, 0] >= rows)
    if outside.any():
        row = int(outside.argmax())
        raise InvalidArgumentError(None, None, f"indices({row}, 0) is invalid: {indices[row, 0]} >= {rows}")
    of_row = indices[:, 0]
    counts = np.bincount(of_row, minlength=rows)
    empty, added = counts == 0, np.flatnonzero(counts == 0)
    if (of_row[1:] >= of_row[:-1]).all():
        rank = np.arange(len(of_row))
    else:
        rank = np.empty(len(of_row), np.int64)
        rank[np.argsort(of_row, kind="stable")] = np.arange(len(of_row))
    # Each entry comes behind the empty rows before its own, each empty row behind the entries before it.
    reverse, places = rank + np.cumsum(empty)[of_row], np.cumsum(counts)[added] + np.arange(len(added))
    filled = np.zeros((len(indices) + len(added), indices.shape[1]), np.int64)
    filled[reverse], filled[places, 0] = indices, added
    found = np.empty(len(filled), values.dtype)
    found[reverse], found[places] = values, np.asarray(default_value)[()]
    return filled, found, empty, reverse


@sparse_fill_empty_rows_op.gradient
def _(node, unused_indices_grad, grad, unused_empty_grad, unused_reverse_grad):
    values_grad, default_grad = sparse_fill_empty_rows_grad_op(node.outputs[3], grad)
    return [None, values_grad, None, default_grad]


sparse_fill_empty_rows_op.samples(plain=(np.array([[0, 1], [2, 0]]), [1.0, 2.0], np.array([4, 2]), -1.0))

sparse_fill_empty_rows_grad_op = op("SparseFillEmptyRowsGrad(reverse_index_map: int64, grad_values: T) -> d_values: T, "
                                    "d_default_value: T", T="type")


@sparse_fill_empty_rows_grad_op.shape
def _(reverse_index_map, grad_values):
    with_rank(grad_values, 1)
    return with_rank(reverse_index_map, 1), TensorShape(())


@sparse_fill_empty_rows_grad_op.kernel
def _(reverse_index_map, grad_values):
    if reverse_index_map.ndim != 1 or grad_values.ndim != 1:
        raise InvalidArgumentError(None, None, f"reverse_index_map and grad_values should be vectors, not of shapes "
                                               f"{dims_text(reverse_index_map.shape)} and "
                                               f"{dims_text(grad_values.shape)}")
    check_inside(reverse_index_map[:, None], (len(grad_values),), "reverse_index_map")
    others = np.ones(len(grad_values), bool)
    others[reverse_index_map] = False
    return grad_values[reverse_index_map], grad_values[others].sum(dtype=grad_values.dtype)


sparse_fill_empty_rows_grad_op.samples(plain=(np.array([0, 2]), [1.0, 2.0, 3.0, 4.0]),
                                       refused_rank=(np.array([0]), np.float32(1)))


@public("sparse.fill_empty_rows", "sparse_fill_empty_rows", "compat.v2.sparse.fill_empty_rows")
def sparse_fill_empty_rows(sp_input: Any, default_value: Any, name: str | None = None) -> tuple[SparseTensor, Tensor]:
    """A sparse tensor with a default at the start of each row that had no element.

    Args:
      sp_input: a SparseTensor.
      default_value: the value, a scalar.
      name: name scope.

    Returns:
      A tuple of the filled SparseTensor and a bool vector that tells which rows were empty.
    """
    x = as_sparse(sp_input)
    with name_scope(name, "SparseFillEmptyRows", [x]):
        default_value = convert_to_tensor(default_value, dtype=x.values.dtype)
        indices, values, empty, _ = sparse_fill_empty_rows_op(x.indices, x.values, x.dense_shape, default_value)
        return SparseTensor(indices, values, x.dense_shape), empty
