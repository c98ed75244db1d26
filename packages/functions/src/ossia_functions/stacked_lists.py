"""The ops that make one tensor of the elements of a list, and lists of the parts of a tensor."""
from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import constant_shape, merge, with_rank, with_rank_at_least
from ossia_core.names import dtypes, errors
from ossia_core.names.errors import dims_text
from ossia_core.names.shapes import UNKNOWN_SHAPE, TensorShape
from ossia_core.names.sizes import elements
from ossia_functions.list_handles import (
    element_of,
    elements_of,
    list_in,
    shape_argument,
    shape_in,
    typed_list_in,
)
from ossia_functions.lists import tensor_list_element_shape_op, tensor_list_length_op, tensor_list_reserve_op
from ossia_functions.tensor_list import TensorList, merged, shown

_SCALAR = TensorShape([])


def _refused(text: str) -> errors.InvalidArgumentError:
    return errors.InvalidArgumentError(None, None, text)


def _stacked(items: list, made: TensorList, shape: TensorShape, nothing: str, unset: str) -> Any:
    """Elements of a list as one tensor, zeros in place of those never set.

    Args:
      items: the elements.
      made: the list.
      shape: what the op knows of their shape.
      nothing: what is wrong if there are no elements of a shape that is not known; the shape follows.
      unset: what is wrong if none of them is set; likewise.
    """
    if made.dtype is dtypes.variant:
        stack = np.empty(len(items), object)
        stack[:] = items
        return stack
    known = made.element_shape(shape, items)
    if not known.is_fully_defined():
        raise _refused(f"{unset if items else nothing}: {shown(known)}")
    if not items:
        return np.zeros([0, *known.as_list()], made.dtype.as_numpy_dtype)
    return np.stack([made.zeros(known) if value is None else value for value in items])


tensor_list_stack_op = op(
    "TensorListStack(input_handle: variant, element_shape: int32) -> tensor: element_dtype",
    element_dtype="type", num_elements="int = -1",
)


@tensor_list_stack_op.shape
def _(input_handle, element_shape, *, num_elements, element_dtype):
    count = TensorShape([None if num_elements < 0 else num_elements])
    return count.concatenate(element_of(input_handle, element_shape, element_dtype))


@tensor_list_stack_op.kernel
def _(input_handle, element_shape, *, element_dtype, num_elements):
    found = typed_list_in(input_handle, element_dtype)
    items = found.items()
    if 0 <= num_elements != len(items):
        raise errors.InvalidArgumentError(
            None, None, f"Operation expected a list with {num_elements} elements but got a list with {len(items)} "
            "elements."
        )
    return _stacked(
        items, found, shape_in(element_shape),
        "Tried to stack elements of an empty list with non-fully-defined element_shape",
        "Tried to stack list which only contains uninitialized tensors and has a non-fully-defined element_shape",
    )


@tensor_list_stack_op.gradient
def _(node, grad):
    shape = grad.shape[1:] if grad.shape.ndims else UNKNOWN_SHAPE
    return tensor_list_from_tensor_op(grad, shape_argument(shape)), None


tensor_list_from_tensor_op = op(
    "TensorListFromTensor(tensor: element_dtype, element_shape: shape_type) -> output_handle: variant",
    element_dtype="type", shape_type="{int32, int64}",
)


@tensor_list_from_tensor_op.shape
def _(tensor, element_shape):
    if tensor.shape.ndims:
        merge(tensor.shape[1:], constant_shape(element_shape, scalars=True))
    return _SCALAR


@tensor_list_from_tensor_op.kernel
def _(tensor, element_shape, *, element_dtype):
    if np.ndim(tensor) < 1:
        raise errors.InvalidArgumentError(None, None, "Tensor must be at least a vector, but saw shape: []")
    shape = shape_in(element_shape)
    if not shape.is_compatible_with(tensor.shape[1:]):
        raise errors.InvalidArgumentError(
            None,
            None,
            f"Specified a list with shape {shown(shape)} from a tensor with shape {dims_text(tensor.shape[1:])}",
        )
    return TensorList(element_dtype, shape, list(tensor))


