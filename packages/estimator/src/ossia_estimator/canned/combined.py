"""Wide and deep models: `tf.estimator.DNNLinearCombinedClassifier`, and its like."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ossia_core.plugins.api_table import public
from ossia_estimator.canned.choice_of_head import classifier_head
from ossia_estimator.canned.combined_model import combined_model_fn
from ossia_estimator.estimator import Estimator
from ossia_estimator.heads.regression import regression_head
from ossia_nn.losses import Reduction
from ossia_ops.nn.activation import relu


class _Combined(Estimator):
    """What the three have in common: a head, a directory, and options of the model function."""

    def _start(
        self, head: Any, model_dir: Any, config: Any, warm_start_from: Any, linear_feature_columns: Any,
        dnn_feature_columns: Any, **options: Any,
    ) -> None:
        linear = tuple(linear_feature_columns or [])
        dnn = tuple(dnn_feature_columns or [])
        if not linear and not dnn:
            raise ValueError("Either linear_feature_columns or dnn_feature_columns must be defined.")

        def model_fn(features: Any, labels: Any, mode: str, config: Any) -> Any:
            return combined_model_fn(
                features, labels, mode, head, linear_feature_columns=linear, dnn_feature_columns=dnn, config=config,
                **options,
            )

        Estimator.__init__(self, model_fn, model_dir, config, warm_start_from=warm_start_from)


@public("estimator.DNNLinearCombinedClassifier")
class DNNLinearCombinedClassifier(_Combined):
    """A linear model and a deep network for classes, trained together.

    Args:
        model_dir: Directory of checkpoints and event files.
        linear_feature_columns: Columns of the linear model.
        linear_optimizer: Its optimizer, the name of one, or a function that makes it.
        dnn_feature_columns: Dense columns of the network.
        dnn_optimizer: Its optimizer.
        dnn_hidden_units: The sizes of its hidden layers.
        dnn_activation_fn: Their activation.
        dnn_dropout: The probability with which an activation is dropped in training; None for no dropout.
        n_classes: How many classes there are.
        weight_column: Key or numeric column of weights of examples.
        label_vocabulary: Names of the classes, where labels are strings.
        input_layer_partitioner: Cuts the variables of columns.
        config: A RunConfig.
        warm_start_from: A checkpoint to begin with, or WarmStartSettings.
        loss_reduction: How the losses of examples become one number, a value of `tf.losses.Reduction`.
        batch_norm: Whether hidden layers are normalised.
        linear_sparse_combiner: How the weights of one categorical column are combined: "sum", "mean" or "sqrtn".

    Raises:
        ValueError: There are no columns, or an argument is out of range.
    """

    def __init__(
        self, model_dir: str | None = None, linear_feature_columns: Any = None, linear_optimizer: Any = "Ftrl",
        dnn_feature_columns: Any = None, dnn_optimizer: Any = "Adagrad",
        dnn_hidden_units: Sequence[int] | None = None, dnn_activation_fn: Callable = relu,
        dnn_dropout: float | None = None, n_classes: int = 2, weight_column: Any = None,
        label_vocabulary: Sequence[str] | None = None, input_layer_partitioner: Callable | None = None,
        config: Any = None, warm_start_from: Any = None, loss_reduction: str = Reduction.SUM, batch_norm: bool = False,
        linear_sparse_combiner: str = "sum",
    ) -> None:
        self._start(
            classifier_head(n_classes, weight_column, label_vocabulary, loss_reduction), model_dir, config,
            warm_start_from, linear_feature_columns, dnn_feature_columns, linear_optimizer=linear_optimizer,
            dnn_optimizer=dnn_optimizer, dnn_hidden_units=dnn_hidden_units, dnn_activation_fn=dnn_activation_fn,
            dnn_dropout=dnn_dropout, input_layer_partitioner=input_layer_partitioner, batch_norm=batch_norm,
            linear_sparse_combiner=linear_sparse_combiner,
        )


@public("estimator.DNNLinearCombinedRegressor")
class DNNLinearCombinedRegressor(_Combined):
    """A linear model and a deep network for numbers, trained together.

    Args:
        model_dir: As for DNNLinearCombinedClassifier, as are those that are not told here.
        linear_feature_columns: Columns of the linear model.
        linear_optimizer: Its optimizer.
        dnn_feature_columns: Dense columns of the network.
        dnn_optimizer: Its optimizer.
        dnn_hidden_units: The sizes of its hidden layers.
        dnn_activation_fn: Their activation.
        dnn_dropout: The probability of dropout.
        label_dimension: How many numbers an example has.
        weight_column: Key or numeric column of weights of examples.
        input_layer_partitioner: Cuts the variables of columns.
        config: A RunConfig.
        warm_start_from: A checkpoint to begin with, or WarmStartSettings.
        loss_reduction: How the losses of examples become one number.
        batch_norm: Whether hidden layers are normalised.
        linear_sparse_combiner: How the weights of one categorical column are combined.
    """

    def __init__(
        self, model_dir: str | None = None, linear_feature_columns: Any = None, linear_optimizer: Any = "Ftrl",
        dnn_feature_columns: Any = None, dnn_optimizer: Any = "Adagrad",
        dnn_hidden_units: Sequence[int] | None = None, dnn_activation_fn: Callable = relu,
        dnn_dropout: float | None = None, label_dimension: int = 1, weight_column: Any = None,
        input_layer_partitioner: Callable | None = None, config: Any = None, warm_start_from: Any = None,
        loss_reduction: str = Reduction.SUM, batch_norm: bool = False, linear_sparse_combiner: str = "sum",
    ) -> None:
        self._start(
            regression_head(weight_column, label_dimension, loss_reduction), model_dir, config, warm_start_from,
            linear_feature_columns, dnn_feature_columns, linear_optimizer=linear_optimizer,
            dnn_optimizer=dnn_optimizer, dnn_hidden_units=dnn_hidden_units, dnn_activation_fn=dnn_activation_fn,
            dnn_dropout=dnn_dropout, input_layer_partitioner=input_layer_partitioner, batch_norm=batch_norm,
            linear_sparse_combiner=linear_sparse_combiner,
        )


@public("estimator.DNNLinearCombinedEstimator")
class DNNLinearCombinedEstimator(_Combined):
    """A linear model and a deep network with a given head, trained together.

    Args:
        head: The head.
        model_dir: As for DNNLinearCombinedClassifier, as are the others.
        linear_feature_columns: Columns of the linear model.
        linear_optimizer: Its optimizer.
        dnn_feature_columns: Dense columns of the network.
        dnn_optimizer: Its optimizer.
        dnn_hidden_units: The sizes of its hidden layers.
        dnn_activation_fn: Their activation.
        dnn_dropout: The probability of dropout.
        input_layer_partitioner: Cuts the variables of columns.
        config: A RunConfig.
        linear_sparse_combiner: How the weights of one categorical column are combined.
    """

    def __init__(
        self, head: Any, model_dir: str | None = None, linear_feature_columns: Any = None,
        linear_optimizer: Any = "Ftrl", dnn_feature_columns: Any = None, dnn_optimizer: Any = "Adagrad",
        dnn_hidden_units: Sequence[int] | None = None, dnn_activation_fn: Callable = relu,
        dnn_dropout: float | None = None, input_layer_partitioner: Callable | None = None, config: Any = None,
        linear_sparse_combiner: str = "sum",
    ) -> None:
        self._start(
            head, model_dir, config, None, linear_feature_columns, dnn_feature_columns,
            linear_optimizer=linear_optimizer, dnn_optimizer=dnn_optimizer, dnn_hidden_units=dnn_hidden_units,
            dnn_activation_fn=dnn_activation_fn, dnn_dropout=dnn_dropout,
            input_layer_partitioner=input_layer_partitioner, linear_sparse_combiner=linear_sparse_combiner,
        )
