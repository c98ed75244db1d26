"""Heads of classifiers: two classes, several, a margin between two, and labels that do not exclude each other."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import ossia as tf
from ossia_contrib.learn.heads import losses, measures
from ossia_contrib.learn.heads.head import Head, SingleHead
from ossia_contrib.learn.heads.measures import MetricKey
from ossia_contrib.learn.specs import PredictionKey, ProblemType
from ossia_core.plugins.api_table import public


@public("contrib.learn.multi_class_head", "contrib.learn.head.multi_class_head")
def multi_class_head(
    n_classes: int, label_name: str | None = None, weight_column_name: str | None = None,
    enable_centered_bias: bool = False, head_name: str | None = None, thresholds: Iterable[float] | None = None,
    metric_class_ids: Sequence[int] | None = None, loss_fn: Callable | None = None,
    label_keys: Sequence[str] | None = None,
) -> Head:
    """The head of a model that says which of several classes an example has.

    Args:
      n_classes: how many classes there are; two have one logit.
      label_name: the name of its labels, if labels are a dict.
      weight_column_name: the feature with the weights of examples.
      enable_centered_bias: whether a bias is added that is trained by itself.
      head_name: a name, which that of every metric ends with.
      thresholds: probabilities at which accuracy, precision and recall of two classes are told, 0.5 by default.
      metric_class_ids: classes of several with metrics of their own.
      loss_fn: a function of `labels`, `logits` and `weights` that gives two losses.
      label_keys: labels as texts; of several classes.

    Raises:
      ValueError: there are too few classes, or an argument is not for so many.
    """
    if n_classes is None or n_classes < 2:
        raise ValueError(f"n_classes must be > 1 for classification: {n_classes}.")
    custom = _wrapped(loss_fn) if loss_fn else None
    if n_classes == 2:
        if metric_class_ids:
            raise ValueError("metric_class_ids invalid for n_classes==2.")
        if label_keys:
            raise ValueError("label_keys is not supported for n_classes=2.")
        return _BinaryLogisticHead(
            label_name, weight_column_name, enable_centered_bias, head_name, custom or losses.two_classes, thresholds
        )
    return _MultiClassHead(
        n_classes, label_name, weight_column_name, enable_centered_bias, head_name, custom or losses.classes,
        metric_class_ids, label_keys,
    )


@public("contrib.learn.binary_svm_head", "contrib.learn.head.binary_svm_head")
def binary_svm_head(
    label_name: str | None = None, weight_column_name: str | None = None, enable_centered_bias: bool = False,
    head_name: str | None = None, thresholds: Iterable[float] | None = None,
) -> Head:
    """The head of a support vector machine of two classes.

    Args:
      label_name, weight_column_name, enable_centered_bias, head_name: as for `multi_class_head`.
      thresholds: not used.
    """
    return _BinarySvmHead(label_name, weight_column_name, enable_centered_bias, head_name, losses.hinge, thresholds)


@public("contrib.learn.multi_label_head", "contrib.learn.head.multi_label_head")
def multi_label_head(
    n_classes: int, label_name: str | None = None, weight_column_name: str | None = None,
    enable_centered_bias: bool = False, head_name: str | None = None, thresholds: Iterable[float] | None = None,
    metric_class_ids: Sequence[int] | None = None, loss_fn: Callable | None = None,
) -> Head:
    """The head of a model that says of each of several labels whether an example has it.

    Args:
      n_classes: how many labels there are.
      label_name, weight_column_name, enable_centered_bias, head_name, metric_class_ids, loss_fn: as for
        `multi_class_head`.
      thresholds: not used.

    Raises:
      ValueError: there are fewer than two.
    """
    if n_classes < 2:
        raise ValueError("n_classes must be > 1 for classification.")
    return _MultiLabelHead(
        n_classes, label_name, weight_column_name, enable_centered_bias, head_name,
        _wrapped(loss_fn) if loss_fn else losses.labels_apart, metric_class_ids,
    )


def _wrapped(loss_fn: Callable) -> Callable:
    """A loss of a program, called as those of heads are."""
    names = inspect.signature(loss_fn).parameters
    for name in ("labels", "logits", "weights"):
        if name not in names:
            raise ValueError(f"Argument {name} not found in loss_fn.")

    def loss(labels: Any, logits: Any, weights: Any) -> losses.Losses:
        found = loss_fn(labels=labels, logits=logits, **({} if weights is None else {"weights": weights}))
        return found if isinstance(found, tuple) else (found, found)

    return loss


def _two_logits(logits: Any) -> Any:
    """Logits of two classes, of which the first is 0."""
    return tf.concat((tf.zeros_like(logits), logits), 1)


class ClassHead(SingleHead):
    """A head whose output for serving has the texts of classes."""

    _label_keys: Sequence[str] | None = None

    def _output_alternatives(self, predictions: dict[str, Any]) -> dict[Any, Any]:
        probabilities = predictions.get(PredictionKey.PROBABILITIES)
        if probabilities is None:
            return super()._output_alternatives(predictions)
        with tf.name_scope(None, "_classification_output_alternatives", (probabilities,)):
            batch = tf.shape(probabilities)[0]
            if self._label_keys:
                keys = tf.expand_dims(list(self._label_keys), axis=0)
                texts = tf.tile(keys, [batch, 1], name="classes_tensor")
            else:
                ids = tf.range(tf.shape(probabilities)[1])
                texts = tf.as_string(tf.tile(tf.expand_dims(ids, 0), [batch, 1]), name="classes_tensor")
        outputs = {PredictionKey.PROBABILITIES: probabilities, PredictionKey.CLASSES: texts}
        return {self._head_name: (self._problem_type, outputs)}


class _BinaryLogisticHead(ClassHead):
    def __init__(
        self, label_name: Any, weight_column_name: Any, enable_centered_bias: bool, head_name: Any, loss_fn: Callable,
        thresholds: Any,
    ) -> None:
        super().__init__(
            ProblemType.LOGISTIC_REGRESSION, 1, label_name, weight_column_name, head_name, enable_centered_bias,
            loss_fn, "binary_logistic_head",
        )
        self._thresholds = tuple(thresholds) if thresholds else (0.5,)

    def _logits_to_predictions(self, logits: Any) -> dict[str, Any]:
        with tf.name_scope(None, "predictions", (logits,)):
            two = _two_logits(logits)
            return {
                PredictionKey.LOGITS: logits,
                PredictionKey.LOGISTIC: tf.sigmoid(logits, name=PredictionKey.LOGISTIC),
                PredictionKey.PROBABILITIES: tf.nn.softmax(two, name=PredictionKey.PROBABILITIES),
                PredictionKey.CLASSES: tf.argmax(two, 1, name=PredictionKey.CLASSES),
            }

    def _metrics(self, loss: Any, predictions: dict[str, Any], labels: Any, weights: Any) -> dict[str, Any]:
        classes, logistic = predictions[PredictionKey.CLASSES], predictions[PredictionKey.LOGISTIC]
        found = super()._metrics(loss, predictions, labels, weights)
        found[self._named(MetricKey.ACCURACY)] = tf.metrics.accuracy(labels, classes, weights)
        found[self._named(MetricKey.PREDICTION_MEAN)] = measures.column_mean(logistic, weights)
        found[self._named(MetricKey.LABEL_MEAN)] = measures.column_mean(labels, weights)
        found[self._named(MetricKey.ACCURACY_BASELINE)] = measures.column_mean(labels, weights)
        found[self._named(MetricKey.AUC)] = measures.auc(logistic, labels, weights)
        found[self._named(MetricKey.AUC_PR)] = measures.auc(logistic, labels, weights, curve="PR")
        found.update(measures.at_thresholds(logistic, labels, weights, self._thresholds, self._head_name))
        return found


class _MultiClassHead(ClassHead):
    def __init__(
        self, n_classes: int, label_name: Any, weight_column_name: Any, enable_centered_bias: bool, head_name: Any,
        loss_fn: Callable, metric_class_ids: Any, label_keys: Sequence[str] | None,
    ) -> None:
        super().__init__(
            ProblemType.CLASSIFICATION, n_classes, label_name, weight_column_name, head_name, enable_centered_bias,
            loss_fn, "multi_class_head",
        )
        if label_keys and len(label_keys) != n_classes:
            raise ValueError("Length of label_keys must equal n_classes.")
        self._label_keys = label_keys
        self._metric_class_ids = tuple(metric_class_ids or ())
        for class_id in self._metric_class_ids:
            if class_id < 0 or class_id >= n_classes:
                raise ValueError(f"Class ID {class_id} not in [0, {n_classes}).")

    def _transform_labels(self, mode: str, labels: Any) -> Any:
        labels = super()._transform_labels(mode, labels)
        if labels is not None and self._label_keys:
            table = tf.contrib.lookup.index_table_from_tensor(self._label_keys, name="label_id_lookup")
            self._label_ids = table.lookup(labels)
        return labels

    def _losses(self, labels: Any, logits: Any, weights: Any) -> losses.Losses:
        return super()._losses(self._label_ids if self._label_keys else labels, logits, weights)

    def _logits_to_predictions(self, logits: Any) -> dict[str, Any]:
        with tf.name_scope(None, "predictions", (logits,)):
            classes = tf.argmax(logits, 1, name=PredictionKey.CLASSES)
            if self._label_keys:
                table = tf.contrib.lookup.index_to_string_table_from_tensor(
                    self._label_keys, name="class_string_lookup"
                )
                classes = table.lookup(classes)
            return {
                PredictionKey.LOGITS: logits,
                PredictionKey.PROBABILITIES: tf.nn.softmax(logits, name=PredictionKey.PROBABILITIES),
                PredictionKey.CLASSES: classes,
            }

    def _metrics(self, loss: Any, predictions: dict[str, Any], labels: Any, weights: Any) -> dict[str, Any]:
        ids = predictions[PredictionKey.CLASSES]
        found = super()._metrics(loss, predictions, labels, weights)
        found[self._named(MetricKey.ACCURACY)] = tf.metrics.accuracy(labels, ids, weights)
        if not self._label_keys:
            probabilities, logits = predictions[PredictionKey.PROBABILITIES], predictions[PredictionKey.LOGITS]
            for each in self._metric_class_ids:
                found[self._named(MetricKey.CLASS_PREDICTION_MEAN % each)] = measures.class_mean(ids, weights, each)
                found[self._named(MetricKey.CLASS_LABEL_MEAN % each)] = measures.class_mean(labels, weights, each)
                for key, values in (
                    (MetricKey.CLASS_PROBABILITY_MEAN, probabilities), (MetricKey.CLASS_LOGITS_MEAN, logits)
                ):
                    found[self._named(key % each)] = measures.column_mean(values, weights, each)
        return found


class _BinarySvmHead(SingleHead):
    def __init__(
        self, label_name: Any, weight_column_name: Any, enable_centered_bias: bool, head_name: Any, loss_fn: Callable,
        thresholds: Any,
    ) -> None:
        super().__init__(
            ProblemType.LOGISTIC_REGRESSION, 1, label_name, weight_column_name, head_name, enable_centered_bias,
            loss_fn, "binary_svm_head",
        )

    def _logits_to_predictions(self, logits: Any) -> dict[str, Any]:
        with tf.name_scope(None, "predictions", (logits,)):
            classes = tf.argmax(_two_logits(logits), 1, name=PredictionKey.CLASSES)
            return {PredictionKey.LOGITS: logits, PredictionKey.CLASSES: classes}

    def _metrics(self, loss: Any, predictions: dict[str, Any], labels: Any, weights: Any) -> dict[str, Any]:
        found = super()._metrics(loss, predictions, labels, weights)
        found[self._named(MetricKey.ACCURACY)] = tf.metrics.accuracy(
            labels, predictions[PredictionKey.CLASSES], weights
        )
        return found


class _MultiLabelHead(ClassHead):
    def __init__(
        self, n_classes: int, label_name: Any, weight_column_name: Any, enable_centered_bias: bool, head_name: Any,
        loss_fn: Callable, metric_class_ids: Any,
    ) -> None:
        super().__init__(
            ProblemType.CLASSIFICATION, n_classes, label_name, weight_column_name, head_name, enable_centered_bias,
            loss_fn, "multi_label_head",
        )
        self._metric_class_ids = tuple(metric_class_ids or ())
        for class_id in self._metric_class_ids:
            if class_id < 0 or class_id >= n_classes:
                raise ValueError(f"Class ID {class_id} not in [0, {n_classes}).")

    def _logits_to_predictions(self, logits: Any) -> dict[str, Any]:
        with tf.name_scope(None, "predictions", (logits,)):
            return {
                PredictionKey.LOGITS: logits,
                PredictionKey.PROBABILITIES: tf.sigmoid(logits, name=PredictionKey.PROBABILITIES),
                PredictionKey.CLASSES: tf.cast(tf.greater(logits, 0), tf.int64, name=PredictionKey.CLASSES),
            }

    def _metrics(self, loss: Any, predictions: dict[str, Any], labels: Any, weights: Any) -> dict[str, Any]:
        classes, logits = predictions[PredictionKey.CLASSES], predictions[PredictionKey.LOGITS]
        probabilities = predictions[PredictionKey.PROBABILITIES]
        found = super()._metrics(loss, predictions, labels, weights)
        found[self._named(MetricKey.ACCURACY)] = tf.metrics.accuracy(labels, classes, weights)
        found[self._named(MetricKey.AUC)] = measures.auc(probabilities, labels, weights)
        found[self._named(MetricKey.AUC_PR)] = measures.auc(probabilities, labels, weights, curve="PR")
        for each in self._metric_class_ids:
            for key, values in (
                (MetricKey.CLASS_PREDICTION_MEAN, classes), (MetricKey.CLASS_LABEL_MEAN, labels),
                (MetricKey.CLASS_PROBABILITY_MEAN, probabilities), (MetricKey.CLASS_LOGITS_MEAN, logits),
            ):
                found[self._named(key % each)] = measures.column_mean(values, weights, each)
            found[self._named(MetricKey.CLASS_AUC % each)] = measures.auc(probabilities, labels, weights, each)
            found[self._named(MetricKey.CLASS_AUC_PR % each)] = measures.auc(
                probabilities, labels, weights, each, curve="PR"
            )
        return found
