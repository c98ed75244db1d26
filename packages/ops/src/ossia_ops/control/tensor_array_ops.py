"""The ops of TensorArray: arrays of tensors, written and read one element at a time, that live for one run."""
from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from ossia_core.declare.language import FRAMES
from ossia_core.declare.opdef import OpDef, op
from ossia_core.declare.shape_rules import merge, merge_dim, with_rank, with_rank_at_least
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, errors
from ossia_core.names.dtypes import DType, engine_name
from ossia_core.names.errors import dims_text
from ossia_core.names.shapes import UNKNOWN_SHAPE, TensorShape
from ossia_core.names.sizes import elements, scalar

_numbers = itertools.count()  # arrays have names of their own in messages


class ArrayState:
    """The elements of one TensorArray in one run, and the gradient arrays made for it."""

    __slots__ = (
        "cleared",
        "clear_after_read",
        "closed",
        "dtype",
        "dynamic",
        "gradients",
        "identical",
        "is_gradient",
        "items",
        "name",
        "shape",
        "shapes",
    )

    def __init__(
        self, name: str, dtype: DType, size: int, shape: TensorShape, dynamic: bool, clear_after_read: bool,
        identical: bool,
    ) -> None:
        if size < 0:
            raise errors.InvalidArgumentError(None, None, f"Size should be >= 0, but got: {size}")
        elements((size,))
        self.name = f"{name}_{next(_numbers)}"
        self.dtype, self.shape, self.dynamic = dtype, shape, dynamic
        self.clear_after_read, self.identical = clear_after_read, identical
        self.items: list[Any] = [None] * size
        self.shapes: list[Any] = [None] * size
        self.cleared: set[int] = set()
        self.gradients: dict[bytes, ArrayState] = {}
        self.is_gradient = self.closed = False

    def gradient(self, source: bytes) -> ArrayState:
        """The array that gathers gradients of this one for one call of `gradients`."""
        found = self.gradients.get(source)
        if found is None:
            found = self.gradients[source] = ArrayState(
                self.name + "@" + source.decode(),
                self.dtype,
                len(self.items),
                self.shape,
                False,
                self.clear_after_read,
                self.identical,
            )
            found.shapes = list(self.shapes)
            found.is_gradient = True
        return found

    def _dims(self) -> str:
        """The shape of elements as errors give it."""
        dims = self.shape.as_tuple()
        return "<unknown>" if dims is None else "[" + ",".join("?" if d is None else str(d) for d in dims) + "]"

    def _fail(self, text: str) -> errors.InvalidArgumentError:
        return errors.InvalidArgumentError(None, None, f"TensorArray {self.name}: {text}")

    def check_open(self) -> None:
        """InvalidArgumentError if the array has been closed."""
        if self.closed:
            raise errors.InvalidArgumentError(None, None, f"TensorArray {self.name} has already been closed.")

    def write(self, index: int, value: np.ndarray) -> None:
        """Set an element, or add to it in a gradient array."""
        self.check_open()
        if index < 0 or index >= len(self.items):
            if not self.dynamic or index < 0:
                raise self._fail(
                    f"Tried to write to index {index} but array is not resizeable and size is: {len(self.items)}"
                )
            elements((index + 1,))
            grown = index + 1 - len(self.items)
            self.items.extend([None] * grown)
            self.shapes.extend([None] * grown)
        shape = np.shape(value)
        if not self.shape.is_compatible_with(shape):
            raise self._fail(
                f"Could not write to TensorArray index {index} because the value shape is {dims_text(shape)} which is "
                f"incompatible with the TensorArray's inferred element shape: {self._dims()} (consider setting "
                "infer_shape=False)."
            )
        if self.identical and not self.shape.is_fully_defined():
            self.shape = TensorShape(shape)
        if index in self.cleared:
            raise self._fail(f"Could not write to TensorArray index {index} because it has already been read.")
        if self.items[index] is not None:
            if not self.is_gradient:
                raise self._fail(
                    f"Could not write to TensorArray index {index} because it has already been written to."
                )
            if np.shape(self.items[index]) != shape:
                raise self._fail(f"Could not aggregate to TensorArray index {index} because the existing shape is "
                                 f"{dims_text(np.shape(self.items[index]))} but the new input shape is "
                                 f"{dims_text(shape)}.")
            value = self.items[index] + value
        self.items[index] = value
        self.shapes[index] = shape

    def read(self, index: int) -> np.ndarray:
        """An element; zeros for one never written, if its shape is known."""
        self.check_open()
        if not 0 <= index < len(self.items):
            raise errors.InvalidArgumentError(
                None, None, f"Tried to read from index {index} but array size is: {len(self.items)}"
            )
        if index in self.cleared:
            raise self._fail(
                f"Could not read index {index} twice because it was cleared after a previous read (perhaps try setting "
                "clear_after_read = false?)."
            )
        value = self.items[index]
        if value is None:
            shape = self.shapes[index]
            if shape is None:
                if not self.shape.is_fully_defined():
                    raise self._fail(
                        f"Could not read from TensorArray index {index}.  Furthermore, the element shape is not fully "
                        f"defined: {self._dims()}.  It is possible you are working with a resizeable TensorArray and "
                        "stop_gradients is not allowing the gradients to be written.  If you set the full "
                        "element_shape property on the forward TensorArray, the proper all-zeros tensor will be "
                        "returned instead of incurring this error."
                    )
                shape = tuple(self.shape.as_list())
            if self.dtype is dtypes.string:
                raise errors.InvalidArgumentError(None, None, "tensor_array::TensorSetZero type not supported: string")
            value = np.zeros(shape, self.dtype.as_numpy_dtype)
        if self.clear_after_read:
            self.items[index] = None
            self.cleared.add(index)
        return value



