"""Integers that are ids themselves: `categorical_column_with_identity`."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.scopes import control_dependencies
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import identity
from ossia_debugging.comparisons import assert_greater_equal, assert_less
from ossia_feature_column.column import Categorical, KeyedColumn
from ossia_feature_column.interface import check_key
from ossia_feature_column.sparse_input import sparse_input
from ossia_feature_column.transformations import FeatureTransformationCache
from ossia_ops.array.fill import fill
from ossia_ops.array.selection import where_v2
from ossia_ops.array.shape import shape
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import greater_equal, less
from ossia_ops.math.logical import logical_or
from ossia_parsing.features import VarLenFeature


class IdentityCategoricalColumn(
    KeyedColumn, Categorical, namedtuple("IdentityCategoricalColumn", ("key", "number_buckets", "default_value"))
):
    """Ids as they are; made by `categorical_column_with_identity`."""

    __slots__ = ()

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """Any number of int64."""
        return {self.key: VarLenFeature(dtypes.int64)}

    @property
    def num_buckets(self) -> int:
        """How many ids there are."""
        return self.number_buckets

    def transform_feature(self, transformation_cache: FeatureTransformationCache, state_manager: Any) -> SparseTensor:
        """The ids; those out of range are refused in the run, or are the default.

        Raises:
            ValueError: The feature is not of integers.
        """
        feature = sparse_input(transformation_cache.get(self.key, state_manager))
        if not feature.dtype.is_integer:
            raise ValueError(f"Invalid input, not integer. key: {self.key} dtype: {feature.dtype}")
        values = cast(feature.values, dtypes.int64, name="values")
        limit = cast(self.num_buckets, dtypes.int64, name="num_buckets")
        zero = cast(0, dtypes.int64, name="zero")
        if self.default_value is None:
            below = assert_less(
                values, limit, data=(values, limit), name="assert_less_than_num_buckets",
                message=f'Bucket index for categorical column "{self.name}" exceeds number of buckets',
            )
            positive = assert_greater_equal(
                values, zero, data=(values,), name="assert_greater_or_equal_0",
                message=f'Negative bucket index for categorical column "{self.name}"',
            )
            with control_dependencies((below, positive)):
                values = identity(values)
        else:
            outside = logical_or(less(values, zero), greater_equal(values, limit), name="out_of_range")
            default = fill(shape(values), cast(self.default_value, dtypes.int64), name="default_values")
            values = where_v2(outside, default, values)
        return SparseTensor(feature.indices, values, feature.dense_shape)


@public(
    "feature_column.categorical_column_with_identity", "compat.v2.feature_column.categorical_column_with_identity"
)
def categorical_column_with_identity(
    key: str, num_buckets: int, default_value: int | None = None
) -> IdentityCategoricalColumn:
    """A column of ids that the feature has as they are.

    Args:
        key: Key of the feature, of integers; -1 stands for nothing in a dense one.
        num_buckets: How many ids there are.
        default_value: The id of what is out of range; without it such a run fails.

    Raises:
        ValueError: No ids, or `default_value` is none of them.
    """
    if num_buckets < 1:
        raise ValueError(f"num_buckets {num_buckets} < 1, column_name {key}")
    if default_value is not None and not 0 <= default_value < num_buckets:
        raise ValueError(f"default_value {default_value} not in range [0, {num_buckets}), column_name {key}")
    check_key(key)
    return IdentityCategoricalColumn(key, num_buckets, default_value)
