"""Which head classifiers have, and what all canned models ask of features and parameter servers."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ossia_estimator.heads.binary import binary_head
from ossia_estimator.heads.head import Head
from ossia_estimator.heads.multi_class import multi_class_head
from ossia_ops.state.partitioners import min_max_variable_partitioner

MIN_SLICE_SIZE = 64 << 20  # bytes; smaller variables are not cut


def classifier_head(
    n_classes: int, weight_column: Any, label_vocabulary: Sequence[str] | None, loss_reduction: str
) -> Head:
    """A head for classes, with one logit where there are two."""
    options = dict(weight_column=weight_column, label_vocabulary=label_vocabulary, loss_reduction=loss_reduction)
    return binary_head(**options) if n_classes == 2 else multi_class_head(n_classes, **options)


def check_features(features: Any) -> None:
    """Raises ValueError where features have no names."""
    if not isinstance(features, dict):
        raise ValueError(f"features should be a dictionary of `Tensor`s. Given type: {type(features)}")


def over_servers(config: Any, **options: Any) -> Callable:
    """What cuts variables into as many parts as there are parameter servers."""
    servers = config.num_ps_replicas if config else 0
    return min_max_variable_partitioner(max_partitions=servers, **options)
