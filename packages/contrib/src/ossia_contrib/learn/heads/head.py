"""What all heads have in common."""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping
from typing import Any

import ossia as tf
from ossia_contrib.layers import dense
from ossia_contrib.learn.heads import measures
from ossia_contrib.learn.heads.losses import weights_of
from ossia_contrib.learn.modes import ModeKeys
from ossia_contrib.learn.specs import ModelFnOps
from ossia_core.plugins.api_table import public


@public("contrib.learn.Head", "contrib.learn.head.Head")
class Head(abc.ABC):
    """From the logits of a model to its predictions, its loss, its training and its metrics."""

    @property
    @abc.abstractmethod
    def logits_dimension(self) -> int:
        """How many logits an example has."""

    @abc.abstractmethod
    def create_model_fn_ops(
        self, features: Mapping[str, Any], mode: str, labels: Any = None, train_op_fn: Callable | None = None,
        logits: Any = None, logits_input: Any = None, scope: Any = None,
    ) -> ModelFnOps:
        """Makes the rest of a model.

        Args:
          features: features by name; a head with weights takes them from here.
          mode: one of `tf.contrib.learn.ModeKeys`.
          labels: a tensor, or a dict of tensors if the head has a name of labels.
          train_op_fn: makes the training op of a loss; needed in training.
          logits: `[batch, logits_dimension]`.
          logits_input: the last hidden layer instead, from which the head makes logits.
          scope: variable scope.

        Raises:
          ValueError: there are no logits, or both kinds; something that the mode needs is missing.
        """


@public("contrib.learn.no_op_train_fn", "contrib.learn.head.no_op_train_fn")
def no_op_train_fn(loss: Any) -> tf.Operation:
    """A training that does nothing, for parts of a model."""
    return tf.no_op()


class SingleHead(Head):
    """A head with one loss; subclasses say which and what is predicted.

    Args:
      problem_type: a `ProblemType`.
      logits_dimension: how many logits an example has.
      label_name: the name of its labels, if labels are a dict.
      weight_column_name: the feature with the weights of examples.
      head_name: a name, which that of every metric ends with.
      enable_centered_bias: whether a bias is added that is trained by itself.
      loss_fn: the loss, a function of labels, logits and weights that gives two losses.
      scope_name: the variable scope of a head without a name.
    """

    def __init__(
        self, problem_type: Any, logits_dimension: int, label_name: str | None, weight_column_name: str | None,
        head_name: str | None, enable_centered_bias: bool, loss_fn: Callable, scope_name: str,
    ) -> None:
        if problem_type is None:
            raise ValueError(f"Invalid problem_type {problem_type}.")
        if logits_dimension is None or logits_dimension < 1:
            raise ValueError(f"Invalid logits_dimension {logits_dimension}.")
        self._problem_type = problem_type
        self._logits_dimension = logits_dimension
        self._label_name = label_name
        self._weight_column_name = weight_column_name
        self._head_name = head_name
        self._enable_centered_bias = enable_centered_bias
        self._loss_fn = loss_fn
        self._scope_name = scope_name

    @property
    def logits_dimension(self) -> int:
        """How many logits an example has."""
        return self._logits_dimension

    @property
    def head_name(self) -> str | None:
        """The name of the head, or None."""
        return self._head_name

    def create_model_fn_ops(
        self, features: Mapping[str, Any], mode: str, labels: Any = None, train_op_fn: Callable | None = None,
        logits: Any = None, logits_input: Any = None, scope: Any = None,
    ) -> ModelFnOps:
        """See `Head`."""
        values = (*features.values(), labels, logits, logits_input)
        with tf.variable_scope(scope, default_name=self._head_name or self._scope_name, values=values):
            labels = self._transform_labels(mode, labels)
            logits = _logits(logits_input, logits, self._logits_dimension)
            return self._model_fn_ops(features, mode, labels, train_op_fn, logits)

    def _model_fn_ops(
        self, features: Mapping[str, Any], mode: str, labels: Any, train_op_fn: Callable | None, logits: Any
    ) -> ModelFnOps:
        bias = None
        if self._enable_centered_bias:
            bias = _centered_bias(self._logits_dimension, self._head_name)
            logits = tf.nn.bias_add(logits, bias)
        predictions = self._logits_to_predictions(logits)
        loss = train_op = metrics = None
        if mode != ModeKeys.INFER and labels is not None:
            weights = weights_of(features, self._weight_column_name)
            loss, average = self._losses(labels, logits, weights)
            summarise_loss(self._head_name, average)
            if mode == ModeKeys.TRAIN:
                if train_op_fn is None:
                    raise ValueError("train_op_fn can not be None in TRAIN mode")
                train_op = self._train_op(loss, labels, train_op_fn, bias, tf.shape(logits)[0], weights)
            with tf.name_scope("metrics", values=[average, labels, weights, *predictions.values()]):
                metrics = self._metrics(average, predictions, labels, weights)
        return ModelFnOps(
            mode=mode, predictions=predictions, loss=loss, train_op=train_op, eval_metric_ops=metrics,
            output_alternatives=self._output_alternatives(predictions),
        )

    def _losses(self, labels: Any, logits: Any, weights: Any) -> Any:
        return self._loss_fn(labels, logits, weights)

    def _train_op(
        self, loss: Any, labels: Any, train_op_fn: Callable, bias: Any, batch_size: Any, weights: Any
    ) -> tf.Operation:
        step = None
        if bias is not None:
            step = _centered_bias_step(bias, batch_size, labels, self._losses, weights)
        with tf.name_scope(None, "train_op", (loss, labels)):
            train_op = train_op_fn(loss)
            return train_op if step is None else tf.group(train_op, step)

    def _transform_labels(self, mode: str, labels: Any) -> Any:
        if mode == ModeKeys.INFER or labels is None:
            return None
        labels = labels_tensor(labels, self._label_name)
        if isinstance(labels, tf.SparseTensor):
            raise ValueError("SparseTensor is not supported.")
        return labels

    def _logits_to_predictions(self, logits: Any) -> dict[str, Any]:
        raise NotImplementedError

    def _metrics(self, loss: Any, predictions: dict[str, Any], labels: Any, weights: Any) -> dict[str, Any]:
        return {self._named(measures.MetricKey.LOSS): tf.metrics.mean(loss)}

    def _named(self, key: str) -> str:
        return measures.of_head(self._head_name, key)

    def _output_alternatives(self, predictions: dict[str, Any]) -> dict[Any, Any]:
        return {self._head_name: (self._problem_type, predictions)}


