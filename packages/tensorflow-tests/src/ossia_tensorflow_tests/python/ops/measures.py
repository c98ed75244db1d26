"""What unit tests take from `losses_impl` and `metrics_impl`, beside the public functions."""

from __future__ import annotations

from typing import Any

from ossia_nn import losses
from ossia_nn.metrics import accumulation, classes, ranking
from ossia_ops.math import division

_streaming_confusion_matrix = classes.streamed_confusion_matrix
_safe_mean = losses.safe_mean
_num_present = losses.num_present
_num_elements = losses.num_elements
_at_k_name = ranking.name_at_k
_maybe_expand_labels = ranking.expanded_labels
_select_class_id = ranking.of_one_class
_num_relevant = ranking.num_relevant
_sparse_average_precision_at_top_k = ranking.average_precisions
_streaming_sparse_average_precision_at_top_k = ranking.streamed_average


def metric_variable(shape: Any, dtype: Any, validate_shape: bool = True, name: str | None = None) -> Any:
    """A variable in which a metric adds up."""
    return accumulation.metric_variable(shape, dtype, name=name)


def _safe_scalar_div(numerator: Any, denominator: Any, name: str) -> Any:
    """A quotient; 0 where the denominator is 0."""
    numerator.shape.with_rank_at_most(1)
    denominator.shape.with_rank_at_most(1)
    return division.div_no_nan(numerator, denominator, name=name)
