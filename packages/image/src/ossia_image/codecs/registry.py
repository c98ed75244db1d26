"""The image codecs that are installed: those of this package, and those of plugins (hook `ossia_image_codecs`)."""

from __future__ import annotations

import functools
import struct
import zlib
from typing import Any, Protocol

import numpy as np

from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins import manager

MAX_PIXELS = 1 << 29
"""Images that claim to have more are refused before anything is decoded, as the original refuses them."""


class Codec(Protocol):
    """What a codec does. A plugin names one with the hook `ossia_image_codecs`."""

    def matches(self, header: bytes) -> bool:
        """Whether a file that begins with these bytes (16 at most) is of this format."""

    def decode(self, data: bytes, channels: int) -> np.ndarray:
        """The image, `[height, width, channels]`, uint8 or uint16.

        Args:
            data: The file.
            channels: How many channels to give, or 0 for as many as the file has.

        Raises:
            ValueError: The file is damaged, or cannot be given with so many channels.
        """

    def encode(self, image: np.ndarray) -> bytes:
        """A file that holds an image `[height, width, channels]`."""


@functools.cache
def codecs() -> dict[str, Codec]:
    """The codecs by name, made when an image is first decoded by an op of another format."""
    return {name: manager.load(target)() for name, target in manager.table("ossia_image_codecs").items()}


def codec_of(data: bytes) -> Codec | None:
    """The codec of a file, known by how it begins; None if none knows it."""
    return next((codec for codec in codecs().values() if codec.matches(data[:16])), None)


def contents_of(contents: Any) -> bytes:
    """The bytes of a scalar string.

    Raises:
        InvalidArgumentError: It is no scalar.
    """
    if np.ndim(contents):
        raise InvalidArgumentError(None, None, f"contents must be scalar, got shape {list(np.shape(contents))}")
    return contents.item() if isinstance(contents, np.ndarray) else contents


def check_size(height: int, width: int, channels: int = 1) -> None:
    """Refuses images that are empty or claim more pixels than any decoder should make room for.

    Raises:
        InvalidArgumentError: The size is out of range.
    """
    if height <= 0 or width <= 0 or height * width > MAX_PIXELS or height * width * channels >= 1 << 31:
        raise InvalidArgumentError(None, None, f"Invalid image dimensions: width={width} height={height}")


def library(name: str) -> Any:
    """A library of the extra `codecs`.

    Raises:
        UnimplementedError: It is not installed; the message says what to install.
    """
    import importlib

    from ossia_core.names.errors import UnimplementedError

    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        raise UnimplementedError(
            None, None, f"Image files need {name.partition('.')[0]}; `pip install ossia-image[codecs]` adds it"
        ) from None


def damages() -> tuple[type[Exception], ...]:
    """What Pillow raises on damaged files, and on those that claim more pixels than it makes room for."""
    bomb = library("PIL.Image").DecompressionBombError
    return OSError, ValueError, SyntaxError, EOFError, IndexError, OverflowError, zlib.error, struct.error, bomb
