"""A head for one of two classes: sigmoid cross-entropy."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_estimator.export_outputs import PredictOutput, RegressionOutput
from ossia_estimator.heads import checks, classes, measures
from ossia_estimator.heads.head import LossSpec, SingleLossHead
from ossia_estimator.heads.keys import (
    SERVING_CLASSIFY,
    SERVING_PREDICT,
    SERVING_REGRESS,
    MetricKeys,
    PredictionKeys,
    named,
)
from ossia_nn import losses
from ossia_nn.losses import Reduction
from ossia_nn.metrics import counts, means
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import zeros_like
from ossia_ops.array.shape import expand_dims
from ossia_ops.math.cast import to_float
from ossia_ops.math.exponential import sigmoid
from ossia_ops.math.statistics import argmax
from ossia_ops.nn.cross_entropy import sigmoid_cross_entropy_with_logits
from ossia_ops.nn.softmax import softmax
from ossia_ops.strings.numbers import as_string


def binary_head(
    weight_column: Any = None, thresholds: Sequence[float] | None = None,
    label_vocabulary: Sequence[str] | None = None, loss_reduction: str = Reduction.SUM,
    loss_fn: Callable | None = None, name: str | None = None,
) -> BinaryHead:
    """A head for one of two classes, with one logit.

    Args:
        weight_column: Key or numeric column of weights of examples.
        thresholds: Probabilities at which to measure accuracy, precision and recall.
        label_vocabulary: Names of the two classes, where labels are strings.
        loss_reduction: How the losses of examples become one number, a value of `tf.losses.Reduction`.
        loss_fn: A loss to use instead of cross-entropy, with arguments `labels`, `logits` and, if wanted, `features`.
        name: The name of the head.

    Raises:
        ValueError: An argument is out of range.
    """
    limits = tuple(thresholds or ())
    for limit in limits:
        if limit <= 0.0 or limit >= 1.0:
            raise ValueError(f"thresholds not in (0, 1): {(limits,)}.")
    checks.check_vocabulary(label_vocabulary)
    return BinaryHead(weight_column, limits, label_vocabulary, loss_reduction, loss_fn, name)


class BinaryHead(SingleLossHead):
    """A head for one of two classes; see `binary_head`."""

    def __init__(
        self, weight_column: Any = None, thresholds: Sequence[float] | None = None,
        label_vocabulary: Sequence[str] | None = None, loss_reduction: str = Reduction.SUM,
        loss_fn: Callable | None = None, name: str | None = None,
    ) -> None:
        super().__init__(weight_column, loss_reduction, loss_fn, name)
        self._thresholds = tuple(thresholds or ())
        self._label_vocabulary = label_vocabulary

    @property
    def logits_dimension(self) -> int:
        return 1

    def create_loss(self, features: Mapping[str, Any], mode: str, logits: Tensor, labels: Any) -> LossSpec:
        labels = checks.checked_labels(labels, logits, 1)
        if self._label_vocabulary is not None:
            labels = classes.ids_of_names(self._label_vocabulary).lookup(labels)
        labels = checks.checked_range(to_float(labels), 2)
        if self._loss_fn:
            unreduced = checks.called_loss(self._loss_fn, labels, logits, features)
        else:
            unreduced = sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)
        weights = checks.checked_weights(features, self._weight_column, logits)
        loss = losses.compute_weighted_loss(unreduced, weights=weights, reduction=self._loss_reduction)
        return LossSpec(loss, unreduced, weights, labels)

    def _predictions(self, logits: Tensor) -> tuple[Tensor, dict[str, Tensor]]:
        with name_scope(None, "predictions", (logits,)):
            logits = checks.checked_logits(logits, self.logits_dimension)
            logistic = sigmoid(logits, name=PredictionKeys.LOGISTIC)
            both = concat((zeros_like(logits), logits), axis=-1, name="two_class_logits")
            probabilities = softmax(both, name=PredictionKeys.PROBABILITIES)
            ids = expand_dims(argmax(both, axis=-1, name=PredictionKeys.CLASS_IDS), axis=-1)
            all_ids = classes.all_class_ids(logits, 2)
            all_names = classes.all_classes(logits, 2, self._label_vocabulary)
            if self._label_vocabulary:
                names = classes.names_of_ids(self._label_vocabulary).lookup(ids)
            else:
                names = as_string(ids, name="str_classes")
        return logits, {
            PredictionKeys.LOGITS: logits, PredictionKeys.LOGISTIC: logistic,
            PredictionKeys.PROBABILITIES: probabilities, PredictionKeys.CLASS_IDS: ids, PredictionKeys.CLASSES: names,
            PredictionKeys.ALL_CLASS_IDS: all_ids, PredictionKeys.ALL_CLASSES: all_names,
        }

    def _export_outputs(self, predictions: dict[str, Tensor]) -> dict[str, Any]:
        output = classes.classification_output(
            predictions[PredictionKeys.PROBABILITIES], 2, self._label_vocabulary
        )
        return {
            "serving_default": output, SERVING_CLASSIFY: output,
            SERVING_REGRESS: RegressionOutput(predictions[PredictionKeys.LOGISTIC]),
            SERVING_PREDICT: PredictOutput(predictions),
        }

    def _metrics(
        self, labels: Any, spec: LossSpec, predictions: dict[str, Tensor], regularization_loss: Any
    ) -> dict[str, Any]:
        labels, weights = spec.processed_labels, spec.weights
        logistic, ids = predictions[PredictionKeys.LOGISTIC], predictions[PredictionKeys.CLASS_IDS]
        keys = MetricKeys
        values = (labels, predictions[PredictionKeys.LOGITS], logistic, ids, weights, spec.unreduced_loss)
        with name_scope(None, "metrics", values):
            labels_mean = measures.mean_of_labels(labels, weights, keys.LABEL_MEAN)
            of_ids = dict(labels=labels, predictions=ids, weights=weights)
            metrics = {
                keys.LOSS_MEAN: means.mean(spec.unreduced_loss, weights=weights, name=keys.LOSS_MEAN),
                keys.ACCURACY: means.accuracy(**of_ids, name=keys.ACCURACY),
                keys.PRECISION: counts.precision(**of_ids, name=keys.PRECISION),
                keys.RECALL: counts.recall(**of_ids, name=keys.RECALL),
                keys.PREDICTION_MEAN: measures.mean_of_predictions(logistic, weights, keys.PREDICTION_MEAN),
                keys.LABEL_MEAN: labels_mean,
                keys.ACCURACY_BASELINE: measures.accuracy_of_the_commoner(labels_mean),
                keys.AUC: measures.area_under_curve(labels, logistic, weights, name=keys.AUC),
                keys.AUC_PR: measures.area_under_curve(labels, logistic, weights, "PR", keys.AUC_PR),
            }
            if regularization_loss is not None:
                metrics[keys.LOSS_REGULARIZATION] = means.mean(regularization_loss, name=keys.LOSS_REGULARIZATION)
            metrics.update(measures.at_thresholds(labels, logistic, weights, self._thresholds))
        return {named(self._name, key): metric for key, metric in metrics.items()}
