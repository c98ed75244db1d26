"""Arrays to TensorProto and back: the encodings that the original writes, and every one that it reads."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ossia_core.names import dtypes, errors, literals, sizes
from ossia_core.names.dtypes import DType
from ossia_core.plugins.api_table import public

MAX_PROTO_BYTES = 2**31  # a protobuf message cannot be larger
_ABRIDGED = 1 << 20  # bytes; smaller arrays are made at once

# Types that are written as raw bytes when there is more than one element.
_RAW = frozenset(
    {
        dtypes.float32,
        dtypes.float64,
        dtypes.int32,
        dtypes.uint8,
        dtypes.int16,
        dtypes.int8,
        dtypes.int64,
        dtypes.uint32,
        dtypes.uint64,
        dtypes.qint8,
        dtypes.quint8,
        dtypes.qint16,
        dtypes.quint16,
        dtypes.qint32,
    }
)

# The list field of each type.
_FIELD: dict[DType, str] = {
    dtypes.float32: "float_val",
    dtypes.float64: "double_val",
    dtypes.int32: "int_val",
    dtypes.uint8: "int_val",
    dtypes.int16: "int_val",
    dtypes.int8: "int_val",
    dtypes.string: "string_val",
    dtypes.complex64: "scomplex_val",
    dtypes.int64: "int64_val",
    dtypes.bool: "bool_val",
    dtypes.qint8: "int_val",
    dtypes.quint8: "int_val",
    dtypes.qint32: "int_val",
    dtypes.bfloat16: "half_val",
    dtypes.qint16: "int_val",
    dtypes.quint16: "int_val",
    dtypes.uint16: "int_val",
    dtypes.complex128: "dcomplex_val",
    dtypes.float16: "half_val",
    dtypes.uint32: "uint32_val",
    dtypes.uint64: "uint64_val",
}


@public("make_tensor_proto", "compat.v2.make_tensor_proto")
def make_tensor_proto(
    values: Any, dtype: Any = None, shape: Any = None, verify_shape: bool = False, allow_broadcast: bool = False
) -> Any:
    """Encodes values as a TensorProto.

    Args:
        values: A Python value, nested list or array; a TensorProto is returned as it is.
        dtype: The element type; by default the type of `values` (float32 for Python floats, int32 for ints that fit).
        shape: The tensor's shape; fewer values than it holds are stored as they are, and a reader repeats the last one.
        verify_shape: Whether `values` must have exactly `shape`.
        allow_broadcast: Whether `values` must be one element or fill `shape`.

    Returns:
        A TensorProto.

    Raises:
        TypeError: A value does not fit the type, or a shape check fails.
        ValueError: There is no value, lists are ragged, there are too many values for `shape`, or the result exceeds 2
            GB.
    """
    from ossia_core.proto import TensorProto

    if getattr(type(values), "DESCRIPTOR", None) is TensorProto.DESCRIPTOR:
        return values
    dims = None if shape is None else tuple(literals.sizes_of(shape))
    array, dtype = literals.to_array(values, dtype, dims if dims is not None and 0 in dims else None)
    dims = array.shape if dims is None else dims
    count = math.prod(dims)
    if shape is not None:
        loose = allow_broadcast and array.shape in ((), (1,))
        if array.size != count if allow_broadcast and not loose else verify_shape and not loose and array.shape != dims:
            raise TypeError(f"Expected Tensor's shape: {dims}, got {array.shape}.")
        if array.size > count and not loose:
            raise ValueError(f"Too many elements provided. Needed at most {count}, but received {array.size}")
    return encode(array, dtype, dims)


def encode(array: np.ndarray, dtype: DType | None = None, dims: tuple[int, ...] | None = None) -> Any:
    """The TensorProto of an array; with `dims` of more elements than it has, of the values that a reader repeats.

    Args:
        array: The values; strings as an object array of bytes, quantized types as integers or as their structured type.
        dtype: The element type; by default that of the array.
        dims: The tensor's shape; by default that of the array.

    Raises:
        ValueError: The result exceeds 2 GB.
    """
    from ossia_core.proto import TensorProto

    dtype = dtypes.as_dtype(array.dtype) if dtype is None else dtype
    proto = TensorProto(dtype=dtype.as_datatype_enum)
    for size in array.shape if dims is None else dims:
        proto.tensor_shape.dim.add(size=size)
    proto.tensor_shape.SetInParent()
    if array.size > 1 and array.ndim and not any(array.strides) and dtype is not dtypes.string:
        array = array.reshape(-1)[:1]  # one value, broadcast
    if array.size > 1 and dtype in _RAW and (dims is None or array.size == math.prod(dims)):
        if array.nbytes >= MAX_PROTO_BYTES:
            raise ValueError("Cannot create a tensor proto whose content is larger than 2GB.")
        proto.tensor_content = array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
        return proto
    put_values(proto, array, dtype)
    return proto


def put_values(proto: Any, array: np.ndarray, dtype: DType) -> None:
    """Writes the elements of an array into the list field of a TensorProto that belongs to their type."""
    flat = array.reshape(-1)
    if dtype.is_quantized and flat.dtype.names:
        flat = flat[dtype.name]
    elif dtype in (dtypes.float16, dtypes.bfloat16):
        flat = flat.view(np.uint16)
    elif dtype.is_complex:
        flat = np.ascontiguousarray(flat).view(dtype.real_dtype.as_numpy_dtype)
    getattr(proto, _FIELD[dtype]).extend(flat.tolist())


def values_of(proto: Any, dtype: DType) -> np.ndarray:
    """The elements in a TensorProto's list field for `dtype`, as a flat array; its own type and shape are not read."""
    values = getattr(proto, _FIELD[dtype])
    if dtype.is_complex and len(values) % 2:
        raise _unreadable(f"{len(values)} values are no whole number of complex ones")
    return _typed(values, dtype)


