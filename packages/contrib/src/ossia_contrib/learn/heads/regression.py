"""Heads of models of numbers and of counts, and the head of a model that has its loss already."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import ossia as tf
from ossia_contrib.learn.heads import losses
from ossia_contrib.learn.heads.head import Head, SingleHead, summarise_loss
from ossia_contrib.learn.modes import ModeKeys
from ossia_contrib.learn.specs import ModelFnOps, PredictionKey, ProblemType
from ossia_core.plugins.api_table import public


@public("contrib.learn.regression_head", "contrib.learn.head.regression_head")
def regression_head(
    label_name: str | None = None, weight_column_name: str | None = None, label_dimension: int = 1,
    enable_centered_bias: bool = False, head_name: str | None = None, link_fn: Callable | None = None,
) -> Head:
    """The head of a model of numbers, with squared errors.

    Args:
      label_name: the name of its labels, if labels are a dict.
      weight_column_name: the feature with the weights of examples.
      label_dimension: how many numbers an example has.
      enable_centered_bias: whether a bias is added that is trained by itself.
      head_name: a name, which that of every metric ends with.
      link_fn: makes predictions of logits; they are the same by default.
    """
    return _RegressionHead(
        label_dimension, label_name, weight_column_name, head_name, enable_centered_bias, losses.mean_squared,
        link_fn or tf.identity,
    )


@public("contrib.learn.poisson_regression_head", "contrib.learn.head.poisson_regression_head")
def poisson_regression_head(
    label_name: str | None = None, weight_column_name: str | None = None, label_dimension: int = 1,
    enable_centered_bias: bool = False, head_name: str | None = None,
) -> Head:
    """The head of a model of counts, whose logits are logarithms of rates.

    Args:
      label_name, weight_column_name, label_dimension, enable_centered_bias, head_name: as for `regression_head`.
    """
    return _RegressionHead(
        label_dimension, label_name, weight_column_name, head_name, enable_centered_bias, losses.poisson, tf.exp
    )


class _RegressionHead(SingleHead):
    def __init__(
        self, label_dimension: int, label_name: Any, weight_column_name: Any, head_name: Any,
        enable_centered_bias: bool, loss_fn: Callable, link_fn: Callable,
    ) -> None:
        super().__init__(
            ProblemType.LINEAR_REGRESSION, label_dimension, label_name, weight_column_name, head_name,
            enable_centered_bias, loss_fn, "regression_head",
        )
        self._link_fn = link_fn

    def _logits_to_predictions(self, logits: Any) -> dict[str, Any]:
        with tf.name_scope(None, "predictions", (logits,)):
            if self._logits_dimension == 1:
                logits = tf.squeeze(logits, axis=(1,), name=PredictionKey.SCORES)
            return {PredictionKey.SCORES: self._link_fn(logits)}


@public("contrib.learn.head.loss_only_head")
def loss_only_head(loss_fn: Callable, head_name: str | None = None) -> Head:
    """The head of a loss that depends on no label.

    Args:
      loss_fn: a function without arguments that makes it.
      head_name: a name of the head.
    """
    return _LossOnlyHead(loss_fn, head_name)


class _LossOnlyHead(Head):
    def __init__(self, loss_fn: Callable, head_name: str | None) -> None:
        self._loss_fn = loss_fn
        self.head_name = head_name or "loss_only_head"

    @property
    def logits_dimension(self) -> int:
        return 0

    def create_model_fn_ops(
        self, features: Mapping[str, Any], mode: str, labels: Any = None, train_op_fn: Callable | None = None,
        logits: Any = None, logits_input: Any = None, scope: Any = None,
    ) -> ModelFnOps:
        ModeKeys.validate(mode)
        loss = train_op = None
        if mode != ModeKeys.INFER:
            with tf.variable_scope(scope, default_name=self.head_name):
                loss = self._loss_fn()
                if isinstance(loss, list):
                    loss = tf.add_n(loss)
                summarise_loss(self.head_name, loss)
                if mode == ModeKeys.TRAIN:
                    if train_op_fn is None:
                        raise ValueError("train_op_fn can not be None in TRAIN mode")
                    with tf.name_scope(None, "train_op", (loss,)):
                        train_op = train_op_fn(loss)
        return ModelFnOps(
            mode=mode, loss=loss, train_op=train_op, predictions={}, eval_metric_ops={}, output_alternatives={}
        )
