"""Convolutions with windows of 3 by 3 and 5 by 5 that members of a group compute with fewer multiplications
(c/images/winograd.c): which ones they are, and the memory that they need."""
from __future__ import annotations

import os
from typing import Any

_VALUES = 36           # of a tile of the image, 6 by 6
_LANES = 16            # channels come in such multiples
_MOST = 512            # channels
_WEIGHTS = 5 << 18     # bytes that the values of a filter may take: they have to stay in the second-level cache
_TILES = 3 << 18       # bytes for tiles that are worked on at a time
_LEAST = 8             # of them, at least
MEMBERS = {"conv": "winograd", "conv_input": "winograd_input", "conv_filter": "winograd_filter"}


def gains(row: Any, images: int) -> bool:
    """Whether the member is faster that way, by its sizes, with so many images at a time."""
    if row.name not in MEMBERS:
        return False
    if row.kh != row.kw or row.kh not in (3, 5) or (row.sh, row.sw, row.dh, row.dw) != (1, 1, 1, 1):
        return False
    if row.c % _LANES or row.co % _LANES or max(row.c, row.co) > _MOST:
        return False
    if not (0 <= row.ph < row.kh and 0 <= row.pw < row.kh):
        return False
    if 4 * _VALUES * row.c * row.co > _WEIGHTS or tiles(row, images) < _LEAST:
        return False
    return os.environ.get("OSSIA_WINOGRAD") != "0"


def tiles(row: Any, images: int) -> int:
    """How many tiles are worked on at a time."""
    down, across = (row.h, row.w) if row.name == "conv_input" else (row.oh, row.ow)
    places = 7 - row.kh
    there = images * -(-down // places) * -(-across // places)
    return min(there, _TILES // (4 * _VALUES * (row.c + row.co)))


def weights(row: Any, chunks: int) -> int:
    """Floats for the values of a filter, or of its gradient in so many chunks."""
    return _VALUES * row.c * row.co * {"conv": 1, "conv_input": 2, "conv_filter": chunks}[row.name]


def scratch(row: Any, images: int) -> int:
    """Floats that a thread needs for tiles."""
    count = tiles(row, images)
    return sum(_VALUES * (count * channels // _LANES | 1) * _LANES for channels in (row.c, row.co))