@public("make_ndarray", "compat.v2.make_ndarray")
def make_ndarray(tensor: Any) -> np.ndarray:
    """Decodes a TensorProto.

    Args:
        tensor: A TensorProto in any of its encodings.

    Returns:
        A new array; strings come as bytes in an object array.

    Raises:
        TypeError: The element type has no NumPy equivalent.
        ValueError: The proto's shape and values do not fit each other.
    """
    if dtypes.as_dtype(tensor.dtype) not in _FIELD:
        raise TypeError(f"Unsupported tensor type: {tensor.dtype}")
    try:
        array = decode(tensor)
        sizes.allocatable(array.shape, array.dtype.itemsize)
        return array.copy()
    except (errors.InvalidArgumentError, errors.ResourceExhaustedError) as error:
        raise ValueError(error.message) from None
    except MemoryError as error:
        raise ValueError(f"The array does not fit into memory: {error}") from None


def decode(proto: Any) -> np.ndarray:
    """The array that a TensorProto stands for, as the original's runtime reads it.

    A list with too few values repeats its last one, an empty list gives zeros. The result may be read-only and share
    memory; one repeated value takes no memory per element.

    Raises:
        InvalidArgumentError: The type has no array form, the shape is unknown or overflows, or the bytes do not fit the
            shape.
        ResourceExhaustedError: The array would be too large for memory.
    """
    dtype = _dtype_of(proto)
    dims = _shape_of(proto.tensor_shape)
    count = math.prod(dims)
    if proto.tensor_content:
        return _from_bytes(proto.tensor_content, dtype, count).reshape(dims)
    array = values_of(proto, dtype)[:count]
    if array.size == count:
        return array.reshape(dims)
    if array.size <= 1:
        return np.broadcast_to(array.reshape(()) if array.size else _zero(dtype), dims)
    sizes.allocatable(dims, array.dtype.itemsize)
    full = np.empty(count, array.dtype)
    full[: array.size] = array
    full[array.size :] = array[-1]
    return full.reshape(dims)


