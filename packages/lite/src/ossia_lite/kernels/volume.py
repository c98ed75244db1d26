"""Convolutions in three dimensions, as products of patches and filters."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from ossia_lite.kernels import Call, activate
from ossia_lite.kernels.convolution import padding
from ossia_lite.kernels.shape import sizes


def _spread(call: Call) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    o = call.options
    return (o.stride_d, o.stride_h, o.stride_w), (o.dilation_d_factor, o.dilation_h_factor, o.dilation_w_factor)


def conv_3d(call: Call, x: np.ndarray, filters: np.ndarray, bias: np.ndarray | None = None) -> np.ndarray:
    """`[batch, depth, height, width, channels]` with filters `[depth, height, width, channels, results]`."""
    if x.ndim != 5 or filters.ndim != 5 or filters.shape[3] != x.shape[4]:
        raise ValueError(f"CONV_3D: shapes {x.shape} and {filters.shape} do not fit.")
    steps, spread = _spread(call)
    plans = [
        padding(x.shape[i + 1], filters.shape[i], steps[i], spread[i], call.options.padding) for i in range(3)
    ]
    padded = np.pad(x, ((0, 0), *((before, after) for _, before, after in plans), (0, 0)))
    counts = [plan[0] for plan in plans]
    total = np.zeros((x.shape[0], *counts, filters.shape[4]), np.float32)
    for place in itertools.product(*map(range, filters.shape[:3])):
        total += padded[_part(place, spread, steps, counts)] @ filters[place]
    return _finished(call, total, bias)


def conv_3d_transpose(
    call: Call, shape: np.ndarray, filters: np.ndarray, x: np.ndarray, bias: np.ndarray | None = None
) -> np.ndarray:
    """The transpose: filters `[depth, height, width, results, channels]`, a result of the given shape."""
    wanted = sizes(shape)
    if x.ndim != 5 or filters.ndim != 5 or len(wanted) != 5 or filters.shape[4] != x.shape[4]:
        raise ValueError(f"CONV_3D_TRANSPOSE: shapes {wanted}, {filters.shape} and {x.shape} do not fit.")
    steps, spread = _spread(call)
    plans = [
        padding(wanted[i + 1], filters.shape[i], steps[i], spread[i], call.options.padding) for i in range(3)
    ]
    if tuple(plan[0] for plan in plans) != x.shape[1:4] or math.prod(wanted) > 1 << 32:
        raise ValueError(f"CONV_3D_TRANSPOSE: an input of shape {x.shape} cannot give {wanted}.")
    full = np.zeros(
        (wanted[0], *(s + b + a for s, (_, b, a) in zip(wanted[1:4], plans, strict=True)), wanted[4]), np.float32
    )
    for place in itertools.product(*map(range, filters.shape[:3])):
        full[_part(place, spread, steps, x.shape[1:4])] += x @ filters[place].T
    inner = [slice(before, before + size) for size, (_, before, _) in zip(wanted[1:4], plans, strict=True)]
    return _finished(call, full[:, inner[0], inner[1], inner[2]].copy(), bias)


def _part(place: Any, spread: Any, steps: Any, counts: Any) -> tuple[slice, ...]:
    """The elements that one place of the filter is multiplied with."""
    parts = zip(place, spread, steps, counts, strict=True)
    return (slice(None), *(slice(p * d, p * d + s * (n - 1) + 1, s) for p, d, s, n in parts))


def _finished(call: Call, total: np.ndarray, bias: Any) -> np.ndarray:
    return activate(total if bias is None else total + bias, call.options.fused_activation_function)