@tensor_list_from_tensor_op.gradient
def _(node, grad):
    tensor = node.inputs[0]
    dims = tensor.shape.as_tuple()
    count = dims[0] if dims and dims[0] is not None else -1
    element = builder("slice")(builder("shape")(tensor), [1], [-1])
    return tensor_list_stack_op(grad, element, element_dtype=tensor.dtype, num_elements=count), None


tensor_list_gather_op = op(
    "TensorListGather(input_handle: variant, indices: int32, element_shape: int32) -> values: element_dtype",
    element_dtype="type",
)


@tensor_list_gather_op.shape
def _(input_handle, indices, element_shape, *, element_dtype):
    return indices.shape.concatenate(element_of(input_handle, element_shape, element_dtype))


@tensor_list_gather_op.kernel
def _(input_handle, indices, element_shape, *, element_dtype):
    found = typed_list_in(input_handle, element_dtype)
    items, indices = found.items(), np.ravel(indices)
    for index in indices.tolist():
        if not 0 <= index < len(items):
            raise errors.InvalidArgumentError(
                None, None, f"Index {index} out o range; list only has {len(items)} elements."
            )
    return _stacked(
        [items[i] for i in indices.tolist()], found, shape_in(element_shape),
        "Tried to gather 0-elements from a list with non-fully-defined shape",
        "Tried to gather uninitialized tensors from a list with non-fully-defined element_shape",
    )


@tensor_list_gather_op.gradient
def _(node, grad):
    handle, indices, _ = node.inputs
    shape = tensor_list_element_shape_op(handle, shape_type=dtypes.int32)
    size = tensor_list_length_op(handle)
    made = tensor_list_reserve_op(shape, size, element_dtype=node.attrs["element_dtype"])
    return tensor_list_scatter_into_existing_list_op(made, grad, indices), None, None


def _scattered(made: TensorList, tensor: Any, indices: Any, dtype: Any) -> TensorList:
    indices = np.ravel(indices)
    if np.ndim(tensor) < 1 or len(indices) != len(tensor):
        raise errors.InvalidArgumentError(
            None, None, f"Invalid number of rows in input tensor. Expected: {np.size(indices)} Actual: "
            f"{np.shape(tensor)[0] if np.ndim(tensor) else 0}"
        )
    items = made.items()
    for index, value in zip(indices.tolist(), tensor, strict=True):
        if index < 0:
            raise errors.InvalidArgumentError(
                None, None, "Indices in TensorListScatter must all be non-negative."
            )
        if index >= len(items):
            raise errors.InvalidArgumentError(
                None, None, f"TensorListScatter: Trying to scatter at index {index} in list with size {len(items)}"
            )
        made.check(value, dtype)
        items[index] = value
    return TensorList(made.dtype, made.template, items, made.limit)


def _scatter(tensor: Any, indices: Any, shape: TensorShape, dtype: Any, count: int) -> TensorList:
    if count < -1:
        raise errors.InvalidArgumentError(
            None, None, f"TensorListScatter expects num_elements >= -1, found: {count}"
        )
    if count < 0:
        count = int(np.max(indices)) + 1 if np.size(indices) else 0
    elements((max(count, 0),))
    if np.ndim(tensor) and not shape.is_compatible_with(np.shape(tensor)[1:]):
        raise _refused(
            f"Specified a list with shape {shown(shape)} from a tensor with shape {dims_text(np.shape(tensor)[1:])}"
        )
    return _scattered(TensorList(dtype, shape, [None] * max(count, 0)), tensor, indices, dtype)


tensor_list_scatter_op = op(
    "TensorListScatter(tensor: element_dtype, indices: int32, element_shape: shape_type) -> output_handle: variant",
    element_dtype="type", shape_type="{int32, int64}",
)


@tensor_list_scatter_op.shape
def _(tensor, indices, element_shape):
    return _SCALAR


@tensor_list_scatter_op.kernel
def _(tensor, indices, element_shape, *, element_dtype):
    return _scatter(tensor, indices, shape_in(element_shape), element_dtype, -1)


