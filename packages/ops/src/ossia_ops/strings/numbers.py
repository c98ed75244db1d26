"""Numbers in strings, and strings of numbers."""
from __future__ import annotations

import contextlib
import math
import re
import struct
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import unchanged
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, sizes
from ossia_core.names.errors import InvalidArgumentError, ResourceExhaustedError
from ossia_core.plugins.api_table import public
from ossia_ops.array.shape import one_of

# White space alone is the number 0; nothing at all is none.
_FLOAT = re.compile(rb"\s+\Z|\s*[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|inf|nan)\s*\Z", re.I)
_HEXADECIMAL = re.compile(rb"\s*[+-]?0x[\da-f]+\s*\Z", re.I)  # of whole numbers, where floats are wanted
_INTEGER = re.compile(rb"\s*-?0*\d{1,19}\s*\Z")  # those with more digits fit no type
# Of these characters Python reads what the expressions match, and refuses all else but white space alone.
_MAX_WIDTH = 1 << 20  # characters of a number as text
_OF_FLOATS, _OF_INTEGERS = b"0123456789 +-.eE", b"0123456789 -"

string_to_number_op = op(
    "StringToNumber(string_tensor: string) -> output: out_type", out_type="{float, double, int32, int64} = DT_FLOAT"
)
string_to_number_op.shape(unchanged)


@string_to_number_op.kernel
def _(string_tensor, *, out_type):
    kind = np.dtype(out_type.as_numpy_dtype)
    texts = string_tensor.reshape(-1).tolist()
    if not b"".join(texts).translate(None, _OF_FLOATS if kind.kind == "f" else _OF_INTEGERS):
        with contextlib.suppress(ValueError, OverflowError):
            read = _floats(texts, kind) if kind.kind == "f" else np.array(list(map(int, texts)), kind)
            return read.reshape(string_tensor.shape)
    matches = (_FLOAT if kind.kind == "f" else _INTEGER).match
    if not all(map(matches, texts)):
        if kind.kind == "f":
            texts = [b"%r" % float(int(text, 16)) if _HEXADECIMAL.match(text) else text for text in texts]
        for text in texts:
            if not matches(text):
                raise _not_a_number(text)
    if kind.kind == "f":
        numbers = _floats([text.strip() or b"0" for text in texts], kind)  # white space alone is 0
    else:
        # Python's integers have no bounds: one beyond those of the type is found here.
        values = list(map(int, texts))
        info = np.iinfo(kind)
        if values and not info.min <= min(values) <= max(values) <= info.max:
            raise _not_a_number(next(t for t, v in zip(texts, values) if not info.min <= v <= info.max))
        numbers = np.array(values, kind)
    return numbers.reshape(string_tensor.shape)


def _floats(texts: list[bytes], kind: np.dtype) -> np.ndarray:
    numbers = np.array(list(map(float, texts)))
    if kind == np.float32:
        for i in np.flatnonzero((numbers.view(np.int64) & _BELOW) == _HALF):
            numbers[i] = single(texts[i], float(numbers[i]))
    return numbers.astype(kind)


_BELOW, _HALF = (1 << 29) - 1, 1 << 28  # bits of a double that a float lacks, and these halfway between two floats
_DOUBLE, _BITS = struct.Struct("<d"), struct.Struct("<q")


def single(text: bytes, number: float) -> float:
    """The float32 number nearest to what a text writes, as a double.

    Args:
      text: what `float` reads.
      number: the double nearest to it. Where that lies halfway between two floats, the text tells which is nearer: it
        would else be rounded twice.
    """
    (bits,) = _BITS.unpack(_DOUBLE.pack(number))
    if bits & _BELOW != _HALF or abs(number) < 2.0**-126:
        return number
    from fractions import Fraction

    beyond = abs(Fraction(text.decode().strip())) - abs(Fraction(number))
    if not beyond:
        return number
    return float(_DOUBLE.unpack(_BITS.pack((bits & ~_BELOW) + (_BELOW + 1 if beyond > 0 else 0)))[0])


def _not_a_number(text: bytes) -> InvalidArgumentError:
    shown = text[:200].decode(errors="replace")
    return InvalidArgumentError(None, None, f"StringToNumberOp could not correctly convert string: {shown}")


string_to_number_op.not_differentiable()
# Floats that are others if they are rounded to doubles first.
_HALFWAY = np.array(
    [b"7.038531e-26", b"16777217.0000000001", b"-16777219", b"16777217", b" 3.4028235677973366e38",
     b"3.4028235677973367e38", b"1.00000005960464477539063"], object
)  # fmt: skip
string_to_number_op.samples(
    floats=(np.array([b"1.5", b" -2e3 ", b"inf"], object),),
    ints=sample(np.array([b"7", b"-8"], object), out_type="int32"),
    hexadecimal=(np.array([b"0x1F", b" -0Xa ", b"+0x1e5", b"1e5"], object),),
    refused_text=(np.array([b"1x"], object),),
    refused_fraction=(np.array([b"0x1.8p3"], object),),
    refused_plus=sample(np.array([b"+5"], object), out_type="int64"),
    refused_digits=sample(np.array([b"7", b"1" * 5000], object), out_type="int64"),
    refused_size=sample(np.array([b"7", b"-9223372036854775809"], object), out_type="int64"),
    refused_sign=sample(np.array([b"7", b"- 5"], object), out_type="int64"),
    refused_two=(np.array([b"1", b"1 2"], object),),
    refused_nothing=(np.array([b"1", b""], object),),
    spaces=(np.array([b"-1e-3", b" ", b"+.5E+1", b" 2. "], object),),
    halfway=(_HALFWAY,),
    halfway_doubles=sample(_HALFWAY, out_type="double"),
    refused_base=sample(np.array([b"0x5"], object), out_type="int32"),
)


