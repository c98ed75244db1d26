"""Bytes as numbers."""

from __future__ import annotations

import operator
import sys
from operator import countOf
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import size_given
from ossia_core.graph.tensor import Tensor
from ossia_core.names import sizes
from ossia_core.names.dtypes import engine_name
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public

_KINDS = "{half, float, double, int32, uint16, uint8, int16, int8, int64%s}"

decode_raw_op = op(
    "DecodeRaw(bytes: string) -> output: out_type",
    out_type=_KINDS % ", complex64, complex128, bool",
    little_endian="bool = true",
)


@decode_raw_op.shape
def _(bytes):
    dims = bytes.shape.as_tuple()
    return None if dims is None else (*dims, None)


@decode_raw_op.kernel
def _(bytes, *, out_type, little_endian):
    strings, kind = np.asarray(bytes, object), np.dtype(out_type.as_numpy_dtype)
    flat = strings.ravel().tolist()
    if not flat:
        return np.zeros((*strings.shape, 0), kind)
    size = len(flat[0])
    if countOf(map(len, flat), size) != len(flat):
        i, text = next((i, text) for i, text in enumerate(flat) if len(text) != size)
        raise InvalidArgumentError(
            None,
            None,
            "DecodeRaw requires input strings to all be the same size, but element "
            f"{i} has size {size} != {len(text)}",
        )
    if size % kind.itemsize:
        raise InvalidArgumentError(
            None,
            None,
            f"Input to DecodeRaw has length {size} that is not a multiple of {kind.itemsize}, "
            f"the size of {engine_name(out_type)}",
        )
    return _numbers(b"".join(flat), kind, little_endian).reshape(*strings.shape, size // kind.itemsize)


def _numbers(data: bytes, kind: np.dtype, little_endian: bool) -> np.ndarray:
    if kind.kind == "b":
        return np.frombuffer(data, np.uint8) != 0
    if little_endian != (sys.byteorder == "little"):  # all bytes of a number are reversed, of a complex one too
        turned = np.frombuffer(data, np.uint8).reshape(-1, kind.itemsize)[:, ::-1]
        return np.frombuffer(turned.tobytes(), kind).copy()
    return np.frombuffer(data, kind).copy()


decode_raw_op.not_differentiable()
decode_raw_op.samples(
    bytes=sample([b"ab", b"cd"], out_type="uint8"),
    wide=sample(b"abcdefgh", out_type="float"),
    empty=sample(np.zeros(0, object), out_type="int32"),
)

decode_padded_raw_op = op(
    "DecodePaddedRaw(input_bytes: string, fixed_length: int32) -> output: out_type",
    out_type=_KINDS % "",
    little_endian="bool = true",
)


@decode_padded_raw_op.shape
def _(input_bytes, fixed_length, *, out_type):
    dims, length = input_bytes.shape.as_tuple(), size_given(fixed_length, 1)
    if length is not None and length % out_type.size:
        raise ValueError(f"Dimension size must be evenly divisible by {out_type.size} but is {length}")
    return None if dims is None else (*dims, None if length is None else length // out_type.size)


@decode_padded_raw_op.kernel
def _(input_bytes, fixed_length, *, out_type, little_endian):
    strings, kind = np.asarray(input_bytes, object), np.dtype(out_type.as_numpy_dtype)
    length = operator.index(fixed_length)
    if length <= 0:
        raise InvalidArgumentError(None, None, f"fixed_length ({length}) must be greater than zero.")
    if length % kind.itemsize:
        raise InvalidArgumentError(
            None, None, f"fixed_length ({length}) must be a multiple of the size of out_type ({kind.itemsize})"
        )
    sizes.allocatable((*strings.shape, length), 1)
    rows = np.zeros((strings.size, length), np.uint8)
    for row, text in zip(rows, strings.ravel().tolist(), strict=True):
        row[: len(text)] = np.frombuffer(text[:length], np.uint8)
    if kind.kind == "b":
        numbers = rows != 0
    elif little_endian != (sys.byteorder == "little"):
        numbers = _numbers(rows.tobytes(), kind, little_endian)
    else:
        numbers = rows.view(kind)
    return numbers.reshape(*strings.shape, length // kind.itemsize)


decode_padded_raw_op.not_differentiable()
decode_padded_raw_op.samples(padded=sample([b"abc", b""], np.int32(4), out_type="uint8"))


@public("decode_raw", "io.decode_raw")
def decode_raw(
    input_bytes: Any = None,
    out_type: Any = None,
    little_endian: bool = True,
    name: str | None = None,
    bytes: Any = None,
    fixed_length: Any = None,
) -> Tensor:
    """Strings as the numbers that their bytes hold.

    Args:
        input_bytes: A string tensor; all its elements have the same length if `fixed_length` is None.
        out_type: The dtype of the numbers.
        little_endian: Whether the first byte of a number is the least significant one.
        name: Name of the op.
        bytes: An older name of `input_bytes`.
        fixed_length: Bytes to take of each string, padded with zeros where it is shorter.

    Returns:
        A tensor of `out_type` with one dimension more than the strings.

    Raises:
        ValueError: `input_bytes` is given under both names, or not at all, or `out_type` is missing.
    """
    if bytes is not None and input_bytes is not None:
        raise ValueError("Cannot specify both 'bytes' and 'input_bytes'")
    input_bytes = bytes if input_bytes is None else input_bytes
    if input_bytes is None or out_type is None:
        raise ValueError("decode_raw needs 'input_bytes' and 'out_type'.")
    return decode_raw_v2(input_bytes, out_type, little_endian, fixed_length, name)


@public("compat.v2.io.decode_raw")
def decode_raw_v2(
    input_bytes: Any, out_type: Any, little_endian: bool = True, fixed_length: Any = None, name: str | None = None
) -> Tensor:
    """`tf.io.decode_raw` with `fixed_length` before `name`."""
    if fixed_length is None:
        return decode_raw_op(input_bytes, out_type=out_type, little_endian=little_endian, name=name)
    return decode_padded_raw_op(input_bytes, fixed_length, out_type=out_type, little_endian=little_endian, name=name)
