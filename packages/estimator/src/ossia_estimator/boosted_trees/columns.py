"""Columns as the integers that trees split: buckets of numbers, and whether a category is there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ossia_boosted_trees.quantile_ops import bucketize_op
from ossia_core.declare.builders import builder
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_feature_column.bucketized import BucketizedColumn
from ossia_feature_column.indicator import IndicatorColumn
from ossia_feature_column.interface import CategoricalColumn, FeatureColumn
from ossia_feature_column.numeric import NumericColumn
from ossia_feature_column.transformations import FeatureTransformationCache


def sorted_columns(feature_columns: Sequence[Any]) -> list[Any]:
    """The columns in the order of their names, which is that of the features."""
    return sorted(feature_columns, key=lambda column: column.name)


def float_columns(columns: Sequence[Any]) -> list[Any]:
    """The columns whose numbers are put into buckets of their quantiles."""
    return [column for column in columns if isinstance(column, NumericColumn)]


def size_of(column: Any) -> int:
    """How many features a column is."""
    if isinstance(column, BucketizedColumn):
        return 1
    return TensorShape(column.variable_shape).num_elements()


def buckets_of(column: Any, num_quantiles: int) -> int:
    """How many values a feature of a column has.

    Raises:
        ValueError: The column is none that trees can split.
    """
    if isinstance(column, IndicatorColumn):
        return 2
    if isinstance(column, BucketizedColumn):
        return len(column.boundaries) + 1
    if isinstance(column, NumericColumn):
        return num_quantiles
    if isinstance(column, CategoricalColumn):
        raise ValueError(f"CategoricalColumn must be wrapped by IndicatorColumn, got: {column}")
    raise ValueError(f"Got unexpected feature column type: {column}")


def features_by_buckets(columns: Sequence[Any], num_quantiles: int) -> tuple[list[int], list[list[int]]]:
    """The different numbers of buckets, and the ids of the features that have each."""
    groups: dict[int, list[int]] = {}
    feature = 0
    for column in columns:
        own = groups.setdefault(buckets_of(column, num_quantiles), [])
        own.extend(range(feature, feature + size_of(column)))
        feature += size_of(column)
    return list(groups), list(groups.values())


def column_of_feature(columns: Sequence[Any]) -> list[str]:
    """For each feature, the name of its column."""
    return [
        column.categorical_column.name if isinstance(column, IndicatorColumn) else column.name
        for column in columns for _ in range(size_of(column))
    ]


def transformed(
    features: dict[str, Any], columns: Sequence[Any], boundaries: dict[Any, list[Tensor]],
    given: dict[Any, Tensor] | None = None,
) -> list[Tensor]:
    """One int32 vector for each feature.

    Args:
        features: Features by name.
        columns: Columns in order.
        boundaries: The boundaries of the features of each float column.
        given: What `categories` gave of the columns of categories; None makes it now.

    Raises:
        ValueError: A column is none that trees can split, or a feature has another shape than its column says.
    """
    for column in columns:
        buckets_of(column, 0)
    given = given or {}
    values = {**given, **_made(features, [column for column in columns if column not in given])}
    unstack, vectors = builder("unstack"), []
    for column in columns:
        value = values[column]
        if isinstance(column, BucketizedColumn):
            vectors.append(builder("squeeze")(value, axis=1))
        elif isinstance(column, NumericColumn):
            vectors.extend(bucketize_op(unstack(value, axis=1), boundaries[column], name="BoostedTreesBucketize"))
        else:
            vectors.extend(unstack(builder("to_int32")(value), axis=1))
    return vectors


def categories(features: dict[str, Any], columns: Sequence[Any]) -> dict[Any, Tensor]:
    """What is there of each category, by column: its tables are made now, not in a branch of a conditional."""
    return _made(features, [column for column in columns if isinstance(column, IndicatorColumn)])


def numbers(features: dict[str, Any], columns: Sequence[Any]) -> list[Tensor]:
    """One float32 vector for each feature of the float columns."""
    values = _made(features, columns)
    return [vector for column in columns for vector in builder("unstack")(values[column], axis=1)]


def _made(features: dict[str, Any], columns: Sequence[Any]) -> dict[Any, Tensor]:
    made = {}
    with name_scope(None, "transform_features", list(features.values())):
        cache = FeatureTransformationCache(features)
        for column in columns:
            if not isinstance(column, FeatureColumn):
                raise ValueError(f"Items of feature_columns must be a FeatureColumn. Given: {column}")
            with name_scope(None, column.name):
                made[column] = cache.get(column, None)
                if made[column].dtype == dtypes.float64:
                    made[column] = builder("to_float")(made[column])
    return made
