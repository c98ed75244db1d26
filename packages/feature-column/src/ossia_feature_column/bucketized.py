"""Numbers as the intervals they lie in: `bucketized_column`."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_feature_column.column import Categorical, Dense
from ossia_feature_column.interface import IdWeightPair
from ossia_feature_column.numeric import NumericColumn
from ossia_feature_column.transformations import FeatureTransformationCache
from ossia_ops.array.one_hot import one_hot
from ossia_ops.array.shape import expand_dims, reshape, shape
from ossia_ops.array.stacking import stack
from ossia_ops.array.tiling import tile
from ossia_ops.array.transposition import transpose
from ossia_ops.math.cast import cast
from ossia_ops.math.histogram import bucketize_op
from ossia_ops.math.sequence import range as range_of


class BucketizedColumn(Dense, Categorical, namedtuple("BucketizedColumn", ("source_column", "boundaries"))):
    """Intervals of numbers; made by `bucketized_column`."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The name of the column of numbers, and what it is."""
        return f"{self.source_column.name}_bucketized"

    @property
    def parents(self) -> list[Any]:
        """The column of numbers."""
        return [self.source_column]

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """That of the numbers."""
        return self.source_column.parse_example_spec

    @property
    def variable_shape(self) -> TensorShape:
        """For each number, one value for each interval."""
        return TensorShape([*self.source_column.shape, len(self.boundaries) + 1])

    @property
    def num_buckets(self) -> int:
        """How many intervals there are, those of each number its own."""
        return (len(self.boundaries) + 1) * self.source_column.shape[0]

    def transform_feature(self, transformation_cache: FeatureTransformationCache, state_manager: Any) -> Tensor:
        """The place of each number's interval."""
        numbers = transformation_cache.get(self.source_column, state_manager)
        return bucketize_op(numbers, boundaries=[float(boundary) for boundary in self.boundaries])

    def get_dense_tensor(self, transformation_cache: FeatureTransformationCache, state_manager: Any) -> Tensor:
        """One-hot vectors."""
        places = transformation_cache.get(self, state_manager)
        return one_hot(cast(places, dtypes.int64), depth=len(self.boundaries) + 1, on_value=1.0, off_value=0.0)

    def get_sparse_tensors(self, transformation_cache: FeatureTransformationCache, state_manager: Any) -> IdWeightPair:
        """The intervals as ids."""
        places = transformation_cache.get(self, state_manager)
        batch, width = shape(places)[0], self.source_column.shape[0]
        rows = reshape(tile(expand_dims(range_of(0, batch), 1), [1, width]), (-1,))
        columns = tile(range_of(0, width), [batch])
        ids = reshape(places, (-1,)) + (len(self.boundaries) + 1) * columns
        indices = cast(transpose(stack((rows, columns))), dtypes.int64)
        return IdWeightPair(SparseTensor(indices, ids, cast(stack([batch, width]), dtypes.int64)), None)


@public("feature_column.bucketized_column", "compat.v2.feature_column.bucketized_column")
def bucketized_column(source_column: NumericColumn, boundaries: Any) -> BucketizedColumn:
    """A column of the intervals that numbers lie in.

    Args:
        source_column: A `numeric_column` of one dimension.
        boundaries: Where intervals end, ascending; each interval has its lower end.

    Raises:
        ValueError: Another column, more dimensions, or no ascending list.
    """
    if not isinstance(source_column, NumericColumn):
        raise ValueError(f"source_column must be a column generated with numeric_column(). Given: {source_column}")
    if len(source_column.shape) > 1:
        raise ValueError(f"source_column must be one-dimensional column. Given: {source_column}")
    if not boundaries:
        raise ValueError("boundaries must not be empty.")
    ascending = isinstance(boundaries, (list, tuple)) and all(
        low < high for low, high in zip(boundaries, boundaries[1:])
    )
    if not ascending:
        raise ValueError("boundaries must be a sorted list.")
    return BucketizedColumn(source_column, tuple(boundaries))
