"""The ops of lists of tensors, in which loops of functions keep their values: elements put in and taken out."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import constant_shape, merge, merge_dim, with_rank, with_rank_at_most
from ossia_core.names import dtypes, errors
from ossia_core.names.errors import dims_text
from ossia_core.names.shapes import TensorShape
from ossia_core.names.sizes import elements, number_in, scalar
from ossia_functions.list_handles import element_of, elements_of, list_in, shape_in, typed_list_in
from ossia_functions.tensor_list import TensorList

_SCALAR = TensorShape([])


empty_tensor_list_op = op("EmptyTensorList(element_shape: shape_type, max_num_elements: int32) -> handle: variant",
                          element_dtype="type", shape_type="{int32, int64}")


@empty_tensor_list_op.shape
def _(element_shape, max_num_elements):
    return _SCALAR


@empty_tensor_list_op.kernel
def _(element_shape, max_num_elements, *, element_dtype):
    return TensorList(element_dtype, shape_in(element_shape), [], scalar(max_num_elements, "max_num_elements"))


empty_tensor_list_op.foldable = False


tensor_list_reserve_op = op(
    "TensorListReserve(element_shape: shape_type, num_elements: int32) -> handle: variant",
    element_dtype="type", shape_type="{int32, int64}",
)


@tensor_list_reserve_op.shape
def _(element_shape, num_elements):
    with_rank_at_most(element_shape, 1)
    return _SCALAR


@tensor_list_reserve_op.kernel
def _(element_shape, num_elements, *, element_dtype):
    count = number_in(num_elements, "num_elements")
    if count < 0:
        raise errors.InvalidArgumentError(None, None, f"The num_elements to reserve must be >= 0, but got {count}")
    elements((count,))
    return TensorList(element_dtype, shape_in(element_shape), [None] * count)


tensor_list_reserve_op.foldable = False


tensor_list_push_back_op = op(
    "TensorListPushBack(input_handle: variant, tensor: element_dtype) -> output_handle: variant", element_dtype="type"
)


@tensor_list_push_back_op.shape
def _(input_handle, tensor, *, element_dtype):
    elements_of(
        input_handle, element_dtype, "Trying to push to list with wrong element dtype. List has type {0} but trying to "
        "push element with type {1}",
    )
    return _SCALAR


@tensor_list_push_back_op.kernel
def _(input_handle, tensor, *, element_dtype):
    found = list_in(input_handle)
    found.check(tensor, element_dtype)
    return found.push(tensor)


@tensor_list_push_back_op.gradient
def _(node, grad):
    return tensor_list_pop_back_op(
        grad, builder("shape")(node.inputs[1]), element_dtype=node.attrs["element_dtype"]
    )


tensor_list_pop_back_op = op(
    "TensorListPopBack(input_handle: variant, element_shape: int32) -> output_handle: variant, tensor: element_dtype",
    element_dtype="type",
)


@tensor_list_pop_back_op.shape
def _(input_handle, element_shape, *, element_dtype):
    listed, shape = elements_of(input_handle, element_dtype), constant_shape(element_shape, scalars=True)
    # The original does not mind a contradiction.
    return _SCALAR, merge(listed, shape) if listed.is_compatible_with(shape) else shape


@tensor_list_pop_back_op.kernel
def _(input_handle, element_shape, *, element_dtype):
    found = typed_list_in(input_handle, element_dtype)
    rest, value = found.pop()
    return rest, found.zeros(shape_in(element_shape)) if value is None else value


@tensor_list_pop_back_op.gradient
def _(node, grad_list, grad):
    if grad_list is None:
        grad_list = empty_tensor_list_op(
            builder("constant")(-1, dtypes.int32), -1, element_dtype=node.attrs["element_dtype"]
        )
    if grad is None:
        grad = builder("zeros_like")(node.outputs[1])
    return tensor_list_push_back_op(grad_list, grad), None


tensor_list_length_op = op("TensorListLength(input_handle: variant) -> length: int32")


@tensor_list_length_op.shape
def _(input_handle):
    return _SCALAR


@tensor_list_length_op.kernel
def _(input_handle):
    return np.int32(list_in(input_handle).count)


tensor_list_element_shape_op = op(
    "TensorListElementShape(input_handle: variant) -> element_shape: shape_type", shape_type="{int32, int64}"
)


@tensor_list_element_shape_op.shape
def _(input_handle):
    shape = elements_of(input_handle)
    return TensorShape([shape.ndims])


@tensor_list_element_shape_op.kernel
def _(input_handle, *, shape_type):
    shape = list_in(input_handle).template
    dims: Any = -1 if shape.ndims is None else [-1 if d is None else d for d in shape.as_list()]
    return np.array(dims, shape_type.as_numpy_dtype)


tensor_list_resize_op = op(
    "TensorListResize(input_handle: variant, size: int32) -> output_handle: variant", stateful=True
)


@tensor_list_resize_op.shape
def _(input_handle, size):
    with_rank(size, 0)
    return _SCALAR


@tensor_list_resize_op.kernel
def _(input_handle, size):
    return list_in(input_handle).resized(number_in(size, "size"))


@tensor_list_resize_op.gradient
def _(node, grad):
    return tensor_list_resize_op(grad, tensor_list_length_op(node.inputs[0])), None


tensor_list_get_item_op = op(
    "TensorListGetItem(input_handle: variant, index: int32, element_shape: int32) -> item: element_dtype",
    element_dtype="type",
)


@tensor_list_get_item_op.shape
def _(input_handle, index, element_shape, *, element_dtype):
    return element_of(
        input_handle, element_shape, element_dtype,
        "Expected list with element dtype {1} but got list with element dtype {0}",
    )


@tensor_list_get_item_op.kernel
def _(input_handle, index, element_shape, *, element_dtype):
    return typed_list_in(input_handle, element_dtype).get(number_in(index, "index"), shape_in(element_shape))


@tensor_list_get_item_op.gradient
def _(node, grad):
    size = tensor_list_length_op(node.inputs[0])
    shape = tensor_list_element_shape_op(node.inputs[0], shape_type=dtypes.int32)
    made = tensor_list_reserve_op(shape, size, element_dtype=node.attrs["element_dtype"])
    return tensor_list_set_item_op(made, node.inputs[1], grad), None, None


tensor_list_set_item_op = op(
    "TensorListSetItem(input_handle: variant, index: int32, item: element_dtype) -> output_handle: variant",
    element_dtype="type",
)


@tensor_list_set_item_op.shape
def _(input_handle, index, item):
    merge(item, elements_of(input_handle))
    return _SCALAR


@tensor_list_set_item_op.kernel
def _(input_handle, index, item, *, element_dtype):
    found = list_in(input_handle)
    found.check(item, element_dtype)
    return found.set(number_in(index, "index"), item)


@tensor_list_set_item_op.gradient
def _(node, grad):
    _, index, item = node.inputs
    rest = tensor_list_set_item_op(grad, index, builder("zeros_like")(item))
    value = tensor_list_get_item_op(grad, index, builder("shape")(item), element_dtype=node.attrs["element_dtype"])
    return rest, None, value


tensor_list_concat_lists_op = op(
    "TensorListConcatLists(input_a: variant, input_b: variant) -> output: variant", element_dtype="type"
)


def _pairwise(a: Any, b: Any, join: Any) -> Any:
    """`join` of two lists, or of those in two arrays of lists."""
    if isinstance(a, TensorList):
        return join(list_in(a), b)
    if np.shape(a) != np.shape(b):
        raise errors.InvalidArgumentError(
            None, None, f"Shapes of the lists differ: {dims_text(np.shape(a))} vs. {dims_text(np.shape(b))}"
        )
    made = np.empty(np.shape(a), object)
    for index in np.ndindex(made.shape):
        made[index] = join(list_in(a[index]), b[index])
    return made


@tensor_list_concat_lists_op.shape
def _(input_a, input_b, *, element_dtype):
    merge(elements_of(input_a, element_dtype), elements_of(input_b, element_dtype))
    return input_a.shape


@tensor_list_concat_lists_op.kernel
def _(input_a, input_b, *, element_dtype):
    def join(a: TensorList, b: TensorList) -> TensorList:
        if a.dtype is not element_dtype or list_in(b).dtype is not element_dtype:
            raise errors.InvalidArgumentError(None, None, "Both lists must have the op's element dtype.")
        return TensorList(element_dtype, a.element_shape(b.template), a.items() + b.items(), a.limit)
    return _pairwise(input_a, input_b, join)


tensor_list_push_back_batch_op = op(
    "TensorListPushBackBatch(input_handles: variant, tensor: element_dtype) -> output_handles: variant",
    element_dtype="type",
)


@tensor_list_push_back_batch_op.shape
def _(input_handles, tensor):
    for size, count in zip(tensor.shape.as_tuple() or (), input_handles.shape.as_tuple() or ()):
        merge_dim(size, count)
    return input_handles.shape


@tensor_list_push_back_batch_op.kernel
def _(input_handles, tensor, *, element_dtype):
    if np.ndim(tensor) < 1 or (not isinstance(input_handles, TensorList) and len(input_handles) != len(tensor)):
        raise errors.InvalidArgumentError(
            None, None, f"Expected tensor.shape[0] to be the number of lists, saw shape {dims_text(np.shape(tensor))}"
        )

    def join(a: TensorList, value: Any) -> TensorList:
        a.check(value, element_dtype)
        return a.push(value)
    if isinstance(input_handles, TensorList):
        raise errors.InvalidArgumentError(None, None, "Expected input_handles to be a vector of lists.")
    made = np.empty(len(tensor), object)
    for i, value in enumerate(tensor):
        made[i] = join(list_in(input_handles[i]), value)
    return made


for _definition in (
    tensor_list_length_op, tensor_list_element_shape_op, tensor_list_concat_lists_op, tensor_list_push_back_batch_op
):
    _definition.not_differentiable()
