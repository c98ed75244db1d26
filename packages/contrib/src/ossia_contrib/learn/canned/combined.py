"""A network and a linear model, trained together (Cheng et al., Wide & Deep Learning for Recommender Systems, 2016)."""

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
    """A network, a linear model, or the sum of both.

    Args:
      features: features by name, or one tensor.
      labels: what the head takes.
      mode: one of `ModeKeys`.
      params: `head`, and what both parts are made of.
      config: a `RunConfig`.

    Raises:
      ValueError: there are no columns.
    """
    head = params["head"]
    linear_columns, dnn_columns = params.get("linear_feature_columns"), params.get("dnn_feature_columns")
    if not linear_columns and not dnn_columns:
        raise ValueError("Either linear_feature_columns or dnn_feature_columns must be defined.")
    named = models.feature_dict(features)
    values = tuple(named.values())
    slices = params.get("input_layer_partitioner") or models.partitioner_of(
        config, params.get("input_layer_min_slice_size") or models.MIN_SLICE_SIZE
    )
    logits, parts = None, []
    if dnn_columns:
        with tf.variable_scope("dnn", values=values, partitioner=models.partitioner_of(config)):
            logits, input_scope = models.dnn_logits(
                named, dnn_columns, params.get("dnn_hidden_units") or (), head.logits_dimension, mode,
                params.get("dnn_activation_fn") or tf.nn.relu, params.get("dnn_dropout"), slices,
            )
        parts.append(("dnn", models.DNN_LEARNING_RATE, params.get("dnn_optimizer") or "Adagrad"))
    if linear_columns:
        with tf.variable_scope("linear", values=values, partitioner=slices) as scope:
            linear = models.linear_logits(
                named, linear_columns, head.logits_dimension, params.get("joint_linear_weights", False), scope
            )
            models.summarise_layer(linear, scope.name)
        logits = linear if logits is None else logits + linear
        rate = models.linear_learning_rate(len(linear_columns))
        parts.append(("linear", rate, params.get("linear_optimizer") or "Ftrl"))

    def train_op_fn(loss: Any) -> Any:
        step = tf.train.get_global_step()
        counted_once = params.get("fix_global_step_increment_bug", False)
        steps = []
        for name, learning_rate, optimizer in parts:
            multipliers = None
            if name == "dnn":
                multipliers = models.embedding_multipliers(params.get("embedding_lr_multipliers"), input_scope)
            steps.append(optimizers.optimize_loss(
                loss=loss, global_step=step, learning_rate=learning_rate,
                optimizer=models.optimizer_of(optimizer), gradient_multipliers=multipliers,
                clip_gradients=params.get("gradient_clip_norm"), variables=tf.get_collection(name), name=name,
                summaries=[], increment_global_step=not counted_once,
            ))
        together = tf.group(*steps)
        if not counted_once:
            return together
        with tf.control_dependencies([together]), tf.colocate_with(step):
            return tf.assign_add(step, 1).op

    return head.create_model_fn_ops(
        features=named, mode=mode, labels=labels, train_op_fn=train_op_fn, logits=logits
    )


def _arguments(
    head: Any, model_dir: Any, config: Any, feature_engineering_fn: Any, linear_feature_columns: Any,
    dnn_feature_columns: Any, **params: Any,
) -> dict[str, Any]:
    linear, dnn = tuple(linear_feature_columns or []), tuple(dnn_feature_columns or [])
    if not linear + dnn:
        raise ValueError("Either linear_feature_columns or dnn_feature_columns must be defined.")
    columns = {"linear_feature_columns": linear, "dnn_feature_columns": dnn}
    return {
        "model_fn": model_fn, "model_dir": model_dir, "config": config, "params": {"head": head, **columns, **params},
        "feature_engineering_fn": feature_engineering_fn,
    }


@public("contrib.learn.DNNLinearCombinedClassifier")
class DNNLinearCombinedClassifier(Classifier):
    """A network and a linear model that classify together.

    Args:
      model_dir: the folder of checkpoints and events.
      n_classes: how many classes there are.
      weight_column_name: the feature with the weights of examples.
      linear_feature_columns: columns of the linear model.
      linear_optimizer: its optimizer, Ftrl by default.
      _joint_linear_weights: whether all its weights are one variable.
      dnn_feature_columns: what the first layer of the network is made of.
      dnn_optimizer: its optimizer, Adagrad by default.
      dnn_hidden_units: the sizes of its hidden layers.
      dnn_activation_fn: of its hidden layers.
      dnn_dropout: the part of values that are dropped in training.
      gradient_clip_norm: the greatest norm of all gradients together, in each part.
      enable_centered_bias: whether a bias is added that is trained by itself.
      config: a `RunConfig`.
      feature_engineering_fn: a function of features and labels that makes those that the model gets.
      embedding_lr_multipliers: what learning rates of embeddings are multiplied with, by column.
      input_layer_min_slice_size: how many bytes of a variable of the columns a parameter server has at least.
      label_keys: labels as texts.
      fix_global_step_increment_bug: whether a step of both parts counts as one, not as two.

    Raises:
      ValueError: there are too few classes, or no columns.
    """

    def __init__(
        self, model_dir: str | None = None, n_classes: int = 2, weight_column_name: str | None = None,
        linear_feature_columns: Sequence[Any] | None = None, linear_optimizer: Any = None,
        _joint_linear_weights: bool = False, dnn_feature_columns: Sequence[Any] | None = None,
        dnn_optimizer: Any = None, dnn_hidden_units: Sequence[int] | None = None, dnn_activation_fn: Any = tf.nn.relu,
        dnn_dropout: float | None = None, gradient_clip_norm: float | None = None, enable_centered_bias: bool = False,
        config: Any = None, feature_engineering_fn: Callable | None = None,
        embedding_lr_multipliers: Mapping[Any, float] | None = None, input_layer_min_slice_size: int | None = None,
        label_keys: Sequence[str] | None = None, fix_global_step_increment_bug: bool = False,
    ) -> None:
        head = classes.multi_class_head(
            n_classes, weight_column_name=weight_column_name, enable_centered_bias=enable_centered_bias,
            label_keys=label_keys,
        )
        super().__init__(**_arguments(
            head, model_dir, config, feature_engineering_fn, linear_feature_columns, dnn_feature_columns,
            linear_optimizer=linear_optimizer, joint_linear_weights=_joint_linear_weights,
            dnn_optimizer=dnn_optimizer, dnn_hidden_units=dnn_hidden_units, dnn_activation_fn=dnn_activation_fn,
            dnn_dropout=dnn_dropout, gradient_clip_norm=gradient_clip_norm,
            embedding_lr_multipliers=embedding_lr_multipliers, input_layer_min_slice_size=input_layer_min_slice_size,
            fix_global_step_increment_bug=fix_global_step_increment_bug,
        ))


