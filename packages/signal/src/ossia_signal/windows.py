"""Windows that frames of a signal are weighted with."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.control.cond import cond
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.static_value import get_static_value
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_ops.array.fill import ones
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import equal
from ossia_ops.math.division import floormod
from ossia_ops.math.sequence import range as range_
from ossia_ops.math.trigonometry import cos


def _raised_cosine(
    name: str | None, default_name: str, window_length: Any, periodic: Any, dtype: Any, height: float, swing: float
) -> Tensor:
    """The window `height - swing * cos(2 pi n / N)`."""
    if not dtype.is_floating:
        raise ValueError(f"dtype must be a floating point type. Found {dtype}")
    with name_scope(name, default_name, [window_length, periodic]):
        window_length = convert_to_tensor(window_length, dtypes.int32, name="window_length")
        window_length.shape.assert_has_rank(0)
        known = get_static_value(window_length)
        if known == 1:
            return ones([1], dtype)
        periodic = convert_to_tensor(periodic, dtypes.bool, name="periodic")
        periodic.shape.assert_has_rank(0)
        periodic = cast(periodic, dtypes.int32)
        # An odd window has one sample in the middle, and is symmetric either way.
        is_even = 1 - floormod(window_length, 2)
        period = cast(window_length + periodic * is_even - 1, dtype)
        positions = cast(range_(window_length), dtype)
        angles = constant(2 * np.pi, dtype) * positions / period

        def window() -> Tensor:
            return cast(height - swing * cos(angles), dtype)

        if known is not None:
            return window()
        return cond(equal(window_length, 1), lambda: ones([1], dtype), window)


@public("signal.hann_window", "compat.v2.signal.hann_window")
def hann_window(
    window_length: Any, periodic: Any = True, dtype: Any = dtypes.float32, name: str | None = None
) -> Tensor:
    """A Hann window, `0.5 - 0.5 * cos(2 pi n / N)`.

    Args:
      window_length: samples in the window, an integer scalar.
      periodic: whether a window of even length is that of a period, without its last sample, rather than symmetric.
      dtype: a floating dtype.
      name: a name for the ops.

    Returns:
      A vector of `window_length` elements.

    Raises:
      ValueError: `dtype` is not floating, or `window_length` or `periodic` no scalar.
    """
    return _raised_cosine(name, "hann_window", window_length, periodic, dtype, 0.5, 0.5)


@public("signal.hamming_window", "compat.v2.signal.hamming_window")
def hamming_window(
    window_length: Any, periodic: Any = True, dtype: Any = dtypes.float32, name: str | None = None
) -> Tensor:
    """A Hamming window, `0.54 - 0.46 * cos(2 pi n / N)`; the arguments are those of `hann_window`."""
    return _raised_cosine(name, "hamming_window", window_length, periodic, dtype, 0.54, 0.46)
