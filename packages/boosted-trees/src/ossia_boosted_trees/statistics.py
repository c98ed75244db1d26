"""Sums of gradients and hessians: for each node, feature and bucket."""

from __future__ import annotations

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import vector, with_rank
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
        if buckets.shape != node_ids.shape or buckets.size and buckets.min() < 0:
            raise InvalidArgumentError(None, None, "Features have a bucket, of 0 or more, for each example.")
        # Quantiles may have one boundary more than was asked for; what lies above the last bucket counts to it.
        np.add.at(feature, (node_ids, np.minimum(buckets, num_buckets - 1)), columns)
    return summary


aggregate_stats_op = op(
    "BoostedTreesAggregateStats(node_ids: int32, gradients: float, hessians: float, feature: int32) -> "
    "stats_summary: float", max_splits="int >= 1", num_buckets="int >= 1",
)


@aggregate_stats_op.shape
def _(node_ids, gradients, hessians, feature, *, max_splits, num_buckets):
    with_rank(node_ids, 1)
    sizes = [with_rank(each, 2).as_tuple()[1] for each in (gradients, hessians)]
    columns = None if None in sizes else sum(sizes)
    return TensorShape([max_splits, with_rank(feature, 2).as_tuple()[1], num_buckets + 1, columns])


@aggregate_stats_op.kernel
def _(node_ids, gradients, hessians, feature, *, max_splits, num_buckets):
    check_examples(node_ids, gradients, hessians, max_splits)
    if len(feature) != len(node_ids) or feature.size and not -1 <= feature.min() <= feature.max() < num_buckets:
        raise InvalidArgumentError(None, None, f"Features have a bucket below {num_buckets}, or -1, for each example.")
    columns = np.concatenate([gradients, hessians], axis=1)
    summary = np.zeros((max_splits, feature.shape[1], num_buckets + 1, columns.shape[1]), np.float32)
    for dimension, buckets in enumerate(feature.T):
        np.add.at(summary[:, dimension], (node_ids, buckets), columns)  # -1, that of nothing, is the last
    return summary


sparse_aggregate_stats_op = op(
    "BoostedTreesSparseAggregateStats(node_ids: int32, gradients: float, hessians: float, feature_indices: int32, "
    "feature_values: int32, feature_shape: int32) -> stats_summary_indices: int32, stats_summary_values: float, "
    "stats_summary_shape: int32", max_splits="int >= 1", num_buckets="int >= 1",
)


@sparse_aggregate_stats_op.shape
def _(node_ids, gradients, hessians, feature_indices, feature_values, feature_shape):
    with_rank(node_ids, 1), with_rank(gradients, 2), with_rank(hessians, 2)
    with_rank(feature_indices, 2), with_rank(feature_values, 1), with_rank(feature_shape, 1)
    return TensorShape([None, 4]), vector(None), vector(4)


@sparse_aggregate_stats_op.kernel
def _(node_ids, gradients, hessians, feature_indices, feature_values, feature_shape, *, max_splits, num_buckets):
    check_examples(node_ids, gradients, hessians, max_splits)
    examples = len(node_ids)
    if len(feature_shape) != 2 or feature_indices.shape != (len(feature_values), 2) or feature_shape[1] < 0:
        raise InvalidArgumentError(None, None, "A sparse feature has two dimensions, and an index for each value.")
    dimensions = int(feature_shape[1])
    if ((feature_indices < 0) | (feature_indices >= [examples, dimensions])).any():
        raise InvalidArgumentError(None, None, f"Indices of features are out of {[examples, dimensions]}.")
    if feature_values.size and not 0 <= feature_values.min() <= feature_values.max() <= num_buckets:
        raise InvalidArgumentError(None, None, f"Features have a bucket from 0 to {num_buckets}.")
    columns = np.concatenate([gradients, hessians], axis=1)
    buckets = np.full((examples, dimensions), num_buckets, np.int32)  # the bucket of what has no value
    buckets[tuple(feature_indices.T)] = feature_values
    shape = (max_splits, dimensions, num_buckets + 1, columns.shape[1])
    summary, there = np.zeros(shape, np.float32), np.zeros(shape[:3], bool)
    places = node_ids[:, None], np.arange(dimensions)[None], buckets
    np.add.at(summary, places, columns[:, None])
    there[places] = True
    indices = np.argwhere(np.repeat(there[..., None], shape[3], axis=3)).astype(np.int32)
    return indices, summary[there].reshape(-1), np.array(shape, np.int32)


def check_examples(node_ids: np.ndarray, gradients: np.ndarray, hessians: np.ndarray, max_splits: int) -> None:
    """Refuses examples without a gradient or hessian, or with a node that there is not.

    Raises:
        InvalidArgumentError: There are such.
    """
    if not len(node_ids) == len(gradients) == len(hessians):
        raise InvalidArgumentError(None, None, "There must be a node, gradients and hessians for each example.")
    if node_ids.size and not 0 <= node_ids.min() <= node_ids.max() < max_splits:
        raise InvalidArgumentError(None, None, f"Node ids must be in [0, {max_splits}).")