tensor_list_scatter_v2_op = op(
    "TensorListScatterV2(tensor: element_dtype, indices: int32, element_shape: shape_type, num_elements: int32) -> "
    "output_handle: variant",
    element_dtype="type", shape_type="{int32, int64}",
)


@tensor_list_scatter_v2_op.shape
def _(tensor, indices, element_shape, num_elements):
    return _SCALAR


@tensor_list_scatter_v2_op.kernel
def _(tensor, indices, element_shape, num_elements, *, element_dtype):
    return _scatter(tensor, indices, shape_in(element_shape), element_dtype, operator.index(num_elements))


def _rest_of_shape(tensor: Any) -> Any:
    """The sizes of a tensor but for the first."""
    return builder("slice")(builder("shape")(tensor), [1], [-1])


def _scatter_gradient(node: Any, grad: Any) -> Any:
    tensor, indices = node.inputs[0], node.inputs[1]
    made = tensor_list_gather_op(grad, indices, _rest_of_shape(tensor), element_dtype=node.attrs["element_dtype"])
    return [made, *[None] * (len(node.inputs) - 1)]


tensor_list_scatter_op.gradient(_scatter_gradient)
tensor_list_scatter_v2_op.gradient(_scatter_gradient)


tensor_list_scatter_into_existing_list_op = op(
    "TensorListScatterIntoExistingList(input_handle: variant, tensor: element_dtype, indices: int32) -> "
    "output_handle: variant",
    element_dtype="type",
)


@tensor_list_scatter_into_existing_list_op.shape
def _(input_handle, tensor, indices, *, element_dtype):
    elements_of(input_handle, element_dtype)
    with_rank_at_least(tensor, 1)
    with_rank(indices, 1)
    return _SCALAR


@tensor_list_scatter_into_existing_list_op.kernel
def _(input_handle, tensor, indices, *, element_dtype):
    found = list_in(input_handle)
    if np.size(indices):
        count = int(np.max(indices)) + 1
        if count > found.count:
            found = found.resized(count)
    return _scattered(found, tensor, indices, element_dtype)


@tensor_list_scatter_into_existing_list_op.gradient
def _(node, grad):
    _, tensor, indices = node.inputs
    value = tensor_list_gather_op(grad, indices, _rest_of_shape(tensor), element_dtype=node.attrs["element_dtype"])
    rest = tensor_list_scatter_into_existing_list_op(grad, builder("zeros_like")(tensor), indices)
    return rest, value, None


def _concatenated(found: TensorList, shape: TensorShape, leading: list[int]) -> tuple[Any, Any]:
    """The elements one after the other along their first dimension, and their lengths."""
    items = found.items()
    if merged(shape, found.template).ndims == 0:
        raise _refused("Concat requires elements to be at least vectors, found scalars instead.")
    for index, value in enumerate(items):
        if value is not None and not np.ndim(value):
            raise _refused(f"Concat saw a scalar shape at index {index} but requires at least vectors.")
    dims = merged(shape, found.template).as_tuple()
    rest = TensorShape(dims[1:]) if dims else UNKNOWN_SHAPE
    if not items and not rest.is_fully_defined():
        raise _refused(
            "All except the first dimension must be fully defined when concating an empty tensor list. "
            f"element_shape: {shown(merged(shape, found.template))}"
        )
    for value in items:
        if value is not None:
            rest = merged(rest, TensorShape(np.shape(value)[1:]))
    if not rest.is_fully_defined():
        raise _refused(
            "Trying to concat list with only uninitialized tensors but element_shape_except_first_dim_ is not fully "
            f"defined: {shown(rest)}"
        )
    parts = []
    for index, value in enumerate(items):
        if value is None:
            first = dims[0] if dims else None
            if first is None:
                if index >= len(leading):
                    raise _refused(
                        f"List contains uninitialized tensor at index {index} but leading_dims has only {len(leading)} "
                        "elements."
                    )
                first = leading[index]
            value = found.zeros(TensorShape([first]).concatenate(rest))
        parts.append(value)
    lengths = np.array([np.shape(part)[0] for part in parts], np.int64)
    if not parts:
        return np.zeros([0, *rest.as_list()], found.dtype.as_numpy_dtype), lengths
    return np.concatenate(parts), lengths