def has_array(proto: Any) -> bool:
    """Whether the element type of a TensorProto has an array form."""
    return dtypes.as_dtype(proto.dtype) in _FIELD


def is_abridged(proto: Any) -> bool:
    """Whether a TensorProto lists some values of many: its array takes over a megabyte, and 16 times what is listed.

    One value for all elements is none of these, because `decode` makes it an array that takes no more memory.

    Raises:
        InvalidArgumentError: as `decode` does for the type and the shape.
    """
    dtype = _dtype_of(proto)
    listed = len(getattr(proto, _FIELD[dtype])) // (2 if dtype.is_complex else 1)
    if listed < 2 or proto.tensor_content:
        return False
    count = math.prod(_shape_of(proto.tensor_shape))
    return count > 16 * listed and count * np.dtype(dtype.as_numpy_dtype).itemsize > _ABRIDGED


def _dtype_of(proto: Any) -> DType:
    try:
        dtype = dtypes.as_dtype(proto.dtype)
    except TypeError:
        raise _unreadable(f"its type {proto.dtype} is unknown") from None
    if dtype not in _FIELD:
        raise _unreadable(f"{dtype.name} values have no array form")
    return dtype


def _shape_of(shape: Any) -> tuple[int, ...]:
    if shape.unknown_rank:
        if shape.dim:
            raise _unreadable("its shape has sizes but an unknown rank")
        return ()
    dims = tuple(dim.size for dim in shape.dim)
    sizes.elements(dims)
    return dims


def _from_bytes(content: bytes, dtype: DType, count: int) -> np.ndarray:
    if dtype is dtypes.string:
        return _strings(content, count)
    numpy_type = np.dtype(dtype.as_numpy_dtype)
    if len(content) != count * numpy_type.itemsize:
        raise _unreadable(f"{len(content)} bytes of content do not make {count} elements of {dtype.name}")
    return np.frombuffer(content, numpy_type)


def _strings(content: bytes, count: int) -> np.ndarray:
    """Strings packed as their lengths (varints), then their bytes."""
    if count > len(content):
        raise _unreadable(f"{len(content)} bytes of content do not make {count} strings")
    lengths, at = [], 0
    for _ in range(count):
        length = shift = 0
        while True:
            if at >= len(content) or shift > 63:
                raise _unreadable("a string's length is cut off or too long")
            byte = content[at]
            at += 1
            length |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        lengths.append(length)
    if at + sum(lengths) != len(content):
        raise _unreadable("the lengths of its strings do not add up")
    array = np.empty(count, object)
    for i, length in enumerate(lengths):
        array[i] = content[at : at + length]
        at += length
    return array


def _typed(values: Any, dtype: DType) -> np.ndarray:
    if dtype is dtypes.string:
        array = np.empty(len(values), object)
        array[:] = list(values)
        return array
    if dtype in (dtypes.float16, dtypes.bfloat16):
        return np.fromiter(values, np.int64, len(values)).astype(np.uint16).view(dtype.as_numpy_dtype)
    if dtype.is_complex:
        return np.fromiter(values, dtype.real_dtype.as_numpy_dtype, len(values)).view(dtype.as_numpy_dtype)
    numpy_type = np.dtype(dtype.as_numpy_dtype)
    if _FIELD[dtype] != "int_val":
        return np.fromiter(values, numpy_type, len(values))
    integers = np.fromiter(values, np.int32, len(values))
    if numpy_type.names:
        return integers.astype(numpy_type[0]).view(numpy_type)
    return integers.astype(numpy_type, copy=False)


def _zero(dtype: DType) -> np.ndarray:
    if dtype is dtypes.string:
        empty = np.empty((), object)
        empty[()] = b""
        return empty
    return np.zeros((), dtype.as_numpy_dtype)


def _unreadable(why: str) -> errors.InvalidArgumentError:
    return errors.InvalidArgumentError(None, None, f"Cannot parse tensor from proto: {why}.")
