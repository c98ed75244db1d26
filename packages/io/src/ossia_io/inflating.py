"""Compressed files, read as what they inflate to, within bounds."""
from __future__ import annotations

import io
import zlib
from typing import Any, BinaryIO

from ossia_core.names import errors

_CHUNK = 1 << 20
# What inflates beyond both limits is refused: deflate itself stays below 1032:1.
_FREE_BYTES, _MAX_RATIO = 64 << 20, 1000


def read(source: Any, size: int) -> bytes:
    """Up to `size` bytes; takes memory for what is there, whatever `size` says."""
    if size <= _CHUNK:
        return source.read(size)
    pieces = []
    while size and (piece := source.read(min(size, _CHUNK))):
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def skip(source: Any, size: int) -> None:
    """Read over so many bytes."""
    while size and (piece := source.read(min(size, _CHUNK))):
        size -= len(piece)


class Inflated:
    """A compressed file read as what it inflates to; what follows the first compressed stream is ignored."""

    def __init__(self, file: BinaryIO, window_bits: int) -> None:
        self._file = file
        self._inflate = zlib.decompressobj(window_bits)
        self._pending = b""
        self._taken = self._given = 0

    def read(self, size: int) -> bytes:
        """`size` bytes, fewer only at the end."""
        pieces = []
        while size > 0:
            piece = self.read_some(size)
            if not piece:
                break
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces)

    def read_some(self, size: int) -> bytes:
        """Some bytes, at most `size`; none at the end."""
        while not self._inflate.eof:
            data = self._inflate.unconsumed_tail or self._file.read(_CHUNK >> 4)
            if data is not self._inflate.unconsumed_tail:
                self._taken += len(data)
            try:
                piece = self._inflate.decompress(data, size)
            except zlib.error as error:
                reason = str(error).removeprefix("Error ").replace(" while decompressing data", "")
                raise errors.DataLossError(None, None, f"inflate() failed with error {reason}") from error
            self._given += len(piece)
            if self._given > _FREE_BYTES and self._given > _MAX_RATIO * self._taken:
                raise errors.DataLossError(
                    None,
                    None,
                    f"{self._taken} compressed bytes inflate to more than {_MAX_RATIO} times as many; refused",
                )
            if piece:
                return piece
            if not data:
                break
        return b""


def inflate(data: bytes, window_bits: int) -> bytes:
    """What a compressed string stands for; of one that is cut off, what it holds.

    Raises:
        DataLossError: It is damaged, or inflates to too many times its size.
    """
    return read(Inflated(io.BytesIO(data), window_bits), 2**63)
