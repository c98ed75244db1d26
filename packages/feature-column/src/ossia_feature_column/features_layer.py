"""What the layers over columns share: their columns, variables and configuration."""

from __future__ import annotations

import weakref
from typing import Any

from ossia_core.graph.stack import get_default_graph
from ossia_feature_column.configuration import deserialize_feature_columns, serialize_feature_columns
from ossia_feature_column.given_columns import listed_columns
from ossia_feature_column.interface import FeatureColumn
from ossia_feature_column.state_manager import LayerState
from ossia_feature_column.transformations import FeatureTransformationCache
from ossia_nn.layers.base import Layer, keras_style_scope, snake_case

_counts: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()


def next_name(class_name: str) -> str:
    """The name of a layer of the default graph; as the original's, the first has no number."""
    base = snake_case(class_name)
    counts = _counts.setdefault(get_default_graph(), {})
    counts[base] = counts.get(base, -1) + 1
    return f"{base}_{counts[base]}" if counts[base] else base


class ColumnsLayer(Layer):
    """A layer over columns.

    Args:
        feature_columns: The columns, or one.
        trainable: Whether variables are trained.
        name: Name of the layer.
        **kwargs: Passed to `Layer`.

    Raises:
        ValueError: Something is no column, two have one name, or there are none.
    """

    def __init__(self, feature_columns: Any, trainable: bool, name: str | None, **kwargs: Any) -> None:
        with keras_style_scope():
            super().__init__(trainable=trainable, name=name or next_name(type(self).__name__), **kwargs)
        self._feature_columns = listed_columns(feature_columns, FeatureColumn)
        self._state_manager = LayerState(self, trainable)

    def build(self, input_shape: Any) -> None:
        """Makes the variables of the columns."""
        for column in self._feature_columns:
            column.create_state(self._state_manager)
        self.built = True

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one; columns as plain values."""
        return {**super().get_config(), "feature_columns": serialize_feature_columns(self._feature_columns)}

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: dict | None = None) -> Any:
        """A layer of the arguments that `get_config` gave.

        Args:
            config: What `get_config` returned.
            custom_objects: Functions and classes by the names that configurations have for them.
        """
        columns = deserialize_feature_columns(config["feature_columns"], custom_objects)
        return cls(**{**config, "feature_columns": columns})

    def _cache(self, features: Any) -> FeatureTransformationCache:
        if not isinstance(features, dict):
            raise ValueError("We expected a dictionary here. Instead we got: ", features)
        return FeatureTransformationCache(features)


class FeaturesLayer(ColumnsLayer):
    """A layer that gives the values of columns of one kind, side by side.

    Args:
        feature_columns: The columns, or one.
        expected_column_type: The class that all must have.
        trainable: Whether variables are trained.
        name: Name of the layer.
        **kwargs: Passed to `Layer`.

    Raises:
        ValueError: A column is of another kind, two have one name, or there are none.
    """

    def __init__(
        self, feature_columns: Any, expected_column_type: type, trainable: bool, name: str | None, **kwargs: Any
    ) -> None:
        super().__init__(feature_columns, trainable, name, **kwargs)
        for column in self._feature_columns:
            if not isinstance(column, expected_column_type):
                raise ValueError(f"Items of feature_columns must be a {expected_column_type}. You can wrap a "
                                 f"categorical column with an embedding_column or indicator_column. Given: {column}")

    def compute_output_shape(self, input_shape: Any) -> tuple[Any, ...]:
        """The shape of the output: that of a feature, with all values in the last dimension."""
        sizes = [column.variable_shape.num_elements() for column in self._feature_columns]
        return (*tuple(input_shape)[:self._outer_dimensions], sum(sizes))

    _outer_dimensions = 1
