"""Combinations of categories, hashed: `crossed_column`."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_feature_column.column import Categorical
from ossia_feature_column.either_interface import sparse_tensors_of, spec_of
from ossia_feature_column.hashed import HashedCategoricalColumn
from ossia_feature_column.interface import CategoricalColumn
from ossia_feature_column.older_interface import _CategoricalColumn
from ossia_feature_column.transformations import FeatureTransformationCache
from ossia_ops.math.cast import cast
from ossia_ops.sparse.cross import sparse_cross_op
from ossia_parsing.features import VarLenFeature

_HASH_KEY = 0xDECAFCAFFE


class CrossedColumn(Categorical, namedtuple("CrossedColumn", ("keys", "hash_bucket_size", "hash_key"))):
    """Hashes of combinations; made by `crossed_column`."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The names of what is combined, sorted."""
        return "_X_".join(sorted(_name(leaf) for leaf in _leaves(self)))

    @property
    def parents(self) -> list[Any]:
        """What is combined."""
        return list(self.keys)

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """That of what is combined; any number of strings for each key."""
        spec: dict[str, Any] = {}
        for key in self.keys:
            spec.update({key: VarLenFeature(dtypes.string)} if isinstance(key, str) else spec_of(key))
        return spec

    @property
    def num_buckets(self) -> int:
        """How many ids there are."""
        return self.hash_bucket_size

    def transform_feature(self, transformation_cache: FeatureTransformationCache, state_manager: Any) -> SparseTensor:
        """The hashes of all combinations of each example.

        Raises:
            ValueError: A column has weights.
        """
        features = []
        for key in _leaves(self):
            if isinstance(key, str):
                features.append(transformation_cache.get(key, state_manager))
                continue
            ids, weights = sparse_tensors_of(key, transformation_cache, state_manager)
            if weights is not None:
                raise ValueError("crossed_column does not support weight_tensor, but the given column populates "
                                 f"weight_tensor. Given column: {key.name}")
            features.append(ids)
        return _crossed(features, self.hash_bucket_size, self.hash_key)


def _crossed(features: list[Any], num_buckets: int, hash_key: int | None) -> SparseTensor:
    sparse = [feature for feature in features if isinstance(feature, SparseTensor)]
    dense = [convert_to_tensor(feature) for feature in features if not isinstance(feature, SparseTensor)]
    values = [_int64_or_string(feature.values) for feature in sparse]
    dense = [_int64_or_string(feature) for feature in dense]
    is_text = all(part.dtype == dtypes.string for part in (*values, *dense))
    crossed = sparse_cross_op(
        [feature.indices for feature in sparse], values, [feature.dense_shape for feature in sparse], dense,
        hashed_output=True, num_buckets=num_buckets, hash_key=_HASH_KEY if hash_key is None else hash_key,
        out_type=dtypes.int64, internal_type=dtypes.string if is_text else dtypes.int64,
    )
    return SparseTensor(*crossed)


def _int64_or_string(values: Any) -> Any:
    return values if values.dtype == dtypes.string else cast(values, dtypes.int64)


def _name(leaf: Any) -> str:
    return leaf if isinstance(leaf, str) else leaf.name


def _leaves(column: CrossedColumn) -> list[Any]:
    leaves: list[Any] = []
    for key in column.keys:
        leaves.extend(_leaves(key) if isinstance(key, CrossedColumn) else [key])
    return leaves


@public("feature_column.crossed_column", "compat.v2.feature_column.crossed_column")
def crossed_column(keys: Any, hash_bucket_size: int, hash_key: int | None = None) -> CrossedColumn:
    """A column of the combinations of categories, whose ids are hashes.

    Args:
        keys: Keys of features, or categorical columns; a column of hashes is refused, its key does better.
        hash_bucket_size: How many ids there are.
        hash_key: What the hashes start from.

    Raises:
        ValueError: No ids, fewer than two keys, or a column that cannot be combined.
    """
    if not hash_bucket_size or hash_bucket_size < 1:
        raise ValueError(f"hash_bucket_size must be > 1. hash_bucket_size: {hash_bucket_size}")
    if not keys or len(keys) < 2:
        raise ValueError(f"keys must be a list with length > 1. Given: {keys}")
    for key in keys:
        if not isinstance(key, (str, CategoricalColumn, _CategoricalColumn)):
            raise ValueError("Unsupported key type. All keys must be either string, or categorical column except "
                             f"HashedCategoricalColumn. Given: {key}")
        if isinstance(key, HashedCategoricalColumn):
            raise ValueError("categorical_column_with_hash_bucket is not supported for crossing. Hashing before "
                             "crossing will increase probability of collision. Instead, use the feature name as a "
                             f"string. Given: {key}")
    return CrossedColumn(tuple(keys), hash_bucket_size, hash_key)
