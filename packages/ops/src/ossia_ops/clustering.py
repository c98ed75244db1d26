"""Clusters of points: the nearest of some centers, and the choice of a point for a center to begin with."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core import sizes
from ossia_core.errors import InvalidArgumentError
from ossia_core.opdef import op
from ossia_core.random.philox import Philox, WordReader
from ossia_core.shape_rules import SCALAR
from ossia_core.shapes import UNKNOWN_SHAPE

_CHUNK = 1 << 22  # distances that are held at a time

nearest_neighbors_op = op("NearestNeighbors(points: float, centers: float, k: int64) -> nearest_center_indices: int64, "
                          "nearest_center_distances: float")


@nearest_neighbors_op.shape
def _(points, centers, k):
    return UNKNOWN_SHAPE, UNKNOWN_SHAPE


def _nearest(points: Any, centers: Any, norms: Any, count: int) -> tuple[Any, Any]:
    """Numbers of the nearest centers and the squares of their distances, in that order; of equal ones the first."""
    distances = (points * points).sum(1)[:, np.newaxis] + norms - 2 * (points @ centers.T)
    np.maximum(distances, 0, out=distances)
    if count == 1:
        # A center at no known distance is never nearer, but the first one stays if it is.
        known = np.where(np.isnan(distances), np.inf, distances)
        found = np.where(np.isnan(distances[:, 0]), 0, known.argmin(1))[:, np.newaxis]
    else:
        found = np.argsort(distances, axis=1, kind="stable")[:, :count]
    return found, np.take_along_axis(distances, found, 1)


@nearest_neighbors_op.kernel
def _(points, centers, k):
    for name, array in {"points": points, "centers": centers}.items():
        if array.ndim != 2:
            raise InvalidArgumentError(None, None, f"Input {name} should be a matrix.")
    count = sizes.scalar(k, "Input k")
    if count < 0:
        raise InvalidArgumentError(None, None, f"k must not be negative: {count}")
    if not len(points):
        raise InvalidArgumentError(None, None, "Expected points.rows() > 0.")
    if points.shape[1] != centers.shape[1]:
        raise InvalidArgumentError(
            None, None, f"Expected point_dimensions == center_dimensions: {points.shape[1]} vs {centers.shape[1]}."
        )
    count = min(count, len(centers))
    sizes.allocatable((len(points), count), 8)
    indices, distances = np.empty((len(points), count), np.int64), np.empty((len(points), count), np.float32)
    norms, rows = (centers * centers).sum(1), max(1, _CHUNK // max(1, len(centers)))
    for start in range(0, len(points) if count else 0, rows):
        part = slice(start, start + rows)
        indices[part], distances[part] = _nearest(points[part], centers, norms, count)
    return indices, distances


def _singles(values: Any) -> Any:
    return np.array(values, np.float32)


_POINTS, _CENTERS = _singles([[0, 0], [1, 1], [5, 5]]), _singles([[0, 1], [4, 4], [1, 0]])
nearest_neighbors_op.samples(
    one=(_POINTS, _CENTERS, np.int64(1)),
    two=(_POINTS, _CENTERS, np.int64(2)),
    more=(_POINTS, _CENTERS, np.int64(5)),
    none=(_POINTS, _CENTERS, np.int64(0)),
    nowhere=(_POINTS, np.zeros((0, 2), "f4"), np.int64(1)),
    equal=(_POINTS[:1], _singles([[0, 1], [1, 0], [0, 0], [-1, 0]]), np.int64(3)),
    nan=(_singles([[np.nan, 0], [1, 1]]), _CENTERS, np.int64(1)),
    nan_center=(_POINTS, _singles([[0, 1], [np.nan, 4], [1, 0]]), np.int64(1)),
    refused_points=(_POINTS[:0], _CENTERS, np.int64(1)),
    refused_dimensions=(_POINTS, _singles([[1, 2, 3]]), np.int64(1)),
    refused_rank=(_POINTS[0], _CENTERS, np.int64(1)),
    refused_centers=(_POINTS, _CENTERS[0], np.int64(1)),
    refused_k=(_POINTS, _CENTERS, np.array([1])),
)

kmc2_chain_initialization_op = op("KMC2ChainInitialization(distances: float, seed: int64) -> index: int64")


@kmc2_chain_initialization_op.shape
def _(distances, seed):
    return SCALAR


@kmc2_chain_initialization_op.kernel
def _(distances, seed):
    if distances.ndim != 1:
        raise InvalidArgumentError(None, None, "Input distances should be a vector.")
    if not len(distances):
        raise InvalidArgumentError(None, None, "Expected distances_tensor.size() > 0.")
    key = sizes.scalar(seed, "Input seed") & (1 << 64) - 1
    words = WordReader(Philox(key, 0)).take(len(distances) - 1)
    draws = ((words & 0x7FFFFF) | (127 << 23)).astype(np.uint32).view(np.float32) - np.float32(1)
    index = 0
    with np.errstate(all="ignore"):
        for i, draw in enumerate(draws, 1):
            # A step of a Markov chain: farther points are always taken, nearer ones now and then.
            if distances[i] > draw * distances[index]:
                index = i
    return np.int64(index)


_FALLING = _singles([8, 7, 6, 5, 4, 3, 2, 1, 0.5, 0.2, 3, 0.1, 0.1, 0.1, 0.1])
kmc2_chain_initialization_op.samples(
    first=(_FALLING, np.int64(0)),
    second=(_FALLING, np.int64(2)),
    negative=(_FALLING[:7], np.int64(-5)),
    alone=(_singles([5]), np.int64(1)),
    zeros=(np.zeros(3, "f4"), np.int64(1)),
    nan=(_singles([np.nan, 0, 1]), np.int64(1)),
    refused_empty=(np.zeros(0, "f4"), np.int64(1)),
    refused_matrix=(_singles([[1]]), np.int64(1)),
    refused_seed=(_FALLING, np.array([1, 2])),
)
