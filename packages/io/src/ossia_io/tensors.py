"""Tensors as serialised TensorProtos."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import scalar, unknown
from ossia_core.graph.tensor import Tensor
from ossia_core.names.dtypes import as_dtype, engine_name
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.tensor_proto import decode, encode
from ossia_core.plugins.api_table import public
from ossia_core.proto import TensorProto

serialize_tensor_op = op("SerializeTensor(tensor: T) -> serialized: string", T="type")
serialize_tensor_op.shape(scalar)


@serialize_tensor_op.kernel
def _(tensor, *, T):
    return serialized_tensor(tensor, T)


def serialized_tensor(value: Any, dtype: Any, pack_strings: bool = False) -> bytes:
    """The bytes of `tensor_proto`."""
    return tensor_proto(value, dtype, pack_strings).SerializeToString()


def tensor_proto(value: Any, dtype: Any, pack_strings: bool = False) -> Any:
    """The TensorProto of a value, with its elements as they lie in memory; strings one by one, or packed into one."""
    array, dtype = np.asarray(value), dtype.base_dtype
    if array.dtype == object and not pack_strings or sys.byteorder != "little":
        return encode(array, dtype)
    proto = TensorProto(dtype=dtype.as_datatype_enum)
    proto.tensor_content = _packed(array.ravel().tolist()) if array.dtype == object else array.tobytes()
    proto.tensor_shape.SetInParent()
    for size in array.shape:
        proto.tensor_shape.dim.add(size=size)
    return proto


def _packed(strings: list[bytes]) -> bytes:
    """The lengths of strings as varints, and then the strings."""
    lengths = bytearray()
    for text in strings:
        size = len(text)
        while size > 127:
            lengths.append(size & 127 | 128)
            size >>= 7
        lengths.append(size)
    return bytes(lengths) + b"".join(strings)


serialize_tensor_op.not_differentiable()
serialize_tensor_op.samples(
    plain=([1.0, 2.0],), text=([b"a", b"bc"],), scalar=(np.int64(3),), empty=(np.zeros((0, 2), np.float32),)
)


@public("serialize_tensor", "io.serialize_tensor", "compat.v2.io.serialize_tensor")
def serialize_tensor(tensor: Any, name: str | None = None) -> Tensor:
    """A tensor as a string: its serialised TensorProto.

    Args:
        tensor: A tensor of any dtype but resources and variants.
        name: Name of the op.

    Returns:
        A string scalar.
    """
    return serialize_tensor_op(tensor, name=name)


parse_tensor_op = op("ParseTensor(serialized: string) -> output: out_type", out_type="type")


@parse_tensor_op.shape
def _(serialized):
    return unknown()  # the original asks for a scalar in a run only


@parse_tensor_op.kernel
def _(serialized, *, out_type):
    if np.ndim(serialized):
        raise InvalidArgumentError(
            None, None, f"Expected `serialized` to be a scalar, got shape: {dims_text(np.shape(serialized))}"
        )
    return parsed_tensor(np.asarray(serialized, object).item(), out_type)


def parsed_tensor(data: bytes, dtype: Any = None) -> np.ndarray:
    """The array in a serialised TensorProto, of a certain dtype if one is given.

    Raises:
        InvalidArgumentError: `data` is none, or of another dtype.
    """
    from google.protobuf.message import DecodeError

    proto = TensorProto()
    try:
        proto.ParseFromString(data)
    except DecodeError as error:
        text = data.decode("utf-8", "replace")
        raise InvalidArgumentError(None, None, f"Could not parse `serialized` as TensorProto: '{text}'") from error
    if dtype is not None and proto.dtype != dtype.base_dtype.as_datatype_enum:
        found, wanted = _named(proto.dtype), engine_name(dtype.base_dtype)
        raise InvalidArgumentError(
            None, None, f"Type mismatch between parsed tensor ({found}) and dtype ({wanted})"
        )
    return decode(proto)


def _named(number: int) -> str:
    """The name of the dtype with a number in protos, if there is one."""
    try:
        return engine_name(as_dtype(number))
    except TypeError:
        return f"type {number}"


parse_tensor_op.not_differentiable()
parse_tensor_op.samples(plain=sample(b"\x08\x01\x12\x04\x12\x02\x08\x01*\x04\x00\x00\x80?", out_type="float"))


@public("parse_tensor", "io.parse_tensor", "compat.v2.io.parse_tensor")
def parse_tensor(serialized: Any, out_type: Any, name: str | None = None) -> Tensor:
    """The tensor that `tf.io.serialize_tensor` made a string of.

    Args:
        serialized: A string scalar.
        out_type: The dtype that the tensor must have.
        name: Name of the op.

    Returns:
        A tensor of `out_type`; running it raises InvalidArgumentError for damaged strings and other dtypes.
    """
    return parse_tensor_op(serialized, out_type=out_type, name=name)
