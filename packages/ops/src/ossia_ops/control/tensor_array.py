"""`tf.TensorArray`: the class around the ops, and their gradients."""
from __future__ import annotations

import contextlib
from typing import Any

from ossia_core.declare.builders import builder, functional
from ossia_core.declare.opdef import lookup
from ossia_core.graph.convert import convert
from ossia_core.graph.operation import Operation
from ossia_core.graph.scopes import colocate_with, control_dependencies, device, gradients_scope, name_scope
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.graph.type_spec import TensorSpec, TypeSpec
from ossia_core.names import dtypes, switches
from ossia_core.names.shapes import UNKNOWN_SHAPE, TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.control import tensor_array_ops as ops


@public("TensorArray")
class TensorArray:
    """An array of tensors that loops write and read; every write returns the array to go on with.

    Args:
      dtype: dtype of the elements.
      size: number of elements, an int32 scalar.
      dynamic_size: whether writes beyond the end make it grow.
      clear_after_read: whether an element can be read only once (the default); its memory is freed.
      tensor_array_name: name shown in errors.
      handle: an existing array's handle; needs `flow`.
      flow: the tensor that orders the operations on an existing array.
      infer_shape: whether all elements have one shape.
      element_shape: that shape, if it is known.
      colocate_with_first_write_call: whether the array is placed with the first value written.
      name: name scope of the ops made.

    Raises:
      ValueError: `handle` together with `size`, `dynamic_size`, `clear_after_read` or `tensor_array_name`.
      TypeError: `handle` is no tensor.
    """

    def __new__(cls, dtype: Any, *args: Any, handle: Tensor | None = None, **options: Any) -> TensorArray:
        """An array as control flow v2 has it, a list of tensors, in functions and where that is enabled."""
        if cls is TensorArray and handle is None and (
            switches.control_flow_v2_enabled() or get_default_graph().building_function
        ):
            cls = functional("tensor_array")
        return super().__new__(cls)

    def __init__(
        self, dtype: Any, size: Any = None, dynamic_size: bool | None = None, clear_after_read: bool | None = None,
        tensor_array_name: str | None = None, handle: Tensor | None = None, flow: Tensor | None = None,
        infer_shape: bool = True, element_shape: Any = None, colocate_with_first_write_call: bool = True,
        name: str | None = None,
    ) -> None:
        if handle is not None and tensor_array_name:
            raise ValueError("Cannot construct with both handle and tensor_array_name")
        if handle is not None and not isinstance(handle, Tensor):
            raise TypeError("Handle must be a Tensor")
        if handle is None and size is None:
            raise ValueError("Size must be provided if handle is not provided")
        if handle is not None and size is not None:
            raise ValueError("Cannot provide both a handle and size at the same time")
        if handle is not None and element_shape is not None:
            raise ValueError("Cannot provide both a handle and element_shape at the same time")
        if handle is not None and dynamic_size is not None:
            raise ValueError("Cannot provide both a handle and dynamic_size at the same time")
        if handle is not None and clear_after_read is not None:
            raise ValueError("Cannot provide both a handle and clear_after_read at the same time")
        if handle is not None and flow is None:
            raise ValueError("flow must not be None if handle is not None.")
        self._dynamic_size = bool(dynamic_size)
        self._colocate = colocate_with_first_write_call
        self._colocate_with: list[Tensor] | None = [] if colocate_with_first_write_call else None
        self._dtype = dtypes.as_dtype(dtype).base_dtype
        self._infer_shape = infer_shape
        # The shape is shared by the successors of an array, which all stand for one.
        self._shape_box = [UNKNOWN_SHAPE if element_shape is None else TensorShape(element_shape)]
        with name_scope(name, "TensorArray", [handle, size, flow]) as scope:
            if handle is None:
                placement = contextlib.ExitStack()
                with placement:
                    if colocate_with_first_write_call:
                        placement.enter_context(device(None))
                        placement.enter_context(colocate_with(None, ignore_existing=True))
                    handle, flow = ops.tensor_array_v3_op(
                        size, dtype=self._dtype, element_shape=self._shape_box[0], identical_element_shapes=infer_shape,
                        dynamic_size=self._dynamic_size, clear_after_read=clear_after_read is None or clear_after_read,
                        tensor_array_name=tensor_array_name or "", name=scope)
            self._handle: Any = handle
            self._flow: Any = flow

    @property
    def flow(self) -> Tensor:
        """The tensor that orders operations on the array."""
        return self._flow

    @property
    def handle(self) -> Tensor:
        """The array's handle."""
        return self._handle

    @property
    def dtype(self) -> Any:
        """Dtype of the elements."""
        return self._dtype

    @property
    def dynamic_size(self) -> bool:
        """Whether the array grows."""
        return self._dynamic_size

    @property
    def element_shape(self) -> TensorShape:
        """Shape of the elements, as far as it is known."""
        return self._shape_box[0]

    @property
    def _type_spec(self) -> TensorArraySpec:
        return TensorArraySpec.from_value(self)

    def with_flow(self, flow: Tensor) -> TensorArray:
        """The same array, ordered after `flow`."""
        made = TensorArray(self._dtype, handle=self._handle, flow=flow, infer_shape=self._infer_shape,
                           colocate_with_first_write_call=self._colocate)
        made._dynamic_size = self._dynamic_size
        made._shape_box = self._shape_box
        made._colocate_with = self._colocate_with
        return made

    def _merge_shape(self, shape: TensorShape) -> None:
        if not self._infer_shape:
            return
        if not shape.is_compatible_with(self._shape_box[0]):
            raise ValueError(
                f"Inconsistent shapes: saw {shape} but expected {self._shape_box[0]} "
            )
        self._shape_box[0] = self._shape_box[0].merge_with(shape)

    def _placed(self, value: Tensor) -> Any:
        if not self._colocate:
            return contextlib.nullcontext()
        if not self._colocate_with:
            self._colocate_with = self._colocate_with if self._colocate_with is not None else []
            self._colocate_with.append(value)
        return colocate_with(self._colocate_with[0])

    def mark_used(self) -> None:
        """Says that nothing needs to use this array, which the original would otherwise warn of."""

    def identity(self) -> TensorArray:
        """The same array after all operations so far."""
        return self.with_flow(lookup("Identity")(self._flow))

    def grad(self, source: str, flow: Tensor | None = None, name: str | None = None) -> TensorArray:
        """The array of gradients for the call of `gradients` named `source`."""
        flow = self._flow if flow is None else flow
        with name_scope(name, "TensorArrayGrad", [self._handle]), colocate_with(self._handle):
            handle, _ = ops.tensor_array_grad_v3_op(self._handle, flow, source=source, name=name)
            with control_dependencies([handle]):
                flow = lookup("Identity")(flow, name="gradient_flow")
            return TensorArray(
                self._dtype,
                handle=handle,
                flow=flow,
                infer_shape=self._infer_shape,
                colocate_with_first_write_call=False,
            )

    def read(self, index: Any, name: str | None = None) -> Tensor:
        """The element at `index`."""
        value = ops.tensor_array_read_v3_op(self._handle, index, self._flow, dtype=self._dtype, name=name)
        if self.element_shape.ndims is not None:
            value.set_shape(self.element_shape)
        return value

    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array with `value` at `index`.

        Raises:
          ValueError: the value's shape differs from the other elements'.
        """
        with name_scope(name, "TensorArrayWrite", [self._handle, index, value]):
            value = convert(value, None, "value", preferred_dtype=self._dtype)
            self._merge_shape(value.shape)
            with self._placed(value):
                flow = ops.tensor_array_write_v3_op(self._handle, index, value, self._flow, name=name)
            return self.with_flow(flow)

    def stack(self, name: str | None = None) -> Tensor:
        """All elements along a new first dimension."""
        with colocate_with(self._handle), name_scope(name, "TensorArrayStack", [self._handle]):
            return self.gather(_range(self.size()), name=name)

    def gather(self, indices: Any, name: str | None = None) -> Tensor:
        """The elements at `indices` along a new first dimension."""
        value = ops.tensor_array_gather_v3_op(
            self._handle, indices, self._flow, dtype=self._dtype, element_shape=self.element_shape, name=name
        )
        if self.element_shape.ndims is not None:
            value.set_shape([None, *self.element_shape.as_list()])
        return value

    def concat(self, name: str | None = None) -> Tensor:
        """All elements one after the other along their first dimension."""
        rest = UNKNOWN_SHAPE if self.element_shape.ndims is None else TensorShape(self.element_shape.as_list()[1:])
        value, _ = ops.tensor_array_concat_v3_op(
            self._handle, self._flow, dtype=self._dtype, element_shape_except0=rest, name=name
        )
        if rest.ndims is not None:
            value.set_shape([None, *rest.as_list()])
        return value

    def unstack(self, value: Any, name: str | None = None) -> TensorArray:
        """The array with the slices of `value` along its first dimension as elements."""
        with name_scope(name, "TensorArrayUnstack", [self._handle, value]):
            count = builder("shape")(value)[0]
            return self.scatter(_range(count), value, name=name)

    def scatter(self, indices: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array with the slices of `value` at `indices`."""
        with name_scope(name, "TensorArrayScatter", [self._handle, value, indices]):
            value = convert(value, None, "value", preferred_dtype=self._dtype)
            if value.shape.ndims is not None:
                self._merge_shape(TensorShape(value.shape.as_list()[1:]))
            with self._placed(value):
                flow = ops.tensor_array_scatter_v3_op(self._handle, indices, value, self._flow, name=name)
            return self.with_flow(flow)

    def split(self, value: Any, lengths: Any, name: str | None = None) -> TensorArray:
        """The array with pieces of `value`, of the `lengths` given, as elements."""
        with name_scope(name, "TensorArraySplit", [self._handle, value, lengths]):
            value = convert(value, None, "value", preferred_dtype=self._dtype)
            with self._placed(value):
                lengths = builder("cast")(lengths, dtypes.int64)
                self._merge_split(value, lengths)
                flow = ops.tensor_array_split_v3_op(self._handle, value, lengths, self._flow, name=name)
            return self.with_flow(flow)

    def _merge_split(self, value: Tensor, lengths: Any) -> None:
        from ossia_core.declare.shape_rules import constant
        known = constant(lengths)
        if not self._infer_shape or value.shape.ndims is None:
            return
        if known is not None and known.ndim and known.size and (known == known[0]).all():
            self._merge_shape(TensorShape([int(known[0]), *value.shape.as_list()[1:]]))

    def size(self, name: str | None = None) -> Tensor:
        """Number of elements."""
        return ops.tensor_array_size_v3_op(self._handle, self._flow, name=name)

    def close(self, name: str | None = None) -> Operation:
        """Free the elements."""
        return ops.tensor_array_close_v3_op(self._handle, name=name)


