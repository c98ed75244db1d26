"""`feature_column.feature_column_v2`: columns for layers, and the layers' inner names."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.scopes import name_scope
from ossia_feature_column.bucketized import BucketizedColumn
from ossia_feature_column.configuration import (
    deserialize_feature_column,
    deserialize_feature_columns,
    serialize_feature_column,
    serialize_feature_columns,
)
from ossia_feature_column.crossed import CrossedColumn
from ossia_feature_column.embedding import EmbeddingColumn
from ossia_feature_column.features_layer import FeaturesLayer as _BaseFeaturesLayer
from ossia_feature_column.given_columns import check_batch_sizes as _verify_static_batch_size_equality
from ossia_feature_column.given_columns import listed_columns
from ossia_feature_column.hashed import HashedCategoricalColumn
from ossia_feature_column.identity import IdentityCategoricalColumn
from ossia_feature_column.indicator import IndicatorColumn
from ossia_feature_column.interface import CategoricalColumn, DenseColumn, FeatureColumn, SequenceDenseColumn
from ossia_feature_column.linear_layer import LinearModel
from ossia_feature_column.numeric import NumericColumn
from ossia_feature_column.sequence_categorical import SequenceCategoricalColumn
from ossia_feature_column.sequence_features import all_equal as _assert_all_equal_and_return
from ossia_feature_column.sequence_input_layer import concatenate_context_input
from ossia_feature_column.sequence_numeric import SequenceNumericColumn
from ossia_feature_column.shared_embeddings_v2 import SharedEmbeddingColumn, SharedEmbeddingColumnCreator
from ossia_feature_column.sparse_input import sparse_input as _to_sparse_input_and_drop_ignore_values
from ossia_feature_column.state_manager import LayerState as _StateManagerImpl
from ossia_feature_column.state_manager import StateManager
from ossia_feature_column.transformations import FeatureTransformationCache
from ossia_feature_column.vocabulary_file import VocabularyFileCategoricalColumn
from ossia_feature_column.vocabulary_list import VocabularyListCategoricalColumn
from ossia_feature_column.weighted import WeightedCategoricalColumn

_StateManagerImplV2 = _StateManagerImpl

__all__ = [
    "BucketizedColumn", "CategoricalColumn", "CrossedColumn", "DenseColumn", "EmbeddingColumn", "FeatureColumn",
    "FeatureTransformationCache", "HashedCategoricalColumn", "IdentityCategoricalColumn", "IndicatorColumn",
    "LinearModel", "NumericColumn", "SequenceCategoricalColumn", "SequenceDenseColumn", "SequenceNumericColumn",
    "SharedEmbeddingColumn", "SharedEmbeddingColumnCreator", "StateManager", "VocabularyFileCategoricalColumn",
    "VocabularyListCategoricalColumn", "WeightedCategoricalColumn", "_BaseFeaturesLayer",
    "_StateManagerImpl", "_StateManagerImplV2", "_assert_all_equal_and_return",
    "_to_sparse_input_and_drop_ignore_values", "_transform_features_v2", "_verify_static_batch_size_equality",
    "concatenate_context_input", "deserialize_feature_column", "deserialize_feature_columns", "is_feature_column_v2",
    "serialize_feature_column", "serialize_feature_columns",
]


def is_feature_column_v2(feature_columns: Any) -> bool:
    """Whether all columns, and what they are made from, are written for layers."""
    return all(isinstance(column, FeatureColumn) and column._is_v2_column for column in feature_columns)


def _transform_features_v2(
    features: dict[Any, Any], feature_columns: Any, state_manager: Any
) -> dict[Any, Any]:
    """What each column makes of features.

    Raises:
        ValueError: Something is no column, or a feature is missing.
    """
    columns = listed_columns(feature_columns, FeatureColumn)
    made = {}
    with name_scope(None, "transform_features", features.values()):
        cache = FeatureTransformationCache(features)
        for column in columns:
            with name_scope(None, column.name):
                made[column] = cache.get(column, state_manager)
    return made
