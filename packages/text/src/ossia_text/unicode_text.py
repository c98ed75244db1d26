"""Bytes in some encoding to code points and back, with the original's rules for what is malformed."""
from __future__ import annotations

import codecs
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from ossia_core.names.errors import InvalidArgumentError

_LAST = 0x10FFFF
# Code units of the encodings whose characters have a size that their code point tells.
_SIZES: dict[str, Callable[[int], int]] = {
    "utf-8": lambda code: 1 + (code > 0x7F) + (code > 0x7FF) + (code > 0xFFFF),
    "utf-16-be": lambda code: 2 + 2 * (code > 0xFFFF), "utf-16-le": lambda code: 2 + 2 * (code > 0xFFFF),
    "utf-32-be": lambda code: 4, "utf-32-le": lambda code: 4,
}
_MARKS = {"utf-16": ((b"\xfe\xff", "utf-16-be"), (b"\xff\xfe", "utf-16-le"), (b"", "utf-16-be")),
          "utf-32": ((b"\0\0\xfe\xff", "utf-32-be"), (b"\xff\xfe\0\0", "utf-32-le"), (b"", "utf-32-be"))}
_NO_TEXT = {"idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape", "utf-7", "mbcs", "oem"}
_OUTPUTS = {b"UTF-8": "utf-8", b"UTF-16-BE": "utf-16-be", b"UTF-32-BE": "utf-32-be"}
_ASCII = ("utf-8", "ascii", "iso8859-1")  # of which ASCII is a part, character for byte
_MARKED = "ossia-malformed"
_MALFORMED = 0xD800  # plus the number of malformed bytes: surrogates, which no text decodes to


def _marked(error: Any) -> tuple[str, int]:
    return chr(_MALFORMED + error.end - error.start), error.end


codecs.register_error(_MARKED, _marked)


class Treatment:
    """What becomes of malformed bytes and of control characters.

    Args:
      errors: b"strict", b"replace" or b"ignore".
      replacement: the code point that stands for what is replaced.
      control: whether the control characters up to U+001F count as malformed.

    Raises:
      InvalidArgumentError: the replacement is no code point.
    """

    def __init__(self, errors: bytes, replacement: int, control: bool = False) -> None:
        if not 0 <= replacement <= _LAST:
            raise InvalidArgumentError(None, None, "replacement_char out of unicode codepoint range")
        self.errors, self.control = errors, control
        self.replacement = None if errors == b"ignore" else replacement


@lru_cache
def codec_of(encoding: bytes) -> codecs.CodecInfo:
    """The codec of an encoding.

    Raises:
      InvalidArgumentError: there is none of that name for text.
    """
    try:
        found = codecs.lookup(encoding.decode("ascii").replace("US ASCII", "ascii"))
    except (LookupError, ValueError):
        found = None
    if found is None or found.name in _NO_TEXT or not found._is_text_encoding:  # type: ignore[attr-defined]
        shown = encoding[:99].decode(errors="replace")
        raise InvalidArgumentError(None, None, f"Could not create converter for input encoding: {shown}")
    return found


def _spans(text: bytes, codec: codecs.CodecInfo) -> list[tuple[int | None, int]]:
    """The code points of a text, None for malformed bytes, and the place of each."""
    if codec.name in _MARKS:
        # A byte order mark chooses; big-endian without one.
        for mark, name in _MARKS[codec.name]:
            if text.startswith(mark):
                marked = _spans(text[len(mark):], codecs.lookup(name))
                # The mark belongs to the first character.
                return [(code, at + len(mark) if at else 0) for code, at in marked]
    size_of = _SIZES.get(codec.name)
    out: list[tuple[int | None, int]] = []
    if size_of is not None:
        at = 0
        for char in codec.decode(text, _MARKED)[0]:
            code = ord(char)
            skipped = code - _MALFORMED if _MALFORMED < code <= _MALFORMED + 8 else 0
            out.append((None if skipped else code, at))
            at += skipped or size_of(code)
        return out
    # A byte at a time, so that it is known with which bytes a character came.
    decoder, start = codec.incrementaldecoder(), 0
    for at in range(len(text) + 1):
        try:
            chars = decoder.decode(text[at:at + 1], final=at == len(text))
        except UnicodeDecodeError:
            # Windows leaves some bytes without a character; they are control characters then.
            out.append((text[start] if codec.name.startswith("cp125") else None, start))
            decoder.reset()
            start = at + 1
            continue
        out += [(ord(char), start) for char in chars]
        if chars:
            start = at + 1
    return out