def _range(limit: Tensor) -> Tensor:
    return builder("range")(0, limit)


# -- gradients ------------------------------------------------------------------------------------------------


def _source(tensor: Tensor) -> str:
    """The name scope of the call of `gradients` that made a tensor."""
    # In the body of a function's gradient it is the call for which that was made: arrays live outside of it too.
    source = getattr(tensor.graph, "gradient_source", None) or gradients_scope(tensor.name)
    if source is None:
        raise ValueError(
            f"Expected op/tensor name to start with gradients (excluding scope), got: {tensor.name}. This means that "
            "a tf.gradients op with this op in its dependency path has a custom name that does not start with "
            "'gradients'. Please make sure all calls to tf.gradients that use non-empty `name` arguments use names "
            "that start with 'gradients'."
        )
    return source


def _gradient_array(node: Operation, dtype: Any, flow: Tensor, source: str) -> TensorArray:
    return TensorArray(dtype, handle=node.inputs[0], flow=flow, colocate_with_first_write_call=False).grad(
        source=source, flow=flow
    )


@ops.tensor_array_read_v3_op.gradient
def _(node, grad):
    array = _gradient_array(node, node.get_attr("dtype"), node.inputs[2], _source(grad))
    return None, None, array.write(node.inputs[1], grad).flow


