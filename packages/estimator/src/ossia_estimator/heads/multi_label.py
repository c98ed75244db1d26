"""A head for any number of classes at once: a sigmoid cross-entropy for each."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_estimator.export_outputs import PredictOutput
from ossia_estimator.heads import checks, classes, indicators, measures
from ossia_estimator.heads.head import LossSpec, SingleLossHead
from ossia_estimator.heads.keys import SERVING_CLASSIFY, SERVING_PREDICT, MetricKeys, PredictionKeys, named
from ossia_nn import losses
from ossia_nn.losses import Reduction
from ossia_nn.metrics import means
from ossia_nn.metrics.thresholds import auc
from ossia_ops.math.exponential import sigmoid
from ossia_ops.math.reduction import reduce_mean


@public("contrib.estimator.multi_label_head")
def multi_label_head(
    n_classes: int, weight_column: Any = None, thresholds: Sequence[float] | None = None,
    label_vocabulary: Sequence[str] | None = None, loss_reduction: str = Reduction.SUM_OVER_BATCH_SIZE,
    loss_fn: Callable | None = None, classes_for_class_based_metrics: Sequence[Any] | None = None,
    name: str | None = None,
) -> MultiLabelHead:
    """A head for classes of which any number may be right.

    Args:
        n_classes: How many classes there are.
        weight_column: Key or numeric column of weights of examples.
        thresholds: Probabilities at which to measure accuracy, precision and recall.
        label_vocabulary: Names of the classes, where labels are strings.
        loss_reduction: How the losses of examples become one number, a value of `tf.losses.Reduction`.
        loss_fn: A loss to use instead of cross-entropy, with arguments `labels`, `logits` and, if wanted, `features`;
            returns losses of shape [batch, 1].
        classes_for_class_based_metrics: Ids or names of the classes to measure each for itself.
        name: The name of the head.

    Labels are indicators of shape [batch, n_classes], or a SparseTensor of ids or names.

    Raises:
        ValueError: An argument is out of range.
    """
    limits = tuple(thresholds or ())
    measured = indicators.check_options(
        n_classes, limits, label_vocabulary, tuple(classes_for_class_based_metrics or ())
    )
    if loss_fn:
        checks.check_loss_fn(loss_fn)
    return MultiLabelHead(n_classes, weight_column, limits, label_vocabulary, loss_reduction, loss_fn, measured, name)


class MultiLabelHead(SingleLossHead):
    """A head for any number of classes at once; see `multi_label_head`."""

    def __init__(
        self, n_classes: int, weight_column: Any, thresholds: Sequence[float], label_vocabulary: Sequence[str] | None,
        loss_reduction: str, loss_fn: Callable | None, measured: Sequence[int], name: str | None,
    ) -> None:
        super().__init__(weight_column, loss_reduction, loss_fn, name)
        self._n_classes = n_classes
        self._thresholds = thresholds
        self._label_vocabulary = label_vocabulary
        self._measured = measured

    @property
    def logits_dimension(self) -> int:
        return self._n_classes

    def create_loss(self, features: Mapping[str, Any], mode: str, logits: Tensor, labels: Any) -> LossSpec:
        labels = indicators.indicators(labels, self._n_classes, self._label_vocabulary)
        labels = checks.checked_labels(labels, logits, self._n_classes)
        if self._loss_fn:
            unreduced = checks.called_loss(self._loss_fn, labels, logits, features)
        else:
            unreduced = losses.sigmoid_cross_entropy(
                multi_class_labels=labels, logits=logits, reduction=Reduction.NONE
            )
            unreduced = reduce_mean(unreduced, axis=-1, keepdims=True)
        weights = checks.checked_weights(features, self._weight_column, logits)
        loss = losses.compute_weighted_loss(unreduced, weights=weights, reduction=self._loss_reduction)
        return LossSpec(loss, unreduced, weights, labels)

    def _predictions(self, logits: Tensor) -> tuple[Tensor, dict[str, Tensor]]:
        logits = checks.checked_logits(logits, self.logits_dimension)
        with name_scope(None, "predictions", (logits,)):
            probabilities = sigmoid(logits, name=PredictionKeys.PROBABILITIES)
        return logits, {PredictionKeys.LOGITS: logits, PredictionKeys.PROBABILITIES: probabilities}

    def _export_outputs(self, predictions: dict[str, Tensor]) -> dict[str, Any]:
        output = classes.classification_output(
            predictions[PredictionKeys.PROBABILITIES], self._n_classes, self._label_vocabulary
        )
        return {"serving_default": output, SERVING_CLASSIFY: output, SERVING_PREDICT: PredictOutput(predictions)}

    def _metrics(
        self, labels: Any, spec: LossSpec, predictions: dict[str, Tensor], regularization_loss: Any
    ) -> dict[str, Any]:
        keys, labels, weights = MetricKeys, spec.processed_labels, spec.weights
        probabilities = predictions[PredictionKeys.PROBABILITIES]
        values = (labels, probabilities, weights, spec.unreduced_loss, regularization_loss)
        with name_scope(None, "metrics", values):
            metrics = {
                keys.LOSS_MEAN: means.mean(spec.unreduced_loss, weights=weights, name=keys.LOSS_MEAN),
                keys.AUC: auc(labels, probabilities, weights=weights, name=keys.AUC),
                keys.AUC_PR: auc(labels, probabilities, weights=weights, curve="PR", name=keys.AUC_PR),
            }
            if regularization_loss is not None:
                metrics[keys.LOSS_REGULARIZATION] = means.mean(regularization_loss, name=keys.LOSS_REGULARIZATION)
            metrics.update(measures.at_thresholds(labels, probabilities, weights, self._thresholds))
            for class_id in self._measured:
                metrics.update(self._metrics_of_class(class_id, labels, probabilities, weights))
        return {named(self._name, key): metric for key, metric in metrics.items()}

    def _metrics_of_class(self, class_id: int, labels: Tensor, probabilities: Tensor, weights: Any) -> dict[str, Any]:
        keys = MetricKeys
        predicted, right = indicators.of_class(class_id, probabilities, labels)
        if self._label_vocabulary is None:
            mean_key, auc_key, pr_key = (
                key % class_id for key in (keys.PROBABILITY_MEAN_AT_CLASS, keys.AUC_AT_CLASS, keys.AUC_PR_AT_CLASS)
            )
        else:
            mean_key, auc_key, pr_key = (
                key % self._label_vocabulary[class_id]
                for key in (keys.PROBABILITY_MEAN_AT_NAME, keys.AUC_AT_NAME, keys.AUC_PR_AT_NAME)
            )
        return {
            mean_key: measures.mean_of_predictions(predicted, weights, mean_key),
            auc_key: measures.area_under_curve(right, predicted, weights, name=auc_key),
            pr_key: measures.area_under_curve(right, predicted, weights, "PR", pr_key),
        }