def decoded(text: bytes, codec: codecs.CodecInfo, treatment: Treatment) -> tuple[list[int], list[int]]:
    """The code points of a text, and where in it each starts.

    Args:
      text: the bytes.
      codec: their encoding.
      treatment: what becomes of malformed bytes.

    Raises:
      InvalidArgumentError: malformed bytes, and the treatment is strict.
    """
    if text.isascii() and codec.name in _ASCII and not treatment.control:
        return list(text), list(range(len(text)))
    codes: list[int] = []
    starts: list[int] = []
    for code, start in _spans(text, codec):
        if code is None or (treatment.control and code <= 0x1F):
            if treatment.errors == b"strict":
                raise InvalidArgumentError(None, None, "Invalid formatting on input string")
            code = treatment.replacement
            if code is None:
                continue
        codes.append(code)
        starts.append(start)
    return codes, starts


def decoded_together(texts: list[bytes]) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """The code points of many texts in UTF-8; None if one is malformed.

    Args:
      texts: the bytes of each.

    Returns:
      Where the code points of each text begin and end, the code points, and where in its text each starts.
    """
    whole = b"".join(texts)
    try:
        codes = np.frombuffer(whole.decode().encode("utf-32-le"), "<i4").astype(np.int32)
    except UnicodeDecodeError:
        return None
    begins_character = (np.frombuffer(whole, np.uint8) & 0xC0) != 0x80
    sizes = np.fromiter(map(len, texts), np.int64, len(texts))
    ends = np.cumsum(sizes)
    begins = ends - sizes
    if not begins_character[begins[sizes > 0]].all():  # a character that one text begins and another ends
        return None
    before = np.concatenate([[0], np.cumsum(begins_character, dtype=np.int64)])
    splits = before[np.concatenate([[0], ends])]
    return splits, codes, np.flatnonzero(begins_character) - np.repeat(begins, np.diff(splits))


def encoded(codes: Any, encoding: bytes, treatment: Treatment) -> bytes:
    """Code points as bytes.

    Args:
      codes: a sequence of integers.
      encoding: b"UTF-8", b"UTF-16-BE" or b"UTF-32-BE".
      treatment: what becomes of integers that are no characters.

    Raises:
      InvalidArgumentError: an integer that is no character, and the treatment is strict.
    """
    if not len(codes) or 0 <= min(codes) <= max(codes) <= _LAST:
        return _written("".join(map(chr, codes)), encoding)
    chars = []
    for code in codes:
        if not 0 <= code <= _LAST:
            if treatment.errors == b"strict":
                raise InvalidArgumentError(None, None, "Code point value out of valid Unicode range.")
            if treatment.replacement is None:
                continue
            code = treatment.replacement
        chars.append(chr(code))
    return _written("".join(chars), encoding)


def encoded_together(codes: np.ndarray, splits: np.ndarray, encoding: bytes) -> list[bytes] | None:
    """Rows of code points as bytes; None if one is no character.

    Args:
      codes: int32 code points, one row after the other.
      splits: where the rows begin and end.
      encoding: b"UTF-8", b"UTF-16-BE" or b"UTF-32-BE".
    """
    codes = codes[: splits[-1]]
    try:
        whole = codes.astype("<i4").tobytes().decode("utf-32-le").encode(_OUTPUTS[encoding])
    except UnicodeDecodeError:
        return None
    sizes = np.zeros(len(codes) + 1, np.int64)
    if encoding == b"UTF-8":
        sizes[1:] = 1 + (codes > 0x7F).astype(np.int64) + (codes > 0x7FF) + (codes > 0xFFFF)
    else:
        sizes[1:] = 4 if encoding == b"UTF-32-BE" else 2 + 2 * (codes > 0xFFFF)
    return [whole[begin:end] for begin, end in pairwise(np.cumsum(sizes)[splits].tolist())]


def _written(text: str, encoding: bytes) -> bytes:
    """A text as bytes. Two surrogates in a row are one character; one alone is replaced in UTF-8."""
    if not text.isascii():
        units = text.encode("utf-16-be", "surrogatepass")
        if encoding == b"UTF-16-BE":
            return units
        text = units.decode("utf-16-be", "replace" if encoding == b"UTF-8" else "surrogatepass")
    return text.encode(_OUTPUTS[encoding], "surrogatepass")


def transcoded(text: bytes, codec: codecs.CodecInfo, output_encoding: bytes, treatment: Treatment) -> bytes:
    """A text in another encoding.

    Args:
      text: the bytes.
      codec: their encoding.
      output_encoding: b"UTF-8", b"UTF-16-BE" or b"UTF-32-BE".
      treatment: what becomes of malformed bytes.

    Raises:
      InvalidArgumentError: malformed bytes, and the treatment is strict.
    """
    if text.isascii() and codec.name in _ASCII and not treatment.control:
        return text if output_encoding == b"UTF-8" else text.decode("ascii").encode(_OUTPUTS[output_encoding])
    return _written("".join(map(chr, decoded(text, codec, treatment)[0])), output_encoding)
