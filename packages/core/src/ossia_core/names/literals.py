"""Arrays from Python values, by the original's rules for dtypes, strings, ragged lists and fill values."""
from __future__ import annotations

import array as buffers
import numbers
from collections import deque
from typing import Any

import numpy as np

from ossia_core.names import dtypes
from ossia_core.names.dtypes import DType
from ossia_core.names.shapes import Dimension, TensorShape

_INT32, _INT64 = np.iinfo(np.int32), np.iinfo(np.int64)


def to_array(
    value: Any, dtype: DType | None = None, shape: Any = None, verify_shape: bool = False
) -> tuple[np.ndarray, DType]:
    """The array and dtype that a constant made of `value` holds; elements of quantized types are plain integers.

    Args:
      value: a Python value, nested list, or anything numpy takes.
      dtype: wanted dtype; None infers it (Python floats give float32, ints int32 where they fit).
      shape: wanted shape; fewer elements are filled up with the last one, or with zeros if there is none.
      verify_shape: refuse to fill or reshape.

    Raises:
      TypeError: a value does not fit the dtype, or `verify_shape` fails.
      ValueError: None or ragged values, or more elements than `shape` holds.
      OverflowError: an integer that 64 bits do not hold.
    """
    if dtype is not None:
        dtype = dtypes.as_dtype(dtype).base_dtype
    if shape is not None and not isinstance(shape, TensorShape):
        shape = sizes_of(shape)
    array = _array(value, dtype, shape)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    if dtype is dtypes.string and not array.size:
        array = np.empty(array.shape, object)
    if array.dtype == object or array.dtype.kind in "SU":
        found = dtypes.string
        array = byte_strings(array, value)
    else:
        found = dtypes.as_dtype(array.dtype)
        if found.is_quantized:
            array = array[found.name]
    if dtype is not None and dtype is not found:
        if found is dtypes.string or not dtype.is_numpy_compatible or dtype is dtypes.string:
            if dtype is dtypes.string:
                raise TypeError(
                    f"Expected binary or unicode string, got {_short(array.flat[0] if array.size else value)}"
                )
        raise TypeError(f"Incompatible types: {dtype} vs. {found.name}. Value is {_short(value)}")
    return (array if shape is None else _fill(array, shape, verify_shape)), found


def sizes_of(shape: Any) -> list[int]:
    """The sizes in the shape of a constant; fractions are cut off.

    Raises:
      TypeError: there is no list of sizes, or a text in it.
      ValueError: there is a tensor in it.
      NotImplementedError: it is a tensor, whose value is not known.
    """
    sizes = list(np.asarray(shape) if hasattr(shape, "consumers") else shape)  # of a tensor, which refuses it
    if any(isinstance(size, (str, bytes)) for size in sizes):
        raise TypeError(f"Sizes of a shape are numbers, but got {_short(shape)}")
    if any(hasattr(size, "consumers") for size in sizes):
        raise ValueError("setting an array element with a sequence.")
    return [int(single(size)) for size in sizes]


def single(value: Any) -> Any:
    """The number in an array of one, which newer NumPy does not take for it; anything else as it is."""
    return value.item() if isinstance(value, np.ndarray) and value.size == 1 and value.dtype.kind in "biuf" else value


def _array(value: Any, dtype: DType | None, shape: Any) -> np.ndarray:
    numpy_type = (
        None if dtype is None or dtype is dtypes.string or not dtype.is_numpy_compatible else dtype.as_numpy_dtype
    )
    if isinstance(value, (np.ndarray, np.generic)):
        return np.asarray(value) if numpy_type is None else _cast(value, numpy_type)
    if value is None:
        raise ValueError("None values not supported.")
    if shape is not None and 0 in TensorShape(shape).as_list():
        text = object if dtype is dtypes.string else np.float32
        return np.empty(tuple(TensorShape(shape).as_list()), numpy_type or text)
    kind = type(value)
    if kind is float and (dtype is None or dtype is dtypes.float32):
        with np.errstate(over="ignore"):
            return np.array(value, np.float32)
    if kind is int and dtype is None and _INT32.min <= value <= _INT32.max:
        return np.array(value, np.int32)
    if not isinstance(value, (list, tuple)) and not hasattr(value, "consumers") and (
        hasattr(value, "__array__") or isinstance(value, (bytearray, memoryview, buffers.array))
    ):
        array = np.asarray(value)
        return array if numpy_type is None else _cast(array, numpy_type)
    array = _from_python(value, dtype, numpy_type)
    return array if dtype is not None else _preferred(array)


