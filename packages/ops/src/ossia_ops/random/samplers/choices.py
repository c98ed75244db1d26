"""Permutations and draws from given log-probabilities."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ossia_ops.random.samplers.distributions import RESERVED, unit_double
from ossia_ops.random.samplers.philox import Philox


def groups_of_permutation(count: int) -> int:
    """Groups that a run reserves to permute `count` things."""
    return -(-max(count - 1, 0) // 4)


def permutation(start: Philox, count: int) -> np.ndarray:
    """A permutation of `range(count)` by Fisher and Yates: place `i` swaps with a place from `i` on drawn at random."""
    swaps = max(count - 1, 0)
    words = start.words(groups_of_permutation(count)).reshape(-1)[:swaps]
    left = np.arange(count, 1, -1, dtype=np.uint32)
    order = list(range(count))
    for place, other in enumerate((words % left + (count - left)).tolist()):
        order[place], order[other] = order[other], order[place]
    return np.array(order, np.int64)


def groups_of_categories(batch: int, count: int) -> int:
    """Groups that a run reserves for `count` draws from each of `batch` distributions."""
    return batch * -(-count // 4) * 4 * 2 * RESERVED


def categories(start: Philox, logits: ArrayLike, count: int, dtype: np.dtype) -> np.ndarray:
    """Class indices, drawn in proportion to `exp(logits)`.

    The rows draw one after the other, as they do in the original with one thread; with more, its numbers depend on
    how many there are once the rows are many.

    Args:
        start: where to draw from.
        logits: real, `[batch, classes]`; entries that are not finite are never drawn.
        count: draws per row.
        dtype: int32 or int64.

    Returns:
        Indices, `[batch, count]`.
    """
    logits = np.asarray(logits).astype(np.float64)
    batch = logits.shape[0]
    finite = np.isfinite(logits)
    largest = np.where(finite, logits, np.finfo(np.float64).min).max(axis=1, keepdims=True, initial=-np.inf)
    with np.errstate(all="ignore"):
        sums = np.where(finite, np.exp(logits - largest), 0.0).cumsum(axis=1)
    units = unit_double(start.words(-(-batch * count // 2))).reshape(-1)[: batch * count].reshape(batch, count)
    targets = units * sums[:, -1:] if logits.shape[1] else units
    indices = np.empty((batch, count), dtype)
    if count < batch:
        for draw in range(count):
            indices[:, draw] = (sums <= targets[:, draw, None]).sum(axis=1)
    else:
        for row in range(batch):
            indices[row] = np.searchsorted(sums[row], targets[row], side="right")
    return indices
