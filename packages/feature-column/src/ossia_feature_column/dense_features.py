"""Dense columns as a layer: `DenseFeatures`."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_feature_column.features_layer import FeaturesLayer
from ossia_feature_column.given_columns import check_batch_sizes
from ossia_feature_column.input_layer import flattened
from ossia_feature_column.interface import DenseColumn
from ossia_ops.array.concat import concat


@public("keras.layers.DenseFeatures", "compat.v2.keras.layers.DenseFeatures")
class DenseFeatures(FeaturesLayer):
    """A layer that gives the values of dense columns, side by side, sorted by the columns' names.

    Args:
        feature_columns: Dense columns, or one.
        trainable: Whether variables are trained.
        name: Name of the layer.
        **kwargs: Passed to `Layer`.

    Raises:
        ValueError: A column is not dense, two have one name, or there are none.
    """

    def __init__(self, feature_columns: Any, trainable: bool = True, name: str | None = None, **kwargs: Any) -> None:
        super().__init__(feature_columns, DenseColumn, trainable, name, **kwargs)

    def call(self, features: Any, cols_to_output_tensors: dict | None = None) -> Tensor:
        """The values, a row for each example.

        Args:
            features: Dict from keys to tensors or SparseTensors.
            cols_to_output_tensors: A dict that gets a tensor for each column.

        Raises:
            ValueError: `features` is no dict, or lacks one.
        """
        cache = self._cache(features)
        outputs = []
        for column in self._feature_columns:
            with name_scope(column.name):
                output = flattened(column.get_dense_tensor(cache, self._state_manager), column.variable_shape)
            if cols_to_output_tensors is not None:
                cols_to_output_tensors[column] = output
            outputs.append(output)
        check_batch_sizes(outputs, self._feature_columns)
        return concat(outputs, -1)
