"""A sum of weights, one for each id or number of the columns: `linear_model`."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.collections import GraphKeys, add_to_collection, get_collection_ref
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.variables.partition import PartitionedVariable
from ossia_core.variables.scope import get_variable
from ossia_core.variables.variable_scope import variable_scope
from ossia_feature_column.features_layer import next_name
from ossia_feature_column.given_columns import check_batch_sizes, listed_columns
from ossia_feature_column.input_layer import flattened
from ossia_feature_column.older_interface import (
    _CategoricalColumn,
    _DenseColumn,
    _FeatureColumn,
    _LazyBuilder,
)
from ossia_feature_column.scope_variables import variable_collections
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
    model = LinearPredictions(
        feature_columns, units, sparse_combiner, weight_collections, trainable, _free_name("linear_model")
    )
    prediction = model(features)
    if cols_to_vars is not None:
        cols_to_vars.update(model.cols_to_vars())
    return prediction


class LinearPredictions:
    """`linear_model` as an object, whose variables are made by its first call and used by all.

    Args:
        feature_columns, units, sparse_combiner, weight_collections, trainable: As for `linear_model`.
        name: Name of the variable scope.

    Raises:
        ValueError: A column is neither categorical nor dense, two have one name, or there are none.
    """

    def __init__(
        self, feature_columns: Any, units: int = 1, sparse_combiner: str = "sum", weight_collections: Any = None,
        trainable: bool = True, name: str | None = None,
    ) -> None:
        self._columns = listed_columns(feature_columns, _FeatureColumn)
        for column in self._columns:
            if not isinstance(column, (_DenseColumn, _CategoricalColumn)):
                raise ValueError("Items of feature_columns must be either a _DenseColumn or _CategoricalColumn. "
                                 f"Given: {column}")
        self.name = name or next_name("_LinearModel")
        self._scopes = [_free_name(column._var_scope_name) for column in self._columns]
        self._units, self._combiner, self._trainable = units, sparse_combiner, trainable
        self._collections = variable_collections(weight_collections)
        self._found: dict[Any, list[Any]] = {}

    def __call__(self, features: dict[str, Any]) -> Tensor:
        """The predictions, of shape [batch, units].

        Args:
            features: Dict from keys to tensors, SparseTensors or what converts to tensors.
        """
        sums = []
        with name_scope(self.name), variable_scope(self.name, reuse=bool(self._found) or None):
            builder = _LazyBuilder(features)
            for column, scope in zip(self._columns, self._scopes):
                with variable_scope(scope):
                    weights = self._variable("weights", (_size(column), self._units))
                    before = len(builder.tables)
                    sums.append(self._weighted_sum(column, weights, builder))
                    self._found[column] = _parts([weights, *builder.tables[before:]])
            check_batch_sizes(sums, self._columns)
            total = add_n(sums, name="weighted_sum_no_bias")
            bias = self._variable("bias_weights", (self._units,))
            prediction = bias_add(total, bias, name="weighted_sum")
        self._found["bias"] = _parts([bias])
        get_collection_ref(GraphKeys.UPDATE_OPS)
        return prediction

    def cols_to_vars(self) -> dict[Any, list[Any]]:
        """The variables of each column, and of "bias"; empty before the first call."""
        return dict(self._found)

    @property
    def variables(self) -> list[Any]:
        """All variables; none before the first call."""
        return [variable for variables in self._found.values() for variable in variables]

    @property
    def trainable_variables(self) -> list[Any]:
        """The variables to train."""
        trained = get_collection_ref(GraphKeys.TRAINABLE_VARIABLES)
        return [variable for variable in self.variables if any(variable is other for other in trained)]

    def _variable(self, name: str, shape: tuple[int, ...]) -> Any:
        variable = get_variable(
            name, shape=shape, dtype=dtypes.float32, initializer=Zeros(), trainable=self._trainable, use_resource=True
        )
        # A variable that is used again is added again, as by the original.
        for collection in self._collections:
            if collection != GraphKeys.GLOBAL_VARIABLES:
                for part in _parts([variable]):
                    add_to_collection(collection, part)
        return variable

    def _weighted_sum(self, column: Any, weights: Any, builder: _LazyBuilder) -> Tensor:
        options: dict[str, Any] = {"weight_collections": self._collections, "trainable": self._trainable}
        if not isinstance(column, _CategoricalColumn):
            return sum_of_numbers(column._get_dense_tensor(builder, **options), column._variable_shape, weights)
        return sum_of_ids(column._get_sparse_tensors(builder, **options), weights, self._combiner)


def _size(column: Any) -> int:
    if isinstance(column, _CategoricalColumn):
        return column._num_buckets
    return TensorShape(column._variable_shape).num_elements()


def _free_name(name: str) -> str:
    with variable_scope(None, default_name=name) as scope:
        return scope.name.rsplit("/", 1)[-1]


def _parts(variables: list[Any]) -> list[Any]:
    return [
        part for variable in variables
        for part in (list(variable) if isinstance(variable, PartitionedVariable) else [variable])
    ]


def sum_of_numbers(values: Tensor, shape_of_one: Any, weights: Any) -> Tensor:
    """For each example, the sum of its numbers, each times its weight."""
    return matmul(flattened(values, shape_of_one), weights, name="weighted_sum")


def sum_of_ids(sparse_tensors: Any, weights: Any, combiner: str) -> Tensor:
    """For each example, the combined weights of its ids."""
    ids, id_weights = sparse_tensors
    ids = sparse_reshape(ids, [shape(ids)[0], -1])
    if id_weights is not None:
        id_weights = sparse_reshape(id_weights, [shape(id_weights)[0], -1])
    return safe_embedding_lookup_sparse(
        weights, ids, sparse_weights=id_weights, combiner=combiner, name="weighted_sum"
    )
