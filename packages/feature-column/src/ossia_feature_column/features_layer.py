"""What the layers over columns share: their columns and variables."""

from __future__ import annotations

import weakref
from typing import Any

from ossia_core.graph.stack import get_default_graph
from ossia_core.variables.scope import get_variable
from ossia_feature_column.given_columns import listed_columns
from ossia_feature_column.shared_embedding import SharedEmbeddingColumn
from ossia_nn.layers.base import Layer, keras_style_scope, snake_case

_counts: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()


def _next_name(class_name: str) -> str:
    """The name of a layer of the default graph; as the original's, the first has no number."""
    base = snake_case(class_name)
    counts = _counts.setdefault(get_default_graph(), {})
    counts[base] = counts.get(base, -1) + 1
    return f"{base}_{counts[base]}" if counts[base] else base


class LayerVariables:
    """The variables of a layer's columns.

    Args:
        layer: The layer, which owns them.
        trainable: Whether variables are trained, if their columns say so too.
    """

    def __init__(self, layer: FeaturesLayer, trainable: bool) -> None:
        self._layer, self._trainable = layer, trainable
        self._made: dict[tuple[Any, str], Any] = {}

    def create_variable(
        self, feature_column: Any, name: str, shape: Any, dtype: Any = None, trainable: bool = True,
        use_resource: bool = True, initializer: Any = None,
    ) -> Any:
        """Makes a variable of a column.

        Raises:
            ValueError: The column has one of that name.
        """
        if (feature_column, name) in self._made:
            raise ValueError("Variable already exists.")
        trained = self._trainable and trainable
        variable = get_variable(
            f"{self._layer.name}/{feature_column.name}/{name}", shape=shape, dtype=dtype, initializer=initializer,
            trainable=trained, use_resource=use_resource,
        )
        self._layer.keep(variable, trained)
        self._made[feature_column, name] = variable
        return variable

    def get_variable(self, feature_column: Any, name: str) -> Any:
        """A variable of a column.

        Raises:
            ValueError: There is none of that name.
        """
        if (feature_column, name) not in self._made:
            raise ValueError("Could not find variable.")
        return self._made[feature_column, name]


class FeaturesLayer(Layer):
    """A layer over columns of one kind.

    Args:
        feature_columns: The columns, or one.
        kind: The class that all must have.
        trainable: Whether variables are trained.
        name: Name of the layer.
        **kwargs: Passed to `Layer`.

    Raises:
        ValueError: A column is of another kind, two have one name, or there are none.
    """

    def __init__(self, feature_columns: Any, kind: type, trainable: bool, name: str | None, **kwargs: Any) -> None:
        with keras_style_scope():
            super().__init__(trainable=trainable, name=name or _next_name(type(self).__name__), **kwargs)
        self._feature_columns = tuple(listed_columns(feature_columns))
        self._column_variables = LayerVariables(self, trainable)
        for column in self._feature_columns:
            if isinstance(column, SharedEmbeddingColumn):
                raise ValueError("Items of feature_columns must be a FeatureColumn. "
                                 f"Given (type {type(column)}): {column}.")
            if not isinstance(column, kind):
                raise ValueError(f"Items of feature_columns must be a {kind}. You can wrap a categorical column with "
                                 f"an embedding_column or indicator_column. Given: {column}")

    def keep(self, variable: Any, trained: bool) -> None:
        """Makes a variable one of the layer's."""
        self._keep(variable, trained)

    def build(self, input_shape: Any) -> None:
        """Makes the variables of the columns."""
        for column in self._feature_columns:
            column.create_state(self._column_variables)
        self.built = True