@public("string_to_number", "strings.to_number")
def string_to_number(
    string_tensor: Any = None, out_type: Any = dtypes.float32, name: str | None = None, input: Any = None
) -> Tensor:
    """The numbers that strings write.

    Args:
      string_tensor: strings.
      out_type: float32, float64, int32 or int64.
      name: name of the result.
      input: the newer name of `string_tensor`.

    Raises:
      InvalidArgumentError: in a run, a string that is no number of that type.
    """
    strings = one_of("input", input, "string_tensor", string_tensor)
    return string_to_number_op(strings, out_type=out_type, name=name)


@public("compat.v2.strings.to_number")
@dispatches
def string_to_number_v2(input: Any, out_type: Any = dtypes.float32, name: str | None = None) -> Tensor:
    """The numbers that strings write, as `tf.strings.to_number` gives them."""
    return string_to_number_op(input, out_type=out_type, name=name)


as_string_op = op(
    "AsString(input: T) -> output: string",
    T="{int8, int16, int32, int64, complex64, complex128, float, double, bool}",
    precision="int32 = -1",
    scientific="bool = false",
    shortest="bool = false",
    width="int32 = -1",
    fill="string = ''",
)
as_string_op.shape(unchanged)


@as_string_op.kernel_for
def _(node):
    a = node.attrs
    kind = a["T"]
    precision, width, fill = a["precision"], a["width"], a["fill"].decode()
    if (kind.is_integer or kind is dtypes.bool) and (a["scientific"] or a["shortest"] or precision >= 0):
        plain = not (a["scientific"] or a["shortest"])
        what = "precision" if plain else "scientific and shortest format"
        raise InvalidArgumentError(None, None, f"{what} not supported for datatype {kind.name}")
    if a["scientific"] and a["shortest"]:
        raise InvalidArgumentError(None, None, "Cannot select both scientific and shortest notation")
    if len(fill) > 1:
        raise InvalidArgumentError(None, None, "Fill string must be one or fewer characters")
    if fill not in ("", " ", "+", "-", "0", "#"):
        raise InvalidArgumentError(None, None, f'Fill argument not supported: "{fill}"')
    most = max(width, precision)
    if most > _MAX_WIDTH:
        raise ResourceExhaustedError(
            None, None, f"Numbers of {most} characters are asked for; {_MAX_WIDTH} are the most"
        )
    form = "e" if a["scientific"] else "g" if a["shortest"] else "f"
    size = str(width) if width > -1 else ""
    digits = f".{precision}" if precision > -1 else ""
    template = f"%{fill}{size}d" if kind.is_integer else f"%{fill}{size}{digits}{form}"
    # As in C, infinities and NaN are filled up with spaces.
    special = f"%{'' if fill == '0' else fill}{size}{digits}{form}"

    def part(value: float) -> str:
        return (template if math.isfinite(value) else special) % value

    def text(value: Any) -> bytes:
        if kind is dtypes.bool:
            return b"true" if value else b"false"
        if kind.is_complex:
            return f"({part(value.real)},{part(value.imag)})".encode()
        return part(value).encode()

    def kernel(x: np.ndarray) -> np.ndarray:
        if most > 0:
            sizes.allocatable(x.shape, most)
        out = np.empty(x.shape, object)
        flat = out.reshape(-1)
        if template == "%d" and x.size:
            flat[:] = repr(x.reshape(-1).tolist())[1:-1].encode().split(b", ")  # as Python writes a list of them
            return out
        for i, value in enumerate(x.reshape(-1).tolist()):
            flat[i] = text(value)
        return out
    return kernel


as_string_op.not_differentiable()
as_string_op.samples(
    floats=(np.array([1.5, -2.0], np.float32),),
    ints=sample(np.array([3, -14], np.int32), width=4, fill="0"),
    truth=(np.array([True, False]),),
    short=sample(np.array([0.1, 1e20]), shortest=True),
)


@public("as_string", "strings.as_string", "dtypes.as_string", "compat.v2.as_string", "compat.v2.strings.as_string")
@dispatches
def as_string(
    input: Any,
    precision: int = -1,
    scientific: bool = False,
    shortest: bool = False,
    width: int = -1,
    fill: str = "",
    name: str | None = None,
) -> Tensor:
    """Numbers as text.

    Args:
      input: numbers or booleans.
      precision: digits after the point; those of C's printf if -1.
      scientific: whether to write an exponent.
      shortest: whether to write the shorter of both forms.
      width: least number of characters.
      fill: what fills up: "" (spaces), "0", "+", "-", " " or "#".
      name: name of the result.

    Runs raise ResourceExhaustedError for a width or precision of more than 2**20 characters.
    """
    return as_string_op(
        input, precision=precision, scientific=scientific, shortest=shortest, width=width, fill=fill, name=name
    )
