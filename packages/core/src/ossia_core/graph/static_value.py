"""`tf.get_static_value`: what is known of a tensor's value while the graph is built."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.shape_rules import computed, constant
from ossia_core.graph.is_tensor import is_tensor
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, tensor_proto
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public

_MAX_ELEMENTS = 1 << 24  # of a value that is computed or copied; one element seen more often stays that
# The ops that the original looks through; programs see what it gives up on.
_SEEN_THROUGH = frozenset(
    (
        "Const",
        "Shape",
        "Size",
        "Rank",
        "Range",
        "Cast",
        "Concat",
        "ConcatV2",
        "ConcatOffset",
        "Pack",
        "Fill",
        "Equal",
        "NotEqual",
    )
)


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
    if partial and tensor.op.type == "Pack" and not tensor.op.attrs["axis"]:
        values = [get_static_value(x) for x in tensor.op._inputs]
        if any(value is None for value in values):
            return np.array(values, object)
    value = _value(tensor, 0)
    if value is None or tensor.dtype is dtypes.resource:
        return None
    tensor.graph.prevent_feeding(tensor)  # the program may rely on it now
    value = value if _is_repeated(value) else np.array(value)
    op = tensor.op
    while op.type == "Cast":
        op = op._inputs[0].op
    return value if value.ndim or op.type == "Const" else value[()]


def _value(tensor: Tensor, depth: int) -> Any:
    """The value that Python code of the original sees: ranks and sizes follow from static shapes as they are now."""
    op = tensor.op
    if op.type not in _SEEN_THROUGH or depth > 64 or (op.type == "Pack" and op.attrs["axis"]):
        return None
    if op.type == "Rank":
        rank = op._inputs[0].shape.ndims
        return None if rank is None else np.array(rank, np.int32)
    if op.type == "Size":
        size = op._inputs[0].shape.num_elements()
        return None if size is None else np.array(size, np.int32 if size < 2**31 else np.int64)  # whatever its dtype
    size = tensor.shape.num_elements()
    if op.type == "Const":
        return _of_constant(op.attrs["value"], size)
    if op.type == "Shape":
        return constant(tensor)
    if op.type == "Fill":
        value = _value(op._inputs[1], depth + 1) if tensor.shape.is_fully_defined() else None
        if value is None:
            return None
        filled = np.broadcast_to(value, tensor.shape.as_tuple())
        return filled if _is_repeated(filled) else filled.copy()
    if size is not None and size > _MAX_ELEMENTS:
        return None
    values = [_value(x, depth + 1) for x in op._inputs]
    if any(value is None for value in values):
        return None
    if any(value.size > _MAX_ELEMENTS for value in values):
        return None
    if op.type == "Range":
        return np.arange(*values, dtype=tensor.dtype.as_numpy_dtype)  # type: ignore[call-overload]
    value = constant(tensor)
    if value is None:
        results = computed(op, values)
        value = None if results is None else results[tensor.value_index]
    return value


def _of_constant(value: Any, size: int | None) -> Any:
    if isinstance(value, np.ndarray):
        return value
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
    op = tensor.op
    if op.type == "Shape":
        return op._inputs[0].shape
    if op.type == "Pack":
        return TensorShape([_size(get_static_value(x)) for x in op._inputs])
    if op.type == "ConcatV2":
        result = TensorShape([])
        for part in op._inputs[:-1]:
            result = result.concatenate(static_shape(part))
        return result
    if op.type == "StridedSlice":
        cut = _slice(op)
        if cut is not None:
            return cut
    value = get_static_value(tensor)
    return TensorShape([None] * size if size is not None else None) if value is None else TensorShape(
        [_size(d) for d in value]
    )


def _size(value: Any) -> Any:
    return None if value is None or value < 0 else value


def _slice(op: Any) -> TensorShape | None:
    """`shape[begin:end:stride]` with constant bounds, else None."""
    attrs = op.attrs
    if attrs["ellipsis_mask"] or attrs["new_axis_mask"] or attrs["shrink_axis_mask"]:
        return None
    bounds = [get_static_value(x) for x in op._inputs[1:]]
    if any(bound is None or len(bound) != 1 for bound in bounds) or attrs["begin_mask"] > 1 or attrs["end_mask"] > 1:
        return None
    begin, end, stride = (int(bound[0]) for bound in bounds)
    whole = static_shape(op._inputs[0])
    if whole.ndims is None:
        return whole
    return TensorShape(
        whole.as_list()[None if attrs["begin_mask"] else begin : None if attrs["end_mask"] else end : stride]
    )
