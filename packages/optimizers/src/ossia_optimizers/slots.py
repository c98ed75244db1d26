"""Slots: variables that an optimizer or a moving average keeps beside another variable, named and placed after it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from ossia_core.graph.convert import constant
from ossia_core.graph.scopes import colocate_with
from ossia_core.names.shapes import TensorShape
from ossia_core.variables.ref import RefVariable
from ossia_core.variables.resource import ResourceVariable
from ossia_core.variables.save_slices import SaveSliceInfo
from ossia_core.variables.scope import get_variable, get_variable_scope
from ossia_core.variables.variable import Variable
from ossia_core.variables.variable_scope import variable_scope
from ossia_ops.array.fill import ones, zeros
from ossia_ops.array.shape import shape as shape_of


def all_zeros(shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
    """An initializer of zeros."""
    return zeros(shape, dtype)


def all_ones(shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
    """An initializer of ones."""
    return ones(shape, dtype)


def filled_with(value: float) -> Callable:
    """An initializer of one value."""
    return lambda shape, dtype=None, partition_info=None: constant(value, dtype=dtype, shape=shape)


def create_slot(primary: Any, val: Any, name: str, colocate_with_primary: bool = True) -> Variable:
    """A slot of `primary` with the initial value `val` (a tensor), called `<primary>/<name>`."""
    with _in_scope_of(primary, name, colocate_with_primary):
        return _slot(primary, val, val.shape.is_fully_defined(), None, None)


def create_slot_with_initializer(
    primary: Any, initializer: Callable, shape: TensorShape, dtype: Any, name: str, colocate_with_primary: bool = True
) -> Variable:
    """A slot of `primary` of the given shape and dtype, made by an initializer, called `<primary>/<name>`."""
    with _in_scope_of(primary, name, colocate_with_primary):
        return _slot(primary, initializer, shape.is_fully_defined(), shape, dtype)


def create_zeros_slot(primary: Any, name: str, dtype: Any = None, colocate_with_primary: bool = True) -> Variable:
    """A slot of zeros of the shape of `primary` and, unless `dtype` is given, of its dtype, called
    `<primary>/<name>`."""
    dtype = primary.dtype if dtype is None else dtype
    if primary.shape.is_fully_defined():
        return create_slot_with_initializer(primary, all_zeros, primary.shape, dtype, name, colocate_with_primary)
    dims = shape_of(primary.initialized_value() if isinstance(primary, Variable) else primary)
    return create_slot(primary, zeros(dims, dtype=dtype.base_dtype), name, colocate_with_primary)


@contextlib.contextmanager
def _in_scope_of(primary: Any, name: str, colocate: bool) -> Any:
    prefix = primary._shared_name if isinstance(primary, Variable) else primary.op.name
    with variable_scope(None, f"{prefix}/{name}"):
        if colocate:
            with colocate_with(primary):
                yield
        else:
            yield


def _slot(primary: Any, value: Any, validate_shape: bool, shape: TensorShape | None, dtype: Any) -> Variable:
    scope = get_variable_scope()
    partitioner = scope.partitioner
    # A slot is divided as its variable is, whatever the scope says.
    scope.set_partitioner(None)
    use_resource = (
        True if isinstance(primary, ResourceVariable) else False if isinstance(primary, RefVariable) else None
    )
    slot = get_variable(
        "",
        initializer=value,
        trainable=False,
        use_resource=use_resource,
        shape=shape if callable(value) else None,
        dtype=dtype,
        validate_shape=validate_shape,
    )
    scope.set_partitioner(partitioner)
    info = primary._get_save_slice_info() if isinstance(primary, Variable) else None
    if info is not None:
        own = slot.name[len(primary.op.name + "/") : -2]
        slot._set_save_slice_info(
            SaveSliceInfo(f"{info.full_name}/{own}", list(info.full_shape), list(info.var_offset), list(info.var_shape))
        )
    return slot
