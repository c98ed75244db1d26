"""Sums of two sparse tensors, or of a sparse and a dense one."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import broadcast, vector, with_rank
from ossia_core.graph.composites import SparseTensor, SparseTensorValue
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import TensorShape
from ossia_core.names.tensor_text import summary
from ossia_core.plugins.api_table import public
from ossia_ops.array.shape import one_of
from ossia_ops.element_types import NUMBERS, REALS
from ossia_ops.sparse.cwise import sparse_tensor_dense_add_op
from ossia_ops.sparse.dense import as_sparse
from ossia_ops.sparse.rows import are_same, check_parts, merged, numbered

sparse_add_op = op(
    "SparseAdd(a_indices: int64, a_values: T, a_shape: int64, b_indices: int64, b_values: T, b_shape: int64, "
    "thresh: Treal) -> sum_indices: int64, sum_values: T, sum_shape: int64",
    T=NUMBERS,
    Treal=REALS,
)


@sparse_add_op.shape
def _(a_indices, a_values, a_shape, b_indices, b_values, b_shape, thresh):
    dims = with_rank(a_shape, 1)
    return TensorShape((None, dims.as_tuple()[0])), vector(None), dims


@sparse_add_op.kernel(alias=True)
def _(a_indices, a_values, a_shape, b_indices, b_values, b_shape, thresh):
    of_a, of_b = merged_operands(a_indices, a_values, a_shape, b_indices, b_values, b_shape)
    if np.ndim(thresh):
        raise InvalidArgumentError(
            None, None, f"The threshold must be a scalar, not of shape {dims_text(np.shape(thresh))}"
        )
    if of_a is of_b:
        indices, both, values = a_indices, of_a, a_values + b_values
        added = values
    else:
        first = np.where(of_a < 0, of_b + len(a_values), of_a)
        indices = np.concatenate([a_indices, b_indices]).take(first, axis=0)
        values = np.concatenate([a_values, b_values])[first]
        both = np.flatnonzero((of_a >= 0) & (of_b >= 0))
        added = values[both] + b_values[of_b[both]]
        values[both] = added
    # Only what was added may vanish; an element that stands alone stays, however small.
    size = np.abs(added.astype(np.int64) if values.dtype.kind == "i" else added)
    kept = np.asarray(thresh) <= size
    if not kept.all():
        left = np.ones(len(values), bool)
        left[both[~kept]] = False
        return indices[left], values[left], a_shape
    return indices, values, a_shape


def merged_operands(
    a_indices: Any, a_values: Any, a_shape: Any, b_indices: Any, b_values: Any, b_shape: Any
) -> tuple[np.ndarray, np.ndarray]:
    """For each element of either of two sparse tensors its place in the first and in the second, -1 if it has none; one
    array of both where they have the same indices.

    Raises:
      InvalidArgumentError: the parts do not fit, or the tensors are of different shapes.
    """
    check_parts(a_indices, a_values, a_shape)
    check_parts(b_indices, b_values, b_shape)
    if len(a_shape) != len(b_shape):
        raise InvalidArgumentError(
            None, None, f"Operands do not have the same ranks; got shapes: {summary(a_shape, 10)} and "
            f"{summary(b_shape, 10)}"
        )
    wrong = np.flatnonzero(a_shape != b_shape)
    if wrong.size:
        at = int(wrong[0])
        raise InvalidArgumentError(
            None, None, f"Operands' shapes do not match: got {a_shape[at]} and {b_shape[at]} for dimension {at}"
        )
    if are_same(a_indices, b_indices):
        places = np.arange(len(a_indices))
        return places, places
    return merged(*numbered(a_indices, b_indices))


@sparse_add_op.gradient
def _(node, unused_indices_grad, values_grad, unused_shape_grad):
    a_grad, b_grad = sparse_add_grad_op(values_grad, node.inputs[0], node.inputs[3], node.outputs[0])
    a_grad.set_shape(node.inputs[1].shape)
    b_grad.set_shape(node.inputs[4].shape)
    return None, a_grad, None, None, b_grad, None, None


_A = ([[0, 1], [1, 0]], np.array([1.0, 2.0], np.float32), [2, 2])
_B = ([[0, 0], [1, 0]], np.array([4.0, -2.0], np.float32), [2, 2])
_UNORDERED = ([[1, 0], [0, 1], [0, 1]], np.array([1.0, 2.0, -2.0], np.float32), [2, 2])
_NONE = (np.zeros((0, 2), np.int64), np.zeros(0, np.float32), [2, 2])
sparse_add_op.samples(
    plain=(*_A, *_B, np.float32(-1)), threshold=(*_A, *_B, np.float32(0.5)), empty=(*_A, *_NONE, np.float32(0)),
    same=(*_A, *_A, np.float32(3)), unordered=(*_UNORDERED, *_UNORDERED, np.float32(3)),
)

sparse_add_grad_op = op(
    "SparseAddGrad(backprop_val_grad: T, a_indices: int64, b_indices: int64, sum_indices: int64) -> a_val_grad: T, "
    "b_val_grad: T",
    T=NUMBERS,
)


@sparse_add_grad_op.shape
def _(backprop_val_grad, a_indices, b_indices, sum_indices):
    return vector(with_rank(a_indices, 2).as_tuple()[0]), vector(with_rank(b_indices, 2).as_tuple()[0])


@sparse_add_grad_op.kernel(alias=True)
def _(backprop_val_grad, a_indices, b_indices, sum_indices):
    matrices = (a_indices, b_indices, sum_indices)
    if any(matrix.ndim != 2 for matrix in matrices) or backprop_val_grad.ndim != 1:
        shapes = [list(x.shape) for x in (*matrices, backprop_val_grad)]
        raise InvalidArgumentError(None, None, f"Indices should be matrices and the gradient a vector, not {shapes}")
    if len({matrix.shape[1] for matrix in matrices}) > 1:
        ranks = [matrix.shape[1] for matrix in matrices]
        raise InvalidArgumentError(None, None, f"Both operands and the sum should be of one rank, not {ranks}")
    if len(backprop_val_grad) != len(sum_indices):
        raise InvalidArgumentError(
            None, None, f"{len(backprop_val_grad)} gradients are given for a sum of {len(sum_indices)} elements"
        )
    if are_same(a_indices, sum_indices) and are_same(b_indices, sum_indices):
        return backprop_val_grad, backprop_val_grad
    a, b, total = numbered(*matrices)
    return _gathered(backprop_val_grad, a, total), _gathered(backprop_val_grad, b, total)


def _gathered(grad: np.ndarray, rows: np.ndarray, total: np.ndarray) -> np.ndarray:
    """The gradient of each element that is in the sum, 0 for one that was dropped from it."""
    result = np.zeros(len(rows), grad.dtype)
    own, place = merged(rows, total)
    found = (own >= 0) & (place >= 0)
    result[own[found]] = grad[place[found]]
    return result


sparse_add_grad_op.not_differentiable()
sparse_add_grad_op.samples(
    plain=(np.array([1.0, 2.0], "f4"), [[0, 0], [0, 2]], [[0, 1], [0, 2]], [[0, 1], [0, 2]]),
    empty=(np.zeros(0, np.float32), *[np.zeros((0, 1), np.int64)] * 3),
    same=(np.array([1.0, 2.0], "f4"), *[[[0, 0], [0, 2]]] * 3),
)


@public("sparse.add", "sparse_add")
def sparse_add(a: Any, b: Any, threshold: Any = None, thresh: Any = None) -> SparseTensor | Tensor:
    """The sum of two tensors, at least one of them sparse, of the same shape.

    Args:
      a, b: tensors; sparse ones with their indices in row-major order.
      threshold: for two sparse tensors, sums of smaller magnitude are left out; 0, by default, leaves out none.
      thresh: old name of `threshold`.

    Returns:
      A SparseTensor if both are sparse, else a tensor.

    Raises:
      TypeError: both are dense.
      ValueError: the shapes are known and differ, or both `threshold` and `thresh` are given.
    """
    threshold = one_of("threshold", threshold, "thresh", thresh)
    return sparse_add_v2(a, b, 0 if threshold is None else threshold)


@public("compat.v2.sparse.add")
def sparse_add_v2(a: Any, b: Any, threshold: Any = 0) -> SparseTensor | Tensor:
    """The sum of two tensors, as `tf.sparse.add`."""
    kinds = (SparseTensor, SparseTensorValue)
    if not isinstance(a, kinds) and not isinstance(b, kinds):
        raise TypeError("At least one input should be SparseTensor; do you mean to use tf.add()?")
    if isinstance(a, kinds) and isinstance(b, kinds):
        a, b = as_sparse(a), as_sparse(b)
        threshold = convert_to_tensor(threshold, dtype=a.dtype.real_dtype.base_dtype, name="threshold")
        indices, values, shape = sparse_add_op(
            a.indices, a.values, a.dense_shape, b.indices, b.values, b.dense_shape, threshold
        )
        a.shape.assert_is_compatible_with(b.shape)
        known = broadcast(a.shape, b.shape)
        return SparseTensor(indices, values, known.as_list() if known.is_fully_defined() else shape)
    if isinstance(b, kinds):
        a, b = b, a
    return sparse_tensor_dense_add_op(a.indices, a.values, a.dense_shape, b)
