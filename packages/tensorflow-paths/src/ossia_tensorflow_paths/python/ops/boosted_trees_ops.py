"""`ops.boosted_trees_ops`: the resources of boosted trees, and their ops under short names."""

from __future__ import annotations

from ossia_boosted_trees.growth import center_bias_op as center_bias
from ossia_boosted_trees.growth import update_ensemble_op as update_ensemble
from ossia_boosted_trees.growth import update_ensemble_v2_op as update_ensemble_v2
from ossia_boosted_trees.predictions import example_debug_outputs_op as example_debug_outputs
from ossia_boosted_trees.predictions import predict_op as predict
from ossia_boosted_trees.predictions import training_predict_op as training_predict
from ossia_boosted_trees.quantile_accumulator import QuantileAccumulator
from ossia_boosted_trees.quantile_ops import (
    add_summaries_op as boosted_trees_quantile_stream_resource_add_summaries,
)
from ossia_boosted_trees.quantile_ops import bucketize_op as boosted_trees_bucketize
from ossia_boosted_trees.quantile_ops import (
    create_stream_op as boosted_trees_create_quantile_stream_resource,
)
from ossia_boosted_trees.quantile_ops import (
    deserialize_op as boosted_trees_quantile_stream_resource_deserialize,
)
from ossia_boosted_trees.quantile_ops import flush_op as boosted_trees_quantile_stream_resource_flush
from ossia_boosted_trees.quantile_ops import flush_op as quantile_flush
from ossia_boosted_trees.quantile_ops import flush_summaries_op as quantile_flush_summaries
from ossia_boosted_trees.quantile_ops import get_boundaries_op as get_bucket_boundaries
from ossia_boosted_trees.quantile_ops import is_stream_initialized_op as is_quantile_resource_initialized
from ossia_boosted_trees.quantile_ops import make_summaries_op as make_quantile_summaries
from ossia_boosted_trees.quantile_ops import stream_handle_op as quantile_resource_handle_op
from ossia_boosted_trees.splits import calculate_best_gains_per_feature_op as calculate_best_gains_per_feature
from ossia_boosted_trees.statistics import make_stats_summary_op as make_stats_summary
from ossia_boosted_trees.tree_ensemble import PruningMode, TreeEnsemble

__all__ = [
    "PruningMode", "QuantileAccumulator", "TreeEnsemble", "boosted_trees_bucketize",
    "boosted_trees_create_quantile_stream_resource", "boosted_trees_quantile_stream_resource_add_summaries",
    "boosted_trees_quantile_stream_resource_deserialize", "boosted_trees_quantile_stream_resource_flush",
    "calculate_best_gains_per_feature", "center_bias", "example_debug_outputs", "get_bucket_boundaries",
    "is_quantile_resource_initialized", "make_quantile_summaries", "make_stats_summary", "predict", "quantile_flush",
    "quantile_flush_summaries", "quantile_resource_handle_op", "training_predict", "update_ensemble",
    "update_ensemble_v2",
]