def _leads_to_same(definition: OpDef) -> bool:
    """Whether nodes pass a handle on, or make that of an array of gradients, which is of the same kind."""
    passes_on = definition.role in FRAMES or (definition.role is None and definition.forwards_input)
    return passes_on or definition is tensor_array_grad_v3_op


def _element_shape(handle: Tensor, otherwise: TensorShape = UNKNOWN_SHAPE) -> TensorShape:
    """The shape that all elements of the array behind a handle have; `otherwise` if its maker lets them differ."""
    node = handle.op
    prepended = TensorShape([])
    while True:
        definition = node.definition
        if definition.changed and "shape_to_prepend" in definition.input_names:
            count = node._inputs[2].shape.num_elements()
            if count is None:
                return UNKNOWN_SHAPE
            prepended = TensorShape([None] * count).concatenate(prepended)
        elif not _leads_to_same(definition):
            break
        node = node._inputs[0].op
    if node.definition is not tensor_array_v3_op:
        return otherwise
    shape = node.attrs["element_shape"]
    alike = node.attrs["identical_element_shapes"] or shape.is_fully_defined()
    return prepended.concatenate(shape) if alike else otherwise


def _check_dtype(array: ArrayState, dtype: Any) -> None:
    if array.dtype is not dtype:
        raise errors.InvalidArgumentError(
            None,
            None,
            f"TensorArray dtype is {engine_name(array.dtype)} but Op is trying to write dtype {engine_name(dtype)}.",
        )


def _check_requested(array: ArrayState, dtype: Any) -> None:
    if array.dtype is not dtype:
        raise errors.InvalidArgumentError(
            None, None, f"TensorArray dtype is {engine_name(array.dtype)} but Op requested dtype {engine_name(dtype)}."
        )


tensor_array_v3_op = op("TensorArrayV3(size: int32) -> handle: resource, flow: float", stateful=True, dtype="type",
                        element_shape="shape = <unknown>", dynamic_size="bool = false", clear_after_read="bool = true",
                        identical_element_shapes="bool = false", tensor_array_name="string = ''")
tensor_array_v3_op.makes()
_FLOW = np.float32(0)


@tensor_array_v3_op.shape
def _(size):
    with_rank(size, 0)
    return TensorShape([2]), TensorShape([])


@tensor_array_v3_op.kernel
def _(size, *, node):
    a = node.attrs
    name = a["tensor_array_name"].decode() or node.name
    if np.ndim(size):
        raise errors.InvalidArgumentError(
            None, None, f"TensorArray size must be scalar, but had shape: {errors.dims_text(np.shape(size))}"
        )
    return ArrayState(name, a["dtype"], int(size), a["element_shape"], a["dynamic_size"], a["clear_after_read"],
                      a["identical_element_shapes"]), _FLOW


tensor_array_grad_v3_op = op(
    "TensorArrayGradV3(handle: resource, flow_in: float) -> grad_handle: resource, flow_out: float",
    stateful=True,
    source="string",
)
tensor_array_grad_v3_op.changes("handle")


@tensor_array_grad_v3_op.shape
def _(handle, flow_in):
    return TensorShape([2]), TensorShape([])


@tensor_array_grad_v3_op.kernel(alias=True)
def _(handle, flow_in, *, source):
    return handle.gradient(source), flow_in


