"""Sums and other reductions by segment, and rows of embeddings combined."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_lite.kernels import Call
from ossia_lite.kernels.shape import sizes


def segment_sum(call: Call, x: np.ndarray, segments: np.ndarray) -> np.ndarray:
    """Sums of rows with the same segment, in rising order."""
    count = int(segments[-1]) + 1 if segments.size else 0
    return _reduced(x, segments, count, np.add, 0)


def _reduced(x: np.ndarray, segments: np.ndarray, count: int, function: np.ufunc, first: Any) -> np.ndarray:
    sizes(np.array([count, *x.shape[segments.ndim :]]))
    if segments.size and not (segments.max() < count):
        raise ValueError(f"A segment lies outside 0 to {count - 1}.")
    rows, places = x.reshape(-1, *x.shape[segments.ndim :]), segments.reshape(-1)
    result = np.full((count, *rows.shape[1:]), first, x.dtype)
    kept = places >= 0
    function.at(result, places[kept], rows[kept])
    return result


def _unsorted(function: np.ufunc, first: Callable[[np.dtype], Any]) -> Callable[..., np.ndarray]:
    def kernel(call: Call, x: np.ndarray, segments: np.ndarray, count: np.ndarray) -> np.ndarray:
        return _reduced(x, segments, int(count.reshape(-1)[0]), function, first(x.dtype))

    return kernel


def _least(dtype: np.dtype) -> Any:
    return np.finfo(dtype).min if dtype.kind == "f" else np.iinfo(dtype).min


def _greatest(dtype: np.dtype) -> Any:
    return np.finfo(dtype).max if dtype.kind == "f" else np.iinfo(dtype).max


unsorted_segment_sum = _unsorted(np.add, lambda dtype: 0)
unsorted_segment_prod = _unsorted(np.multiply, lambda dtype: 1)
unsorted_segment_max = _unsorted(np.maximum, _least)
unsorted_segment_min = _unsorted(np.minimum, _greatest)


def embedding_lookup_sparse(
    call: Call, ids: np.ndarray, indices: np.ndarray, shape: np.ndarray, weights: np.ndarray, values: np.ndarray
) -> np.ndarray:
    """Rows of `values` at ids, weighted and combined for each row of a sparse matrix of ids."""
    counts = sizes(shape)
    result = np.zeros((*counts[:-1], *values.shape[1:]), np.float32)
    if ids.size and not (0 <= ids.min() and ids.max() < values.shape[0]):
        raise RuntimeError(f"EMBEDDING_LOOKUP_SPARSE: an id lies outside 0 to {values.shape[0] - 1}.")
    places = tuple(indices[:, i] for i in range(indices.shape[1] - 1))
    rows = weights.reshape(-1, *[1] * (values.ndim - 1))
    np.add.at(result, places, values[ids] * rows)
    combiner = call.option("combiner")  # 0: sum, 1: mean, 2: over the root of the weights' squares
    if combiner:
        total = np.zeros((*counts[:-1], *[1] * (values.ndim - 1)), np.float32)
        np.add.at(total, places, rows if combiner == 1 else rows * rows)
        total = total if combiner == 1 else np.sqrt(total)
        result = np.divide(result, total, out=np.zeros_like(result), where=total > 0)
    return result
