"""Categories of sequences: the `sequence_categorical_column_with_...` functions."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from ossia_core.graph.composites import SparseTensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_feature_column.column import Categorical
from ossia_feature_column.either_interface import buckets_of, sparse_tensors_of, spec_of
from ossia_feature_column.hashed import categorical_column_with_hash_bucket
from ossia_feature_column.identity import categorical_column_with_identity
from ossia_feature_column.interface import IdWeightPair
from ossia_feature_column.transformations import FeatureTransformationCache
from ossia_feature_column.vocabulary_file import categorical_column_with_vocabulary_file
from ossia_feature_column.vocabulary_list import categorical_column_with_vocabulary_list
from ossia_ops.array.shape import shape
from ossia_ops.math.reduction import reduce_prod
from ossia_ops.sparse.shape import sparse_reshape


class SequenceCategoricalColumn(Categorical, namedtuple("SequenceCategoricalColumn", ("categorical_column",))):
    """Categories along sequences."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The name of the categories."""
        return self.categorical_column.name

    @property
    def parents(self) -> list[Any]:
        """The column of the categories."""
        return [self.categorical_column]

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """That of the categories."""
        return spec_of(self.categorical_column)

    @property
    def num_buckets(self) -> int:
        """How many ids there are."""
        return buckets_of(self.categorical_column)

    def transform_feature(self, transformation_cache: FeatureTransformationCache, state_manager: Any) -> SparseTensor:
        """The transformed categories."""
        return self.categorical_column.transform_feature(transformation_cache, state_manager)

    def get_sparse_tensors(self, transformation_cache: FeatureTransformationCache, state_manager: Any) -> IdWeightPair:
        """The ids, those of each step of a sequence a row: [batch, steps, ids of a step]."""
        ids, weights = sparse_tensors_of(self.categorical_column, transformation_cache, state_manager)
        size = shape(ids)
        steps = [size[0], size[1], reduce_prod(size[2:])]
        return IdWeightPair(
            sparse_reshape(ids, steps), None if weights is None else sparse_reshape(weights, steps)
        )


def check_sequence(function: str, name: str, column: Any) -> None:
    """Refuses categories of examples where those of sequences are asked for.

    Raises:
        ValueError: They are no `SequenceCategoricalColumn`.
    """
    if not isinstance(column, SequenceCategoricalColumn):
        raise ValueError(f"In {function}: {name}. categorical_column must be of type SequenceCategoricalColumn to use "
                         "SequenceFeatures. Suggested fix: Use one of sequence_categorical_column_with_*. "
                         f"Given (type {type(column)}): {column}")


def refuse_sequence(function: str, name: str, column: Any) -> ValueError:
    """The error of a dense column of categories of sequences where one of examples is asked for."""
    return ValueError(
        f"In {function}: {name}. categorical_column must not be of type _SequenceCategoricalColumn. Suggested fix A: "
        "If you wish to use DenseFeatures, use a non-sequence categorical_column_with_*. Suggested fix B: If you wish "
        "to create sequence input, use SequenceFeatures instead of DenseFeatures. "
        f"Given (type {type(column)}): {column}"
    )


@public(
    "feature_column.sequence_categorical_column_with_identity",
    "compat.v2.feature_column.sequence_categorical_column_with_identity",
    "contrib.feature_column.sequence_categorical_column_with_identity",
)
def sequence_categorical_column_with_identity(
    key: str, num_buckets: int, default_value: int | None = None
) -> SequenceCategoricalColumn:
    """`categorical_column_with_identity`, of sequences; same arguments and errors."""
    return SequenceCategoricalColumn(categorical_column_with_identity(key, num_buckets, default_value))


@public(
    "feature_column.sequence_categorical_column_with_hash_bucket",
    "compat.v2.feature_column.sequence_categorical_column_with_hash_bucket",
    "contrib.feature_column.sequence_categorical_column_with_hash_bucket",
)
def sequence_categorical_column_with_hash_bucket(
    key: str, hash_bucket_size: int, dtype: Any = dtypes.string
) -> SequenceCategoricalColumn:
    """`categorical_column_with_hash_bucket`, of sequences; same arguments and errors."""
    return SequenceCategoricalColumn(categorical_column_with_hash_bucket(key, hash_bucket_size, dtype))


@public(
    "feature_column.sequence_categorical_column_with_vocabulary_list",
    "compat.v2.feature_column.sequence_categorical_column_with_vocabulary_list",
    "contrib.feature_column.sequence_categorical_column_with_vocabulary_list",
)
def sequence_categorical_column_with_vocabulary_list(
    key: str, vocabulary_list: Any, dtype: Any = None, default_value: int = -1, num_oov_buckets: int = 0
) -> SequenceCategoricalColumn:
    """`categorical_column_with_vocabulary_list`, of sequences; same arguments and errors."""
    return SequenceCategoricalColumn(
        categorical_column_with_vocabulary_list(key, vocabulary_list, dtype, default_value, num_oov_buckets)
    )


@public(
    "feature_column.sequence_categorical_column_with_vocabulary_file",
    "compat.v2.feature_column.sequence_categorical_column_with_vocabulary_file",
    "contrib.feature_column.sequence_categorical_column_with_vocabulary_file",
)
def sequence_categorical_column_with_vocabulary_file(
    key: str, vocabulary_file: str, vocabulary_size: int | None = None, num_oov_buckets: int = 0,
    default_value: int | None = None, dtype: Any = dtypes.string,
) -> SequenceCategoricalColumn:
    """`categorical_column_with_vocabulary_file`, of sequences; same arguments and errors."""
    return SequenceCategoricalColumn(
        categorical_column_with_vocabulary_file(
            key, vocabulary_file, vocabulary_size, num_oov_buckets, default_value, dtype
        )
    )