tensor_array_write_v3_op = op(
    "TensorArrayWriteV3(handle: resource, index: int32, value: T, flow_in: float) -> flow_out: float",
    stateful=True,
    T="type",
)
tensor_array_write_v3_op.changes("handle")


@tensor_array_write_v3_op.shape
def _(handle, index, value, flow_in):
    with_rank(index, 0)
    merge(_element_shape(handle), value)
    return TensorShape([])


@tensor_array_write_v3_op.kernel(alias=True)
def _(handle, index, value, flow_in, *, T):
    _check_dtype(handle, T)
    handle.write(scalar(index, "index"), value)
    return flow_in


tensor_array_read_v3_op = op(
    "TensorArrayReadV3(handle: resource, index: int32, flow_in: float) -> value: dtype", stateful=True, dtype="type"
)
tensor_array_read_v3_op.changes("handle")  # what has been read may be cleared


@tensor_array_read_v3_op.shape
def _(handle, index, flow_in):
    with_rank(index, 0)
    return _element_shape(handle)


@tensor_array_read_v3_op.kernel(alias=True)
def _(handle, index, flow_in, *, dtype):
    _check_requested(handle, dtype)
    return handle.read(scalar(index, "index"))


tensor_array_gather_v3_op = op(
    "TensorArrayGatherV3(handle: resource, indices: int32, flow_in: float) -> value: dtype",
    stateful=True,
    dtype="type",
    element_shape="shape = <unknown>",
)
tensor_array_gather_v3_op.changes("handle")  # what has been read may be cleared


@tensor_array_gather_v3_op.shape
def _(handle, indices, flow_in, *, element_shape):
    shape = _element_shape(handle, element_shape)
    count = with_rank(indices, 1)
    return count.concatenate(shape) if shape.ndims is not None else UNKNOWN_SHAPE


@tensor_array_gather_v3_op.kernel
def _(handle, indices, flow_in, *, dtype, element_shape):
    _check_requested(handle, dtype)
    if indices.ndim != 1:
        raise errors.InvalidArgumentError(
            None, None, f"Expected indices to be a vector, but received shape: {dims_text(indices.shape)}"
        )
    values = [handle.read(i) for i in indices.tolist()]
    if not values:
        if not element_shape.is_fully_defined():
            raise errors.UnimplementedError(
                None,
                None,
                f"TensorArray has size zero, but element shape {element_shape} is not fully defined. Currently "
                "only static shapes are supported when packing zero-size TensorArrays.",
            )
        return np.zeros((0, *element_shape.as_list()), handle.dtype.as_numpy_dtype)
    first = np.shape(values[0])
    if not element_shape.is_compatible_with(first):
        raise errors.InvalidArgumentError(
            None,
            None,
            f"TensorArray was passed element_shape {element_shape} which does not match the Tensor at index 0: "
            f"{dims_text(first)}",
        )
    for i, value in enumerate(values):
        if np.shape(value) != first:
            raise errors.InvalidArgumentError(
                None,
                None,
                f"TensorArray has inconsistent shapes.  Index 0 has shape: {dims_text(first)} but index {i} "
                f"has shape: {dims_text(np.shape(value))}",
            )
    return np.stack(values)


tensor_array_scatter_v3_op = op(
    "TensorArrayScatterV3(handle: resource, indices: int32, value: T, flow_in: float) -> flow_out: float",
    stateful=True,
    T="type",
)
tensor_array_scatter_v3_op.changes("handle")


@tensor_array_scatter_v3_op.shape
def _(handle, indices, value, flow_in):
    count, rows = with_rank(indices, 1), with_rank_at_least(value, 1)
    if rows.ndims is not None:
        merge_dim(rows[0].value, count[0].value)
        merge(_element_shape(handle), value.shape[1:])
    return TensorShape([])


@tensor_array_scatter_v3_op.kernel(alias=True)
def _(handle, indices, value, flow_in, *, T):
    _check_dtype(handle, T)
    if value.ndim < 1:
        raise errors.InvalidArgumentError(
            None, None, "Input value for unpack must be at least a vector, but received shape: []"
        )
    if indices.shape != value.shape[:1]:
        raise errors.InvalidArgumentError(
            None, None, f"Expected len(indices) == values.shape[0], but saw: {indices.size} vs. {value.shape[0]}"
        )
    last, size = max(indices.tolist(), default=-1), len(handle.items)
    if last >= size and not handle.dynamic:
        raise errors.InvalidArgumentError(
            None, None, f"Max scatter index must be < array size ({last} vs. {size})"
        )
    for i, index in enumerate(indices.tolist()):
        handle.write(index, value[i, ...])
    return flow_in


