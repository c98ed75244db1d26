"""Values as text, for assertions, `Print` and error messages: in the forms that TensorFlow writes."""
from __future__ import annotations

from typing import Any

import numpy as np

_DIGITS = {
    "e": (6, 9),
    "f": (6, 9),
    "d": (15, 17),
}  # decimal digits that read well, and those that always tell numbers apart
_ESCAPES = {0x0A: "\\n", 0x0D: "\\r", 0x09: "\\t", 0x22: '\\"', 0x27: "\\'", 0x5C: "\\\\"}


def number(value: Any) -> str:
    """One element: the shorter of two precisions that reads back as the same number; `?` for kinds that have no
    text."""
    kind = value.dtype.char if isinstance(value, np.generic) else ""
    if kind in _DIGITS:
        value = np.float32(value) if kind == "e" else value
        short, long = _DIGITS[kind]
        text = f"{float(value):.{short}g}"
        return text if value != value or type(value)(text) == value else f"{float(value):.{long}g}"
    if isinstance(value, bytes):
        return escaped(value)
    return str(int(value)) if kind in "?bBhHiIlLqQ" and kind else "?"


def escaped(value: bytes) -> str:
    """Bytes as in a C string literal, without the quotes."""
    return "".join(_ESCAPES.get(c) or (chr(c) if 0x20 <= c < 0x7F else f"\\{c:03o}") for c in value)


def summary(array: Any, limit: int) -> str:
    """The first `limit` elements (all if negative) in a row, inner dimensions bracketed, `...` where some are left
    out."""
    array = np.asarray(array)
    flat = array.reshape(-1)
    if not flat.size:
        return ""
    limit = flat.size if limit < 0 else min(limit, flat.size)
    left_out = "..." if limit < flat.size else ""
    shown = [number(value) for value in flat[:limit]]
    if array.ndim < 2:
        return " ".join(shown) + left_out
    return "".join(_rows(array.shape, iter(shown), limit)) + left_out


def _rows(shape: tuple[int, ...], shown: Any, left: int) -> list[str]:
    """The text of the first `left` elements of an array of this shape, one bracketed piece per row begun."""
    if len(shape) == 1:
        return [" ".join(next(shown) for _ in range(min(left, shape[0]))) + ("..." if left < shape[0] else "")]
    size = int(np.prod(shape[1:]))
    pieces = []
    for start in range(0, min(left, size * shape[0]), size):
        pieces.append("[" + "".join(_rows(shape[1:], shown, min(left - start, size))) + "]")
    return pieces


def pretty(array: Any, limit: int) -> str:
    """An array as `tf.print` shows it: the first and last `limit` entries (all if negative) of each dimension, strings
    quoted."""
    array = np.asarray(array)
    # What has no text is shown as one row, whatever its rank.
    if array.dtype.kind == "c" or array.dtype.name == "bfloat16":
        left_out = "..." if 0 <= limit < array.size else ""
        return "[" + " ".join("?" * (min(limit, array.size) if left_out else array.size)) + left_out + "]"
    if not array.ndim:
        return _quoted(array[()])
    if not array.size:
        return "[" + ("\n" * (array.ndim - 1) + " ..." if array.ndim > 1 and array.shape[0] else "") + "]"
    return _nested(array, limit, 1)


def _nested(array: np.ndarray, limit: int, depth: int) -> str:
    size = len(array)
    positions: list[int | None] = list(range(size))
    if 0 <= limit and size > 2 * limit:
        positions = [*range(limit), None, *range(size - limit, size)]
    separator = " " if array.ndim == 1 else "\n" * (array.ndim - 1) + " " * depth
    return (
        "["
        + separator.join(
            "..." if i is None else _quoted(array[i]) if array.ndim == 1 else _nested(array[i], limit, depth + 1)
            for i in positions
        )
        + "]"
    )


def _quoted(value: Any) -> str:
    return f'"{escaped(value)}"' if isinstance(value, bytes) else number(value)
