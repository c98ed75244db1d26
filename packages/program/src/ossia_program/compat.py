"""Conversions between bytes and text, and the few other names of `tf.compat`."""

from __future__ import annotations

import datetime
import numbers
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ossia_core.plugins.api_table import public, public_value

bytes_or_text_types = (bytes, str)
integral_types = (numbers.Integral, np.integer)
real_types = (numbers.Real, np.integer, np.floating)
complex_types = (numbers.Complex, np.number)
for _name in "bytes_or_text_types", "integral_types", "real_types", "complex_types":
    public_value(f"compat.{_name}", name=_name)

# Until this day, files and graphs of the newest features have to stay readable for programs that lack them.
_horizon = datetime.date(2019, 8, 21)


@public("compat.as_bytes")
def as_bytes(bytes_or_text: bytes | bytearray | str, encoding: str = "utf-8") -> bytes:
    """Returns a string as bytes.

    Raises:
        TypeError: if it is no string of either kind.
    """
    if isinstance(bytes_or_text, str):
        return bytes_or_text.encode(encoding)
    if isinstance(bytes_or_text, (bytes, bytearray)):
        return bytes(bytes_or_text)
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


@public("compat.as_text", "compat.as_str")
def as_text(bytes_or_text: bytes | str, encoding: str = "utf-8") -> str:
    """Returns a string as text.

    Raises:
        TypeError: if it is no string of either kind.
        UnicodeDecodeError: if the bytes are not encoded so.
    """
    if isinstance(bytes_or_text, str):
        return bytes_or_text
    if isinstance(bytes_or_text, (bytes, bytearray)):
        return bytes_or_text.decode(encoding)
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


as_str = as_text


@public("compat.as_str_any")
def as_str_any(value: Any) -> str:
    """Returns any value as text: bytes decoded, others as `str` writes them."""
    return as_text(value) if isinstance(value, bytes) else str(value)


@public("compat.path_to_str")
def path_to_str(path: Any) -> Any:
    """Returns a path object as a string, and anything else as it is."""
    return os.fspath(path) if isinstance(path, os.PathLike) else path


@public("compat.forward_compatible")
def forward_compatible(year: int, month: int, day: int) -> bool:
    """Whether what was introduced on a day may be written without regard to programs that are older than it."""
    return _horizon > datetime.date(year, month, day)


@public("compat.forward_compatibility_horizon")
@contextmanager
def forward_compatibility_horizon(year: int, month: int, day: int) -> Iterator[None]:
    """A context in which `forward_compatible` is true of the days before the given one."""
    global _horizon
    saved, _horizon = _horizon, datetime.date(year, month, day)
    try:
        yield
    finally:
        _horizon = saved