def _concat_shapes(shape: TensorShape) -> tuple[TensorShape, TensorShape]:
    dims = shape.as_tuple()
    return UNKNOWN_SHAPE if not dims else TensorShape([None, *dims[1:]]), TensorShape([None])


tensor_list_concat_op = op(
    "TensorListConcat(input_handle: variant) -> tensor: element_dtype, lengths: int64",
    element_dtype="type", element_shape="shape = { unknown_rank: true }",
)


@tensor_list_concat_op.shape
def _(input_handle, *, element_shape, element_dtype):
    elements_of(input_handle, element_dtype)
    return _concat_shapes(element_shape)


@tensor_list_concat_op.kernel
def _(input_handle, *, element_dtype, element_shape):
    return _concatenated(typed_list_in(input_handle, element_dtype), element_shape, [])


tensor_list_concat_v2_op = op(
    "TensorListConcatV2(input_handle: variant, element_shape: shape_type, leading_dims: int64) -> "
    "tensor: element_dtype, lengths: int64",
    element_dtype="type", shape_type="{int32, int64}",
)


@tensor_list_concat_v2_op.shape
def _(input_handle, element_shape, leading_dims, *, element_dtype):
    return _concat_shapes(element_of(input_handle, element_shape, element_dtype))


@tensor_list_concat_v2_op.kernel
def _(input_handle, element_shape, leading_dims, *, element_dtype):
    return _concatenated(typed_list_in(input_handle, element_dtype), shape_in(element_shape), leading_dims.tolist())


def _concat_gradient(node: Any, grad: Any, _: Any) -> Any:
    shape = tensor_list_element_shape_op(node.inputs[0], shape_type=dtypes.int32)
    made = tensor_list_split_op(grad, shape, node.outputs[1])
    return [made, *[None] * (len(node.inputs) - 1)]


tensor_list_concat_op.gradient(_concat_gradient)
tensor_list_concat_v2_op.gradient(_concat_gradient)


tensor_list_split_op = op(
    "TensorListSplit(tensor: element_dtype, element_shape: shape_type, lengths: int64) -> output_handle: variant",
    element_dtype="type", shape_type="{int32, int64}",
)


@tensor_list_split_op.shape
def _(tensor, element_shape, lengths):
    whole = with_rank_at_least(tensor, 1)
    with_rank(lengths, 1)
    if whole.ndims is not None:
        merge(TensorShape([None]).concatenate(whole[1:]), constant_shape(element_shape, scalars=True))
    return _SCALAR


@tensor_list_split_op.kernel
def _(tensor, element_shape, lengths, *, element_dtype):
    shape = shape_in(element_shape)
    if np.ndim(tensor) < 1 or np.ndim(lengths) != 1:
        raise errors.InvalidArgumentError(
            None, None, f"Tensor must be at least a vector, but saw shape: {dims_text(np.shape(tensor))}"
        )
    used = 0
    for length in lengths.tolist():
        if length < 0:
            raise _refused(f"Invalid value in lengths: {length}")
        if used + length > len(tensor):
            raise _refused(f"Attempting to slice [{used}, {used + length}] from tensor with length {len(tensor)}")
        used += length
    if used != len(tensor):
        raise errors.InvalidArgumentError(
            None, None, f"Unused values in tensor. Length of tensor: {len(tensor)} Values used: {used}"
        )
    parts = np.split(tensor, np.cumsum(lengths)[:-1]) if lengths.size else []
    return TensorList(element_dtype, shape, list(parts))


@tensor_list_split_op.gradient
def _(node, grad):
    tensor, _, lengths = node.inputs
    shape = builder("concat")([[-1], _rest_of_shape(tensor)], axis=0)
    made, _ = tensor_list_concat_v2_op(grad, shape, lengths, element_dtype=node.attrs["element_dtype"])
    made.set_shape(tensor.shape)
    return made, None, None