def summarise_loss(head_name: str | None, loss: Any) -> None:
    """Makes the summary of a loss; its tag has nothing of the scope."""
    with tf.name_scope(""):
        tf.summary.scalar(measures.of_head(head_name, measures.MetricKey.LOSS), tf.identity(loss))


def labels_tensor(labels: Any, label_name: str | None) -> Any:
    """The labels of a head: those of its name if labels are a dict."""
    if isinstance(labels, dict):
        labels = labels[label_name]
    return tf.convert_to_tensor_or_sparse_tensor(labels)


def _logits(logits_input: Any, logits: Any, logits_dimension: int) -> Any:
    if logits is None:
        if logits_input is None:
            raise ValueError("Neither logits nor logits_input supplied.")
        return dense.linear(logits_input, logits_dimension, scope="logits")
    if logits_input is not None:
        raise ValueError("Both logits and logits_input supplied.")
    return logits


def _centered_bias(logits_dimension: int, head_name: str | None) -> tf.Variable:
    bias = tf.Variable(tf.zeros(shape=(logits_dimension,)), name="centered_bias_weight", trainable=True)
    for dimension in range(logits_dimension):
        tf.summary.scalar(measures.of_head(head_name, f"centered_bias/bias_{dimension}"), bias[dimension])
    return bias


def _centered_bias_step(bias: Any, batch_size: Any, labels: Any, loss_fn: Callable, weights: Any) -> tf.Operation:
    with tf.name_scope(None, "centered_bias_step", (labels,)) as name:
        dimension = tf.shape(bias)[0]
        logits = tf.reshape(tf.tile(bias, (batch_size,)), (batch_size, dimension))
        with tf.name_scope(None, "centered_bias", (labels, logits)):
            loss = tf.reduce_mean(loss_fn(labels, logits, weights), name="training_loss")
    return tf.train.AdagradOptimizer(0.1).minimize(loss, var_list=(bias,), name=name)
