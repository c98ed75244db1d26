"""Columns of numbers, as they are and by buckets."""

from __future__ import annotations

import collections
from collections.abc import Callable, Sequence
from typing import Any

import ossia as tf
from ossia_contrib.layers.columns.base import FeatureColumn, WideArguments, transformed
from ossia_contrib.layers.columns.shapes import of_rank
from ossia_contrib.layers.names import of_both
from ossia_core.plugins.api_table import public


class _RealValuedColumn(
    FeatureColumn,
    collections.namedtuple(
        "_RealValuedColumn", ["column_name", "dimension", "default_value", "dtype", "normalizer"]
    ),
):
    @property
    def name(self) -> str:  # type: ignore[override]
        return self.column_name

    @property
    def config(self) -> dict[str, Any]:
        default = None if self.default_value is None else list(self.default_value)
        return {self.column_name: tf.FixedLenFeature([self.dimension], self.dtype, default)}

    @property
    def key(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!s}" for name in self._fields if name != "normalizer")
        return f"_RealValuedColumn({fields})"

    @property
    def normalizer_fn(self) -> Any:
        """The function that is applied to the values first."""
        return self.normalizer

    def insert_transformed_feature(self, columns_to_tensors: dict[Any, Any]) -> None:
        values = columns_to_tensors[self.name]
        columns_to_tensors[self] = values if self.normalizer is None else self.normalizer(values)

    def _to_dnn_input_layer(
        self, input_tensor: Any, weight_collections: Any = None, trainable: bool = True, output_rank: int = 2
    ) -> Any:
        values = self._to_dense_tensor(input_tensor)
        if values.dtype != tf.float32:
            values = tf.cast(values, tf.float32)
        return of_rank(values, output_rank, self.name)

    def _to_dense_tensor(self, input_tensor: Any) -> Any:
        if isinstance(input_tensor, tf.SparseTensor):
            return tf.sparse.to_dense(input_tensor)
        return input_tensor


@public(*of_both("real_valued_column"))
def real_valued_column(
    column_name: str, dimension: int = 1, default_value: Any = None, dtype: Any = tf.float32,
    normalizer: Callable[[Any], Any] | None = None,
) -> Any:
    """A column of numbers.

    Args:
      column_name: name of the feature.
      dimension: how many numbers there are.
      default_value: what an example has that lacks it, a number or `dimension` of them.
      dtype: an int or float type.
      normalizer: a function of the values.

    Raises:
      TypeError: an argument has another type.
      ValueError: the dimension is not positive, or the defaults are not as many.
    """
    if dimension is None:
        raise TypeError(
            "dimension must be an integer. Use the _real_valued_var_len_column for variable length features."
            f"dimension: {dimension}, column_name: {column_name}"
        )
    if not isinstance(dimension, int):
        raise TypeError(f"dimension must be an integer. dimension: {dimension}, column_name: {column_name}")
    if dimension < 1:
        raise ValueError(f"dimension must be greater than 0. dimension: {dimension}, column_name: {column_name}")
    dtype = tf.as_dtype(dtype)
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError(f"dtype must be convertible to float. dtype: {dtype}, column_name: {column_name}")
    default = _defaults(default_value, dimension, dtype, column_name)
    if normalizer is not None and not callable(normalizer):
        raise TypeError(f"normalizer must be a callable. normalizer: {normalizer}, column_name: {column_name}")
    return _RealValuedColumn(column_name, dimension, default, dtype, normalizer)


def _defaults(default_value: Any, dimension: int, dtype: Any, column_name: str) -> tuple | None:
    if default_value is None:
        return None
    several = isinstance(default_value, (list, tuple))
    values = list(default_value) if several else [default_value] * dimension
    if several and len(values) != dimension:
        raise ValueError(
            f"The length of default_value must be equal to dimension. default_value: {default_value}, "
            f"dimension: {dimension}, column_name: {column_name}"
        )
    fits = (int,) if dtype.is_integer else (int, float)
    if not all(isinstance(value, fits) for value in values):
        raise TypeError(
            f"default_value must be compatible with dtype. default_value: {default_value}, dtype: {dtype}, "
            f"column_name: {column_name}"
        )
    return tuple(int(value) if dtype.is_integer else float(value) for value in values)


