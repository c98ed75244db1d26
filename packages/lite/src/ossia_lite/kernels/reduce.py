"""Reductions over dimensions."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_lite.fixed_point import quantize_factor, scale, to_output
from ossia_lite.kernels import Call


def _axes(x: np.ndarray, axes: np.ndarray) -> tuple[int, ...]:
    return tuple(sorted({int(axis) % max(x.ndim, 1) for axis in np.asarray(axes).reshape(-1)})) if x.ndim else ()


def mean(call: Call, x: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """The mean."""
    return _total(call, x, _axes(x, axes), average=True)


def sum(call: Call, x: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """The sum."""
    return _total(call, x, _axes(x, axes), average=False)


def _total(call: Call, x: np.ndarray, axes: tuple[int, ...], average: bool) -> np.ndarray:
    source, result, keep = call.inputs[0], call.outputs[0], bool(call.option("keep_dims"))
    count = math.prod(x.shape[axis] for axis in axes)
    if source is None or not source.quantized:
        if x.dtype.kind in "iu":
            total = x.sum(axes, x.dtype, keepdims=keep)
            return np.asarray(np.trunc(total / count) if average else total, x.dtype)
        return np.asarray(x.mean(axes, keepdims=keep) if average else x.sum(axes, keepdims=keep), x.dtype)
    total = x.sum(axes, np.int64, keepdims=keep) - source.zero_point * count
    fraction, shift = (int(part) for part in quantize_factor(source.scale / result.scale))
    if average and count:  # the division goes into the factor, which keeps as many bits as it can
        bits = min(count.bit_length() - 1, 32, 31 + shift)
        fraction, shift = (fraction << bits) // count, shift - bits
    return to_output(scale(total, fraction, shift), result)


def _plain(function: Callable[..., Any]) -> Callable[..., np.ndarray]:
    def kernel(call: Call, x: np.ndarray, axes: np.ndarray) -> np.ndarray:
        return np.asarray(function(x, axis=_axes(x, axes), keepdims=bool(call.option("keep_dims"))), x.dtype)

    return kernel


reduce_max, reduce_min, reduce_any, reduce_all = _plain(np.max), _plain(np.min), _plain(np.any), _plain(np.all)


def reduce_prod(call: Call, x: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """The product."""
    source, result = call.inputs[0], call.outputs[0]
    if source is not None and source.quantized:
        values = (x.astype(np.float64) - source.zero_point) * source.scale
        total = np.prod(values, _axes(x, axes), keepdims=bool(call.option("keep_dims")))
        return to_output(np.rint(total / result.scale).astype(np.int64), result)
    return np.asarray(np.prod(x, _axes(x, axes), x.dtype, keepdims=bool(call.option("keep_dims"))))


def arg_max(call: Call, x: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """The index of the largest element along a dimension, the first of several."""
    return np.argmax(x, int(axis.reshape(()))).astype(call.outputs[0].dtype)


def arg_min(call: Call, x: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """The index of the smallest element along a dimension, the first of several."""
    return np.argmin(x, int(axis.reshape(()))).astype(call.outputs[0].dtype)


def topk_v2(call: Call, x: np.ndarray, k: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The `k` largest elements of the last dimension, in falling order, and their indices."""
    count = int(k.reshape(()))
    if not 0 <= count <= x.shape[-1]:
        raise ValueError(f"TOPK_V2: {count} of {x.shape[-1]}.")
    order = x.shape[-1] - 1 - np.argsort(x[..., ::-1], -1, kind="stable")[..., ::-1][..., :count]
    return np.take_along_axis(x, order, -1), order.astype(call.outputs[1].dtype)