@public("contrib.learn.DNNLinearCombinedRegressor")
class DNNLinearCombinedRegressor(Regressor):
    """A network and a linear model that estimate numbers together.

    Args:
      label_dimension: how many numbers an example has.
      model_dir, weight_column_name, linear_feature_columns, linear_optimizer, _joint_linear_weights,
        dnn_feature_columns, dnn_optimizer, dnn_hidden_units, dnn_activation_fn, dnn_dropout, gradient_clip_norm,
        enable_centered_bias, config, feature_engineering_fn, embedding_lr_multipliers, input_layer_min_slice_size,
        fix_global_step_increment_bug: as for `DNNLinearCombinedClassifier`.
    """

    def __init__(
        self, model_dir: str | None = None, weight_column_name: str | None = None,
        linear_feature_columns: Sequence[Any] | None = None, linear_optimizer: Any = None,
        _joint_linear_weights: bool = False, dnn_feature_columns: Sequence[Any] | None = None,
        dnn_optimizer: Any = None, dnn_hidden_units: Sequence[int] | None = None, dnn_activation_fn: Any = tf.nn.relu,
        dnn_dropout: float | None = None, gradient_clip_norm: float | None = None, enable_centered_bias: bool = False,
        label_dimension: int = 1, config: Any = None, feature_engineering_fn: Callable | None = None,
        embedding_lr_multipliers: Mapping[Any, float] | None = None, input_layer_min_slice_size: int | None = None,
        fix_global_step_increment_bug: bool = False,
    ) -> None:
        head = regression.regression_head(
            weight_column_name=weight_column_name, label_dimension=label_dimension,
            enable_centered_bias=enable_centered_bias,
        )
        super().__init__(**_arguments(
            head, model_dir, config, feature_engineering_fn, linear_feature_columns, dnn_feature_columns,
            linear_optimizer=linear_optimizer, joint_linear_weights=_joint_linear_weights,
            dnn_optimizer=dnn_optimizer, dnn_hidden_units=dnn_hidden_units, dnn_activation_fn=dnn_activation_fn,
            dnn_dropout=dnn_dropout, gradient_clip_norm=gradient_clip_norm,
            embedding_lr_multipliers=embedding_lr_multipliers, input_layer_min_slice_size=input_layer_min_slice_size,
            fix_global_step_increment_bug=fix_global_step_increment_bug,
        ))

@public("contrib.learn.DNNLinearCombinedEstimator")
class DNNLinearCombinedEstimator(Estimator):
    """A network and a linear model with any head.

    Args:
      head: a head.
      input_layer_partitioner: divides the variables of columns.
      model_dir, linear_feature_columns, linear_optimizer, _joint_linear_weights, dnn_feature_columns, dnn_optimizer,
        dnn_hidden_units, dnn_activation_fn, dnn_dropout, gradient_clip_norm, config, feature_engineering_fn,
        embedding_lr_multipliers, fix_global_step_increment_bug: as for `DNNLinearCombinedClassifier`.
    """

    def __init__(
        self, head: Any, model_dir: str | None = None, linear_feature_columns: Sequence[Any] | None = None,
        linear_optimizer: Any = None, _joint_linear_weights: bool = False,
        dnn_feature_columns: Sequence[Any] | None = None, dnn_optimizer: Any = None,
        dnn_hidden_units: Sequence[int] | None = None, dnn_activation_fn: Any = None, dnn_dropout: float | None = None,
        gradient_clip_norm: float | None = None, config: Any = None, feature_engineering_fn: Callable | None = None,
        embedding_lr_multipliers: Mapping[Any, float] | None = None, fix_global_step_increment_bug: bool = False,
        input_layer_partitioner: Any = None,
    ) -> None:
        super().__init__(**_arguments(
            head, model_dir, config, feature_engineering_fn, linear_feature_columns, dnn_feature_columns,
            linear_optimizer=linear_optimizer, joint_linear_weights=_joint_linear_weights,
            dnn_optimizer=dnn_optimizer, dnn_hidden_units=dnn_hidden_units, dnn_activation_fn=dnn_activation_fn,
            dnn_dropout=dnn_dropout, gradient_clip_norm=gradient_clip_norm,
            embedding_lr_multipliers=embedding_lr_multipliers,
            fix_global_step_increment_bug=fix_global_step_increment_bug,
            input_layer_partitioner=input_layer_partitioner,
        ))
