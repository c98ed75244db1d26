"""What ensembles predict of examples: in training only what has been grown since, and, explained, along the way."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import merge, vector, with_rank
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.names.shapes import TensorShape

predict_op = op(
    "BoostedTreesPredict(tree_ensemble_handle: resource, bucketized_features: num_bucketized_features * int32) -> "
    "logits: float", num_bucketized_features="int >= 1", logits_dimension="int", stateful=True,
)
training_predict_op = op(
    "BoostedTreesTrainingPredict(tree_ensemble_handle: resource, cached_tree_ids: int32, cached_node_ids: int32, "
    "bucketized_features: num_bucketized_features * int32) -> partial_logits: float, tree_ids: int32, node_ids: int32",
    num_bucketized_features="int >= 1", logits_dimension="int", stateful=True,
)
example_debug_outputs_op = op(
    "BoostedTreesExampleDebugOutputs(tree_ensemble_handle: resource, "
    "bucketized_features: num_bucketized_features * int32) -> examples_debug_outputs_serialized: string",
    num_bucketized_features="int >= 1", logits_dimension="int", stateful=True,
)
for _definition in (predict_op, training_predict_op, example_debug_outputs_op):
    _definition.reads("tree_ensemble_handle")
    _definition.not_differentiable()


def _examples(vectors: Any) -> Any:
    shape = with_rank(vectors[0], 1)
    for each in vectors[1:]:
        shape = merge(shape, with_rank(each, 1))
    return shape


@predict_op.shape
def _(tree_ensemble_handle, bucketized_features, *, logits_dimension):
    return TensorShape([_examples(bucketized_features)[0], logits_dimension])


@training_predict_op.shape
def _(tree_ensemble_handle, cached_tree_ids, cached_node_ids, bucketized_features, *, logits_dimension):
    count = _examples([*bucketized_features, cached_tree_ids, cached_node_ids])[0]
    return TensorShape([count, logits_dimension]), vector(count), vector(count)


@example_debug_outputs_op.shape
def _(tree_ensemble_handle, bucketized_features, *, logits_dimension):
    return _examples(bucketized_features)


def _columns(features: Any) -> np.ndarray:
    if any(feature.shape != features[0].shape for feature in features):
        raise InvalidArgumentError(None, None, "Features must be equally many for each.")
    return np.stack(features)


@predict_op.kernel
def _(tree_ensemble_handle, bucketized_features, *, logits_dimension):
    ensemble = tree_ensemble_handle.get()
    with ensemble.lock:
        return ensemble.predictions(_columns(bucketized_features), logits_dimension)


@training_predict_op.kernel
def _(tree_ensemble_handle, cached_tree_ids, cached_node_ids, bucketized_features, *, logits_dimension):
    ensemble, columns = tree_ensemble_handle.get(), _columns(bucketized_features)
    if not cached_tree_ids.shape == cached_node_ids.shape == columns.shape[1:]:
        raise InvalidArgumentError(None, None, "There must be a cached tree and node for each example.")
    with ensemble.lock:
        return ensemble.advanced(columns, cached_tree_ids, cached_node_ids, logits_dimension)