def _cast(array: Any, numpy_type: Any) -> np.ndarray:
    if array.dtype.kind == "c" and np.dtype(numpy_type).kind not in "cV":
        array = array.real
    with np.errstate(all="ignore"):
        return np.asarray(array.astype(numpy_type))


def _from_python(value: Any, dtype: DType | None, numpy_type: Any) -> np.ndarray:
    leaves = _check(value, dtype)
    dims = _dense_shape(value)
    if dtype is dtypes.string or (dtype is None and any(isinstance(leaf, (str, bytes)) for leaf in leaves)):
        return _texts(value, leaves, dims)
    try:
        with np.errstate(all="ignore"):
            array = np.array(value, dtype=numpy_type)
    except OverflowError:
        # Integers that 64 bits hold wrap around.
        if numpy_type is not None and any(not _INT64.min <= leaf <= _INT64.max for leaf in leaves):
            raise OverflowError("Python int too large to convert to C long") from None
        array = _cast(np.array(value), numpy_type) if numpy_type is not None else np.array(value, dtype=object)
    except (ValueError, TypeError):
        array = np.array(value, dtype=object)
    if array.shape != dims and not (dtype is not None and dtype.is_quantized):
        raise ValueError(
            f"Argument must be a dense tensor: {_short(value)} - got shape {list(array.shape)}, but wanted "
            f"{list(dims)}."
        )
    if array.dtype == object:
        raise _not_convertible(value)
    return array


def _preferred(array: np.ndarray) -> np.ndarray:
    """The array with 32 bits where 64 come from Python and the values allow it."""
    if array.dtype == np.float64:
        with np.errstate(over="ignore"):
            return array.astype(np.float32)
    if array.dtype == np.int64 and (not array.size or (array.min() >= _INT32.min and array.max() <= _INT32.max)):
        return array.astype(np.int32)
    return array


def _texts(value: Any, leaves: list, dims: tuple[int, ...]) -> np.ndarray:
    array = np.empty(dims, dtype=object)
    if len(leaves) != array.size or not _is_dense(value, dims):
        got = list(np.array(value, dtype=object).shape)
        raise ValueError(
            f"Argument must be a dense tensor: {_short(value)} - got shape {got}, but wanted {list(dims)}."
        )
    flat = array.reshape(-1)
    for i, leaf in enumerate(leaves):
        flat[i] = leaf
    return array


def _leaves(value: Any) -> list:
    if not isinstance(value, (list, tuple)):
        return (
            list(value)
            if isinstance(value, (range, deque))
            else list(value.values())
            if isinstance(value, dict)
            else [value]
        )
    found: list = []
    pending = [iter(value)]
    while pending:
        for item in pending[-1]:
            if isinstance(item, (list, tuple)):
                pending.append(iter(item))
                break
            found.append(item)
        else:
            pending.pop()
    return found


def _dense_shape(value: Any) -> tuple[int, ...]:
    dims = []
    while isinstance(value, (list, tuple)):
        dims.append(len(value))
        if not value:
            break
        value = value[0]
    return tuple(dims)


def _is_dense(value: Any, dims: tuple[int, ...]) -> bool:
    """Whether nested lists have these lengths throughout."""
    if not dims:
        return True
    if not isinstance(value, (list, tuple)) or len(value) != dims[0]:
        return False
    return len(dims) == 1 or all(_is_dense(item, dims[1:]) for item in value)


