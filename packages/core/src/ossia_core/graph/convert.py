"""Tensors from anything: the conversion registry, constants, and lists that hold tensors."""
from __future__ import annotations

import bisect
from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup
from ossia_core.graph.operation import Operation
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.dtypes import DType
from ossia_core.names.literals import to_array
from ossia_core.names.shapes import Dimension, TensorShape
from ossia_core.plugins.api_table import public

ConversionFunction = Callable[..., Any]
_registry: list[tuple[int, int, Any, ConversionFunction]] = []
_cache: dict[type, list[ConversionFunction]] = {}


@public("register_tensor_conversion_function")
def register_tensor_conversion_function(
    base_type: Any, conversion_func: ConversionFunction, priority: int = 100
) -> None:
    """Let objects of `base_type` be used where tensors are.

    Args:
      base_type: a class or a tuple of classes.
      conversion_func: `f(value, dtype=None, name=None, as_ref=False)` returning a Tensor, or NotImplemented to pass on.
      priority: functions of a smaller number are tried first.

    Raises:
      TypeError: the arguments are no classes or not callable.
    """
    if not (
        isinstance(base_type, type) or (isinstance(base_type, tuple) and all(isinstance(t, type) for t in base_type))
    ):
        raise TypeError("base_type must be a type or a tuple of types.")
    if not callable(conversion_func):
        raise TypeError("conversion_func must be callable.")
    bisect.insort(_registry, (priority, len(_registry), base_type, conversion_func), key=lambda row: row[:2])
    _cache.clear()


def _functions_for(kind: type) -> list[ConversionFunction]:
    found = _cache.get(kind)
    if found is None:
        found = _cache[kind] = [fn for _, _, base, fn in _registry if issubclass(kind, base)]
    return found


def convert(value: Any, dtype: DType | None = None, name: str | None = None, as_ref: bool = False,
            preferred_dtype: DType | None = None) -> Any:
    """Like `convert_to_tensor`; with `as_ref`, a variable gives its reference."""
    if isinstance(value, Tensor):
        if dtype is not None and not dtype.is_compatible_with(value.dtype):
            raise ValueError(
                f"Tensor conversion requested dtype {dtype.name} for Tensor with dtype {value.dtype.name}: "
                f"{value!r}"
            )
        return value
    kind = type(value)
    for fn in _functions_for(kind):
        result = NotImplemented
        if dtype is None and preferred_dtype is not None:
            try:
                result = fn(value, dtype=preferred_dtype, name=name, as_ref=as_ref)
            except (TypeError, ValueError):
                result = NotImplemented
            else:
                if result is not NotImplemented and result.dtype.base_dtype != preferred_dtype.base_dtype:
                    raise TypeError(
                        f"convert_to_tensor did not convert to the preferred dtype: {result.dtype.base_dtype} vs "
                        f"{preferred_dtype.base_dtype} "
                    )
        if result is NotImplemented:
            result = fn(value, dtype=dtype, name=name, as_ref=as_ref)
        if result is NotImplemented:
            continue
        if not isinstance(result, Tensor):
            raise RuntimeError(
                f"{_where(name)}Conversion function {fn!r} for type {kind} returned non-Tensor: {result!r}"
            )
        if dtype is not None and not dtype.is_compatible_with(result.dtype):
            raise RuntimeError(
                f"{_where(name)}Conversion function {fn!r} for type {kind} returned incompatible dtype: requested = "
                f"{dtype.name}, actual = {result.dtype.name}"
            )
        return result
    raise TypeError(
        f"{_where(name)}Cannot convert {value!r} with type {kind} to Tensor: no conversion function registered."
    )


def _where(name: str | None) -> str:
    return f"Error converting {name!r}: " if name else ""


