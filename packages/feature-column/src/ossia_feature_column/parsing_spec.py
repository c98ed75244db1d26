"""What columns need of an `Example`: `make_parse_example_spec`."""

from __future__ import annotations

from typing import Any

from ossia_core.plugins.api_table import public
from ossia_feature_column.interface import FeatureColumn
from ossia_feature_column.older_interface import _FeatureColumn


@public("feature_column.make_parse_example_spec")
def make_parse_example_spec(feature_columns: Any) -> dict[str, Any]:
    """The features that columns are made from, for `tf.io.parse_example`.

    Args:
        feature_columns: Columns.

    Returns:
        A dict from keys to `FixedLenFeature` or `VarLenFeature`.

    Raises:
        ValueError: Something is no column, or two columns want different things of one key.
    """
    return _spec(feature_columns, _FeatureColumn, "_parse_example_spec")


@public("compat.v2.feature_column.make_parse_example_spec")
def make_parse_example_spec_v2(feature_columns: Any) -> dict[str, Any]:
    """The features that columns are made from, for `tf.io.parse_example`; as `make_parse_example_spec`.

    Raises:
        ValueError: As there.
    """
    return _spec(feature_columns, FeatureColumn, "parse_example_spec")


def _spec(feature_columns: Any, kind: type, spec: str) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for column in feature_columns:
        if not isinstance(column, kind):
            raise ValueError(f"All feature_columns must be {kind.__name__} instances. Given: {column}")
        for key, feature in getattr(column, spec).items():
            if result.setdefault(key, feature) != feature:
                raise ValueError(f"feature_columns contain different parse_spec for key {key}. Given {feature} and "
                                 f"{result[key]}")
    return result