def byte_strings(array: np.ndarray, value: Any) -> np.ndarray:
    """`array` with each string as bytes; `value` is what the program gave, for the error."""
    out = np.empty(array.shape, dtype=object)
    flat = out.reshape(-1)
    for i, item in enumerate(array.reshape(-1)):
        if isinstance(item, str):
            item = item.encode()
        elif not isinstance(item, bytes):
            if isinstance(value, np.ndarray):
                raise TypeError(f"Expected binary or unicode string, got {_short(item)}")
            raise _not_convertible(value)
        flat[i] = bytes(item)
    return out


def _not_convertible(value: Any) -> TypeError:
    return TypeError(
        f"Failed to convert object of type {type(value)} to Tensor. Contents: {value!s}. Consider casting "
        "elements to a supported type."
    )


def _short(value: Any) -> str:
    return cut(str(value) if isinstance(value, (TensorShape, Dimension, DType)) else repr(value))


def cut(text: str) -> str:
    """The text as messages show it: its beginning, if it is long."""
    return text if len(text) <= 200 else text[:200] + "..."


_INTEGERS = (numbers.Integral, np.integer, Dimension)
_REALS = (numbers.Real, np.integer, np.floating)
_COMPLEX = (numbers.Complex, np.number)


def _fitting(dtype: DType) -> tuple:
    """Python types that a tensor of `dtype` may be made of."""
    if dtype is dtypes.bool:
        return (bool,)
    if dtype is dtypes.string:
        return (str, bytes)
    if dtype.is_integer or dtype.is_quantized:
        return _INTEGERS
    return _REALS if dtype.is_floating else _COMPLEX if dtype.is_complex else (object,)


def _check(value: Any, dtype: DType | None) -> list:
    """The leaves of nested lists; TypeError for the first one that a tensor of `dtype` cannot hold."""
    leaves = _leaves(value)
    if dtype is None:
        if any(hasattr(leaf, "value_index") for leaf in leaves):
            raise TypeError("List of Tensors when single Tensor expected")
        return leaves
    fits = _fitting(dtype)
    for leaf in leaves:
        if not isinstance(leaf, fits):
            raise _mismatch(leaf, dtype)
    if dtype.is_quantized:
        _check_tuples(value, dtype)
    return leaves


def _check_tuples(value: Any, dtype: DType) -> None:
    """The innermost level of quantized values is tuples, one per element."""
    if not isinstance(value, (list, tuple)):
        raise _mismatch(value, dtype)
    nested = [item for item in value if isinstance(item, (list, tuple))]
    if isinstance(value, list) and len(nested) < len(value):
        raise _mismatch(next(item for item in value if not isinstance(item, (list, tuple))), dtype)
    for item in nested:
        _check_tuples(item, dtype)


def _mismatch(leaf: Any, dtype: DType) -> TypeError:
    return TypeError(f"Expected {dtype.name}, got {cut(repr(leaf))} of type '{type(leaf).__name__}' instead.")


def _fill(array: np.ndarray, shape: Any, verify_shape: bool) -> np.ndarray:
    dims = tuple(int(d) for d in TensorShape(shape).as_list())
    if array.shape == dims:
        return array
    if verify_shape:
        raise TypeError(f"Expected Tensor's shape: {dims}, got {array.shape}.")
    size = 1
    for d in dims:
        size *= d
    if size == array.size:
        return array.reshape(dims)
    if array.size > size:
        raise ValueError(f"Too many elements provided. Needed at most {size}, but received {array.size}")
    if not array.size:
        # No value to repeat: zeros, False or empty strings.
        return np.broadcast_to(np.array(b"", object) if array.dtype == object else np.zeros((), array.dtype), dims)
    if array.size == 1:
        # Kept as one element seen many times: a large constant of one value costs nothing.
        return np.broadcast_to(array.reshape(()), dims)
    flat = array.reshape(-1)
    out = np.empty(size, dtype=array.dtype)
    out[:flat.size] = flat
    out[flat.size:] = flat[-1] if flat.size else np.zeros((), array.dtype)
    return out.reshape(dims)