@public("convert_to_tensor")
def convert_to_tensor(
    value: Any, dtype: Any = None, name: str | None = None, preferred_dtype: Any = None, dtype_hint: Any = None
) -> Tensor:
    """The tensor that `value` stands for: itself if it is one, a constant, a variable's value, a packed list of
    tensors.

    Args:
      value: a tensor, numpy array, Python value, nested list, or an object of a registered type.
      dtype: dtype the tensor must have.
      name: name of a new constant.
      preferred_dtype: dtype to use if the value can be converted to it.
      dtype_hint: the newer name of `preferred_dtype`.

    Raises:
      TypeError: no conversion for the value's type.
      ValueError: the value is a tensor of another dtype, or both `preferred_dtype` and `dtype_hint` are given.
    """
    if preferred_dtype is not None and dtype_hint is not None:
        raise ValueError("Cannot specify both 'preferred_dtype' and 'dtype_hint'")
    preferred = dtype_hint if dtype_hint is not None else preferred_dtype
    return convert(value, None if dtype is None else dtypes.as_dtype(dtype), name,
                   preferred_dtype=None if preferred is None else dtypes.as_dtype(preferred))


def convert_n(values: Any, dtype: DType | None = None, name: str | None = None, as_ref: bool = False,
              preferred_dtype: DType | None = None) -> list[Tensor]:
    """Each of `values` as a tensor, constants named `name_0`, `name_1`, ..."""
    return [
        convert(value, dtype, None if name is None else f"{name}_{i}", as_ref, preferred_dtype)
        for i, value in enumerate(values)
    ]


def constant_node(array: np.ndarray, dtype: DType, name: str) -> Tensor:
    """A Const node holding `array`."""
    graph = get_default_graph()
    tensor = graph.add_node(_const(), name, (), {"value": array, "dtype": dtype}, [dtype]).outputs[0]
    tensor._shape = TensorShape(array.shape)
    return tensor


_const_definition: Any = None


def _const() -> Any:
    global _const_definition
    if _const_definition is None:
        _const_definition = lookup("Const")
    return _const_definition


def _from_value(value: Any, dtype: DType | None = None, name: str | None = None, as_ref: bool = False) -> Any:
    return _constant("Const" if name is None else name, value, dtype)


def _constant(name: str, value: Any, *options: Any) -> Tensor:
    if hasattr(type(value), "DESCRIPTOR"):
        from ossia_core.proto import TensorProto

        if type(value).DESCRIPTOR is TensorProto.DESCRIPTOR:
            return _from_proto(value, name)
    array, found = to_array(value, *options)
    return constant_node(_own(array, value), found, name)


def _from_proto(value: Any, name: str) -> Tensor:
    from ossia_core.names import attr_proto

    held = attr_proto.tensor_value(value)
    dtype = dtypes.as_dtype(value.dtype)
    shape = attr_proto.shape_from_proto(value.tensor_shape)
    attrs = {"value": held, "dtype": dtype}
    tensor = get_default_graph().add_node(_const(), name, (), attrs, [dtype]).outputs[0]
    tensor._shape = shape
    return tensor


def _own(array: np.ndarray, value: Any) -> np.ndarray:
    """A copy if the array is the caller's, who may change it later."""
    return (
        array.copy()
        if array is value or (isinstance(value, np.ndarray) and np.may_share_memory(array, value))
        else array
    )


def _from_shape(value: TensorShape, dtype: DType | None = None, name: str | None = None, as_ref: bool = False) -> Any:
    if not value.is_fully_defined():
        raise ValueError(f"Cannot convert a partially known TensorShape to a Tensor: {value}")
    dims = value.as_list()
    if dtype is not None:
        if dtype not in (dtypes.int32, dtypes.int64):
            raise TypeError(f"Cannot convert a TensorShape to dtype: {dtype}")
    else:
        dtype = dtypes.int32
        if any(d is not None and d > 2**31 - 1 for d in dims):
            dtype = dtypes.int64
    largest = max(dims, default=0)
    if dtype == dtypes.int32 and largest > 2**31 - 1:
        raise ValueError(f"Cannot convert a TensorShape to dtype int32; a dimension is too large ({largest})")
    return constant_node(np.array(dims, dtype.as_numpy_dtype), dtype, "shape_as_tensor" if name is None else name)


