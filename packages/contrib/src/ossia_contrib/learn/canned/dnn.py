"""Classifiers and regressors that are networks of feature columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import ossia as tf
from ossia_contrib.layers import optimizers
from ossia_contrib.learn.canned import models
from ossia_contrib.learn.canned.predicting import Classifier, Regressor
from ossia_contrib.learn.estimator import Estimator
from ossia_contrib.learn.heads import classes, regression
from ossia_contrib.learn.specs import ModelFnOps
from ossia_core.plugins.api_table import public


def model_fn(features: Any, labels: Any, mode: str, params: dict[str, Any], config: Any = None) -> ModelFnOps:
    """A network.

    Args:
      features: features by name, or one tensor.
      labels: what the head takes.
      mode: one of `ModeKeys`.
      params: `head`, `hidden_units`, `feature_columns`, `optimizer`, `activation_fn`, `dropout`,
        `gradient_clip_norm`, `embedding_lr_multipliers`, `input_layer_min_slice_size`.
      config: a `RunConfig`.
    """
    head = params["head"]
    optimizer = params.get("optimizer") or "Adagrad"
    named = models.feature_dict(features)
    with tf.variable_scope("dnn", values=tuple(named.values()), partitioner=models.partitioner_of(config)):
        slices = models.partitioner_of(config, params.get("input_layer_min_slice_size") or models.MIN_SLICE_SIZE)
        logits, input_scope = models.dnn_logits(
            named, tuple(params["feature_columns"]), params["hidden_units"], head.logits_dimension, mode,
            params.get("activation_fn"), params.get("dropout"), slices, "_",
        )

        def train_op_fn(loss: Any) -> Any:
            return optimizers.optimize_loss(
                loss=loss, global_step=tf.train.get_global_step(), learning_rate=models.DNN_LEARNING_RATE,
                optimizer=models.optimizer_of(optimizer),
                gradient_multipliers=models.embedding_multipliers(
                    params.get("embedding_lr_multipliers"), input_scope
                ),
                clip_gradients=params.get("gradient_clip_norm"), name="dnn", summaries=[],
            )

        return head.create_model_fn_ops(
            features=named, mode=mode, labels=labels, train_op_fn=train_op_fn, logits=logits
        )


def _arguments(
    head: Any, hidden_units: Sequence[int], columns: Sequence[Any], optimizer: Any, activation_fn: Any, dropout: Any,
    clip_norm: Any, multipliers: Any, min_slice_size: Any, model_dir: Any, config: Any, feature_engineering_fn: Any,
) -> dict[str, Any]:
    return {
        "model_fn": model_fn, "model_dir": model_dir, "config": config,
        "params": {
            "head": head, "hidden_units": hidden_units, "feature_columns": tuple(columns or []),
            "optimizer": optimizer, "activation_fn": activation_fn, "dropout": dropout,
            "gradient_clip_norm": clip_norm, "embedding_lr_multipliers": multipliers,
            "input_layer_min_slice_size": min_slice_size,
        },
        "feature_engineering_fn": feature_engineering_fn,
    }


@public("contrib.learn.DNNClassifier")
class DNNClassifier(Classifier):
    """A network that classifies.

    Args:
      hidden_units: the sizes of hidden layers.
      feature_columns: what the first layer is made of.
      model_dir: the folder of checkpoints and events.
      n_classes: how many classes there are.
      weight_column_name: the feature with the weights of examples.
      optimizer: an optimizer, its name, or a function that makes one; Adagrad by default.
      activation_fn: of hidden layers.
      dropout: the part of values that are dropped in training.
      gradient_clip_norm: the greatest norm of all gradients together.
      enable_centered_bias: whether a bias is added that is trained by itself.
      config: a `RunConfig`.
      feature_engineering_fn: a function of features and labels that makes those that the model gets.
      embedding_lr_multipliers: what learning rates of embeddings are multiplied with, by column.
      input_layer_min_slice_size: how many bytes of a variable of the columns a parameter server has at least.
      label_keys: labels as texts.

    Raises:
      ValueError: there are too few classes.
    """

    def __init__(
        self, hidden_units: Sequence[int], feature_columns: Sequence[Any], model_dir: str | None = None,
        n_classes: int = 2, weight_column_name: str | None = None, optimizer: Any = None,
        activation_fn: Any = tf.nn.relu, dropout: float | None = None, gradient_clip_norm: float | None = None,
        enable_centered_bias: bool = False, config: Any = None, feature_engineering_fn: Callable | None = None,
        embedding_lr_multipliers: Mapping[Any, float] | None = None, input_layer_min_slice_size: int | None = None,
        label_keys: Sequence[str] | None = None,
    ) -> None:
        head = classes.multi_class_head(
            n_classes, weight_column_name=weight_column_name, enable_centered_bias=enable_centered_bias,
            label_keys=label_keys,
        )
        super().__init__(**_arguments(
            head, hidden_units, feature_columns, optimizer, activation_fn, dropout, gradient_clip_norm,
            embedding_lr_multipliers, input_layer_min_slice_size, model_dir, config, feature_engineering_fn,
        ))


@public("contrib.learn.DNNRegressor")
class DNNRegressor(Regressor):
    """A network that estimates numbers.

    Args:
      hidden_units, feature_columns, model_dir, weight_column_name, optimizer, activation_fn, dropout,
        gradient_clip_norm, enable_centered_bias, config, feature_engineering_fn, embedding_lr_multipliers,
        input_layer_min_slice_size: as for `DNNClassifier`.
      label_dimension: how many numbers an example has.
    """

    def __init__(
        self, hidden_units: Sequence[int], feature_columns: Sequence[Any], model_dir: str | None = None,
        weight_column_name: str | None = None, optimizer: Any = None, activation_fn: Any = tf.nn.relu,
        dropout: float | None = None, gradient_clip_norm: float | None = None, enable_centered_bias: bool = False,
        config: Any = None, feature_engineering_fn: Callable | None = None, label_dimension: int = 1,
        embedding_lr_multipliers: Mapping[Any, float] | None = None, input_layer_min_slice_size: int | None = None,
    ) -> None:
        head = regression.regression_head(
            label_dimension=label_dimension, weight_column_name=weight_column_name,
            enable_centered_bias=enable_centered_bias,
        )
        super().__init__(**_arguments(
            head, hidden_units, feature_columns, optimizer, activation_fn, dropout, gradient_clip_norm,
            embedding_lr_multipliers, input_layer_min_slice_size, model_dir, config, feature_engineering_fn,
        ))


@public("contrib.learn.DNNEstimator")
class DNNEstimator(Estimator):
    """A network with any head.

    Args:
      head: a head.
      hidden_units, feature_columns, model_dir, optimizer, activation_fn, dropout, gradient_clip_norm, config,
        feature_engineering_fn, embedding_lr_multipliers, input_layer_min_slice_size: as for `DNNClassifier`.
    """

    def __init__(
        self, head: Any, hidden_units: Sequence[int], feature_columns: Sequence[Any], model_dir: str | None = None,
        optimizer: Any = None, activation_fn: Any = tf.nn.relu, dropout: float | None = None,
        gradient_clip_norm: float | None = None, config: Any = None, feature_engineering_fn: Callable | None = None,
        embedding_lr_multipliers: Mapping[Any, float] | None = None, input_layer_min_slice_size: int | None = None,
    ) -> None:
        super().__init__(**_arguments(
            head, hidden_units, feature_columns, optimizer, activation_fn, dropout, gradient_clip_norm,
            embedding_lr_multipliers, input_layer_min_slice_size, model_dir, config, feature_engineering_fn,
        ))
