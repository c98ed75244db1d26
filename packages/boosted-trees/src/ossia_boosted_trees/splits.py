"""The best split of each node: the gain of every threshold, from sums of gradients and hessians.

A node whose gradients sum up to g and whose hessians to h predicts -g / (h + l2), and is worth g² / (h + l2); l1 draws g
towards 0. A split is worth what its two sides are, less the node and the complexity of a tree (Chen and Guestrin 2016).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import vector, with_rank
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.names.shapes import TensorShape

_EPSILON = np.float32(1e-15)

calculate_best_gains_per_feature_op = op(
    "BoostedTreesCalculateBestGainsPerFeature(node_id_range: int32, stats_summary_list: num_features * float, "
    "l1: float, l2: float, tree_complexity: float, min_node_weight: float) -> node_ids_list: num_features * int32, "
    "gains_list: num_features * float, thresholds_list: num_features * int32, "
    "left_node_contribs_list: num_features * float, right_node_contribs_list: num_features * float",
    max_splits="int >= 1", num_features="int >= 1",
)


@calculate_best_gains_per_feature_op.shape
def _(node_id_range, stats_summary_list, l1, l2, tree_complexity, min_node_weight):
    with_rank(node_id_range, 1)
    for each in stats_summary_list:
        with_rank(each, 3)
    for each in (l1, l2, tree_complexity, min_node_weight):
        with_rank(each, 0)
    several = [vector(None)] * len(stats_summary_list)
    contributions = [TensorShape([None, 1])] * len(stats_summary_list)
    return (*several, *several, *several, *contributions, *contributions)


def weights_and_gains(gradients: Any, hessians: Any, l1: Any, l2: Any) -> tuple[np.ndarray, np.ndarray]:
    """What nodes predict, and what they are worth.

    Args:
        gradients, hessians: Their sums; float32.
        l1, l2: How much weights cost.
    """
    l1, l2 = np.float32(l1), np.float32(l2)
    drawn = np.sign(gradients) * np.maximum(np.abs(gradients) - l1, np.float32(0)) if l1 > 0 else gradients
    weighed = hessians + l2
    heavy = weighed > _EPSILON
    weights = -drawn / np.where(heavy, weighed, np.float32(1)) * heavy
    return weights, -drawn * weights


@calculate_best_gains_per_feature_op.kernel
def _(node_id_range, stats_summary_list, l1, l2, tree_complexity, min_node_weight, *, max_splits):
    first, last = node_range(node_id_range, max_splits)
    found = [
        _best_of_feature(stats[first:last], first, l1, l2, tree_complexity, min_node_weight)
        for stats in stats_summary_list
    ]
    return tuple(column for columns in zip(*found) for column in columns)


def node_range(node_id_range: np.ndarray, max_splits: int) -> tuple[int, int]:
    """The first node, and the one behind the last.

    Raises:
        InvalidArgumentError: They are no range of the nodes that there are statistics of.
    """
    if node_id_range.shape != (2,) or not 0 <= node_id_range[0] or node_id_range[1] > max_splits:
        raise InvalidArgumentError(None, None, f"Node range {node_id_range.tolist()} is not within [0, {max_splits}].")
    return int(node_id_range[0]), int(node_id_range[1])


def _best_of_feature(stats: np.ndarray, first: int, l1: Any, l2: Any, complexity: Any, least: Any) -> tuple:
    cumulative = np.cumsum(stats, axis=1, dtype=np.float32)
    totals = cumulative[:, -1]
    heavy = np.flatnonzero(totals[:, 1] >= least)
    left, right = cumulative[heavy], totals[heavy, None] - cumulative[heavy]
    left_weights, left_gains = weights_and_gains(left[..., 0], left[..., 1], l1, l2)
    right_weights, right_gains = weights_and_gains(right[..., 0], right[..., 1], l1, l2)
    gains = left_gains + right_gains
    _, own = weights_and_gains(totals[heavy, 0], totals[heavy, 1], l1, l2)
    thresholds = np.argmax(gains, axis=1) if gains.size else np.zeros(len(heavy), np.int64)
    at = np.arange(len(heavy)), thresholds
    return (
        (heavy + first).astype(np.int32), (gains[at] - own - np.float32(complexity)).astype(np.float32),
        thresholds.astype(np.int32), left_weights[at][:, None].astype(np.float32),
        right_weights[at][:, None].astype(np.float32),
    )
