"""Byte strings as C sees them: where each lies, and how long it is."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_backend_cffi.kernels.registry import empty, pointer
from ossia_core.backend import Kernel

SOME = 8  # strings, of which the kernels on NumPy take as long as a call


class Refused(Exception):
    """The kernel on NumPy is to do it, or to say what is wrong."""


def or_else(reference: Kernel, fn: Callable[..., Any]) -> Kernel:
    """A kernel that hands on to `reference` what `fn` refuses."""

    def kernel(*inputs: Any) -> Any:
        try:
            return fn(*inputs)
        except Refused:
            return reference(*inputs)

    return kernel


class Texts:
    """The strings of an array, which live as long as this.

    Args:
      native: the compiled module.
      strings: an array of bytes objects.

    Raises:
      Refused: there are few of them, or others.
    """

    def __init__(self, native: Any, strings: Any) -> None:
        if not isinstance(strings, np.ndarray) or strings.dtype.kind != "O" or strings.size < SOME:
            raise Refused
        self._held = strings.flatten()  # a copy: an array may change meanwhile
        self.spans = np.empty((strings.size, 2), np.int64)  # as `oc_text`: where a string lies, and its length
        objects = pointer(native.ffi, self._held, "void **")
        if native.lib.oc_texts(strings.size, objects, spans_of(native, self.spans)):
            raise Refused

    @property
    def sizes(self) -> np.ndarray:
        """The lengths in bytes."""
        return self.spans[:, 1]


def spans_of(native: Any, spans: np.ndarray) -> Any:
    """A matrix of places and lengths as C takes it."""
    return pointer(native.ffi, spans, "oc_text *")


def span(native: Any, text: bytes) -> tuple[Any, int]:
    """One string as C takes it, which must live on."""
    return native.ffi.from_buffer("uint8_t[]", text), len(text)


def strings_at(native: Any, spans: np.ndarray, out: np.ndarray) -> np.ndarray:
    """New strings in a block of objects, but where a place is NULL.

    Raises:
      MemoryError: there is no room for them.
    """
    if native.lib.oc_strings(len(spans), spans_of(native, spans), pointer(native.ffi, out, "void **")):
        raise MemoryError("no room for strings")
    return out


class Joined:
    """Pieces put together in rows.

    Args:
      native: the compiled module.
      pieces: places and lengths of the pieces, one row after the other.
      ends: where the pieces of each row end.
      separator: what stands between two of them.
      only_between: whether it stands not before there is some text.
    """

    def __init__(
        self, native: Any, pieces: np.ndarray, ends: np.ndarray, separator: bytes = b"", only_between: bool = False
    ) -> None:
        room = int(pieces[:, 1].sum()) + len(separator) * len(pieces)
        self.text = empty((room,), np.dtype(np.uint8))
        self.spans = np.empty((len(ends), 2), np.int64)
        ffi = native.ffi
        if native.lib.oc_join(
            len(ends), pointer(ffi, ends, "int64_t *"), len(pieces), spans_of(native, pieces), span(native, separator),
            only_between, room, pointer(ffi, self.text, "uint8_t *"), spans_of(native, self.spans),
        ):  # fmt: skip
            raise Refused
