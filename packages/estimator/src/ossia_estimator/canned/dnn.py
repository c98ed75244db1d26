"""Deep networks over dense columns: `tf.estimator.DNNClassifier`, `DNNRegressor`, `DNNEstimator`."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ossia_core.plugins.api_table import public
from ossia_estimator.canned.choice_of_head import classifier_head
from ossia_estimator.canned.dnn_model import dnn_model_fn
from ossia_estimator.estimator import Estimator
from ossia_estimator.heads.regression import regression_head
from ossia_nn.losses import Reduction
from ossia_ops.nn.activation import relu


class _Network(Estimator):
    """What the three have in common: a head, a directory, and options of the model function."""

    def _start(self, head: Any, model_dir: Any, config: Any, warm_start_from: Any, **options: Any) -> None:
        def model_fn(features: Any, labels: Any, mode: str, config: Any) -> Any:
            return dnn_model_fn(features, labels, mode, head, config=config, **options)

        Estimator.__init__(self, model_fn, model_dir, config, warm_start_from=warm_start_from)


@public("estimator.DNNClassifier")
class DNNClassifier(_Network):
    """A deep network for classes.

    Args:
        hidden_units: The sizes of the hidden layers.
        feature_columns: Dense columns.
        model_dir: Directory of checkpoints and event files.
        n_classes: How many classes there are.
        weight_column: Key or numeric column of weights of examples.
        label_vocabulary: Names of the classes, where labels are strings.
        optimizer: An optimizer, its name ("Adagrad", "Adam", "Ftrl", "RMSProp", "SGD"), or a function that makes it.
        activation_fn: The activation of hidden layers.
        dropout: The probability with which an activation is dropped in training; None for no dropout.
        input_layer_partitioner: Cuts the variables of columns.
        config: A RunConfig.
        warm_start_from: A checkpoint to begin with, or WarmStartSettings.
        loss_reduction: How the losses of examples become one number, a value of `tf.losses.Reduction`.
        batch_norm: Whether hidden layers are normalised.

    Raises:
        ValueError: An argument is out of range.

    Example:
        classifier = tf.estimator.DNNClassifier([64, 32], [tf.feature_column.numeric_column("x", shape=(8,))])
        classifier.train(input_fn, steps=1000)
    """

    def __init__(
        self, hidden_units: Sequence[int], feature_columns: Any, model_dir: str | None = None, n_classes: int = 2,
        weight_column: Any = None, label_vocabulary: Sequence[str] | None = None, optimizer: Any = "Adagrad",
        activation_fn: Callable = relu, dropout: float | None = None,
        input_layer_partitioner: Callable | None = None, config: Any = None, warm_start_from: Any = None,
        loss_reduction: str = Reduction.SUM, batch_norm: bool = False,
    ) -> None:
        self._start(
            classifier_head(n_classes, weight_column, label_vocabulary, loss_reduction), model_dir, config,
            warm_start_from, hidden_units=hidden_units, feature_columns=tuple(feature_columns or []),
            optimizer=optimizer, activation_fn=activation_fn, dropout=dropout,
            input_layer_partitioner=input_layer_partitioner, batch_norm=batch_norm,
        )


@public("estimator.DNNRegressor")
class DNNRegressor(_Network):
    """A deep network for numbers.

    Args:
        hidden_units: As for DNNClassifier, as are those that are not told here.
        feature_columns: Dense columns.
        model_dir: Directory of checkpoints and event files.
        label_dimension: How many numbers an example has.
        weight_column: Key or numeric column of weights of examples.
        optimizer: An optimizer, its name, or a function that makes it.
        activation_fn: The activation of hidden layers.
        dropout: The probability of dropout.
        input_layer_partitioner: Cuts the variables of columns.
        config: A RunConfig.
        warm_start_from: A checkpoint to begin with, or WarmStartSettings.
        loss_reduction: How the losses of examples become one number.
        batch_norm: Whether hidden layers are normalised.
    """

    def __init__(
        self, hidden_units: Sequence[int], feature_columns: Any, model_dir: str | None = None,
        label_dimension: int = 1, weight_column: Any = None, optimizer: Any = "Adagrad",
        activation_fn: Callable = relu, dropout: float | None = None,
        input_layer_partitioner: Callable | None = None, config: Any = None, warm_start_from: Any = None,
        loss_reduction: str = Reduction.SUM, batch_norm: bool = False,
    ) -> None:
        self._start(
            regression_head(weight_column, label_dimension, loss_reduction), model_dir, config, warm_start_from,
            hidden_units=hidden_units, feature_columns=tuple(feature_columns or []), optimizer=optimizer,
            activation_fn=activation_fn, dropout=dropout, input_layer_partitioner=input_layer_partitioner,
            batch_norm=batch_norm,
        )


@public("estimator.DNNEstimator")
class DNNEstimator(_Network):
    """A deep network with a given head.

    Args:
        head: The head.
        hidden_units: As for DNNClassifier, as are the others.
        feature_columns: Dense columns.
        model_dir: Directory of checkpoints and event files.
        optimizer: An optimizer, its name, or a function that makes it.
        activation_fn: The activation of hidden layers.
        dropout: The probability of dropout.
        input_layer_partitioner: Cuts the variables of columns.
        config: A RunConfig.
        warm_start_from: A checkpoint to begin with, or WarmStartSettings.
        batch_norm: Whether hidden layers are normalised.
    """

    def __init__(
        self, head: Any, hidden_units: Sequence[int], feature_columns: Any, model_dir: str | None = None,
        optimizer: Any = "Adagrad", activation_fn: Callable = relu, dropout: float | None = None,
        input_layer_partitioner: Callable | None = None, config: Any = None, warm_start_from: Any = None,
        batch_norm: bool = False,
    ) -> None:
        self._start(
            head, model_dir, config, warm_start_from, hidden_units=hidden_units,
            feature_columns=tuple(feature_columns or []), optimizer=optimizer, activation_fn=activation_fn,
            dropout=dropout, input_layer_partitioner=input_layer_partitioner, batch_norm=batch_norm,
        )