def _from_dimension(value: Dimension, dtype: DType | None = None, name: str | None = None, as_ref: bool = False) -> Any:
    if value.value is None:
        raise ValueError(f"Cannot convert an unknown Dimension to a Tensor: {value}")
    if dtype is not None and dtype not in (dtypes.int32, dtypes.int64):
        raise TypeError(f"Cannot convert a TensorShape to dtype: {dtype}")
    dtype = dtype or dtypes.int32
    if name is None:
        name = "shape_as_tensor"
    return constant_node(np.array(value.value, dtype.as_numpy_dtype), dtype, name)


def _from_operation(value: Operation, dtype: DType | None = None, name: str | None = None, as_ref: bool = False) -> Any:
    raise TypeError(
        f"Can't convert Operation '{value.name}' to Tensor (target dtype={dtype!r}, name={name!r}, as_ref={as_ref!r})"
    )


def _is_symbolic(value: Any) -> bool:
    return isinstance(value, Tensor) or hasattr(value, "_as_graph_element")


def _first_symbolic(value: Any) -> Any:
    """The first tensor-like leaf of nested lists."""
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, (list, tuple)):
            pending.extend(reversed(item))
        elif _is_symbolic(item):
            return item
    return None


def _from_list(value: Any, dtype: DType | None = None, name: str | None = None, as_ref: bool = False) -> Any:
    """Lists that hold tensors are packed, level by level."""
    if as_ref:
        return NotImplemented
    first = _first_symbolic(value)
    if first is None:
        return NotImplemented
    inferred = first.dtype.base_dtype
    if dtype is not None and dtype != inferred:
        value, inferred = _cast_tensors(value, dtype), dtype
    return _pack(value, inferred, name or "packed")


def _cast_tensors(value: Any, dtype: DType) -> Any:
    """Nested lists with the tensors in them cast."""
    if isinstance(value, (list, tuple)):
        return [_cast_tensors(item, dtype) for item in value]
    if _is_symbolic(value) and value.dtype.base_dtype != dtype:
        return lookup("Cast")(value, DstT=dtype)
    return value


def _pack(items: Any, dtype: DType, name: str) -> Tensor:
    graph = get_default_graph()
    converted: list[Any] = []
    with graph.name_scope(name) as scope:
        for i, item in enumerate(items):
            if _is_symbolic(item):
                if item.dtype.base_dtype != dtype:
                    raise TypeError(
                        f"Cannot convert a list containing a tensor of dtype {item.dtype} to {dtype} (Tensor is: "
                        f"{item!r})"
                    )
            elif isinstance(item, (list, tuple)):
                if _first_symbolic(item) is not None:
                    item = _pack(item, dtype, str(i))
                else:
                    graph.unique_name(str(i))  # the original opens a name scope for it
            converted.append(item)
        made = [item if _is_symbolic(item) else convert(item, dtype, str(i)) for i, item in enumerate(converted)]
        tensors = [convert(item) for item in made]  # variables are read last, as in the original
        return lookup("Pack")(tensors, axis=0, name=scope)


register_tensor_conversion_function((list, tuple), _from_list, 99)
register_tensor_conversion_function(Operation, _from_operation, 100)
register_tensor_conversion_function(TensorShape, _from_shape, 100)
register_tensor_conversion_function(Dimension, _from_dimension, 100)
register_tensor_conversion_function(object, _from_value, 200)


@public("constant")
def constant(
    value: Any, dtype: Any = None, shape: Any = None, name: str = "Const", verify_shape: bool = False
) -> Tensor:
    """A tensor of fixed values.

    Args:
      value: a Python value, nested list, numpy array, or a TensorProto, which says all there is to say.
      dtype: dtype of the result; inferred if None.
      shape: shape of the result; fewer values are filled up with the last one.
      name: name of the node.
      verify_shape: refuse values of another shape.

    Raises:
      TypeError: the values do not fit `dtype`, or `verify_shape` fails.
      ValueError: more values than `shape` holds.
    """
    dtype = None if dtype is None else dtypes.as_dtype(dtype)
    return _constant("Const" if name is None else name, value, dtype, shape, verify_shape)

