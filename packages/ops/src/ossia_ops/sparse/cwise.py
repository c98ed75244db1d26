"""Elementwise arithmetic of a sparse tensor and a dense one, and the operators `*` and `/` of sparse tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.opdef import OpDef, lookup, op, sample
from ossia_core.declare.shape_rules import vector, with_rank
from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import public_value
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import ones, zeros_like
from ossia_ops.array.shape import expand_dims, shape, size
from ossia_ops.math.cast import cast
from ossia_ops.sparse.rows import beyond

_KINDS = (
    "{float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, uint16, "
    "complex128, half, uint32, uint64}"
)


def _positions(indices: np.ndarray, dims: tuple[int, ...]) -> tuple[np.ndarray, ...]:
    """The indices, one array per dimension, checked."""
    if indices.ndim != 2 or indices.shape[1] != len(dims):
        raise InvalidArgumentError(
            None,
            None,
            f"Input sp_indices should be a matrix of {len(dims)} columns but received shape {dims_text(indices.shape)}",
        )
    if beyond(indices, dims).any():
        raise InvalidArgumentError(None, None,
            "Provided indices are out-of-bounds w.r.t. dense side with broadcasted shape"
        )
    return tuple(indices.T)


def _beside(indices: np.ndarray, values: np.ndarray, sp_shape: np.ndarray, dense: np.ndarray) -> np.ndarray:
    """The dense elements that stand where the sparse ones do; `dense` is broadcast to the sparse shape."""
    if values.ndim != 1 or sp_shape.ndim != 1 or len(values) != len(indices):
        raise InvalidArgumentError(
            None, None, "sp_values and sp_shape should be vectors, with a value for each of the indices"
        )
    dims = tuple(int(d) for d in sp_shape)
    own = (1,) * (len(dims) - dense.ndim) + dense.shape
    if len(own) != len(dims) or any(d != n and (d != 1 or n < 1) for d, n in zip(own, dims)):
        raise InvalidArgumentError(
            None,
            None,
            f"SparseDenseBinaryOpShared broadcasts dense to sparse only; got incompatible shapes: "
            f"{dims_text(dims)} vs. "
            f"{dims_text(dense.shape)}",
        )
    positions = _positions(indices, dims)
    places: Any = None  # in the dense array, row by row
    for position, n in zip(positions, own):
        if n != 1:
            places = position if places is None else places * n + position
    flat = dense.reshape(-1)
    return flat.take(places) if places is not None else np.broadcast_to(flat, len(indices))


def _quotient(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    if x.dtype.kind not in "iu":
        return x / y
    if not y.all():
        raise InvalidArgumentError(None, None, "Integer division by zero")
    return (
        np.trunc(x / y).astype(x.dtype)
        if x.dtype.itemsize < 8
        else (abs(x) // abs(y) * np.sign(x) * np.sign(y)).astype(x.dtype)
    )


def _cwise(name: str, function: Callable) -> OpDef:
    definition = op(f"{name}(sp_indices: int64, sp_values: T, sp_shape: int64, dense: T) -> output: T", T=_KINDS)

    @definition.shape
    def _(sp_indices, sp_values, sp_shape, dense):
        dims = with_rank(sp_indices, 2).as_tuple()
        return vector(dims[0])

    @definition.kernel
    def _(sp_indices, sp_values, sp_shape, dense):
        if not 1 <= len(sp_shape) <= 5:
            raise InvalidArgumentError(
                None,
                None,
                f"Only tensors with ranks between 1 and 5 are currently supported.  Tensor rank: {len(sp_shape)}",
            )
        return function(sp_values, _beside(sp_indices, sp_values, sp_shape, dense)).astype(sp_values.dtype, copy=False)

    definition.samples(
        row=([[0, 1], [1, 0]], [1.0, 2.0], [2, 2], [3.0, 4.0]),
        refused_scalar=(np.zeros((1, 0), np.int64), [1.0], np.zeros(0, np.int64), 2.0),
        scalar=([[0, 1]], [6.0], [2, 2], 2.0),
        empty=(np.zeros((0, 2), np.int64), np.zeros(0, np.float32), [2, 2], [[1.0], [2.0]]),
    )
    return definition


sparse_dense_cwise_mul_op = _cwise("SparseDenseCwiseMul", np.multiply)
sparse_dense_cwise_div_op = _cwise("SparseDenseCwiseDiv", _quotient)
sparse_dense_cwise_add_op = _cwise("SparseDenseCwiseAdd", np.add)


def _gradient(node: Any, grad: Tensor, is_product: bool) -> list:
    from ossia_ops.array.part import slice_

    indices, values, sp_shape, y = node.inputs
    y_shape = cast(shape(y), dtypes.int64)
    added = expand_dims(size(sp_shape) - size(y_shape), 0)
    scaling = sp_shape // concat([ones(added, dtypes.int64), y_shape], 0)
    at = slice_(indices // scaling, concat([[0], added], 0), [-1, -1])
    beside = lookup("GatherNd")(y, at)
    if is_product:
        of_values, of_dense = grad * beside, grad * values
    else:
        of_values = grad / beside
        of_dense = grad * (-values / lookup("Square")(beside))
    return [None, of_values, None, sparse_tensor_dense_add_op(at, of_dense, y_shape, zeros_like(y))]


sparse_dense_cwise_mul_op.gradient(lambda node, grad: _gradient(node, grad, True))
sparse_dense_cwise_div_op.gradient(lambda node, grad: _gradient(node, grad, False))


@sparse_dense_cwise_add_op.gradient
def _(node, grad):
    raise NotImplementedError("Gradient for SparseDenseCwiseAdd is currently not implemented yet.")


sparse_tensor_dense_add_op = op(
    "SparseTensorDenseAdd(a_indices: Tindices, a_values: T, a_shape: Tindices, b: T) -> output: T",
    T=_KINDS,
    Tindices="{int32, int64}",
)


@sparse_tensor_dense_add_op.shape
def _(a_indices, a_values, a_shape, b):
    return b.shape


@sparse_tensor_dense_add_op.kernel
def _(a_indices, a_values, a_shape, b):
    if not b.ndim:
        raise InvalidArgumentError(None, None, "Only tensors with at least 1 dimension are supported. Tensor rank: 0")
    if len(a_shape) != b.ndim:
        raise InvalidArgumentError(
            None, None, f"Two operands have different ranks; received: {len(a_shape)} and {b.ndim}"
        )
    wrong = np.flatnonzero(a_shape != b.shape)
    if wrong.size:
        at = int(wrong[0])
        raise InvalidArgumentError(
            None, None, f"Dimension {at} does not equal (no broadcasting is supported): sparse side {a_shape[at]} vs "
            f"dense side {b.shape[at]}"
        )
    if len(a_values) != len(a_indices):
        raise InvalidArgumentError(None, None, f"Dimensions {len(a_indices)} and {len(a_values)} are not compatible")
    positions = a_indices if a_indices.shape[1:] == (b.ndim,) else _positions(a_indices, b.shape)
    outside = beyond(positions, b.shape)
    if outside.any():
        row = a_indices[int(np.argmax(outside))]
        axis = next(i for i, n in enumerate(b.shape) if not 0 <= row[i] < n)
        raise InvalidArgumentError(
            None, None, f"Sparse tensor has some invalid index on dimension {axis}; dense tensor shape: "
            f"{dims_text(b.shape)}"
        )
    result = b.copy()
    if a_values.size:
        # In one dimension `at` has a fast loop.
        np.add.at(result.reshape(-1), np.ravel_multi_index(tuple(positions.T), b.shape), a_values)
    return result


@sparse_tensor_dense_add_op.gradient
def _(node, grad):
    return [None, lookup("GatherNd")(grad, node.inputs[0]), None, grad]


sparse_tensor_dense_add_op.samples(plain=sample([[0, 1], [0, 1]], [1.0, 2.0], [2, 2], [[1.0, 1.0], [1.0, 1.0]]))


def _operator(definition: OpDef, name: str) -> Callable:
    def operator(x: SparseTensor, y: Any) -> SparseTensor:
        with name_scope(None, name, [x.indices, x.values, x.dense_shape, y]) as scope:
            y = convert_to_tensor(y, x.dtype.base_dtype, "y")
            values = x.values
            if name == "truediv" and x.dtype.is_integer:
                kind = dtypes.float32 if x.dtype.size <= 2 else dtypes.float64
                values, y = cast(values, kind), cast(y, kind)
            return SparseTensor(x.indices, definition(x.indices, values, x.dense_shape, y, name=scope), x.dense_shape)

    return operator


SPARSE_OPERATORS: dict[str, Callable] = {
    "__mul__": _operator(sparse_dense_cwise_mul_op, "mul"),
    "__div__": _operator(sparse_dense_cwise_div_op, "div"),
    "__truediv__": _operator(sparse_dense_cwise_div_op, "truediv"),
}
public_value("_sparse_operators", name="SPARSE_OPERATORS")
