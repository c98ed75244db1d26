"""Kernels of models of quantized numbers, for `ossia_lite`: called with arrays, they return None where NumPy is to look
at what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_backend_cffi.loader import native

_BYTES = (np.dtype(np.int8), np.dtype(np.uint8))


class Scaling:
    """How sums of products become elements of a quantized result: what is needed in C, made once.

    Args:
        bias: Integers to add first, one for each channel.
        fraction: The factors' 31-bit fractions, as many.
        shift: The factors' exponents of two, as many.
        zero: The result's zero point.
        low: The least element of the result.
        high: The greatest one.
        dtype: The type of the result, int8 or uint8.
    """

    def __init__(self, bias: Any, fraction: Any, shift: Any, zero: int, low: int, high: int, dtype: Any) -> None:
        self.dtype = np.dtype(dtype)
        self.channels = bias.size
        arrays = [
            np.asarray(each, np.int64) for each in (bias, fraction, -np.asarray(shift), [zero, low - zero, high - zero])
        ]
        if self.dtype not in _BYTES or any(each.shape != (self.channels,) for each in arrays[:3]):
            raise ValueError("A scaling needs a bias, a fraction and a shift for each channel, and a type of 8 bits.")
        held = np.iinfo(np.int32)  # what is outside is refused in C
        self.pointers = [_at("int32_t[]", np.clip(each, held.min, held.max).astype(np.int32)) for each in arrays]


def _at(kind: str, array: np.ndarray) -> Any:
    module: Any = native()
    return module.ffi.from_buffer(kind, array)


def requantize(total: np.ndarray, scaling: Scaling) -> np.ndarray | None:
    """Sums of products as elements of a quantized result.

    Args:
        total: Integers below `2**30` as real numbers of single or double precision; the last dimension is that of the
            channels.
        scaling: What they are scaled with.
    """
    module: Any = native()
    if total.shape[-1:] != (scaling.channels,) or total.dtype not in (np.float32, np.float64) or not total.size:
        return None
    total, out = np.ascontiguousarray(total), np.empty(total.shape, scaling.dtype)
    refused = module.lib.oc_requantize(
        total.dtype == np.float64, scaling.dtype == np.uint8, total.size // scaling.channels, scaling.channels,
        _at("char[]", total.reshape(-1)), *scaling.pointers, _at("char[]", out),
    )  # fmt: skip
    return None if refused else out


class Panels:
    """Weights of a product in the order in which the kernel reads them, made once.

    Args:
        weights: `[columns, depth]`, single precision.
    """

    def __init__(self, weights: np.ndarray) -> None:
        self.columns, self.depth = weights.shape
        filled = np.zeros((-(-self.columns // 16) * 16, self.depth), np.float32)
        filled[: self.columns] = weights
        self.pointer = _at("float[]", np.ascontiguousarray(filled.reshape(-1, 16, self.depth).transpose(0, 2, 1)))


def product(x: np.ndarray, weights: Panels) -> np.ndarray | None:
    """Rows times weights.

    Args:
        x: `[rows, depth]`, single precision.
        weights: The weights.
    """
    module: Any = native()
    if x.dtype != np.float32 or x.ndim != 2 or x.shape[1] != weights.depth or not x.size or not weights.columns:
        return None
    x, out = np.ascontiguousarray(x), np.empty((len(x), weights.columns), np.float32)
    module.lib.oc_panels(*x.shape, weights.columns, _at("float[]", x), weights.pointer, _at("float[]", out))
    return out


def depthwise_integers(
    x: np.ndarray, zero: int, weights: np.ndarray, sizes: Sequence[int], scaling: Scaling
) -> np.ndarray | None:
    """A depthwise convolution of 8-bit numbers.

    Args:
        x: `[batch, height, width, channels]`, int8 or uint8.
        zero: Its zero point.
        weights: `[window height, window width, channels]`, 8-bit integers around zero as single precision numbers.
        sizes: Height and width of the window, of the strides, of the dilations; rows and columns of the result; zeros
            above and to the left.
        scaling: What the sums are scaled with.
    """
    module: Any = native()
    channels = scaling.channels
    if x.dtype not in _BYTES or not -128 <= zero <= 255 or not _fits(x, weights, sizes, channels):
        return None
    x, out = np.ascontiguousarray(x), np.empty((len(x), *sizes[6:8], channels), scaling.dtype)
    refused = module.lib.oc_depthwise_integers(
        x.dtype == np.uint8, [*x.shape, *sizes], zero, _at("char[]", x), _at("float[]", weights), *scaling.pointers,
        scaling.dtype == np.uint8, _at("float[]", np.empty(channels, np.float32)), _at("char[]", out),
    )  # fmt: skip
    return None if refused else out


def depthwise_floats(
    x: np.ndarray, weights: np.ndarray, bias: np.ndarray, sizes: Sequence[int], bounds: tuple[float, float]
) -> np.ndarray | None:
    """A depthwise convolution of single precision numbers, its bias added, clamped.

    Args:
        x: `[batch, height, width, channels]`.
        weights: `[window height, window width, channels]`.
        bias: `[channels]`.
        sizes: As for `depthwise_integers`.
        bounds: The least and the greatest result.
    """
    module: Any = native()
    channels = bias.size
    if x.dtype != np.float32 or bias.dtype != np.float32 or not _fits(x, weights, sizes, channels):
        return None
    x, out = np.ascontiguousarray(x), np.empty((len(x), *sizes[6:8], channels), np.float32)
    refused = module.lib.oc_depthwise_floats(
        [*x.shape, *sizes],
        *(_at("float[]", each) for each in (x, weights, np.ascontiguousarray(bias))),
        bounds,
        _at("float[]", out),
    )
    return None if refused else out


def _fits(x: np.ndarray, weights: np.ndarray, sizes: Sequence[int], channels: int) -> bool:
    return (
        x.ndim == 4
        and len(sizes) == 10
        and x.size > 0
        and x.shape[3] == channels
        and weights.dtype == np.float32
        and weights.flags.c_contiguous
        and weights.shape == (*sizes[:2], channels)
        and min(sizes[6:8]) > 0
    )


def bias_and_clamp(x: np.ndarray, bias: np.ndarray, bounds: tuple[float, float]) -> np.ndarray | None:
    """Adds a bias and clamps, in place.

    Args:
        x: Contiguous single precision numbers; the last dimension is that of the channels.
        bias: `[channels]`.
        bounds: The least and the greatest result.
    """
    module: Any = native()
    if bias.shape != x.shape[-1:] or not (x.dtype == bias.dtype == np.float32):
        return None
    if not x.size or not x.flags.c_contiguous:
        return None
    rows = x.size // bias.size
    module.lib.oc_bias_and_clamp(
        rows, bias.size, _at("float[]", np.ascontiguousarray(bias)), bounds, _at("float[]", x.reshape(-1))
    )
    return x
