"""`list_ops`: lists of tensors, with the element shapes and defaults that programs give them."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia import raw_ops


def _build_element_shape(shape: Any) -> Any:
    """A shape as ops of lists take it: a list or a tensor of sizes, -1 for unknown ones and for an unknown rank."""
    if isinstance(shape, tf.Tensor):
        return shape
    if isinstance(shape, tf.TensorShape):
        shape = shape.as_list() if shape.ndims is not None else None
    if shape is None:
        return -1
    if not len(shape):
        return tf.constant([], tf.int32)
    return [-1 if size is None else size for size in shape]


def empty_tensor_list(
    element_shape: Any, element_dtype: Any, max_num_elements: int | None = None, name: str | None = None
) -> Any:
    """A list without elements, which holds at most `max_num_elements` of them."""
    return raw_ops.EmptyTensorList(
        element_shape=_build_element_shape(element_shape), element_dtype=element_dtype,
        max_num_elements=-1 if max_num_elements is None else max_num_elements, name=name,
    )


def tensor_list_reserve(element_shape: Any, num_elements: Any, element_dtype: Any, name: str | None = None) -> Any:
    """A list of elements that are not set yet."""
    return raw_ops.TensorListReserve(
        element_shape=_build_element_shape(element_shape), num_elements=num_elements, element_dtype=element_dtype,
        name=name,
    )


def tensor_list_from_tensor(tensor: Any, element_shape: Any, name: str | None = None) -> Any:
    """The rows of a tensor as a list."""
    return raw_ops.TensorListFromTensor(tensor=tensor, element_shape=_build_element_shape(element_shape), name=name)


def tensor_list_get_item(
    input_handle: Any, index: Any, element_dtype: Any, element_shape: Any = None, name: str | None = None
) -> Any:
    """An element."""
    return raw_ops.TensorListGetItem(
        input_handle=input_handle, index=index, element_shape=_build_element_shape(element_shape),
        element_dtype=element_dtype, name=name,
    )


def tensor_list_pop_back(input_handle: Any, element_dtype: Any, name: str | None = None) -> Any:
    """The list without its last element, and that element."""
    return raw_ops.TensorListPopBack(
        input_handle=input_handle, element_shape=-1, element_dtype=element_dtype, name=name
    )


def tensor_list_gather(
    input_handle: Any, indices: Any, element_dtype: Any, element_shape: Any = None, name: str | None = None
) -> Any:
    """Some elements, stacked."""
    return raw_ops.TensorListGather(
        input_handle=input_handle, indices=indices, element_shape=_build_element_shape(element_shape),
        element_dtype=element_dtype, name=name,
    )


def tensor_list_scatter(
    tensor: Any, indices: Any, element_shape: Any = None, input_handle: Any = None, name: str | None = None
) -> Any:
    """A list whose elements at `indices` are the rows of a tensor: a new one, or `input_handle` with these."""
    if input_handle is not None:
        return raw_ops.TensorListScatterIntoExistingList(
            input_handle=input_handle, tensor=tensor, indices=indices, name=name
        )
    return raw_ops.TensorListScatterV2(
        tensor=tensor, indices=indices, element_shape=_build_element_shape(element_shape), num_elements=-1, name=name
    )


def tensor_list_stack(
    input_handle: Any, element_dtype: Any, num_elements: int = -1, element_shape: Any = None, name: str | None = None
) -> Any:
    """All elements, stacked."""
    return raw_ops.TensorListStack(
        input_handle=input_handle, element_shape=_build_element_shape(element_shape), element_dtype=element_dtype,
        num_elements=num_elements, name=name,
    )


def tensor_list_concat(
    input_handle: Any, element_dtype: Any, element_shape: Any = None, name: str | None = None
) -> Any:
    """All elements, one behind the other."""
    return raw_ops.TensorListConcatV2(
        input_handle=input_handle, element_shape=_build_element_shape(element_shape),
        leading_dims=tf.constant([], tf.int64), element_dtype=element_dtype, name=name,
    )[0]


def tensor_list_split(tensor: Any, element_shape: Any, lengths: Any, name: str | None = None) -> Any:
    """A tensor cut into elements of the given lengths."""
    return raw_ops.TensorListSplit(
        tensor=tensor, element_shape=_build_element_shape(element_shape), lengths=lengths, name=name
    )


def tensor_list_set_item(
    input_handle: Any, index: Any, item: Any, resize_if_index_out_of_bounds: bool = False, name: str | None = None
) -> Any:
    """The list with another element, made longer if that is wanted and necessary."""
    if resize_if_index_out_of_bounds:
        size = raw_ops.TensorListLength(input_handle=input_handle)
        before = input_handle
        input_handle = tf.cond(
            tf.less_equal(size, index),
            lambda: raw_ops.TensorListResize(input_handle=before, size=index + 1),
            lambda: before,
        )
    return raw_ops.TensorListSetItem(input_handle=input_handle, index=index, item=item, name=name)
