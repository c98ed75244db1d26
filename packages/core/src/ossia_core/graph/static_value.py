"""`tf.get_static_value`: what is known of a tensor's value while the graph is built."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.language import CONST
from ossia_core.declare.shape_rules import computed, constant
from ossia_core.graph.tensor import Tensor, is_tensor
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public

_MAX_ELEMENTS = 1 << 24  # of a value that is computed or copied; one element seen more often stays that


@public("get_static_value")
def get_static_value(tensor: Any, partial: bool = False) -> Any:
    """The value of a tensor as an array, if it follows from constants, else None; of what is no tensor, itself.

    Values of more than 2**24 elements are not computed; constants and fills of one element that large come as read-only
    views of it.

    Args:
      tensor: a tensor.
      partial: whether a list with None for the unknown elements will do, for a packed vector.
    """
    if not isinstance(tensor, Tensor):
        return None if is_tensor(tensor) else tensor
    value = _value(tensor, 0, partial)
    if value is None or tensor.dtype is dtypes.resource:
        return None
    tensor.graph.prevent_feeding(tensor)  # the program may rely on it now
    return np.array(value) if isinstance(value, np.ndarray) and not _is_repeated(value) else value


class Known:
    """What is known of other tensors, for the rule of an op (`OpDef.static_value`).

    Attributes:
      partial: whether None may stand for single elements.
    """

    __slots__ = ("_depth", "partial")

    def __init__(self, depth: int, partial: bool) -> None:
        self._depth, self.partial = depth, partial

    def __call__(self, tensor: Tensor) -> Any:
        """The value of a tensor: an array; a NumPy scalar, if it is computed and of rank 0; None if it is not known."""
        return _value(tensor, self._depth + 1, False)

    def inputs(self, node: Any, index: int) -> list | None:
        """The values of all inputs of a node; None if one is not known, or too much would have to be computed of
        them."""
        size = node.outputs[index].shape.num_elements()
        if size is not None and size > _MAX_ELEMENTS:
            return None
        values = [self(x) for x in node._inputs]
        return None if any(value is None or np.size(value) > _MAX_ELEMENTS for value in values) else values

    def computed(self, node: Any, index: int) -> Any:
        """What the kernel of a node makes of the values of its inputs; None if one is not known."""
        values = self.inputs(node, index)
        if values is None:
            return None
        value = constant(node.outputs[index])
        if value is None:
            results = computed(node, [np.asarray(value) for value in values])
            value = None if results is None else results[index]
        return value if value is None or value.ndim else value[()]

    @staticmethod
    def filled(value: Any, dims: Any) -> Any:
        """An array of one element; a read-only view of it, if it would be very large."""
        found = np.broadcast_to(value, dims)
        return found if _is_repeated(found) else found.copy()[()]


def _value(tensor: Tensor, depth: int, partial: bool) -> Any:
    """The value that Python code of the original sees: it looks through some ops only, and programs see what it gives
    up on."""
    definition = tensor.op.definition
    if definition.role is CONST:
        return _of_constant(tensor.op.attrs["value"], tensor.shape.num_elements())
    rule = definition.static_value_fn
    return None if rule is None or depth > 64 else rule(tensor.op, tensor.value_index, Known(depth, partial))


class _Shapes:
    """What is known of the shapes that tensors hold, for the rule of an op (`OpDef.static_shape`)."""

    without_rank = TensorShape(None)  # what a part of a shape of unknown rank is
    value = staticmethod(get_static_value)

    @staticmethod
    def shape(tensor: Tensor) -> TensorShape:
        return static_shape(tensor)

    @staticmethod
    def size(value: Any) -> Any:
        return None if value is None or value < 0 else value


def _of_constant(value: Any, size: int | None) -> Any:
    if isinstance(value, np.ndarray):
        return value
    from ossia_core.names import tensor_proto
    known = size is not None and size <= _MAX_ELEMENTS and tensor_proto.has_array(value)
    return tensor_proto.decode(value) if known else None


def _is_repeated(value: Any) -> bool:
    """Whether an array is one element seen very many times."""
    return isinstance(value, np.ndarray) and value.size > _MAX_ELEMENTS and not any(value.strides)


def static_shape(tensor: Tensor) -> TensorShape:
    """The shape that a shape tensor holds, as far as Python code of the original knows it.

    `shape_rules.constant_shape` knows more, because shape rules may compute any op on constants.
    """
    if tensor.shape.ndims == 0:
        value = get_static_value(tensor)
        if value is None or value != -1:
            found = "with unknown value" if value is None else f"value '{value}'"
            raise ValueError(
                f"Received a scalar {found} as shape; "
                "require a statically known scalar with value '-1' to describe an unknown shape."
            )
        return TensorShape(None)
    size = tensor.shape.with_rank(1).as_list()[0]
    if size == 0:
        return TensorShape([])
    rule = tensor.op.definition.static_shape_fn
    known = None if rule is None else rule(tensor.op, tensor.value_index, _Shapes)
    if known is not None:
        return known
    value = get_static_value(tensor)
    return TensorShape([None] * size if size is not None else None) if value is None else TensorShape(
        [_Shapes.size(d) for d in value]
    )
