"""Comparisons, logic and choice. Quantized numbers of different scales are compared as the real numbers that they
stand for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_lite.kernels import Call
from ossia_lite.tensors import TensorInfo


def _real(x: np.ndarray, tensor: TensorInfo) -> np.ndarray:
    return (x.astype(np.float64) - tensor.zero_point) * tensor.scale


def _comparison(function: Callable[..., Any]) -> Callable[..., np.ndarray]:
    def kernel(call: Call, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        first, second = call.inputs[0], call.inputs[1]
        if first is not None and second is not None and first.quantized and second.quantized:
            x, y = _real(x, first), _real(y, second)
        return np.asarray(function(x, y), np.bool_)

    return kernel


equal, not_equal, less = _comparison(np.equal), _comparison(np.not_equal), _comparison(np.less)
less_equal, greater, greater_equal = _comparison(np.less_equal), _comparison(np.greater), _comparison(np.greater_equal)
logical_and, logical_or = _comparison(np.logical_and), _comparison(np.logical_or)


def logical_not(call: Call, x: np.ndarray) -> np.ndarray:
    """Whether `x` is false."""
    return np.logical_not(x)


def select(call: Call, condition: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """`x` where the condition holds, else `y`; a vector of conditions chooses whole rows."""
    if condition.ndim == 1 and x.ndim > 1:
        condition = condition.reshape(-1, *[1] * (x.ndim - 1))
    return np.where(condition, x, y)


def select_v2(call: Call, condition: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """`x` where the condition holds, else `y`, with broadcasting."""
    return np.where(condition, x, y)


def where(call: Call, condition: np.ndarray) -> np.ndarray:
    """The indices of the elements that are not zero, one row each."""
    return np.argwhere(condition).astype(np.int64)
