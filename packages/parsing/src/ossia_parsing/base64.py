"""Web-safe base64."""

from __future__ import annotations

import base64
import re
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import unchanged
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public

_CODED = re.compile(rb"[A-Za-z0-9_-]*")
_PADDING = re.compile(rb"={0,2}\Z")
_FILLING = (b"", b"", b"AA", b"A")  # up to a multiple of four, by what is left over

encode_base64_op = op("EncodeBase64(input: string) -> output: string", pad="bool = false")
encode_base64_op.shape(unchanged)


@encode_base64_op.kernel
def _(input, *, pad):
    texts = np.asarray(input, object).ravel().tolist()
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    # Together, each filled up to three bytes; then the characters of each, but those that only the filling made.
    coded = base64.urlsafe_b64encode(b"".join([text + bytes(-len(text) % 3) for text in texts]))
    rooms = -(-lengths // 3) * 4
    starts = np.cumsum(rooms) - rooms
    bounds = zip(starts.tolist(), (starts + -(-lengths * 4 // 3)).tolist(), strict=True)
    results = [coded[start:end] for start, end in bounds]
    if pad:
        results = [part + b"=" * (-len(part) % 4) for part in results]
    return _strings(results, np.shape(input))


def _strings(texts: list[bytes], shape: tuple[int, ...]) -> np.ndarray:
    array = np.empty(len(texts), object)
    array[:] = texts
    return array.reshape(shape)


def map_strings(function: Any, strings: Any) -> np.ndarray:
    """The results of a function of one string, in an array of the same shape."""
    strings = np.asarray(strings, object)
    return _strings([function(text) for text in strings.ravel().tolist()], strings.shape)


encode_base64_op.not_differentiable()
encode_base64_op.samples(plain=([[b"", b"a"], [b"ab", b"\xff\xfe\xfd"]],), scalar=(b"abc",))


@public("encode_base64", "io.encode_base64", "compat.v2.io.encode_base64")
@dispatches
def encode_base64(input: Any, pad: bool = False, name: str | None = None) -> Tensor:
    """Strings in web-safe base64, which has `-` and `_` for `+` and `/`.

    Args:
        input: A string tensor.
        pad: Whether to fill up to a multiple of four characters with `=`.
        name: Name of the op.
    """
    return encode_base64_op(input, pad=pad, name=name)


decode_base64_op = op("DecodeBase64(input: string) -> output: string")
decode_base64_op.shape(unchanged)


@decode_base64_op.kernel
def _(input):
    strings = np.asarray(input, object)
    decoded = _decode_together(strings.ravel().tolist())
    if decoded is None:
        return map_strings(_decode, strings)
    return _strings(decoded, strings.shape)


def _decode_together(texts: list[bytes]) -> list[bytes] | None:
    """What texts without padding stand for; None if there are others, or wrong ones."""
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    whole = b"".join(texts)
    if _CODED.match(whole).end() < len(whole) or (lengths % 4 == 1).any():  # type: ignore[union-attr]
        return None
    filled = b"".join([text + _FILLING[len(text) & 3] for text in texts])
    decoded = base64.urlsafe_b64decode(filled)
    starts = np.cumsum(-(-lengths // 4) * 3) - -(-lengths // 4) * 3
    ends = starts + lengths * 3 // 4
    return [decoded[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]


def _decode(text: bytes) -> bytes:
    body = _CODED.match(text)[0]  # type: ignore[index]
    padding = text[len(body) :]
    if len(body) % 4 == 1 and not padding or len(text) % 4 == 1:
        raise InvalidArgumentError(None, None, "Base64 string length cannot be 1 modulo 4.")
    if not _PADDING.match(padding) or padding and len(text) % 4:
        raise InvalidArgumentError(None, None, f"Invalid character found in base64: {text[:200]!r}")
    return base64.urlsafe_b64decode(body + b"=" * (-len(body) % 4))


decode_base64_op.not_differentiable()
decode_base64_op.samples(plain=([b"", b"YQ", b"YWI=", b"__79"],))


@public("decode_base64", "io.decode_base64", "compat.v2.io.decode_base64")
@dispatches
def decode_base64(input: Any, name: str | None = None) -> Tensor:
    """What strings in web-safe base64 stand for.

    Args:
        input: A string tensor, with or without padding.
        name: Name of the op.

    Returns:
        A string tensor; running it raises InvalidArgumentError for other characters and impossible lengths.
    """
    return decode_base64_op(input, name=name)
