"""A sum of weights, one for each id or number of the columns: `linear_model`."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.collections import GraphKeys, add_to_collection, get_collection_ref
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.variables.partition import PartitionedVariable
from ossia_core.variables.scope import get_variable
from ossia_core.variables.variable_scope import variable_scope
from ossia_feature_column.given_columns import check_batch_sizes, listed_columns
from ossia_feature_column.input_layer import flattened
from ossia_feature_column.interface import CategoricalColumn, DenseColumn, FeatureTransformationCache
from ossia_feature_column.scope_variables import ScopeVariables, variable_collections
from ossia_nn.initializers import Zeros
from ossia_ops.array.shape import shape
from ossia_ops.linalg.matmul import matmul
from ossia_ops.math.sums import add_n
from ossia_ops.nn.bias import bias_add
from ossia_ops.nn.embedding import safe_embedding_lookup_sparse
from ossia_ops.sparse.shape import sparse_reshape


@public("feature_column.linear_model")
def linear_model(
    features: dict[str, Any], feature_columns: Any, units: int = 1, sparse_combiner: str = "sum",
    weight_collections: Any = None, trainable: bool = True, cols_to_vars: dict | None = None,
) -> Tensor:
    """A linear prediction from columns: for each unit, a bias and the sum of a weight for each id or number.

    Args:
        features: Dict from keys to tensors, SparseTensors or what converts to tensors.
        feature_columns: Categorical or dense columns, or one.
        units: How many predictions there are for each example.
        sparse_combiner: How the weights of one categorical column are combined: "sum", "mean" or "sqrtn".
        weight_collections: Names of further collections of the variables.
        trainable: Whether variables are trained.
        cols_to_vars: A dict that gets a list of variables for each column, and one for "bias".

    Returns:
        A float32 tensor of shape [batch, units].

    Raises:
        ValueError: A column is neither categorical nor dense, two have one name, there are none, or a feature is
            missing.
    """
    model = _free_name("linear_model")
    columns = listed_columns(feature_columns)
    for column in columns:
        if not isinstance(column, (DenseColumn, CategoricalColumn)):
            raise ValueError("Items of feature_columns must be either a _DenseColumn or _CategoricalColumn. "
                             f"Given: {column}")
    names = [_free_name(column.scope_name) for column in columns]
    collections = variable_collections(weight_collections)
    options: dict[str, Any] = {
        "dtype": dtypes.float32, "initializer": Zeros(), "trainable": trainable, "use_resource": True,
    }
    found: dict[Any, list[Any]] = {}
    sums = []
    with name_scope(model), variable_scope(model):
        cache = FeatureTransformationCache(features)
        for column, name in zip(columns, names):
            with variable_scope(name):
                own = _Recorded(collections, trainable)
                weights = get_variable("weights", shape=(_size(column), units), **options)
                _collect(weights, collections)
                sums.append(_weighted_sum(column, weights, cache, own, sparse_combiner))
                found[column] = _parts([weights, *own.made])
        check_batch_sizes(sums, columns)
        total = add_n(sums, name="weighted_sum_no_bias")
        bias = get_variable("bias_weights", shape=[units], **options)
        _collect(bias, collections)
        prediction = bias_add(total, bias, name="weighted_sum")
    get_collection_ref(GraphKeys.UPDATE_OPS)
    if cols_to_vars is not None:
        cols_to_vars.update(found)
        cols_to_vars["bias"] = _parts([bias])
    return prediction


class _Recorded(ScopeVariables):
    """Variables in the open scope, and which were asked for."""

    def __init__(self, collections: list[str], trainable: bool) -> None:
        super().__init__(collections, trainable)
        self.made: list[Any] = []

    def _table(self, column: Any, name: str, shape: tuple[int, int]) -> Any:
        table = super()._table(column, name, shape)
        self.made.append(table)
        return table


def _size(column: Any) -> int:
    return column.num_buckets if isinstance(column, CategoricalColumn) else column.variable_shape.num_elements()


def _free_name(name: str) -> str:
    with variable_scope(None, default_name=name) as scope:
        return scope.name.rsplit("/", 1)[-1]


def _collect(variable: Any, collections: list[str]) -> None:
    # A variable that is used again is added again, as by the original.
    for name in collections:
        if name != GraphKeys.GLOBAL_VARIABLES:
            for part in _parts([variable]):
                add_to_collection(name, part)


def _parts(variables: list[Any]) -> list[Any]:
    return [
        part for variable in variables
        for part in (list(variable) if isinstance(variable, PartitionedVariable) else [variable])
    ]


def _weighted_sum(
    column: Any, weights: Any, cache: FeatureTransformationCache, variables: Any, combiner: str
) -> Tensor:
    if not isinstance(column, CategoricalColumn):
        return matmul(flattened(column, column.get_dense_tensor(cache, variables)), weights, name="weighted_sum")
    ids, id_weights = column.get_sparse_tensors(cache, variables)
    ids = sparse_reshape(ids, [shape(ids)[0], -1])
    if id_weights is not None:
        id_weights = sparse_reshape(id_weights, [shape(id_weights)[0], -1])
    return safe_embedding_lookup_sparse(
        weights, ids, sparse_weights=id_weights, combiner=combiner, name="weighted_sum"
    )
