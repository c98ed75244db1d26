"""What is asked of the columns that a column is made from, which have one interface or the other."""

from __future__ import annotations

from typing import Any

from ossia_feature_column.interface import CategoricalColumn, FeatureColumn, IdWeightPair


def spec_of(column: Any) -> dict[str, Any]:
    """What a column of either interface wants parsed."""
    return column.parse_example_spec if isinstance(column, FeatureColumn) else column._parse_example_spec


def buckets_of(column: Any) -> int:
    """How many ids a categorical column of either interface has."""
    return column.num_buckets if isinstance(column, CategoricalColumn) else column._num_buckets


def sparse_tensors_of(column: Any, transformation_cache: Any, state_manager: Any) -> IdWeightPair:
    """The ids and weights of a categorical column of either interface."""
    if isinstance(column, CategoricalColumn):
        return column.get_sparse_tensors(transformation_cache, state_manager)
    return column._get_sparse_tensors(
        transformation_cache.builder, weight_collections=state_manager.collections, trainable=state_manager.trainable
    )
