"""`linear_model` as a layer, for columns that are written for layers."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.variables.scope import get_variable
from ossia_feature_column.features_layer import ColumnsLayer, next_name
from ossia_feature_column.given_columns import check_batch_sizes
from ossia_feature_column.interface import CategoricalColumn, DenseColumn
from ossia_feature_column.linear_model import sum_of_ids, sum_of_numbers
from ossia_nn.initializers import Zeros
from ossia_nn.layers.base import Layer, keras_style_scope
from ossia_ops.math.sums import add_n
from ossia_ops.nn.bias import bias_add


class _LinearModelLayer(ColumnsLayer):
    """A linear prediction from columns: for each unit, a bias and the sum of a weight for each id or number.

    Args:
        feature_columns: Categorical or dense columns, or one.
        units: How many predictions there are for each example.
        sparse_combiner: How the weights of one categorical column are combined: "sum", "mean" or "sqrtn".
        trainable: Whether variables are trained.
        name: Name of the layer.
        **kwargs: Passed to `Layer`.

    Raises:
        ValueError: A column is neither categorical nor dense, two have one name, or there are none.
    """

    def __init__(
        self, feature_columns: Any, units: int = 1, sparse_combiner: str = "sum", trainable: bool = True,
        name: str | None = None, **kwargs: Any,
    ) -> None:
        super().__init__(feature_columns, trainable, name, **kwargs)
        for column in self._feature_columns:
            if not isinstance(column, (DenseColumn, CategoricalColumn)):
                raise ValueError("Items of feature_columns must be either a DenseColumn or CategoricalColumn. "
                                 f"Given: {column}")
        self._units, self._sparse_combiner = units, sparse_combiner
        self.bias: Any = None

    def build(self, input_shape: Any) -> None:
        """Makes the variables of the columns, a weight for each of their ids or numbers, and the bias."""
        state = self._state_manager
        for column in self._feature_columns:
            column.create_state(state)
            if isinstance(column, CategoricalColumn):
                size = column.num_buckets
            else:
                size = column.variable_shape.num_elements()
            state.create_variable(
                column, "weights", (size, self._units), dtypes.float32, self.trainable, initializer=Zeros()
            )
        self.bias = get_variable(
            f"{self.name}/bias_weights", shape=[self._units], dtype=dtypes.float32, initializer=Zeros(),
            trainable=self.trainable, use_resource=True,
        )
        self._keep(self.bias, self.trainable)
        self.built = True

    def call(self, features: Any) -> Tensor:
        """The predictions, of shape [batch, units].

        Args:
            features: Dict from keys to tensors or SparseTensors.

        Raises:
            ValueError: `features` is no dict, or lacks one.
        """
        cache, state = self._cache(features), self._state_manager
        sums = []
        with name_scope(self.name):
            for column in self._feature_columns:
                with name_scope(column.name):
                    weights = state.get_variable(column, "weights")
                    if isinstance(column, CategoricalColumn):
                        sums.append(sum_of_ids(column.get_sparse_tensors(cache, state), weights, self._sparse_combiner))
                    else:
                        values = column.get_dense_tensor(cache, state)
                        sums.append(sum_of_numbers(values, column.variable_shape, weights))
            check_batch_sizes(sums, self._feature_columns)
            total = add_n(sums, name="weighted_sum_no_bias")
            return bias_add(total, self.bias, name="weighted_sum")

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one; columns as plain values."""
        return {**super().get_config(), "units": self._units, "sparse_combiner": self._sparse_combiner}


class LinearModel(Layer):
    """A linear prediction from columns: a model of one `_LinearModelLayer`.

    Args:
        feature_columns, units, sparse_combiner, trainable: As for `_LinearModelLayer`.
        name: Name of the model and of its layer.
        **kwargs: Passed to `Layer`.

    Raises:
        ValueError: As there.
    """

    def __init__(
        self, feature_columns: Any, units: int = 1, sparse_combiner: str = "sum", trainable: bool = True,
        name: str | None = None, **kwargs: Any,
    ) -> None:
        with keras_style_scope():
            super().__init__(trainable=trainable, name=name or next_name(type(self).__name__))
        self.layer = _LinearModelLayer(feature_columns, units, sparse_combiner, trainable, self.name, **kwargs)

    def call(self, features: Any) -> Tensor:
        """The predictions, of shape [batch, units].

        Args:
            features: Dict from keys to tensors or SparseTensors.

        Raises:
            ValueError: `features` is no dict, or lacks one.
        """
        return self.layer(features)

    @property
    def bias(self) -> Any:
        """The variable of the bias, None before the first call."""
        return self.layer.bias

    @property
    def layers(self) -> list[Layer]:
        """The one layer."""
        return [self.layer]

    @property
    def trainable_weights(self) -> list[Any]:
        """The variables to train."""
        return self.layer.trainable_weights if self.trainable else []

    @property
    def non_trainable_weights(self) -> list[Any]:
        """The variables that are not trained."""
        return self.layer.non_trainable_weights if self.trainable else self.layer.weights

    @property
    def weights(self) -> list[Any]:
        """All variables, those to train first."""
        return self.trainable_weights + self.non_trainable_weights

    variables = weights  # type: ignore[assignment]
    trainable_variables = trainable_weights  # type: ignore[assignment]
    non_trainable_variables = non_trainable_weights