@ops.tensor_array_write_v3_op.gradient
def _(node, flow):
    array = _gradient_array(node, node.get_attr("T"), flow, _source(flow))
    return None, None, array.read(node.inputs[1]), flow


@ops.tensor_array_gather_v3_op.gradient
def _(node, grad):
    array = _gradient_array(node, node.get_attr("dtype"), node.inputs[2], _source(grad))
    return None, None, array.scatter(node.inputs[1], grad).flow


@ops.tensor_array_scatter_v3_op.gradient
def _(node, flow):
    array = _gradient_array(node, node.get_attr("T"), flow, _source(flow))
    return None, None, array.gather(node.inputs[1]), flow


@ops.tensor_array_concat_v3_op.gradient
def _(node, grad, _):
    array = _gradient_array(node, node.get_attr("dtype"), node.inputs[1], _source(grad))
    return None, array.split(grad, lengths=node.outputs[1]).flow


@ops.tensor_array_split_v3_op.gradient
def _(node, flow):
    array = _gradient_array(node, node.get_attr("T"), flow, _source(flow))
    return None, array.concat(), None, flow


@public("TensorArraySpec")
class TensorArraySpec(TypeSpec):
    """What is known of a TensorArray."""

    __slots__ = ("_dtype", "_dynamic_size", "_element_shape", "_infer_shape")

    def __init__(
        self, element_shape: Any = None, dtype: Any = dtypes.float32, dynamic_size: bool = False,
        infer_shape: bool = True,
    ) -> None:
        self._element_shape, self._dtype = TensorShape(element_shape), dtypes.as_dtype(dtype)
        self._dynamic_size, self._infer_shape = dynamic_size, infer_shape

    @classmethod
    def from_value(cls, value: Any) -> TensorArraySpec:
        """The spec of a TensorArray.

        Raises:
          TypeError: `value` is none.
        """
        if not isinstance(value, TensorArray):
            raise TypeError("Expected value to be a TensorArray")
        return cls(value.element_shape, value.dtype, value.dynamic_size, value._infer_shape)

    @property
    def value_type(self) -> type:
        """`tf.TensorArray`."""
        return TensorArray

    def _serialize(self) -> tuple:
        return self._element_shape, self._dtype, self._dynamic_size, self._infer_shape

    @property
    def _component_specs(self) -> list[TensorSpec]:
        return [TensorSpec([], dtypes.variant)]

    def _to_components(self, value: TensorArray) -> list[Tensor]:
        return [value.flow]

    def _from_components(self, components: Any) -> TensorArray:
        made = TensorArray(
            self._dtype, size=0, dynamic_size=self._dynamic_size, infer_shape=self._infer_shape,
            element_shape=self._element_shape,
        )
        return made.with_flow(components[0])
