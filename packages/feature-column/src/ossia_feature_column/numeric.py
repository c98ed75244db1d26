"""Numbers as they are, or normalised: `numeric_column`."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_feature_column.column import Dense, KeyedColumn
from ossia_feature_column.interface import check_key
from ossia_feature_column.transformations import FeatureTransformationCache
from ossia_ops.math.cast import cast
from ossia_parsing.features import FixedLenFeature


class NumericColumn(
    KeyedColumn, Dense, namedtuple("NumericColumn", ("key", "shape", "default_value", "dtype", "normalizer_fn"))
):
    """Numbers of a fixed shape; made by `numeric_column`."""

    __slots__ = ()

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """A feature of fixed length."""
        return {self.key: FixedLenFeature(self.shape, self.dtype, self.default_value)}

    @property
    def variable_shape(self) -> TensorShape:
        """Shape of the numbers of one example."""
        return TensorShape(self.shape)

    def transform_feature(self, transformation_cache: FeatureTransformationCache, state_manager: Any) -> Tensor:
        """The numbers, normalised, as float32.

        Raises:
            ValueError: The feature is sparse.
        """
        feature = transformation_cache.get(self.key, state_manager)
        if isinstance(feature, SparseTensor):
            raise ValueError("The corresponding Tensor of numerical column must be a Tensor. SparseTensor is not "
                             f"supported. key: {self.key}")
        if self.normalizer_fn is not None:
            feature = self.normalizer_fn(feature)
        return cast(feature, dtypes.float32)

    def get_dense_tensor(self, transformation_cache: FeatureTransformationCache, state_manager: Any) -> Tensor:
        """The numbers."""
        return transformation_cache.get(self, state_manager)


@public("feature_column.numeric_column", "compat.v2.feature_column.numeric_column")
def numeric_column(
    key: str, shape: Any = (1,), default_value: Any = None, dtype: Any = dtypes.float32,
    normalizer_fn: Callable | None = None,
) -> NumericColumn:
    """A column of numbers.

    Args:
        key: Key of the feature.
        shape: An integer or integers: the shape of one example's numbers.
        default_value: What an `Example` without the feature has: a number for all, or one for each; None refuses it.
        dtype: dtype of the feature in an `Example`.
        normalizer_fn: Function of the tensor that gives another.

    Raises:
        TypeError: The shape is not of integers, `default_value` does not fit the dtype, `normalizer_fn` is no function.
        ValueError: A dimension is not positive, `default_value` has another shape, or the dtype is not of numbers.
    """
    shape = checked_shape(shape, key)
    dtype = dtypes.as_dtype(dtype)
    check_number_dtype(dtype, key)
    default_value = _default_of(shape, default_value, dtype, key)
    check_normalizer(normalizer_fn)
    check_key(key)
    return NumericColumn(key, shape, default_value, dtype, normalizer_fn)


def checked_shape(shape: Any, key: str) -> tuple[int, ...]:
    """The shape as a tuple.

    Raises:
        TypeError: It is not of integers.
        ValueError: A dimension is not positive.
    """
    dimensions = tuple(shape) if isinstance(shape, Iterable) else (shape,)
    if not all(isinstance(dimension, (int, np.integer)) for dimension in dimensions):
        raise TypeError(f"shape dimensions must be integer. shape: {dimensions}, key: {key}")
    if any(dimension < 1 for dimension in dimensions):
        raise ValueError(f"shape dimensions must be greater than 0. shape: {dimensions}, key: {key}")
    return dimensions


def check_number_dtype(dtype: Any, key: str) -> None:
    """Refuses what is not of numbers.

    Raises:
        ValueError: The dtype is not.
    """
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError(f"dtype must be convertible to float. dtype: {dtype}, key: {key}")


def check_normalizer(normalizer_fn: Any) -> None:
    """Refuses what cannot be called.

    Raises:
        TypeError: `normalizer_fn` cannot.
    """
    if normalizer_fn is not None and not callable(normalizer_fn):
        raise TypeError(f"normalizer_fn must be a callable. Given: {normalizer_fn}")


def _default_of(shape: tuple[int, ...], default: Any, dtype: Any, key: str) -> Any:
    if default is None:
        return None
    given = default.tolist() if isinstance(default, np.ndarray) else default
    values = np.array(given)
    kind = values.dtype.kind
    if kind not in "iuf" or kind == "f" and dtype.is_integer:
        raise TypeError(
            f"default_value must be compatible with dtype. default_value: {default}, dtype: {dtype}, key: {key}"
        )
    if values.ndim and values.shape != shape:
        raise ValueError("The shape of default_value must be equal to given shape. "
                         f"default_value: {default}, shape: {shape}, key: {key}")
    return _tuples(np.broadcast_to(values, shape).tolist())


def _tuples(values: Any) -> Any:
    return tuple(map(_tuples, values)) if isinstance(values, list) else values
