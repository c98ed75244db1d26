"""`tf.TensorArray` in functions and with control flow v2: an array that is a list of tensors, the flow itself."""
from __future__ import annotations

from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.declare.opdef import lookup
from ossia_core.declare.shape_rules import constant as known_value
from ossia_core.graph.convert import constant, convert
from ossia_core.graph.operation import Operation
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.shapes import UNKNOWN_SHAPE, TensorShape
from ossia_core.plugins.api_table import provides
from ossia_functions import lists, stacked_lists
from ossia_functions.list_handles import shape_argument
from ossia_ops.control.tensor_array import TensorArray


@provides("ossia_functions", "tensor_array")
class ListArray(TensorArray):
    """A TensorArray of list ops; the arguments are those of `TensorArray`.

    Raises:
      AssertionError: `handle` is given; a list has none.
      TypeError: `flow` is no variant.
      ValueError: `size` and `flow` are missing, or `flow` is given together with `size` or `element_shape`.
    """

    def __init__(
        self, dtype: Any, size: Any = None, dynamic_size: bool | None = None, clear_after_read: bool | None = None,
        tensor_array_name: str | None = None, handle: Tensor | None = None, flow: Tensor | None = None,
        infer_shape: bool = True, element_shape: Any = None, colocate_with_first_write_call: bool = True,
        name: str | None = None,
    ) -> None:
        assert handle is None
        if flow is not None and (not isinstance(flow, Tensor) or flow.dtype is not dtypes.variant):
            raise TypeError("flow must be a variant tensor")
        if flow is None and size is None:
            raise ValueError("Size must be provided if flow is not provided")
        if flow is not None and size is not None:
            raise ValueError("Cannot provide both a flow and size at the same time")
        if flow is not None and element_shape is not None:
            raise ValueError("Cannot provide both a flow and element_shape at the same time")
        self._dtype = dtypes.as_dtype(dtype).base_dtype
        self._dynamic_size = dynamic_size  # type: ignore[assignment]
        self._infer_shape = infer_shape
        self._shape_box = [UNKNOWN_SHAPE if element_shape is None else TensorShape(element_shape)]
        with name_scope(name, "TensorArrayV2", [size, flow]) as scope:
            self._handle = None
            self._flow = flow if flow is not None else lists.tensor_list_reserve_op(
                shape_argument(self.element_shape), size, element_dtype=self._dtype, name=scope
            )

    def with_flow(self, flow: Tensor) -> ListArray:
        """The array that `flow` is, with what is known of this one."""
        made = ListArray(self._dtype, flow=flow, infer_shape=self._infer_shape)
        made._dynamic_size, made._shape_box = self._dynamic_size, self._shape_box
        return made

    def _merge_shape(self, shape: TensorShape) -> None:
        if not shape.is_compatible_with(self.element_shape):
            raise ValueError(f"Inconsistent shapes: saw {shape} but expected {self.element_shape} ")
        if self._infer_shape:
            self._shape_box[0] = self.element_shape.merge_with(shape)

    def grad(self, source: str, flow: Tensor | None = None, name: str | None = None) -> TensorArray:
        """Lists have no arrays of gradients.

        Raises:
          NotImplementedError: always.
        """
        raise NotImplementedError("TensorArray.grad() of an array that is a list")

    def read(self, index: Any, name: str | None = None) -> Tensor:
        """The element at `index`."""
        with name_scope(name, "TensorArrayV2Read", [self._flow, index]):
            return lists.tensor_list_get_item_op(
                self._flow, index, shape_argument(self.element_shape), element_dtype=self._dtype, name=name
            )

    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array with `value` at `index`."""
        with name_scope(name, "TensorArrayV2Write", [self._flow, index, value]):
            value = convert(value, None, "value", preferred_dtype=self._dtype)
            self._merge_shape(value.shape)
            flow = self._resized(index) if self._dynamic_size else self._flow
            return self.with_flow(lists.tensor_list_set_item_op(flow, index, value, name=name))

    def _resized(self, index: Any) -> Tensor:
        """The list, longer if it has no element `index`."""
        from ossia_core.control.cond import cond
        flow = self._flow
        beyond = index >= lists.tensor_list_length_op(flow)
        return cond(beyond, lambda: lists.tensor_list_resize_op(flow, index + 1), lambda: flow)

    def stack(self, name: str | None = None) -> Tensor:
        """All elements along a new first dimension."""
        with name_scope(name, "TensorArrayV2Stack", [self._flow]):
            return stacked_lists.tensor_list_stack_op(
                self._flow, shape_argument(self.element_shape), element_dtype=self._dtype
            )

    def gather(self, indices: Any, name: str | None = None) -> Tensor:
        """The elements at `indices` along a new first dimension."""
        return stacked_lists.tensor_list_gather_op(
            self._flow, indices, shape_argument(self.element_shape), element_dtype=self._dtype, name=name
        )

    def concat(self, name: str | None = None) -> Tensor:
        """All elements one after the other along their first dimension."""
        dims = self.element_shape.as_tuple()
        shape = UNKNOWN_SHAPE if dims is None else TensorShape([None, *dims[1:]])
        lengths = constant([], dtype=dtypes.int64)
        value, _ = stacked_lists.tensor_list_concat_v2_op(
            self._flow, shape_argument(shape), lengths, element_dtype=self._dtype, name=name
        )
        return value

    def unstack(self, value: Any, name: str | None = None) -> TensorArray:
        """The array with the slices of `value` along its first dimension as elements."""
        with name_scope(name, "TensorArrayUnstack", [self._flow, value]):
            value = convert(value, None, "value", preferred_dtype=self._dtype)
            shape = value.shape[1:] if value.shape.ndims != 0 else UNKNOWN_SHAPE
            self._merge_shape(shape)
            return self.with_flow(stacked_lists.tensor_list_from_tensor_op(value, shape_argument(shape)))

    def scatter(self, indices: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array with the slices of `value` at `indices`."""
        with name_scope(name, "TensorArrayScatter", [self._flow, value, indices]):
            value = convert(value, None, "value", preferred_dtype=self._dtype)
            if value.shape.ndims:
                self._merge_shape(value.shape[1:])
            return self.with_flow(
                stacked_lists.tensor_list_scatter_into_existing_list_op(self._flow, value, indices)
            )

    def split(self, value: Any, lengths: Any, name: str | None = None) -> TensorArray:
        """The array with pieces of `value`, of the `lengths` given, as elements."""
        with name_scope(name, "TensorArraySplit", [self._flow, value, lengths]):
            value = convert(value, None, "value", preferred_dtype=self._dtype)
            lengths = builder("cast")(lengths, dtypes.int64)
            sizes = known_value(lengths)
            if value.shape.ndims and sizes is not None and sizes.ndim and sizes.size and (sizes == sizes[0]).all():
                self._merge_shape(TensorShape([int(sizes[0])]).concatenate(value.shape[1:]))
            return self.with_flow(stacked_lists.tensor_list_split_op(
                value, shape_argument(self.element_shape), lengths
            ))

    def size(self, name: str | None = None) -> Tensor:
        """Number of elements."""
        return lists.tensor_list_length_op(self._flow, name=name)

    def close(self, name: str | None = None) -> Operation:
        """Does nothing: a list goes when nothing uses it."""
        made: Operation = lookup("NoOp")(name=name)
        return made
