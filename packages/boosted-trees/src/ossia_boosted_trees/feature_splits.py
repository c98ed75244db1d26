"""The best split of each node over all buckets of all dimensions of a feature, with a side for what has no value.

Statistics of a node hold gradients, and a hessian for each logit or a whole matrix of them; their last bucket is that
of examples without a value, which go to the left or to the right, whichever is worth more.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_boosted_trees.splits import node_range, weights_and_gains
from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import vector, with_rank
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.names.shapes import TensorShape

_LEFT, _RIGHT, _EQUAL = b"INEQUALITY_DEFAULT_LEFT", b"INEQUALITY_DEFAULT_RIGHT", b"EQUALITY_DEFAULT_RIGHT"
_OUTPUTS = (
    "node_ids: int32, gains: float, feature_dimensions: int32, thresholds: int32, left_node_contribs: float, "
    "right_node_contribs: float, split_with_default_directions: string"
)
_WEIGHTS = "l1: float, l2: float, tree_complexity: float, min_node_weight: float"


def _shapes(logits_dimension: int) -> tuple:
    contributions = TensorShape([None, logits_dimension])
    return (vector(None),) * 4 + (contributions, contributions, vector(None))


calculate_best_feature_split_op = op(
    f"BoostedTreesCalculateBestFeatureSplit(node_id_range: int32, stats_summary: float, {_WEIGHTS}) -> {_OUTPUTS}",
    logits_dimension="int >= 1", split_type="{'inequality', 'equality'} = 'inequality'",
)


@calculate_best_feature_split_op.shape
def _(node_id_range, stats_summary, l1, l2, tree_complexity, min_node_weight, *, logits_dimension):
    with_rank(node_id_range, 1), with_rank(stats_summary, 4)
    for each in (l1, l2, tree_complexity, min_node_weight):
        with_rank(each, 0)
    return _shapes(logits_dimension)


@calculate_best_feature_split_op.kernel
def _(node_id_range, stats_summary, l1, l2, tree_complexity, min_node_weight, *, logits_dimension, split_type):
    return _best(
        node_id_range, stats_summary, l1, l2, tree_complexity, min_node_weight, logits_dimension, split_type
    )


sparse_calculate_best_feature_split_op = op(
    "BoostedTreesSparseCalculateBestFeatureSplit(node_id_range: int32, stats_summary_indices: int32, "
    f"stats_summary_values: float, stats_summary_shape: int32, {_WEIGHTS}) -> {_OUTPUTS}",
    logits_dimension="int >= 1", split_type="{'inequality'} = 'inequality'",
)


@sparse_calculate_best_feature_split_op.shape
def _(node_id_range, stats_summary_indices, stats_summary_values, stats_summary_shape, l1, l2, tree_complexity,
      min_node_weight, *, logits_dimension):
    with_rank(node_id_range, 1), with_rank(stats_summary_indices, 2), with_rank(stats_summary_values, 1)
    with_rank(stats_summary_shape, 1)
    for each in (l1, l2, tree_complexity, min_node_weight):
        with_rank(each, 0)
    return _shapes(logits_dimension)


@sparse_calculate_best_feature_split_op.kernel
def _(node_id_range, stats_summary_indices, stats_summary_values, stats_summary_shape, l1, l2, tree_complexity,
      min_node_weight, *, logits_dimension, split_type):
    shape = tuple(int(size) for size in stats_summary_shape)
    if len(shape) != 4 or min(shape) < 0 or stats_summary_indices.shape != (len(stats_summary_values), 4):
        raise InvalidArgumentError(None, None, "Sparse statistics have four dimensions, and an index for each value.")
    if ((stats_summary_indices < 0) | (stats_summary_indices >= np.array(shape))).any():
        raise InvalidArgumentError(None, None, f"Indices of statistics are out of {list(shape)}.")
    summary, there = np.zeros(shape, np.float32), np.zeros(shape[:3], bool)
    np.add.at(summary, tuple(stats_summary_indices.T), stats_summary_values)
    there[tuple(stats_summary_indices.T[:3])] = True
    return _best(node_id_range, summary, l1, l2, tree_complexity, min_node_weight, logits_dimension, split_type, there)


def _best(
    node_id_range: np.ndarray, stats: np.ndarray, l1: Any, l2: Any, complexity: Any, least: Any, logits: int,
    split_type: bytes, there: np.ndarray | None = None,
) -> tuple:
    """The best split of each node; `there` says which buckets hold something, where only those count."""
    nodes, dimensions, buckets, columns = stats.shape
    if columns - logits not in (logits, logits * logits) or buckets < 2 or not dimensions:
        raise InvalidArgumentError(
            None, None,
            f"Statistics of shape {list(stats.shape)} do not hold gradients and hessians of {logits} logits.",
        )
    first, last = node_range(node_id_range, nodes)
    stats = stats[first:last]
    totals = stats[:, 0].sum(axis=1, dtype=np.float32)  # all dimensions of a feature hold the same examples
    able = _weight(totals, logits) >= least
    if there is not None:
        there = there[first:last, :, :-1]
        able &= there.any(axis=(1, 2))
    able = np.flatnonzero(able)
    stats, totals = stats[able], totals[able]
    lefts, names = _sides(stats, split_type, sparse=there is not None)
    left_weights, gains = _worth(lefts, logits, l1, l2)
    right_weights, right_gains = _worth(totals[:, None, None, None] - lefts, logits, l1, l2)
    _, own = _worth(totals, logits, l1, l2)
    gains = gains + right_gains
    if there is not None:
        gains = np.where(there[able][..., None], gains, -np.inf)
    at = np.argmax(gains.reshape(len(able), -1), axis=1) if gains.size else np.zeros(len(able), np.int64)
    dimension, threshold, direction = np.unravel_index(at, gains.shape[1:])
    chosen = np.arange(len(able)), dimension, threshold, direction
    return (
        (able + first).astype(np.int32), (gains[chosen] - own - np.float32(complexity)).astype(np.float32),
        dimension.astype(np.int32), threshold.astype(np.int32), left_weights[chosen].astype(np.float32),
        right_weights[chosen].astype(np.float32), np.array(names, object)[direction],
    )


def _sides(stats: np.ndarray, split_type: bytes, sparse: bool) -> tuple[np.ndarray, list[bytes]]:
    """What goes to the left: for each node, dimension, threshold and default direction. Of equals the first wins."""
    known = stats[:, :, :-1]
    if split_type == b"equality":
        return known[:, :, :, None], [_EQUAL]
    cumulative = np.cumsum(known, axis=2, dtype=np.float32)
    sides, names = [cumulative + stats[:, :, -1:], cumulative], [_LEFT, _RIGHT]
    if sparse:
        sides, names = sides[::-1], names[::-1]
    return np.stack(sides, axis=3), names


def _weight(stats: np.ndarray, logits: int) -> np.ndarray:
    hessians = stats[..., logits:]
    return hessians[..., 0] if logits == 1 else np.linalg.norm(hessians, axis=-1)


def _worth(stats: np.ndarray, logits: int, l1: Any, l2: Any) -> tuple[np.ndarray, np.ndarray]:
    """What nodes predict for each logit, and what they are worth."""
    gradients, hessians = stats[..., :logits], stats[..., logits:]
    if hessians.shape[-1] == logits:
        weights, gains = weights_and_gains(gradients, hessians, l1, l2)
        return weights, gains.sum(axis=-1)
    matrices = hessians.reshape(*hessians.shape[:-1], logits, logits) + np.float32(l2) * np.eye(logits, dtype="f")
    try:
        weights = -np.linalg.solve(np.swapaxes(matrices, -1, -2), gradients[..., None])[..., 0]
    except np.linalg.LinAlgError as error:
        raise InvalidArgumentError(None, None, "A matrix of hessians is singular; l2 makes it regular.") from error
    return weights, -(gradients * weights).sum(axis=-1)
