"""The input of a network from dense columns: `input_layer`."""

from __future__ import annotations

from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.collections import GraphKeys, get_collection
from ossia_core.graph.tensor import Tensor
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.variables.scope import get_variable_scope
from ossia_core.variables.variable_scope import variable_scope
from ossia_feature_column.given_columns import check_batch_sizes, listed_columns
from ossia_feature_column.older_interface import _DenseColumn, _FeatureColumn, _LazyBuilder
from ossia_feature_column.scope_variables import variable_collections
from ossia_ops.array.concat import concat
from ossia_ops.array.shape import reshape, shape


@public("feature_column.input_layer")
def input_layer(
    features: dict[str, Any], feature_columns: Any, weight_collections: Any = None, trainable: bool = True,
    cols_to_vars: dict | None = None, cols_to_output_tensors: dict | None = None,
) -> Tensor:
    """The values of dense columns, side by side, sorted by the columns' names.

    Args:
        features: Dict from keys to tensors, SparseTensors or what converts to tensors.
        feature_columns: Dense columns, or one.
        weight_collections: Names of further collections of the variables.
        trainable: Whether variables are trained.
        cols_to_vars: A dict that gets a list of variables for each column.
        cols_to_output_tensors: A dict that gets a tensor for each column.

    Returns:
        A float32 tensor of shape [batch, sum of the columns' sizes].

    Raises:
        ValueError: A column is not dense, two have one name, there are none, or a feature is missing.
    """
    columns = _dense_columns(feature_columns)
    with variable_scope(None, default_name="input_layer", values=features.values()):
        return _side_by_side(features, columns, weight_collections, trainable, cols_to_vars, cols_to_output_tensors)


class InputLayer:
    """`input_layer` as an object, whose variables are made by its first call and used by all.

    Args:
        feature_columns: Dense columns, or one.
        weight_collections: Names of further collections of the variables.
        trainable: Whether variables are trained.
        cols_to_vars: A dict that gets a list of variables for each column.
        name: Name of the variable scope.
        create_scope_now: Whether to open the scope now, or at the first call.

    Raises:
        ValueError: A column is not dense, two have one name, or there are none.
    """

    def __init__(
        self, feature_columns: Any, weight_collections: Any = None, trainable: bool = True,
        cols_to_vars: dict | None = None, name: str = "feature_column_input_layer", create_scope_now: bool = True,
    ) -> None:
        self._name = name
        self._template = builder("make_template")(
            name, _side_by_side, create_scope_now_=create_scope_now, columns=_dense_columns(feature_columns),
            weight_collections=weight_collections, trainable=trainable, cols_to_vars=cols_to_vars,
            cols_to_output_tensors=None,
        )

    def __call__(self, features: dict[str, Any]) -> Tensor:
        """The values of the columns, a row for each example.

        Args:
            features: Dict from keys to tensors, SparseTensors or what converts to tensors.
        """
        return self._template(features)

    @property
    def name(self) -> str:
        """The name given."""
        return self._name

    @property
    def weights(self) -> list[Any]:
        """The variables, those to train first."""
        return self.trainable_weights + self.non_trainable_weights

    @property
    def trainable_weights(self) -> list[Any]:
        """The variables to train."""
        return list(self._template.trainable_variables)

    @property
    def non_trainable_weights(self) -> list[Any]:
        """The variables that are not trained."""
        return list(self._template.non_trainable_variables)

    variables, trainable_variables, non_trainable_variables = weights, trainable_weights, non_trainable_weights


def _dense_columns(feature_columns: Any) -> list[Any]:
    columns = listed_columns(feature_columns, _FeatureColumn)
    for column in columns:
        if not isinstance(column, _DenseColumn):
            raise ValueError("Items of feature_columns must be a _DenseColumn. You can wrap a categorical column with "
                             f"an embedding_column or indicator_column. Given: {column}")
    return columns


def _side_by_side(
    features: dict[str, Any], columns: list[Any], weight_collections: Any, trainable: bool, cols_to_vars: dict | None,
    cols_to_output_tensors: dict | None,
) -> Tensor:
    for column in columns:
        column._reset_config()
    collections = variable_collections(weight_collections)
    cache = _LazyBuilder(features)
    outputs = []
    for column in columns:
        with variable_scope(None, default_name=column._var_scope_name):
            values = column._get_dense_tensor(cache, weight_collections=collections, trainable=trainable)
            output = flattened(values, column._variable_shape)
            outputs.append(output)
            if cols_to_vars is not None:
                scope = get_variable_scope().name
                cols_to_vars[column] = get_collection(GraphKeys.GLOBAL_VARIABLES, scope=scope)
            if cols_to_output_tensors is not None:
                cols_to_output_tensors[column] = output
    check_batch_sizes(outputs, columns)
    return concat(outputs, 1)


def flattened(values: Tensor, shape_of_one: Any) -> Tensor:
    """The values of a dense column as a matrix, a row for each example."""
    return reshape(values, (shape(values)[0], TensorShape(shape_of_one).num_elements()))
