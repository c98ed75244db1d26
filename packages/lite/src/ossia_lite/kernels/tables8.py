"""Functions of numbers of 8 bits, computed once for each of their 256 values."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ossia_lite.kernels import Call

_MIN_ELEMENTS = 512  # fewer are computed as fast as they are looked up


def looked_up(call: Call, x: np.ndarray, function: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """What a function gives for each element; by a table where that is faster.

    Args:
        call: The operator, which keeps the table.
        x: The elements.
        function: Works on each element alone.
    """
    if x.dtype.itemsize != 1 or x.size < _MIN_ELEMENTS:
        return function(x)
    table = call.keep_always("table8", lambda: function(np.arange(256, dtype=np.uint8).view(x.dtype)))
    return table[x.view(np.uint8)]