tensor_array_concat_v3_op = op(
    "TensorArrayConcatV3(handle: resource, flow_in: float) -> value: dtype, lengths: int64",
    stateful=True,
    dtype="type",
    element_shape_except0="shape = <unknown>",
)
tensor_array_concat_v3_op.changes("handle")


@tensor_array_concat_v3_op.shape
def _(handle, flow_in):
    return UNKNOWN_SHAPE, TensorShape([None])


@tensor_array_concat_v3_op.kernel
def _(handle, flow_in, *, dtype, element_shape_except0):
    _check_requested(handle, dtype)
    values = [handle.read(i) for i in range(len(handle.items))]
    if not values:
        if not element_shape_except0.is_fully_defined():
            raise errors.UnimplementedError(None, None, "TensorArray has size zero, but element_shape_except0 "
                                                        f"{element_shape_except0} is not fully defined.")
        return np.zeros((0, *element_shape_except0.as_list()), handle.dtype.as_numpy_dtype), np.zeros(0, np.int64)
    for i, value in enumerate(values):
        if np.ndim(value) < 1:
            raise errors.InvalidArgumentError(
                None,
                None,
                f"Concat saw a scalar shape at index {i} but requires at least vectors.  Did you mean "
                "to call pack?",
            )
        if value.shape[1:] != values[0].shape[1:]:
            raise errors.InvalidArgumentError(
                None,
                None,
                "TensorArray has inconsistent shapes.  Index 0 has (excepting dimension 0) shape: "
                f"{dims_text(values[0].shape[1:])} but index {i} has (excepting dimension 0) shape: "
                f"{dims_text(value.shape[1:])}",
            )
    return np.concatenate(values), np.array([len(v) for v in values], np.int64)


tensor_array_split_v3_op = op(
    "TensorArraySplitV3(handle: resource, value: T, lengths: int64, flow_in: float) -> flow_out: float",
    stateful=True,
    T="type",
)
tensor_array_split_v3_op.changes("handle")


@tensor_array_split_v3_op.shape
def _(handle, value, lengths, flow_in):
    with_rank(lengths, 1)
    return TensorShape([])


@tensor_array_split_v3_op.kernel(alias=True)
def _(handle, value, lengths, flow_in, *, T):
    _check_dtype(handle, T)
    if lengths.ndim != 1:
        raise errors.InvalidArgumentError(
            None, None, f"Expected lengths to be a vector, received shape: {dims_text(lengths.shape)}"
        )
    if value.ndim < 1:
        raise errors.InvalidArgumentError(
            None, None, f"Expected value to be at least a vector, but received shape: {dims_text(value.shape)}"
        )
    sizes = lengths.tolist()
    if any(n < 0 for n in sizes) or sum(sizes) != len(value):
        raise errors.InvalidArgumentError(
            None,
            None,
            f"Expected sum of lengths to be equal to values.shape[0], but sum of lengths is "
            f"{sum(sizes)} and value's shape is: {dims_text(value.shape)}",
        )
    if not handle.dynamic and len(handle.items) != len(sizes):
        raise errors.InvalidArgumentError(
            None,
            None,
            f"TensorArray's size is not equal to the size of lengths ({len(handle.items)} vs. "
            f"{len(sizes)}), and the TensorArray is not marked as dynamically resizeable",
        )
    start = 0
    for i, n in enumerate(sizes):
        handle.write(i, value[start:start + n])
        start += n
    return flow_in


tensor_array_size_v3_op = op("TensorArraySizeV3(handle: resource, flow_in: float) -> size: int32", stateful=True)
tensor_array_size_v3_op.reads("handle")


@tensor_array_size_v3_op.shape
def _(handle, flow_in):
    return TensorShape([])


@tensor_array_size_v3_op.kernel
def _(handle, flow_in):
    return np.int32(len(handle.items))


tensor_array_close_v3_op = op("TensorArrayCloseV3(handle: resource)", stateful=True)
tensor_array_close_v3_op.changes("handle")


@tensor_array_close_v3_op.kernel
def _(handle):
    handle.items.clear()
    handle.gradients.clear()
    handle.closed = True


for _definition in (tensor_array_v3_op, tensor_array_grad_v3_op, tensor_array_size_v3_op, tensor_array_close_v3_op):
    _definition.not_differentiable()
for _definition in (
    tensor_array_read_v3_op,
    tensor_array_write_v3_op,
    tensor_array_gather_v3_op,
    tensor_array_scatter_v3_op,
    tensor_array_concat_v3_op,
    tensor_array_split_v3_op,
):
    _definition.gradient_in("ossia_ops.control.tensor_array")
