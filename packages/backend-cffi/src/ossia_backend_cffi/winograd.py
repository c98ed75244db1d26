"""Convolutions with windows of 3 by 3 and 5 by 5 that members of a group compute with fewer multiplications
(c/winograd.c): which ones they are, and the memory that they need."""
from __future__ import annotations

import os
from collections.abc import Sequence

_VALUES = 36           # of a tile of the image, 6 by 6
_LANES = 16            # channels come in such multiples
_MOST = 512            # channels
_WEIGHTS = 5 << 18     # bytes that the values of a filter may take: they have to stay in the second-level cache
_TILES = 3 << 18       # bytes for tiles that are worked on at a time
_LEAST = 8             # of them, at least
MEMBERS = {"conv": "winograd", "conv_input": "winograd_input", "conv_filter": "winograd_filter"}


def gains(name: str, ints: Sequence[int], images: int) -> bool:
    """Whether the member is faster that way, by its sizes, with so many images at a time."""
    if name not in MEMBERS:
        return False
    channels, h, w, _, _, *strides = ints[3:10]
    before, dilations, results = ints[10:12], ints[12:14], ints[14]
    if h != w or h not in (3, 5) or strides != [1, 1] or list(dilations) != [1, 1]:
        return False
    if channels % _LANES or results % _LANES or max(channels, results) > _MOST or not all(0 <= b < h for b in before):
        return False
    if 4 * _VALUES * channels * results > _WEIGHTS or tiles(name, ints, images) < _LEAST:
        return False
    return os.environ.get("OSSIA_WINOGRAD") != "0"


def tiles(name: str, ints: Sequence[int], images: int) -> int:
    """How many tiles are worked on at a time."""
    down, across = ints[1:3] if name == "conv_input" else ints[6:8]
    places = 7 - ints[4]
    there = images * -(-down // places) * -(-across // places)
    return min(there, _TILES // (4 * _VALUES * (ints[3] + ints[14])))


def weights(name: str, ints: Sequence[int], chunks: int) -> int:
    """Floats for the values of a filter, or of its gradient in so many chunks."""
    return _VALUES * ints[3] * ints[14] * {"conv": 1, "conv_input": 2, "conv_filter": chunks}[name]


def scratch(name: str, ints: Sequence[int], images: int) -> int:
    """Floats that a thread needs for tiles."""
    count = tiles(name, ints, images)
    return sum(_VALUES * (count * channels // _LANES | 1) * _LANES for channels in (ints[3], ints[14]))
