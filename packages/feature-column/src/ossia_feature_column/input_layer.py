"""The input of a network from dense columns: `input_layer`."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.collections import GraphKeys, get_collection
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_core.variables.scope import get_variable_scope
from ossia_core.variables.variable_scope import variable_scope
from ossia_feature_column.given_columns import check_batch_sizes, listed_columns
from ossia_feature_column.interface import DenseColumn, FeatureTransformationCache
from ossia_feature_column.scope_variables import ScopeVariables, variable_collections
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
    columns = listed_columns(feature_columns)
    for column in columns:
        if not isinstance(column, DenseColumn):
            raise ValueError("Items of feature_columns must be a _DenseColumn. You can wrap a categorical column with "
                             f"an embedding_column or indicator_column. Given: {column}")
    variables = ScopeVariables(variable_collections(weight_collections), trainable)
    with variable_scope(None, default_name="input_layer", values=features.values()):
        cache = FeatureTransformationCache(features)
        outputs = []
        for column in columns:
            with variable_scope(None, default_name=column.scope_name):
                output = flattened(column, column.get_dense_tensor(cache, variables))
                outputs.append(output)
                if cols_to_vars is not None:
                    scope = get_variable_scope().name
                    cols_to_vars[column] = get_collection(GraphKeys.GLOBAL_VARIABLES, scope=scope)
                if cols_to_output_tensors is not None:
                    cols_to_output_tensors[column] = output
        check_batch_sizes(outputs, columns)
        return concat(outputs, 1)


def flattened(column: DenseColumn, values: Tensor) -> Tensor:
    """The values of a dense column as a matrix, a row for each example."""
    return reshape(values, (shape(values)[0], column.variable_shape.num_elements()))
