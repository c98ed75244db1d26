"""`tf.assign` and its like: changes of variables of either kind, and of reference tensors."""

from __future__ import annotations

from typing import Any

from ossia_core.plugins.api_table import public
from ossia_core.primitives.variable_ops import (
    assign_add_op,
    assign_op,
    assign_sub_op,
    is_variable_initialized_op,
    var_is_initialized_op,
)


def _is_reference(ref: Any) -> bool:
    return bool(ref.dtype._is_ref_dtype)


def _use_default(**options: Any) -> dict[str, Any]:
    return {key: value for key, value in options.items() if value is not None}


@public("assign")
def assign(
    ref: Any, value: Any, validate_shape: bool | None = None, use_locking: bool | None = None, name: str | None = None
) -> Any:
    """Set a variable.

    Args:
      ref: a variable of either kind, or a reference tensor.
      value: the new value.
      validate_shape: whether the shape must stay the same (reference variables).
      use_locking: whether the assignment holds a lock (reference variables).
      name: name of the operation.

    Returns:
      A reference to the new value; for a resource variable, the variable as it is afterwards.

    Raises:
      ValueError: the shapes do not agree.
    """
    if _is_reference(ref):
        return assign_op(ref, value, name=name, **_use_default(validate_shape=validate_shape, use_locking=use_locking))
    return ref.assign(value, name=name)


@public("assign_add")
def assign_add(ref: Any, value: Any, use_locking: bool | None = None, name: str | None = None) -> Any:
    """Add `value` to a variable; returns what `assign` does."""
    if _is_reference(ref):
        return assign_add_op(ref, value, name=name, **_use_default(use_locking=use_locking))
    return ref.assign_add(value)


@public("assign_sub")
def assign_sub(ref: Any, value: Any, use_locking: bool | None = None, name: str | None = None) -> Any:
    """Subtract `value` from a variable; returns what `assign` does."""
    if _is_reference(ref):
        return assign_sub_op(ref, value, name=name, **_use_default(use_locking=use_locking))
    return ref.assign_sub(value)


def is_initialized(ref: Any, name: str | None = None) -> Any:
    """A boolean tensor: whether a variable or reference tensor has a value."""
    if _is_reference(ref):
        return is_variable_initialized_op(ref, name=name)
    return var_is_initialized_op(ref.handle, name=name)


@public("is_variable_initialized")
def is_variable_initialized(variable: Any) -> Any:
    """A boolean tensor: whether the variable has a value."""
    return is_initialized(variable)
