"""Categories of a list: `categorical_column_with_vocabulary_list`."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from ossia_core.graph.composites import SparseTensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_feature_column.column import Categorical, KeyedColumn
from ossia_feature_column.interface import check_column_dtype, check_input_dtype, check_key
from ossia_feature_column.sparse_input import sparse_input
from ossia_feature_column.transformations import FeatureTransformationCache
from ossia_feature_column.vocabulary_table import table_of_list
from ossia_ops.math.cast import cast
from ossia_parsing.features import VarLenFeature


class VocabularyListCategoricalColumn(
    KeyedColumn, Categorical,
    namedtuple(
        "VocabularyListCategoricalColumn", ("key", "vocabulary_list", "dtype", "default_value", "num_oov_buckets")
    ),
):
    """Places in a list; made by `categorical_column_with_vocabulary_list`."""

    __slots__ = ()

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """Any number of values."""
        return {self.key: VarLenFeature(self.dtype)}

    @property
    def num_buckets(self) -> int:
        """How many ids there are: of the list and of the buckets."""
        return len(self.vocabulary_list) + self.num_oov_buckets

    def transform_feature(self, transformation_cache: FeatureTransformationCache, state_manager: Any) -> SparseTensor:
        """The ids of the values.

        Raises:
            ValueError: The feature has another dtype.
        """
        feature = sparse_input(transformation_cache.get(self.key, state_manager))
        check_input_dtype(self.key, self.dtype, feature)
        key_dtype = self.dtype
        if feature.dtype.is_integer:
            key_dtype = dtypes.int64  # that of tables
            feature = SparseTensor(feature.indices, cast(feature.values, dtypes.int64), feature.dense_shape)
        words, name = self.vocabulary_list, f"{self.key}_lookup"
        return table_of_list(words, self.num_oov_buckets, self.default_value, key_dtype, name).lookup(feature)


@public(
    "feature_column.categorical_column_with_vocabulary_list",
    "compat.v2.feature_column.categorical_column_with_vocabulary_list",
)
def categorical_column_with_vocabulary_list(
    key: str, vocabulary_list: Any, dtype: Any = None, default_value: int = -1, num_oov_buckets: int = 0
) -> VocabularyListCategoricalColumn:
    """A column of categories whose ids are their places in a list.

    Args:
        key: Key of the feature; the empty string or -1 stands for nothing in a dense one.
        vocabulary_list: The categories, all different.
        dtype: dtype of the feature, string or an integer; that of the list by default.
        default_value: The id of other categories; -1 leaves them out.
        num_oov_buckets: How many ids there are for other categories, in place of `default_value`.

    Raises:
        ValueError: No categories, the same one twice, another dtype, or both a default and buckets.
    """
    if vocabulary_list is None or len(vocabulary_list) < 1:
        raise ValueError(f"vocabulary_list {vocabulary_list} must be non-empty, column_name: {key}")
    if len(set(vocabulary_list)) != len(vocabulary_list):
        raise ValueError(f"Duplicate keys in vocabulary_list {vocabulary_list}, column_name: {key}")
    own = dtypes.as_dtype(np.array(vocabulary_list).dtype)
    check_buckets(key, num_oov_buckets, default_value != -1)
    check_column_dtype(key, own, " vocabulary")
    dtype = own if dtype is None else dtypes.as_dtype(dtype)
    if dtype.is_integer != own.is_integer:
        raise ValueError(f"dtype {dtype} and vocabulary dtype {own} do not match, column_name: {key}")
    check_column_dtype(key, dtype)
    check_key(key)
    return VocabularyListCategoricalColumn(key, tuple(vocabulary_list), dtype, default_value, num_oov_buckets)


def check_buckets(key: str, num_oov_buckets: int | None, has_default: bool) -> None:
    """Refuses buckets beside a default.

    Raises:
        ValueError: There are both, or a negative number of buckets.
    """
    if not num_oov_buckets:
        return
    if num_oov_buckets < 0:
        raise ValueError(f"Invalid num_oov_buckets {num_oov_buckets} in {key}.")
    if has_default:
        raise ValueError(f"Can't specify both num_oov_buckets and default_value in {key}.")
