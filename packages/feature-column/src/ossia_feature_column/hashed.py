"""Categories whose ids are hashes: `categorical_column_with_hash_bucket`."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from ossia_core.graph.composites import SparseTensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_feature_column.column import Categorical, KeyedColumn
from ossia_feature_column.interface import check_column_dtype, check_input_dtype, check_key
from ossia_feature_column.sparse_input import sparse_input
from ossia_feature_column.transformations import FeatureTransformationCache
from ossia_ops.strings.hashes import string_to_hash_bucket_fast
from ossia_ops.strings.numbers import as_string
from ossia_parsing.features import VarLenFeature


class HashedCategoricalColumn(
    KeyedColumn, Categorical, namedtuple("HashedCategoricalColumn", ("key", "hash_bucket_size", "dtype"))
):
    """Hashes of categories; made by `categorical_column_with_hash_bucket`."""

    __slots__ = ()

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """Any number of values."""
        return {self.key: VarLenFeature(self.dtype)}

    @property
    def num_buckets(self) -> int:
        """How many ids there are."""
        return self.hash_bucket_size

    def transform_feature(self, transformation_cache: FeatureTransformationCache, state_manager: Any) -> SparseTensor:
        """The hashes of the values, of their decimal digits if they are integers.

        Raises:
            ValueError: The feature has another dtype.
        """
        feature = sparse_input(transformation_cache.get(self.key, state_manager))
        check_column_dtype(self.key, feature.dtype, " input_tensor")
        check_input_dtype(self.key, self.dtype, feature)
        texts = feature.values if self.dtype == dtypes.string else as_string(feature.values)
        ids = string_to_hash_bucket_fast(texts, self.hash_bucket_size, name="lookup")
        return SparseTensor(feature.indices, ids, feature.dense_shape)


@public(
    "feature_column.categorical_column_with_hash_bucket", "compat.v2.feature_column.categorical_column_with_hash_bucket"
)
def categorical_column_with_hash_bucket(
    key: str, hash_bucket_size: int, dtype: Any = dtypes.string
) -> HashedCategoricalColumn:
    """A column of categories whose ids are hashes, so that none need be known.

    Args:
        key: Key of the feature; the empty string or -1 stands for nothing in a dense one.
        hash_bucket_size: How many ids there are.
        dtype: dtype of the feature, string or an integer.

    Raises:
        ValueError: No ids, or another dtype.
    """
    if hash_bucket_size is None:
        raise ValueError(f"hash_bucket_size must be set. key: {key}")
    if hash_bucket_size < 1:
        raise ValueError(f"hash_bucket_size must be at least 1. hash_bucket_size: {hash_bucket_size}, key: {key}")
    check_key(key)
    dtype = dtypes.as_dtype(dtype)
    check_column_dtype(key, dtype)
    return HashedCategoricalColumn(key, hash_bucket_size, dtype)
