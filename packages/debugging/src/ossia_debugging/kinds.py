"""Checks of dtypes, and of what may be iterated over."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.operation import Operation
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.dtypes import DType
from ossia_core.plugins.api_table import public
from ossia_core.primitives.source import no_op

_NUMERIC = frozenset(
    (
        dtypes.float32,
        dtypes.float64,
        dtypes.int8,
        dtypes.int16,
        dtypes.int32,
        dtypes.int64,
        dtypes.uint8,
        dtypes.qint8,
        dtypes.qint32,
        dtypes.quint8,
        dtypes.complex64,
    )
)


@public("assert_integer", "debugging.assert_integer")
def assert_integer(x: Any, message: str | None = None, name: str | None = None) -> Operation:
    """Checks that a tensor has an integer dtype.

    Args:
        x: A tensor.
        message: What the error begins with.
        name: Name of the scope, `assert_integer` by default.

    Returns:
        A `no_op`.

    Raises:
        TypeError: The dtype is no integer.
    """
    with name_scope(name, "assert_integer", [x]):
        x = convert_to_tensor(x, name="x")
        if not x.dtype.is_integer:
            raise TypeError(f'{message or ""}  Expected "x" to be integer type.  Found: {x.name} of dtype {x.dtype}')
        return no_op(name="statically_determined_was_integer")


@public("compat.v2.debugging.assert_integer")
def assert_integer_v2(x: Any, message: str | None = None, name: str | None = None) -> None:
    """`tf.debugging.assert_integer` without a result."""
    assert_integer(x, message=message, name=name)


@public("assert_type", "debugging.assert_type")
def assert_type(tensor: Any, tf_type: Any, message: str | None = None, name: str | None = None) -> Operation:
    """Checks that a tensor has a certain dtype.

    Args:
        tensor: A tensor.
        tf_type: The dtype.
        message: What the error begins with.
        name: Name of the scope, `assert_type` by default.

    Returns:
        A `no_op`.

    Raises:
        TypeError: The dtype is another.
    """
    with name_scope(name, "assert_type", [tensor]):
        tensor = convert_to_tensor(tensor, name="tensor")
        if tensor.dtype != tf_type:
            raise TypeError(f"{message or ''}  {tensor.name} must be of type {tf_type}")
        return no_op(name="statically_determined_correct_type")


@public("compat.v2.debugging.assert_type")
def assert_type_v2(tensor: Any, tf_type: Any, message: str | None = None, name: str | None = None) -> None:
    """`tf.debugging.assert_type` without a result."""
    assert_type(tensor, tf_type, message=message, name=name)


@public("assert_same_float_dtype", "debugging.assert_same_float_dtype", "compat.v2.debugging.assert_same_float_dtype")
def assert_same_float_dtype(tensors: Any = None, dtype: Any = None) -> DType:
    """The float dtype that all tensors have.

    Args:
        tensors: Tensors, some of which may be None.
        dtype: The dtype that they must have; by default that of the first.

    Returns:
        The dtype; float32 where nothing says another.

    Raises:
        ValueError: Dtypes differ, or are no floats.
    """
    wanted = None if dtype is None else dtypes.as_dtype(dtype).base_dtype
    first = None
    for tensor in tensors or ():
        if tensor is None:
            continue
        found = tensor.dtype.base_dtype
        if wanted is None:
            wanted, first = found, tensor
        elif found is not wanted:
            same_as = f" as {_name(first)}" if first is not None else ""
            raise ValueError(f"{_name(tensor)}, type={found}, must be of the same type ({wanted}){same_as}.")
    wanted = wanted or dtypes.float32
    if not wanted.is_floating:
        raise ValueError(f"Expected floating point type, got {wanted}.")
    return wanted


def _name(tensor: Any) -> Any:
    return getattr(tensor, "name", tensor)


@public("is_numeric_tensor", "debugging.is_numeric_tensor", "compat.v2.debugging.is_numeric_tensor")
def is_numeric_tensor(tensor: Any) -> bool:
    """Whether `tensor` is a tensor of numbers: integers to 64 bits, quantised ones, float32, float64, complex64."""
    return isinstance(tensor, Tensor) and tensor.dtype.base_dtype in _NUMERIC


@public("assert_proper_iterable", "debugging.assert_proper_iterable", "compat.v2.debugging.assert_proper_iterable")
def assert_proper_iterable(values: Any) -> None:
    """Checks that `values` can be iterated over and is meant to be: a list, say, but no text, array or tensor.

    Raises:
        TypeError: It is not.
    """
    if isinstance(values, (Tensor, SparseTensor, np.ndarray, str, bytes)):
        raise TypeError(f'Expected argument "values" to be a "proper" iterable.  Found: {type(values)}')
    if not isinstance(values, Iterable):
        raise TypeError(f'Expected argument "values" to be iterable.  Found: {type(values)}')
