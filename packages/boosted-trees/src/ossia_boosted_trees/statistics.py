"""Sums of gradients and hessians: for each node, feature and bucket."""

from __future__ import annotations

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import with_rank
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.names.shapes import TensorShape

make_stats_summary_op = op(
    "BoostedTreesMakeStatsSummary(node_ids: int32, gradients: float, hessians: float, "
    "bucketized_features_list: num_features * int32) -> stats_summary: float",
    max_splits="int >= 1", num_buckets="int >= 1", num_features="int >= 1",
)


@make_stats_summary_op.shape
def _(node_ids, gradients, hessians, bucketized_features_list, *, max_splits, num_buckets):
    with_rank(node_ids, 1), with_rank(gradients, 2), with_rank(hessians, 2)
    for feature in bucketized_features_list:
        with_rank(feature, 1)
    return TensorShape([len(bucketized_features_list), max_splits, num_buckets, 2])


@make_stats_summary_op.kernel
def _(node_ids, gradients, hessians, bucketized_features_list, *, max_splits, num_buckets):
    check_examples(node_ids, gradients, hessians, max_splits)
    columns = np.concatenate([gradients, hessians], axis=1)
    summary = np.zeros((len(bucketized_features_list), max_splits, num_buckets, 2), np.float32)
    for feature, buckets in zip(summary, bucketized_features_list):
        if buckets.shape != node_ids.shape or buckets.size and not 0 <= buckets.min() <= buckets.max() < num_buckets:
            raise InvalidArgumentError(None, None, f"A feature must have one bucket below {num_buckets} for each example.")
        np.add.at(feature, (node_ids, buckets), columns)
    return summary


def check_examples(node_ids: np.ndarray, gradients: np.ndarray, hessians: np.ndarray, max_splits: int) -> None:
    """Refuses examples without a gradient or hessian, or with a node that there is not.

    Raises:
        InvalidArgumentError: There are such.
    """
    if not len(node_ids) == len(gradients) == len(hessians):
        raise InvalidArgumentError(None, None, "There must be a node, gradients and hessians for each example.")
    if node_ids.size and not 0 <= node_ids.min() <= node_ids.max() < max_splits:
        raise InvalidArgumentError(None, None, f"Node ids must be in [0, {max_splits}).")
