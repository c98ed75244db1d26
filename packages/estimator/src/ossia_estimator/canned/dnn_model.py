"""The model of deep networks: fully connected layers over columns."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_core.variables.variable_scope import variable_scope
from ossia_estimator.canned.choice_of_head import MIN_SLICE_SIZE, check_features, over_servers
from ossia_estimator.canned.optimizers import optimizer_of
from ossia_estimator.model_spec import EstimatorSpec
from ossia_estimator.modes import ModeKeys
from ossia_feature_column.dense_features import DenseFeatures
from ossia_nn.initializers import GlorotUniform
from ossia_nn.layers.batch_normalization import BatchNormalization
from ossia_nn.layers.dense import Dense
from ossia_nn.layers.regularization import Dropout
from ossia_ops.nn.activation import relu
from ossia_ops.nn.normalization import zero_fraction
from ossia_summary.histogram import histogram
from ossia_summary.scalar import scalar

_LEARNING_RATE = 0.05
_MOMENTUM = 0.999


@public("estimator.experimental.dnn_logit_fn_builder", "contrib.estimator.dnn_logit_fn_builder")
def dnn_logit_fn_builder(
    units: int, hidden_units: Sequence[int], feature_columns: Any, activation_fn: Callable, dropout: float | None,
    input_layer_partitioner: Callable | None, batch_norm: bool,
) -> Callable[[dict[str, Any], str], Tensor]:
    """A function that builds the logits of a deep network.

    Args:
        units: How many logits there are.
        hidden_units: The sizes of the hidden layers.
        feature_columns: Dense columns.
        activation_fn: The activation of hidden layers.
        dropout: The probability with which an activation is dropped in training; None for no dropout.
        input_layer_partitioner: Cuts the variables of columns.
        batch_norm: Whether hidden layers are normalised.

    Returns:
        A function of features by name and a mode, which returns logits of shape [batch, units].

    Raises:
        ValueError: `units` is no integer.
    """
    if not isinstance(units, int):
        raise ValueError(f"units must be an int. Given type: {type(units)}")

    def dnn_logit_fn(features: dict[str, Any], mode: str) -> Tensor:
        model = _Model(
            units, hidden_units, feature_columns, activation_fn, dropout, input_layer_partitioner, batch_norm
        )
        return model(features, mode)

    return dnn_logit_fn


class _Model:
    """Layers, made in the open variable scope."""

    def __init__(
        self, units: int, hidden_units: Sequence[int], feature_columns: Any, activation_fn: Callable,
        dropout: float | None, input_layer_partitioner: Callable | None, batch_norm: bool,
    ) -> None:
        self._partitioner = input_layer_partitioner
        self._dropout = dropout
        self._input = DenseFeatures(feature_columns, name="input_layer")
        self._hidden = []
        for number, size in enumerate(hidden_units):
            with variable_scope(f"hiddenlayer_{number}", use_resource=True) as scope:
                dense = Dense(
                    units=size, activation=activation_fn, kernel_initializer=GlorotUniform(), name=scope.name,
                    _scope=scope,
                )
                dropping = Dropout(rate=dropout) if dropout is not None else None
                norm = None
                if batch_norm:
                    with variable_scope(f"batchnorm_{number}") as norm_scope:
                        norm = BatchNormalization(
                            momentum=_MOMENTUM, trainable=True, name=norm_scope.name, _scope=norm_scope
                        )
            self._hidden.append((scope.name, dense, dropping, norm))
        with variable_scope("logits", use_resource=True) as scope:
            self._logits = Dense(
                units=units, activation=None, kernel_initializer=GlorotUniform(), name=scope.name, _scope=scope
            )
            self._logits_name = scope.name

    def __call__(self, features: dict[str, Any], mode: str) -> Tensor:
        training = mode == ModeKeys.TRAIN
        with variable_scope("input_from_feature_columns", partitioner=self._partitioner):
            net = self._input(features)
        for name, dense, dropping, norm in self._hidden:
            net = dense(net)
            if dropping is not None and training:
                net = dropping(net, training=True)
            if norm is not None:
                net = norm(net, training=training)
            summarize_layer(net, name)
        logits = self._logits(net)
        summarize_layer(logits, self._logits_name)
        return logits


def summarize_layer(value: Tensor, name: str) -> None:
    """Adds summaries of the values of a layer: their distribution, and how many are zero."""
    scalar(f"{name}/fraction_of_zero_values", zero_fraction(value))
    histogram(f"{name}/activation", value)


def dnn_model_fn(
    features: Any, labels: Any, mode: str, head: Any, hidden_units: Sequence[int], feature_columns: Any,
    optimizer: Any = "Adagrad", activation_fn: Callable = relu, dropout: float | None = None,
    input_layer_partitioner: Callable | None = None, config: Any = None, batch_norm: bool = False,
) -> EstimatorSpec:
    """The model function of deep networks.

    Args:
        features: Features by name.
        labels: Labels, as the head takes them.
        mode: A mode of ModeKeys.
        head: The head.
        hidden_units: As for `dnn_logit_fn_builder`, as are the next but the next.
        feature_columns: Dense columns.
        optimizer: An optimizer, its name, or a function that makes it.
        activation_fn: The activation of hidden layers.
        dropout: The probability of dropout.
        input_layer_partitioner: Cuts the variables of columns.
        config: The RunConfig.
        batch_norm: Whether hidden layers are normalised.

    Raises:
        ValueError: `features` is no dict.
    """
    made = optimizer_of(optimizer, _LEARNING_RATE)
    check_features(features)
    with variable_scope("dnn", values=tuple(features.values()), partitioner=over_servers(config)):
        partitioner = input_layer_partitioner or over_servers(config, min_slice_size=MIN_SLICE_SIZE)
        logit_fn = dnn_logit_fn_builder(
            head.logits_dimension, hidden_units, feature_columns, activation_fn, dropout, partitioner, batch_norm
        )
        logits = logit_fn(features, mode)
        return head.create_estimator_spec(features=features, mode=mode, labels=labels, optimizer=made, logits=logits)