class _BucketizedColumn(
    FeatureColumn, collections.namedtuple("_BucketizedColumn", ["source_column", "boundaries"])
):
    @property
    def name(self) -> str:  # type: ignore[override]
        return f"{self.source_column.name}_bucketized"

    @property
    def length(self) -> int:
        """How many buckets there are."""
        return len(self.boundaries) + 1

    @property
    def config(self) -> dict[str, Any]:
        return self.source_column.config

    def insert_transformed_feature(self, columns_to_tensors: dict[Any, Any]) -> None:
        columns_to_tensors[self] = tf.raw_ops.Bucketize(
            input=transformed(self.source_column, columns_to_tensors), boundaries=list(self.boundaries),
            name="bucketize",
        )

    def _to_dnn_input_layer(
        self, input_tensor: Any, weight_collections: Any = None, trainable: bool = True, output_rank: int = 2
    ) -> Any:
        if output_rank != 2:
            raise ValueError("BucketizedColumn currently only supports output_rank=2")
        hot = tf.one_hot(tf.cast(input_tensor, tf.int64), self.length, 1.0, 0.0, name="one_hot")
        return tf.reshape(hot, [-1, self.length * self.source_column.dimension], name="reshape")

    def to_sparse_tensor(self, input_tensor: Any) -> tf.SparseTensor:
        """The buckets of each example as a row of numbers, those of later dimensions above those of earlier ones."""
        dimension = self.source_column.dimension
        batch = tf.shape(input_tensor, name="shape")[0]
        if dimension > 1:
            rows = tf.expand_dims(tf.range(0, batch), 1, name="expand_dims")
            rows = tf.reshape(tf.tile(rows, [1, dimension], name="tile"), [-1], name="reshape")
            places = tf.tile(tf.range(0, dimension), [batch], name="tile")
            buckets = tf.reshape(input_tensor, [-1], name="reshape") + self.length * places
        else:
            rows = tf.range(0, batch)
            places = tf.zeros([batch], dtype=tf.int32, name="zeros")
            buckets = tf.reshape(input_tensor, [-1], name="reshape")
        indices = tf.cast(tf.transpose(tf.stack((rows, places))), tf.int64)
        return tf.SparseTensor(indices, buckets, tf.cast(tf.stack([batch, dimension]), tf.int64))

    def _wide_embedding_lookup_arguments(self, input_tensor: Any) -> Any:
        return WideArguments(
            self.to_sparse_tensor(input_tensor), None, self.length * self.source_column.dimension,
            tf.zeros_initializer(), "sum",
        )


@public(*of_both("bucketized_column"))
def bucketized_column(source_column: Any, boundaries: Sequence[float]) -> Any:
    """A column of the buckets that numbers fall into.

    Args:
      source_column: a `real_valued_column`.
      boundaries: where buckets begin, in ascending order.

    Raises:
      TypeError: the source is another column.
      ValueError: there are no boundaries, or they are out of order.
    """
    if not isinstance(source_column, _RealValuedColumn):
        raise TypeError(
            f"source_column must be an instance of _RealValuedColumn. source_column: {source_column}"
        )
    if not isinstance(boundaries, (list, tuple)) or not boundaries:
        raise ValueError(f"boundaries must be a non-empty list or tuple. boundaries: {boundaries}")
    ordered = sorted(set(boundaries))
    return _BucketizedColumn(source_column, tuple(ordered))


@public(*of_both("infer_real_valued_columns"))
def infer_real_valued_columns(features: Any) -> list[Any]:
    """Columns of numbers for a tensor, or for each of a dict of tensors.

    Raises:
      ValueError: a feature is sparse or has an unknown size.
    """
    named = features if isinstance(features, dict) else {"": features}
    return [_column_of(name, named[name]) for name in sorted(named)]


_REFUSED = "is not supported for auto detection. Please define corresponding FeatureColumn for tensor"


def _column_of(name: str, tensor: Any) -> Any:
    if isinstance(tensor, tf.SparseTensor):
        raise ValueError(f"SparseTensor {_REFUSED} {name} {tensor}.")
    if not (tensor.dtype.is_integer or tensor.dtype.is_floating):
        raise ValueError(f"Non integer or non floating types {_REFUSED} {name} {tensor}.")
    shape = tensor.get_shape()
    size = 1
    for place in range(1, shape.rank):
        if shape[place].value is None:
            raise ValueError(f"Second dimension must be statically known for tensor {name} {tensor}.")
        size *= shape[place].value
    return _RealValuedColumn(name, size, None, tensor.dtype, None)


RealValuedColumn = _RealValuedColumn
BucketizedColumn: Any = _BucketizedColumn
