"""Clusters of points: the nearest of some centers, and the choice of points for centers to begin with."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import SCALAR, unknown
from ossia_core.names import sizes
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.names.shapes import UNKNOWN_SHAPE
from ossia_ops.random.samplers.philox import Philox, WordReader

_CHUNK = 1 << 22  # distances that are held at a time
_MOST_RETRIES = 1 << 20

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


kmeans_plus_plus_op = op(
    "KmeansPlusPlusInitialization(points: float, num_to_sample: int64, seed: int64, num_retries_per_sample: int64)"
    " -> samples: float"
)
kmeans_plus_plus_op.shape(unknown)


def _any_of(count: int, draws: int, words: WordReader) -> Any:
    """Numbers below `count`, each as likely as the others."""
    surplus = (1 << 64) % count  # the last numbers would make the first remainders likelier
    found = np.zeros(0, np.uint64)
    while len(found) < draws:
        pairs = words.take(2 * (draws - len(found))).astype(np.uint64).reshape(-1, 2)
        drawn = pairs[:, 0] | pairs[:, 1] << np.uint64(32)
        found = np.concatenate([found, drawn[drawn <= np.uint64((1 << 64) - 1 - surplus)]])
    return (found % np.uint64(count)).astype(np.int64)


@kmeans_plus_plus_op.kernel
def _(points, num_to_sample, seed, num_retries_per_sample):
    if points.ndim != 2:
        raise InvalidArgumentError(None, None, "Input points should be a matrix.")
    wanted = sizes.scalar(num_to_sample, "Input num_to_sample")
    key = sizes.scalar(seed, "Input seed") & (1 << 64) - 1
    retries = sizes.scalar(num_retries_per_sample, "Input num_retries_per_sample")
    if retries > _MOST_RETRIES:
        raise InvalidArgumentError(None, None, f"Expected num_retries_per_sample <= {_MOST_RETRIES}, not {retries}.")
    count = len(points)
    if not count:
        raise InvalidArgumentError(None, None, "Expected points.rows() > 0.")
    if wanted <= 0:
        raise InvalidArgumentError(None, None, "Expected num_to_sample > 0.")
    if wanted > count:
        raise InvalidArgumentError(None, None, f"Expected num_to_sample <= points.rows(). {wanted} vs {count}.")
    if retries < 0:
        retries = 2 + int(math.log(wanted))
    words, halves = WordReader(Philox(key, 0)), np.float32(0.5) * (points * points).sum(1)
    found, nearest = np.empty(wanted, np.int64), np.full(count, np.inf, np.float32)
    with np.errstate(all="ignore"):
        for i in range(wanted):
            # Of the points that are drawn, as likely as they are far from those found, the one that brings all nearest.
            draws = _drawn(nearest, retries + 1, words) if i else _any_of(count, retries + 1, words)
            best: Any = None
            for drawn in draws[np.sort(np.unique(draws, return_index=True)[1])].tolist():
                near = np.minimum(nearest, halves[drawn] + halves - points @ points[drawn])
                potential = near.sum()
                if best is None or potential < best[0]:
                    best = potential, drawn, near
            found[i], nearest = best[1], np.maximum(best[2], 0)
    return points[found]


def _drawn(weights: Any, draws: int, words: WordReader) -> Any:
    """Numbers of weights, each as likely as its weight is large."""
    bits = (words.take(draws) & 0x7FFFFF) | (127 << 23)
    chosen, total = bits.astype(np.uint32).view(np.float32) - np.float32(1), np.cumsum(weights, dtype=np.float32)
    return np.minimum(np.searchsorted(total, chosen * total[-1]), len(total) - 1)


_CLUSTERS = _singles([[0, 0], [0, 0.1], [5, 5], [5, 5.1], [9, 0]])
kmeans_plus_plus_op.samples(
    one=(_CLUSTERS, np.int64(1), np.int64(0), np.int64(0)),
    three=(_CLUSTERS, np.int64(3), np.int64(1), np.int64(2)),
    all=(_CLUSTERS, np.int64(5), np.int64(-3), np.int64(5)),
    negative=(_CLUSTERS, np.int64(2), np.int64(0), np.int64(-1)),
    negative_of_five=(_CLUSTERS, np.int64(5), np.int64(4), np.int64(-7)),
    equal=(np.ones((4, 2), "f4"), np.int64(3), np.int64(0), np.int64(2)),
    refused_none=(_CLUSTERS, np.int64(0), np.int64(0), np.int64(0)),
    refused_many=(_CLUSTERS, np.int64(6), np.int64(0), np.int64(0)),
    refused_empty=(_CLUSTERS[:0], np.int64(1), np.int64(0), np.int64(0)),
    refused_rank=(_CLUSTERS[0], np.int64(1), np.int64(0), np.int64(0)),
    refused_vector=(_CLUSTERS, np.array([1, 2]), np.int64(0), np.int64(0)),
    refused_seed=(_CLUSTERS, np.int64(1), np.array([1, 2]), np.int64(0)),
    refused_retries=(_CLUSTERS, np.int64(1), np.int64(0), np.int64(2**62)),
)
