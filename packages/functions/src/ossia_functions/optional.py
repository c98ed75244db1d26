"""Optional values: what conditionals hand to their gradients from the branch that ran."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.names import errors
from ossia_core.names.errors import dims_text
from ossia_core.names.shapes import TensorShape


class Optional:
    """Some tensors, or nothing (None)."""

    __slots__ = ("values",)

    def __init__(self, values: list | None) -> None:
        self.values = values

    def zeros_like(self) -> Optional:
        """The same with zeros as values."""
        if self.values is None:
            return self
        return Optional([v.zeros_like() if hasattr(v, "zeros_like") else np.zeros_like(v) for v in self.values])

    def add_n(self, others: list) -> Optional:
        """The sum; InvalidArgumentError if some have values and some do not."""
        if any((other.values is None) != (self.values is None) for other in others):
            raise errors.InvalidArgumentError(None, None, "Cannot add optionals because one has a value and the other "
                                                          "doesn't.")
        if self.values is None:
            return self
        columns = zip(*(other.values for other in others), strict=True)
        return Optional([c[0].add_n(list(c)) if hasattr(c[0], "add_n") else sum(c[1:], c[0]) for c in columns])


optional_from_value_op = op(
    "OptionalFromValue(components: Toutput_types) -> optional: variant", Toutput_types="list(type) >= 1"
)


@optional_from_value_op.shape
def _(components):
    return TensorShape([])


@optional_from_value_op.kernel
def _(components):
    return Optional(list(components))


@optional_from_value_op.gradient
def _(node, grad):
    return optional_get_value_op(
        grad, output_types=[t.dtype for t in node.inputs], output_shapes=[t.shape for t in node.inputs]
    )


optional_none_op = op("OptionalNone() -> optional: variant")


@optional_none_op.shape
def _():
    return TensorShape([])


@optional_none_op.kernel
def _():
    return Optional(None)


optional_get_value_op = op(
    "OptionalGetValue(optional: variant) -> components: output_types",
    output_types="list(type) >= 1", output_shapes="list(shape) >= 1",
)


@optional_get_value_op.shape
def _(optional, *, output_types, output_shapes):
    if len(output_types) != len(output_shapes):
        raise ValueError(f"There are {len(output_types)} output types and {len(output_shapes)} output shapes")
    return output_shapes


@optional_get_value_op.kernel
def _(optional, *, output_types, output_shapes):
    if not isinstance(optional, Optional):
        raise errors.InvalidArgumentError(None, None, "Input is not an optional.")
    if optional.values is None:
        raise errors.InvalidArgumentError(None, None, "The given optional does not have a value.")
    if len(optional.values) != len(output_types):
        raise errors.InvalidArgumentError(
            None, None, f"The given optional has {len(optional.values)} components, expected {len(output_types)}."
        )
    for value, dtype, shape in zip(optional.values, output_types, output_shapes, strict=True):
        found = getattr(value, "dtype", None)
        if isinstance(value, (np.ndarray, np.generic)) and (
            np.dtype(dtype.as_numpy_dtype) != found or not shape.is_compatible_with(np.shape(value))
        ):
            raise errors.InvalidArgumentError(
                None, None,
                f"The given optional has a component of dtype {found} and shape {dims_text(np.shape(value))}, "
                f"expected {dtype.name} and {shape}."
            )
    return list(optional.values)


@optional_get_value_op.gradient
def _(node, *grads: Any):
    return optional_from_value_op(list(grads))


optional_has_value_op = op("OptionalHasValue(optional: variant) -> has_value: bool")


@optional_has_value_op.shape
def _(optional):
    return TensorShape([])


@optional_has_value_op.kernel
def _(optional):
    if not isinstance(optional, Optional):
        raise errors.InvalidArgumentError(None, None, "Input is not an optional.")
    return np.bool_(optional.values is not None)
