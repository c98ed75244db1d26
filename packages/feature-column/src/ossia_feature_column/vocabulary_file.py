"""Categories of a file, one a line: `categorical_column_with_vocabulary_file`."""

from __future__ import annotations

import logging
from collections import namedtuple
from typing import Any

from ossia_core.graph.composites import SparseTensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_feature_column.column import Categorical, KeyedColumn
from ossia_feature_column.interface import check_column_dtype, check_input_dtype, check_key
from ossia_feature_column.sparse_input import sparse_input
from ossia_feature_column.transformations import FeatureTransformationCache
from ossia_feature_column.vocabulary_list import check_buckets
from ossia_feature_column.vocabulary_table import table_of_file
from ossia_io.gfile import GFile
from ossia_io.paths import Exists
from ossia_ops.math.cast import cast
from ossia_parsing.features import VarLenFeature


class VocabularyFileCategoricalColumn(
    KeyedColumn, Categorical,
    namedtuple(
        "VocabularyFileCategoricalColumn",
        ("key", "vocabulary_file", "vocabulary_size", "num_oov_buckets", "dtype", "default_value"),
    ),
):
    """Numbers of lines of a file; made by `categorical_column_with_vocabulary_file`."""

    __slots__ = ()

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """Any number of values."""
        return {self.key: VarLenFeature(self.dtype)}

    @property
    def num_buckets(self) -> int:
        """How many ids there are: of the lines and of the buckets."""
        return self.vocabulary_size + self.num_oov_buckets

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
        table = table_of_file(
            self.vocabulary_file, self.vocabulary_size, self.num_oov_buckets, self.default_value, key_dtype,
            f"{self.key}_lookup",
        )
        return table.lookup(feature)


@public("feature_column.categorical_column_with_vocabulary_file")
def categorical_column_with_vocabulary_file(
    key: str, vocabulary_file: str, vocabulary_size: int | None = None, num_oov_buckets: int = 0,
    default_value: int | None = None, dtype: Any = dtypes.string,
) -> VocabularyFileCategoricalColumn:
    """A column of categories whose ids are the numbers of their lines in a file.

    Args:
        key: Key of the feature; the empty string or -1 stands for nothing in a dense one.
        vocabulary_file: Path of the file.
        vocabulary_size: How many lines count; all by default, which are counted now.
        num_oov_buckets: How many ids there are for other categories, in place of `default_value`.
        default_value: The id of other categories; -1, the default, leaves them out.
        dtype: dtype of the feature, string or an integer.

    Raises:
        ValueError: No file, no lines, another dtype, or both a default and buckets.
    """
    return categorical_column_with_vocabulary_file_v2(
        key, vocabulary_file, vocabulary_size, dtype, default_value, num_oov_buckets
    )


@public("compat.v2.feature_column.categorical_column_with_vocabulary_file")
def categorical_column_with_vocabulary_file_v2(
    key: str, vocabulary_file: str, vocabulary_size: int | None = None, dtype: Any = dtypes.string,
    default_value: int | None = None, num_oov_buckets: int = 0,
) -> VocabularyFileCategoricalColumn:
    """`categorical_column_with_vocabulary_file` with its arguments in another order.

    Raises:
        ValueError: As there.
    """
    if not vocabulary_file:
        raise ValueError(f"Missing vocabulary_file in {key}.")
    if vocabulary_size is None:
        if not Exists(vocabulary_file):
            raise ValueError(f"vocabulary_file in {key} does not exist.")
        with GFile(vocabulary_file, "rb") as file:
            vocabulary_size = sum(1 for _ in file)
        logging.getLogger("tensorflow").info(
            "vocabulary_size = %d in %s is inferred from the number of elements in the vocabulary_file %s.",
            vocabulary_size, key, vocabulary_file,
        )
    if vocabulary_size < 1:
        raise ValueError(f"Invalid vocabulary_size in {key}.")
    check_buckets(key, num_oov_buckets, default_value is not None)
    dtype = dtypes.as_dtype(dtype)
    check_column_dtype(key, dtype)
    check_key(key)
    default_value = -1 if default_value is None else default_value
    return VocabularyFileCategoricalColumn(
        key, vocabulary_file, vocabulary_size, num_oov_buckets or 0, dtype, default_value
    )
