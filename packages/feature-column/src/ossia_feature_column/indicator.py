"""Categories as vectors of how often each occurs: `indicator_column`."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from ossia_core.graph.tensor import Tensor
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_feature_column.column import Dense, SequenceDense
from ossia_feature_column.either_interface import buckets_of, sparse_tensors_of, spec_of
from ossia_feature_column.interface import SequenceLengthPair
from ossia_feature_column.sequence_categorical import SequenceCategoricalColumn, check_sequence, refuse_sequence
from ossia_feature_column.sequence_length import sequence_length
from ossia_feature_column.transformations import FeatureTransformationCache
from ossia_ops.array.one_hot import one_hot
from ossia_ops.array.scatter import scatter_nd
from ossia_ops.math.reduction import reduce_sum
from ossia_ops.sparse.dense import sparse_tensor_to_dense
from ossia_ops.sparse.order import sparse_merge
from ossia_ops.sparse.shape import sparse_slice


class IndicatorColumn(Dense, SequenceDense, namedtuple("IndicatorColumn", ("categorical_column",))):
    """Counts of categories; made by `indicator_column`."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The name of the categories, and what it is."""
        return f"{self.categorical_column.name}_indicator"

    @property
    def parents(self) -> list[Any]:
        """The column of the categories."""
        return [self.categorical_column]

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """That of the categories."""
        return spec_of(self.categorical_column)

    @property
    def variable_shape(self) -> TensorShape:
        """One value for each id."""
        return TensorShape([1, buckets_of(self.categorical_column)])

    def transform_feature(self, transformation_cache: FeatureTransformationCache, state_manager: Any) -> Tensor:
        """How often each id occurs in an example, or the sum of its weights."""
        ids, weights = sparse_tensors_of(self.categorical_column, transformation_cache, state_manager)
        depth = self.variable_shape[-1].value
        if weights is not None:
            merged = sparse_merge(sp_ids=ids, sp_values=weights, vocab_size=depth)
            inside = sparse_slice(merged, [0, 0], merged.dense_shape)  # without the ids of -1
            return scatter_nd(inside.indices, inside.values, inside.dense_shape)
        padded = sparse_tensor_to_dense(ids, default_value=-1)
        return reduce_sum(one_hot(padded, depth=depth, on_value=1.0, off_value=0.0), axis=[-2])

    def get_dense_tensor(self, transformation_cache: FeatureTransformationCache, state_manager: Any) -> Tensor:
        """The counts.

        Raises:
            ValueError: The categories are of a sequence.
        """
        if isinstance(self.categorical_column, SequenceCategoricalColumn):
            raise refuse_sequence("indicator_column", self.name, self.categorical_column)
        return transformation_cache.get(self, state_manager)

    def get_sequence_dense_tensor(
        self, transformation_cache: FeatureTransformationCache, state_manager: Any
    ) -> SequenceLengthPair:
        """The counts of each step, and the lengths.

        Raises:
            ValueError: The categories are not of a sequence.
        """
        check_sequence("indicator_column", self.name, self.categorical_column)
        counts = transformation_cache.get(self, state_manager)
        ids, _ = sparse_tensors_of(self.categorical_column, transformation_cache, state_manager)
        return SequenceLengthPair(counts, sequence_length(ids))


@public("feature_column.indicator_column", "compat.v2.feature_column.indicator_column")
def indicator_column(categorical_column: Any) -> IndicatorColumn:
    """A dense column of how often each category occurs, or of the sums of their weights.

    Args:
        categorical_column: The column of the categories.
    """
    return IndicatorColumn(categorical_column)
