"""Categories with weights: `weighted_categorical_column`."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from ossia_core.graph.composites import SparseTensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_feature_column.column import Categorical
from ossia_feature_column.either_interface import buckets_of, spec_of
from ossia_feature_column.interface import IdWeightPair
from ossia_feature_column.sparse_input import sparse_input
from ossia_feature_column.transformations import FeatureTransformationCache
from ossia_ops.math.cast import cast
from ossia_parsing.features import VarLenFeature


class WeightedCategoricalColumn(
    Categorical, namedtuple("WeightedCategoricalColumn", ("categorical_column", "weight_feature_key", "dtype"))
):
    """Categories, each with its weight; made by `weighted_categorical_column`."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The name of the categories, and by what they are weighted."""
        return f"{self.categorical_column.name}_weighted_by_{self.weight_feature_key}"

    @property
    def parents(self) -> list[Any]:
        """The categories and the key of the weights."""
        return [self.categorical_column, self.weight_feature_key]

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """That of the categories, and any number of weights.

        Raises:
            ValueError: The categories have the weights' key with another spec.
        """
        spec = spec_of(self.categorical_column)
        if self.weight_feature_key in spec:
            raise ValueError(f"Parse config {spec[self.weight_feature_key]} already exists for "
                             f"{self.weight_feature_key}.")
        return {**spec, self.weight_feature_key: VarLenFeature(self.dtype)}

    @property
    def num_buckets(self) -> int:
        """How many ids there are."""
        return buckets_of(self.categorical_column)

    def transform_feature(self, transformation_cache: FeatureTransformationCache, state_manager: Any) -> Any:
        """The ids and the weights.

        Raises:
            ValueError: The weights have another dtype.
        """
        weights = transformation_cache.get(self.weight_feature_key, state_manager)
        if self.dtype != weights.dtype.base_dtype:
            raise ValueError(f"Bad dtype, expected {self.dtype}, but got {weights.dtype}.")
        if not isinstance(weights, SparseTensor):
            weights = sparse_input(weights, ignore_value=0.0)
        if not weights.dtype.is_floating:
            weights = SparseTensor(weights.indices, cast(weights.values, dtypes.float32), weights.dense_shape)
        return transformation_cache.get(self.categorical_column, state_manager), weights

    def get_sparse_tensors(self, transformation_cache: FeatureTransformationCache, state_manager: Any) -> IdWeightPair:
        """The ids and their weights."""
        return IdWeightPair(*transformation_cache.get(self, state_manager))


@public("feature_column.weighted_categorical_column", "compat.v2.feature_column.weighted_categorical_column")
def weighted_categorical_column(
    categorical_column: Any, weight_feature_key: str, dtype: Any = dtypes.float32
) -> WeightedCategoricalColumn:
    """A column of categories that have weights.

    Args:
        categorical_column: The column of the categories.
        weight_feature_key: Key of the feature with the weights, as many as there are categories.
        dtype: dtype of the weights.

    Raises:
        ValueError: It is not of numbers.
    """
    if dtype is None or not (dtypes.as_dtype(dtype).is_integer or dtypes.as_dtype(dtype).is_floating):
        raise ValueError(f"dtype {dtype!r} is not convertible to float.")
    return WeightedCategoricalColumn(categorical_column, weight_feature_key, dtypes.as_dtype(dtype))
