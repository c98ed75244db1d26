"""Shapes and values that elements are padded with, as tensors."""
from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.tensor import Tensor
from ossia_core.graph.type_spec import TensorSpec
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape


def padded_shape(shape: Any, spec: TensorSpec) -> Tensor:
    """The shape to which a part is padded, a vector with -1 for what the batch decides.

    Raises:
        ValueError: Parts of this spec cannot be padded to it.
    """
    if isinstance(shape, Tensor):
        return shape
    known = TensorShape(shape if not isinstance(shape, (list, tuple)) else [_size(d) for d in shape])
    if known.ndims is None:
        raise ValueError(f"A padded shape must have a known rank: {shape}")
    dims, given = known.as_list(), spec.shape.as_tuple()
    if given is not None and (
        len(given) != len(dims) or any(a is not None and b is not None and a < b for a, b in zip(dims, given))
    ):
        raise ValueError(
            f"The padded shape {known} is not compatible with the corresponding input component shape {spec.shape}."
        )
    return partial_shape(known)


def partial_shape(shape: TensorShape) -> Tensor:
    """A shape of known rank as a vector, with -1 for what is not known."""
    dims = shape.as_list()
    return constant([-1 if d is None else d for d in dims], dtypes.int64, shape=[len(dims)])


def _size(value: Any) -> int | None:
    value = getattr(value, "value", value)
    return None if value is None or int(value) < 0 else int(value)


def padding_value(value: Any, spec: TensorSpec) -> Tensor:
    """The value with which a part is padded.

    Raises:
        ValueError: It is no scalar.
        TypeError: It is of another dtype than the part.
    """
    if value is None:
        value = "" if spec.dtype is dtypes.string else False if spec.dtype is dtypes.bool else 0
        return constant(value, spec.dtype, name="padding_value")
    made = convert_to_tensor(value, name="padding_value")
    if not made.shape.is_compatible_with(TensorShape([])):
        raise ValueError(f"Padding value should be a scalar, but is not: {made}")
    if made.dtype != spec.dtype:
        raise TypeError(f"Padding value tensor ({made}) does not match output type: {spec.dtype}")
    return made
