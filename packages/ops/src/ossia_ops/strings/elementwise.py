"""Strings, elementwise and joined: tensors of bytes."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import (
    UNKNOWN_SHAPE,
    broadcast,
    merge,
    reduction,
    unchanged,
    with_rank,
    with_rank_at_most,
)
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError, OutOfRangeError, dims_text
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.array.shape import one_of

_TEXT = np.array([b"a b", b"", "ü".encode()], object)


def _each(fn: Callable[[bytes], Any], x: np.ndarray, dtype: Any = object) -> np.ndarray:
    """`fn` of every element."""
    out = np.empty(x.shape, dtype)
    flat = out.reshape(-1)
    for i, item in enumerate(x.reshape(-1)):
        flat[i] = fn(item)
    return out


def _decoded(text: bytes) -> str:
    return text.decode("utf-8", "replace")


string_join_op = op("StringJoin(inputs: N * string) -> output: string", N="int >= 1", separator="string = ''")


@string_join_op.shape
def _(inputs):
    if all(x.shape.ndims == 0 for x in inputs):
        return TensorShape(())
    shape: Any = UNKNOWN_SHAPE
    for x in inputs:
        if x.shape.ndims != 0:
            shape = merge(shape, x)
    return shape


@string_join_op.kernel
def _(inputs, *, separator):
    shapes = list(dict.fromkeys(x.shape for x in inputs if x.ndim))
    if len(shapes) > 1:
        raise InvalidArgumentError(
            None, None, "Input shapes do not match: " + " vs. ".join(str(list(s)) for s in shapes)
        )
    shape = shapes.pop() if shapes else ()
    columns = [np.broadcast_to(x, shape).reshape(-1) for x in inputs]
    out = np.empty(shape, object)
    flat = out.reshape(-1)
    for i, row in enumerate(zip(*columns, strict=True)):
        flat[i] = separator.join(row)
    return out


string_join_op.not_differentiable()
string_join_op.samples(broadcast=sample([_TEXT, np.array(b"z", object)], separator="-"))


@public("string_join", "strings.join", "compat.v2.strings.join")
@dispatches
def string_join(inputs: Any, separator: str = "", name: str | None = None) -> Tensor:
    """The strings at the same place of each tensor put together; scalars go with every place.

    Args:
      inputs: string tensors of one shape, or scalars.
      separator: what stands between two strings.
      name: name of the result.
    """
    return string_join_op(inputs, separator=separator, name=name)


_CONTINUATIONS = bytes(range(0x80, 0xC0))  # the bytes of UTF-8 that begin no character

string_length_op = op("StringLength(input: string) -> output: int32", unit="{'BYTE', 'UTF8_CHAR'} = 'BYTE'")
string_length_op.shape(unchanged)


@string_length_op.kernel
def _(input, *, unit):
    texts: Any = input.reshape(-1).tolist()
    if unit != b"BYTE":
        texts = [text if text.isascii() else text.translate(None, _CONTINUATIONS) for text in texts]
    return np.fromiter(map(len, texts), np.int32, len(texts)).reshape(input.shape)


string_length_op.samples(bytes=(_TEXT,), characters=sample(_TEXT, unit="UTF8_CHAR"),
                         malformed=sample(np.array([b"\xff\xfe\x80", b"\x80a"], object), unit="UTF8_CHAR"))


@public("strings.length")
@dispatches
def string_length(input: Any, name: str | None = None, unit: str = "BYTE") -> Tensor:
    """Lengths of strings in bytes, or in Unicode code points for the unit "UTF8_CHAR"."""
    return string_length_op(input, unit=unit, name=name)


@public("compat.v2.strings.length")
@dispatches
def string_length_v2(input: Any, unit: str = "BYTE", name: str | None = None) -> Tensor:
    """Lengths of strings in bytes, or in Unicode code points for the unit "UTF8_CHAR"."""
    return string_length_op(input, unit=unit, name=name)


string_lower_op = op("StringLower(input: string) -> output: string", encoding="string = ''")
string_upper_op = op("StringUpper(input: string) -> output: string", encoding="string = ''")
for _definition in (string_lower_op, string_upper_op):
    _definition.shape(unchanged)
    _definition.samples(ascii=(_TEXT,), unicode=sample(_TEXT, encoding="utf-8"))


def _check_encoding(encoding: bytes) -> bool:
    if encoding not in (b"", b"utf-8"):
        raise InvalidArgumentError(
            None, None, "only utf-8 or '' (no encoding) is supported, received " + encoding.decode(errors='replace')
        )
    return encoding == b"utf-8"


def _before_nul(text: bytes) -> str:
    """The text that the original reads: its library for letters takes strings that end at a NUL."""
    return _decoded(text.partition(b"\0")[0])


@string_lower_op.kernel
def _(input, *, encoding):
    return _each((lambda t: _before_nul(t).lower().encode()) if _check_encoding(encoding) else bytes.lower, input)


@string_upper_op.kernel
def _(input, *, encoding):
    return _each((lambda t: _before_nul(t).upper().encode()) if _check_encoding(encoding) else bytes.upper, input)


@public("strings.lower", "compat.v2.strings.lower")
def string_lower(input: Any, encoding: str = "", name: str | None = None) -> Tensor:
    """Strings in lower case: of ASCII letters, of all letters with the encoding "utf-8"."""
    return string_lower_op(input, encoding=encoding, name=name)


@public("strings.upper", "compat.v2.strings.upper")
def string_upper(input: Any, encoding: str = "", name: str | None = None) -> Tensor:
    """Strings in upper case: of ASCII letters, of all letters with the encoding "utf-8"."""
    return string_upper_op(input, encoding=encoding, name=name)


string_strip_op = op("StringStrip(input: string) -> output: string")
string_strip_op.shape(unchanged)


@string_strip_op.kernel
def _(input):
    return _each(bytes.strip, input)


string_strip_op.samples(spaces=(np.array([b" a b \n", b"\t"], object),))


@public("string_strip", "strings.strip", "compat.v2.strings.strip")
@dispatches
def string_strip(input: Any, name: str | None = None) -> Tensor:
    """Strings without white space at their ends."""
    return string_strip_op(input, name=name)


substr_op = op(
    "Substr(input: string, pos: T, len: T) -> output: string", T="{int32, int64}", unit="{'BYTE', 'UTF8_CHAR'} = 'BYTE'"
)


@substr_op.shape
def _(input, pos, len):
    if pos.shape.ndims is not None and len.shape.ndims is not None:
        with_rank(pos, len.shape.ndims)
        if not pos.shape.is_compatible_with(len.shape):
            raise ValueError(
                f"pos and len shapes must match: {dims_text(pos.shape.as_list())} vs. {dims_text(len.shape.as_list())}"
            )
    return broadcast(input, pos)


@substr_op.kernel
def _(input, pos, len, *, unit):
    text, start, count = np.broadcast_arrays(input, pos, len)
    out = np.empty(text.shape, object)
    part = _bytes_of if unit == b"BYTE" else _characters_of
    for i, (t, p, n) in enumerate(
        zip(text.reshape(-1), start.reshape(-1).tolist(), count.reshape(-1).tolist(), strict=True)
    ):
        found = part(t, p, n)
        if found is None:
            what = f"string b'{_decoded(t)}'" if unit == b"BYTE" else "string"
            raise InvalidArgumentError(None, None, f"pos {p} out of range for {what} at index {i}")
        out.reshape(-1)[i] = found
    return out


def _bytes_of(text: bytes, pos: int, count: int) -> bytes | None:
    """The bytes of a text from a position, all that is left if the count is negative; None outside of the text."""
    if not -len(text) <= pos <= len(text):
        return None
    pos += len(text) if pos < 0 else 0
    return text[pos:pos + count] if count >= 0 else text[pos:]


def _characters_of(text: bytes, pos: int, count: int) -> bytes | None:
    """The same in characters, as their first bytes tell; a negative count goes with a position from the start only."""
    if text.isascii():
        borders = list(range(len(text) + 1))
    else:
        borders = [i for i, byte in enumerate(text) if i == 0 or not 0x80 <= byte < 0xC0] + [len(text)]
    size = len(borders) - 1
    if not -size <= pos <= size or (count < 0 and pos < 0):
        return None
    pos += size if pos < 0 else 0
    return text[borders[pos]:borders[min(pos + max(count, 0), size)]]


substr_op.samples(broadcast=sample(np.array([b"hello", b"world"], object), np.int32(1), np.int32(3)),
                  end=sample(np.array([b"hello"], object), np.int32(-2), np.int32(9)),
                  malformed=sample(np.array([b"\xff\xfea"], object), np.int32(0), np.int32(2), unit="UTF8_CHAR"))


@public("substr", "strings.substr")
@dispatches
def substr(input: Any, pos: Any, len: Any, name: str | None = None, unit: str = "BYTE") -> Tensor:
    """Parts of strings.

    Args:
      input: string tensor.
      pos: where the part starts; a negative one counts from the end.
      len: its length at most.
      name: name of the result.
      unit: "BYTE" or "UTF8_CHAR".

    Raises:
      InvalidArgumentError: in a run, a position outside of the string.
    """
    return substr_op(input, pos, len, unit=unit, name=name)


@public("compat.v2.strings.substr")
@dispatches
def substr_v2(input: Any, pos: Any, len: Any, unit: str = "BYTE", name: str | None = None) -> Tensor:
    """Parts of strings, as `tf.strings.substr` gives them."""
    return substr_op(input, pos, len, unit=unit, name=name)


reduce_join_op = op(
    "ReduceJoin(inputs: string, reduction_indices: int32) -> output: string",
    keep_dims="bool = false",
    separator="string = ''",
)


@reduce_join_op.shape
def _(inputs, reduction_indices, *, keep_dims):
    with_rank_at_most(reduction_indices, 1)
    return reduction(inputs, reduction_indices, keep_dims=keep_dims)


@reduce_join_op.kernel
def _(inputs, reduction_indices, *, keep_dims, separator):
    rank = inputs.ndim
    axes = []
    for axis in reduction_indices.reshape(-1).tolist():
        if not -rank <= axis < rank:
            raise OutOfRangeError(None, None, f"Invalid reduction dimension {axis} for input with {rank} dimension(s)")
        if axis % rank in axes:
            raise InvalidArgumentError(None, None, f"Duplicate reduction dimension {axis}")
        axes.append(axis % rank)
    if not axes:
        return inputs.copy()
    rest = [i for i in range(rank) if i not in axes]
    # The dimension that is named first is joined first.
    moved = np.transpose(inputs, [*rest, *axes[::-1]])
    shape = tuple(inputs.shape[i] for i in rest)
    rows = moved.reshape(int(np.prod(shape)), int(np.prod([inputs.shape[i] for i in axes])))
    out = np.empty(len(rows), object)
    for i, row in enumerate(rows):
        out[i] = separator.join(row)
    kept = tuple(1 if i in axes else n for i, n in enumerate(inputs.shape))
    return out.reshape(kept if keep_dims else shape)


reduce_join_op.not_differentiable()
_GRID = np.array([[b"a", b"b"], [b"c", b"d"]], object)
reduce_join_op.samples(
    rows=(_GRID, np.array([0], np.int32)),
    columns=sample(_GRID, np.array([-1], np.int32), separator=".", keep_dims=True),
    order=(_GRID, np.array([1, 0], np.int32)),
    nothing=(_GRID, np.zeros(0, np.int32)),
)


@public("reduce_join", "strings.reduce_join")
@dispatches
def reduce_join(
    inputs: Any,
    axis: Any = None,
    keep_dims: bool | None = None,
    separator: str = "",
    name: str | None = None,
    reduction_indices: Any = None,
    keepdims: bool | None = None,
) -> Tensor:
    """Strings joined along dimensions, in the order given; along all of them by default.

    Args:
      inputs: string tensor.
      axis: dimensions to join along.
      keep_dims: the older name of `keepdims`.
      separator: what stands between two strings.
      name: name of the result.
      reduction_indices: the older name of `axis`.
      keepdims: whether the dimensions stay, with size 1.
    """
    from ossia_core.graph.convert import constant, convert_to_tensor
    axis = one_of("axis", axis, "reduction_indices", reduction_indices)
    keep = bool(one_of("keepdims", keepdims, "keep_dims", keep_dims))
    with name_scope(None, "ReduceJoin", [inputs, axis]):
        inputs = convert_to_tensor(inputs)
        if axis is None:
            rank = inputs.shape.ndims
            if rank is None:
                from ossia_ops.array.shape import rank as rank_of
                from ossia_ops.math.sequence import range as indices
                axis = indices(rank_of(inputs) - 1, -1, -1)
            else:
                axis = constant(np.arange(rank - 1, -1, -1, dtype=np.int32))
        return reduce_join_op(inputs, axis, keep_dims=keep, separator=separator, name=name)


@public("compat.v2.strings.reduce_join")
@dispatches
def reduce_join_v2(
    inputs: Any, axis: Any = None, keepdims: bool = False, separator: str = "", name: str | None = None
) -> Tensor:
    """Strings joined along dimensions, in the order given; along all of them by default.

    Args:
      inputs: string tensor.
      axis: dimensions to join along.
      keepdims: whether the dimensions stay, with size 1.
      separator: what stands between two strings.
      name: name of the result.
    """
    return reduce_join(inputs, axis, separator=separator, name=name, keepdims=keepdims)
