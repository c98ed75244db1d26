"""Numbers of sequences: `sequence_numeric_column`."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any

from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_feature_column.column import KeyedColumn, SequenceDense
from ossia_feature_column.interface import SequenceLengthPair, check_key
from ossia_feature_column.numeric import check_normalizer, check_number_dtype, checked_shape
from ossia_feature_column.sequence_length import sequence_length
from ossia_feature_column.transformations import FeatureTransformationCache
from ossia_ops.array.concat import concat
from ossia_ops.array.shape import reshape
from ossia_ops.array.shape import shape as shape_of
from ossia_ops.sparse.dense import sparse_tensor_to_dense
from ossia_parsing.features import VarLenFeature


class SequenceNumericColumn(
    KeyedColumn, SequenceDense,
    namedtuple("SequenceNumericColumn", ("key", "shape", "default_value", "dtype", "normalizer_fn")),
):
    """Numbers along sequences; made by `sequence_numeric_column`."""

    __slots__ = ()

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """Any number of numbers."""
        return {self.key: VarLenFeature(self.dtype)}

    @property
    def variable_shape(self) -> TensorShape:
        """Shape of the numbers of one step."""
        return TensorShape(self.shape)

    def transform_feature(self, transformation_cache: FeatureTransformationCache, state_manager: Any) -> Any:
        """The sparse numbers, normalised."""
        feature = transformation_cache.get(self.key, state_manager)
        return feature if self.normalizer_fn is None else self.normalizer_fn(feature)

    def get_sequence_dense_tensor(
        self, transformation_cache: FeatureTransformationCache, state_manager: Any
    ) -> SequenceLengthPair:
        """The numbers, padded, and the lengths."""
        feature = transformation_cache.get(self, state_manager)
        padded = sparse_tensor_to_dense(feature, default_value=self.default_value)
        dense = reshape(padded, concat([shape_of(padded)[:1], [-1], self.variable_shape], axis=0))
        per_step = self.variable_shape.num_elements() if feature.shape.ndims == 2 else 1
        return SequenceLengthPair(dense, sequence_length(feature, per_step))


@public(
    "feature_column.sequence_numeric_column", "compat.v2.feature_column.sequence_numeric_column",
    "contrib.feature_column.sequence_numeric_column",
)
def sequence_numeric_column(
    key: str, shape: Any = (1,), default_value: float = 0.0, dtype: Any = dtypes.float32,
    normalizer_fn: Callable | None = None,
) -> SequenceNumericColumn:
    """A column of numbers of sequences.

    Args:
        key: Key of the feature, a SparseTensor: the numbers of an example's steps in a row.
        shape: An integer or integers: the shape of one step's numbers.
        default_value: What shorter sequences are padded with.
        dtype: dtype of the feature in an `Example`.
        normalizer_fn: Function of the SparseTensor that gives another.

    Raises:
        TypeError: The shape is not of integers, or `normalizer_fn` is no function.
        ValueError: A dimension is not positive, or the dtype is not of numbers.
    """
    shape = checked_shape(shape, key)
    dtype = dtypes.as_dtype(dtype)
    check_number_dtype(dtype, key)
    check_normalizer(normalizer_fn)
    check_key(key)
    return SequenceNumericColumn(key, shape, default_value, dtype, normalizer_fn)
