"""`feature_column.feature_column`: columns with the underscored interface, under their underscored names."""

from __future__ import annotations

from ossia_feature_column.bucketized import BucketizedColumn as _BucketizedColumn
from ossia_feature_column.crossed import CrossedColumn as _CrossedColumn
from ossia_feature_column.embedding import EmbeddingColumn as _EmbeddingColumn
from ossia_feature_column.given_columns import check_batch_sizes as _verify_static_batch_size_equality
from ossia_feature_column.hashed import HashedCategoricalColumn as _HashedCategoricalColumn
from ossia_feature_column.identity import IdentityCategoricalColumn as _IdentityCategoricalColumn
from ossia_feature_column.indicator import IndicatorColumn as _IndicatorColumn
from ossia_feature_column.input_layer import InputLayer
from ossia_feature_column.linear_model import LinearPredictions as _LinearModel
from ossia_feature_column.numeric import NumericColumn as _NumericColumn
from ossia_feature_column.sequence_categorical import SequenceCategoricalColumn as _SequenceCategoricalColumn
from ossia_feature_column.sparse_input import sparse_input as _to_sparse_input_and_drop_ignore_values
from ossia_feature_column.vocabulary_file import VocabularyFileCategoricalColumn as _VocabularyFileCategoricalColumn
from ossia_feature_column.vocabulary_list import VocabularyListCategoricalColumn as _VocabularyListCategoricalColumn
from ossia_feature_column.weighted import WeightedCategoricalColumn as _WeightedCategoricalColumn

__all__ = [
    "InputLayer", "_BucketizedColumn", "_CrossedColumn", "_EmbeddingColumn",
    "_HashedCategoricalColumn", "_IdentityCategoricalColumn", "_IndicatorColumn",
    "_LinearModel", "_NumericColumn", "_SequenceCategoricalColumn",
    "_VocabularyFileCategoricalColumn", "_VocabularyListCategoricalColumn", "_WeightedCategoricalColumn",
    "_to_sparse_input_and_drop_ignore_values", "_verify_static_batch_size_equality",
]
