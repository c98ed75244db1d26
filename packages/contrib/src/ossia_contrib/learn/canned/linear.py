"""Linear classifiers and regressors of feature columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ossia as tf
from ossia_contrib.layers.optimizers import OPTIMIZER_CLS_NAMES
from ossia_contrib.learn.canned import models
from ossia_contrib.learn.canned.predicting import Classifier, Regressor
from ossia_contrib.learn.estimator import Estimator
from ossia_contrib.learn.heads import classes, regression
from ossia_contrib.learn.specs import ModelFnOps
from ossia_core.plugins.api_table import public


def model_fn(features: Any, labels: Any, mode: str, params: dict[str, Any], config: Any = None) -> ModelFnOps:
    """A linear model.

    Args:
      features: features by name, or one tensor.
      labels: what the head takes.
      mode: one of `ModeKeys`.
      params: `head`, `feature_columns`, `optimizer`, `gradient_clip_norm`, `joint_weights`.
      config: a `RunConfig`.
    """
    head, columns = params["head"], tuple(params["feature_columns"])
    optimizer = params.get("optimizer") or tf.train.FtrlOptimizer(models.linear_learning_rate(len(columns)))
    named = models.feature_dict(features)
    partitioner = models.partitioner_of(config, models.MIN_SLICE_SIZE)
    with tf.variable_scope("linear", values=tuple(named.values()), partitioner=partitioner) as scope:
        logits = models.linear_logits(
            named, columns, head.logits_dimension, params.get("joint_weights", False), scope
        )

        def train_op_fn(loss: Any) -> Any:
            step = tf.train.get_global_step()
            variables = tf.get_collection("linear")
            gradients = tf.gradients(loss, variables)
            if params.get("gradient_clip_norm"):
                gradients, _ = tf.clip_by_global_norm(gradients, params["gradient_clip_norm"])
            used = models.optimizer_of(optimizer)
            if isinstance(used, str):
                make: Any = OPTIMIZER_CLS_NAMES[used]
                used = make(learning_rate=models.LINEAR_LEARNING_RATE)
            return used.apply_gradients(zip(gradients, variables, strict=True), global_step=step)

        return head.create_model_fn_ops(
            features=named, mode=mode, labels=labels, train_op_fn=train_op_fn, logits=logits
        )


@public("contrib.learn.LinearClassifier")
class LinearClassifier(Classifier):
    """A linear classifier.

    Args:
      feature_columns: the columns.
      model_dir: the folder of checkpoints and events.
      n_classes: how many classes there are.
      weight_column_name: the feature with the weights of examples.
      optimizer: an optimizer, its name, a function that makes one, or an `SDCAOptimizer`; Ftrl by default.
      gradient_clip_norm: the greatest norm of all gradients together.
      enable_centered_bias: whether a bias is added that is trained by itself.
      _joint_weight: whether all weights are one variable.
      config: a `RunConfig`.
      feature_engineering_fn: a function of features and labels that makes those that the model gets.
      label_keys: labels as texts.

    Raises:
      ValueError: there are too few classes.
    """

    def __init__(
        self, feature_columns: Sequence[Any], model_dir: str | None = None, n_classes: int = 2,
        weight_column_name: str | None = None, optimizer: Any = None, gradient_clip_norm: float | None = None,
        enable_centered_bias: bool = False, _joint_weight: bool = False, config: Any = None,
        feature_engineering_fn: Callable | None = None, label_keys: Sequence[str] | None = None,
    ) -> None:
        enable_centered_bias = _centered(optimizer, enable_centered_bias)
        head = classes.multi_class_head(
            n_classes, weight_column_name=weight_column_name, enable_centered_bias=enable_centered_bias,
            label_keys=label_keys,
        )
        super().__init__(**_arguments(
            head, feature_columns, optimizer, gradient_clip_norm, _joint_weight, weight_column_name, model_dir, config,
            feature_engineering_fn,
        ))


@public("contrib.learn.LinearRegressor")
class LinearRegressor(Regressor):
    """A linear regressor.

    Args:
      feature_columns: the columns.
      model_dir: the folder of checkpoints and events.
      weight_column_name: the feature with the weights of examples.
      optimizer: as for `LinearClassifier`.
      gradient_clip_norm: the greatest norm of all gradients together.
      enable_centered_bias: whether a bias is added that is trained by itself.
      label_dimension: how many numbers an example has.
      _joint_weights: whether all weights are one variable.
      config: a `RunConfig`.
      feature_engineering_fn: a function of features and labels that makes those that the model gets.
    """

    def __init__(
        self, feature_columns: Sequence[Any], model_dir: str | None = None, weight_column_name: str | None = None,
        optimizer: Any = None, gradient_clip_norm: float | None = None, enable_centered_bias: bool = False,
        label_dimension: int = 1, _joint_weights: bool = False, config: Any = None,
        feature_engineering_fn: Callable | None = None,
    ) -> None:
        enable_centered_bias = _centered(optimizer, enable_centered_bias)
        head = regression.regression_head(
            weight_column_name=weight_column_name, label_dimension=label_dimension,
            enable_centered_bias=enable_centered_bias,
        )
        super().__init__(**_arguments(
            head, feature_columns, optimizer, gradient_clip_norm, _joint_weights, weight_column_name, model_dir,
            config, feature_engineering_fn,
        ))


@public("contrib.learn.LinearEstimator")
class LinearEstimator(Estimator):
    """A linear model with any head.

    Args:
      feature_columns: the columns.
      head: a head.
      model_dir, weight_column_name, optimizer, gradient_clip_norm, _joint_weights, config, feature_engineering_fn: as
        for `LinearClassifier`.
    """

    def __init__(
        self, feature_columns: Sequence[Any], head: Any, model_dir: str | None = None,
        weight_column_name: str | None = None, optimizer: Any = None, gradient_clip_norm: float | None = None,
        _joint_weights: bool = False, config: Any = None, feature_engineering_fn: Callable | None = None,
    ) -> None:
        super().__init__(**_arguments(
            head, feature_columns, optimizer, gradient_clip_norm, _joint_weights, weight_column_name, model_dir,
            config, feature_engineering_fn,
        ))


def _dual(optimizer: Any) -> bool:
    return type(optimizer).__name__ == "SDCAOptimizer"


def _centered(optimizer: Any, enable_centered_bias: bool) -> bool:
    if _dual(optimizer) and enable_centered_bias:
        tf.logging.warning("centered_bias is not supported with SDCA, please disable it explicitly.")
        return False
    return enable_centered_bias


def _arguments(
    head: Any, columns: Sequence[Any], optimizer: Any, clip_norm: Any, joint_weights: bool, weight_column_name: Any,
    model_dir: Any, config: Any, feature_engineering_fn: Any,
) -> dict[str, Any]:
    assert columns, "there are no feature columns"
    params = {
        "head": head, "feature_columns": columns, "optimizer": optimizer, "gradient_clip_norm": clip_norm,
        "joint_weights": joint_weights,
    }
    function: Callable = model_fn
    if _dual(optimizer):
        from ossia_contrib.learn.canned import dual  # only these optimizers need it

        if isinstance(head, classes.ClassHead):
            assert head.logits_dimension == 1, "SDCA only applies to binary classification."
        assert not joint_weights, f"SDCAOptimizer is used, joint_weights={joint_weights} is not possible"
        params["weight_column_name"] = weight_column_name
        params["update_weights_hook"] = dual.UpdateWeightsHook()
        function = dual.model_fn
    return {
        "model_fn": function, "model_dir": model_dir, "config": config, "params": params,
        "feature_engineering_fn": feature_engineering_fn,
    }
