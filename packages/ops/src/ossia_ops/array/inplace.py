"""Copies, and rows and parts of them overwritten: ops without gradient or public function of their own."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import constant_shape, unchanged, with_rank
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, sizes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import public
from ossia_ops.array.slicing import numpy_index
from ossia_ops.element_types import INDEX

_NOT_COPIED = (
    dtypes.uint32, dtypes.uint64, dtypes.qint8, dtypes.quint8, dtypes.qint16, dtypes.quint16, dtypes.qint32,
)

guarantee_const_op = op("GuaranteeConst(input: T) -> output: T", T="type", stateful=True)


guarantee_const_op.shape(unchanged)


@guarantee_const_op.kernel(alias=True)
def _(input, *, T):
    if T is dtypes.resource:
        raise InvalidArgumentError(None, None, "Input tensor cannot be a resource variable handle.")
    return input


guarantee_const_op.samples(plain=[1., 2.])


@public("guarantee_const")
def guarantee_const(input: Any, name: str | None = None) -> Tensor:
    """`input`, with the promise that its value never changes."""
    return guarantee_const_op(input, name=name)


deep_copy_op = op("DeepCopy(x: T) -> y: T", T="type", stateful=True)


deep_copy_op.shape(unchanged)


@deep_copy_op.kernel_for
def _(node):
    dtype = node.attrs["T"]
    if dtype in _NOT_COPIED:
        raise InvalidArgumentError(None, None, f"Unsupported data type: {dtype.name}")
    return np.array


deep_copy_op.samples(plain=[1., 2.], refused_type=np.array([1, 2], np.uint32))


empty_op = op("Empty(shape: int32) -> output: dtype", dtype="type", init="bool = false", stateful=True)


@empty_op.shape
def _(shape):
    return constant_shape(shape)


@empty_op.kernel
def _(shape, *, dtype):
    if shape.ndim != 1:
        raise InvalidArgumentError(None, None, f"shape must be a vector of int32, got shape {dims_text(shape.shape)}")
    kind = np.dtype(dtype.as_numpy_dtype)
    sizes.allocatable(shape.tolist(), kind.itemsize)
    return np.full(shape.tolist(), b"", object) if kind.hasobject else np.zeros(shape.tolist(), kind)


empty_op.samples(zeros=sample([2, 3], dtype="float32", init=True))


def _rows(x: Any, i: Any, v: Any) -> Any:
    x, index, v = np.array(x), np.ravel(i), np.asarray(v)
    if not x.ndim or v.shape != (len(index), *x.shape[1:]):
        raise InvalidArgumentError(
            None, None,
            f"i and x shape doesn't match v: {dims_text(np.shape(i))}, {dims_text(x.shape)}, {dims_text(v.shape)}"
        )
    # Row numbers out of range wrap around.
    return x, index % max(len(x), 1), v


def _change_rows(function: np.ufunc, x: Any, i: Any, v: Any) -> Any:
    """Adds to or subtracts from rows, one after the other where a row comes more than once."""
    x, index, v = _rows(x, i, v)
    if x.dtype.kind in "bO":
        raise InvalidArgumentError(None, None, f"Unsupported data type: {'bool' if x.dtype.kind == 'b' else 'string'}")
    function.at(x, index, v)
    return x


inplace_update_op = op("InplaceUpdate(x: T, i: int32, v: T) -> y: T", T="type")


inplace_update_op.shape(lambda x, i, v: unchanged(x))


@inplace_update_op.kernel
def _(x, i, v):
    x, index, v = _rows(x, i, v)
    x[index] = v
    return x


inplace_update_op.samples(rows=([[1., 2.], [3., 4.]], [1], [[5., 6.]]))


inplace_add_op = op("InplaceAdd(x: T, i: int32, v: T) -> y: T", T="type")


inplace_add_op.shape(lambda x, i, v: unchanged(x))


@inplace_add_op.kernel
def _(x, i, v):
    return _change_rows(np.add, x, i, v)


inplace_add_op.samples(rows=([[1., 2.], [3., 4.]], [1, 1], [[5., 6.], [1., 1.]]))


inplace_sub_op = op("InplaceSub(x: T, i: int32, v: T) -> y: T", T="type")


inplace_sub_op.shape(lambda x, i, v: unchanged(x))


@inplace_sub_op.kernel
def _(x, i, v):
    return _change_rows(np.subtract, x, i, v)


inplace_sub_op.samples(rows=([[1., 2.], [3., 4.]], [1, 1], [[5., 6.], [1., 1.]]))


tensor_strided_slice_update_op = op("TensorStridedSliceUpdate(input: T, begin: Index, end: Index, strides: Index, "
                                    "value: T) -> output: T", T="type", Index=INDEX, begin_mask="int32 = 0",
                                    end_mask="int32 = 0", ellipsis_mask="int32 = 0", new_axis_mask="int32 = 0",
                                    shrink_axis_mask="int32 = 0")


@tensor_strided_slice_update_op.shape
def _(input, begin, end, strides, value):
    for bound in (begin, end, strides):
        with_rank(bound, 1)
    return unchanged(input)


@tensor_strided_slice_update_op.kernel
def _(input, begin, end, strides, value, *, begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask):
    result = np.array(input)
    index = numpy_index(begin, end, strides, begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    if np.shape(result[index]) != np.shape(value):
        raise InvalidArgumentError(
            None, None,
            f"the value has shape {dims_text(np.shape(value))}, the slice {dims_text(np.shape(result[index]))}"
        )
    result[index] = value
    return result


tensor_strided_slice_update_op.samples(row=([[1., 2.], [3., 4.]], [0], [1], [1], [[5., 6.]]))
