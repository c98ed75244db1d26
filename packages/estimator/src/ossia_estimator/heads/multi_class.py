"""A head for one of several classes: softmax cross-entropy."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_estimator.export_outputs import PredictOutput
from ossia_estimator.heads import checks, classes
from ossia_estimator.heads.head import LossSpec, SingleLossHead
from ossia_estimator.heads.keys import SERVING_CLASSIFY, SERVING_PREDICT, MetricKeys, PredictionKeys, named
from ossia_nn import losses
from ossia_nn.losses import Reduction
from ossia_nn.metrics import means
from ossia_ops.array.shape import expand_dims
from ossia_ops.math.statistics import argmax
from ossia_ops.nn.softmax import softmax
from ossia_ops.strings.numbers import as_string


def multi_class_head(
    n_classes: int, weight_column: Any = None, label_vocabulary: Sequence[str] | None = None,
    loss_reduction: str = Reduction.SUM, loss_fn: Callable | None = None, name: str | None = None,
) -> MultiClassHead:
    """A head for one of more than two classes.

    Args:
        n_classes: How many classes there are.
        weight_column: Key or numeric column of weights of examples.
        label_vocabulary: Names of the classes, where labels are strings.
        loss_reduction: How the losses of examples become one number, a value of `tf.losses.Reduction`.
        loss_fn: A loss to use instead of cross-entropy, with arguments `labels`, `logits` and, if wanted, `features`.
        name: The name of the head.

    Raises:
        ValueError: An argument is out of range.
    """
    checks.check_vocabulary(label_vocabulary)
    return MultiClassHead(n_classes, weight_column, label_vocabulary, loss_reduction, loss_fn, name)


class MultiClassHead(SingleLossHead):
    """A head for one of several classes; see `multi_class_head`."""

    def __init__(
        self, n_classes: int, weight_column: Any = None, label_vocabulary: Sequence[str] | None = None,
        loss_reduction: str = Reduction.SUM, loss_fn: Callable | None = None, name: str | None = None,
    ) -> None:
        super().__init__(weight_column, loss_reduction, loss_fn, name)
        checks.check_classes(n_classes)
        self._n_classes = n_classes
        self._label_vocabulary = label_vocabulary

    @property
    def logits_dimension(self) -> int:
        return self._n_classes

    def create_loss(self, features: Mapping[str, Any], mode: str, logits: Tensor, labels: Any) -> LossSpec:
        ids = self._label_ids(checks.checked_labels(labels, logits, 1))
        if self._loss_fn:
            unreduced = checks.called_loss(self._loss_fn, ids, logits, features)
        else:
            unreduced = losses.sparse_softmax_cross_entropy(labels=ids, logits=logits, reduction=Reduction.NONE)
            unreduced = expand_dims(unreduced, axis=-1)
        weights = checks.checked_weights(features, self._weight_column, logits)
        loss = losses.compute_weighted_loss(unreduced, weights=weights, reduction=self._loss_reduction)
        return LossSpec(loss, unreduced, weights, ids)

    def _label_ids(self, labels: Tensor) -> Tensor:
        if self._label_vocabulary is None:
            if not labels.dtype.is_integer:
                raise ValueError(f"Labels dtype should be integer. Instead got {labels.dtype}.")
            ids = labels
        else:
            if labels.dtype != dtypes.string:
                raise ValueError(
                    f"Labels dtype should be string if there is a vocabulary. Instead got {labels.dtype}"
                )
            ids = classes.ids_of_names(self._label_vocabulary).lookup(labels)
        return checks.checked_range(ids, self._n_classes)

    def _predictions(self, logits: Tensor) -> tuple[Tensor, dict[str, Tensor]]:
        logits = checks.checked_logits(logits, self.logits_dimension)
        with name_scope(None, "predictions", (logits,)):
            all_ids = classes.all_class_ids(logits, self._n_classes)
            all_names = classes.all_classes(logits, self._n_classes, self._label_vocabulary)
            ids = expand_dims(argmax(logits, axis=-1, name=PredictionKeys.CLASS_IDS), axis=-1)
            if self._label_vocabulary:
                names = classes.names_of_ids(self._label_vocabulary).lookup(ids)
            else:
                names = as_string(ids, name="str_classes")
            probabilities = softmax(logits, name=PredictionKeys.PROBABILITIES)
        return logits, {
            PredictionKeys.LOGITS: logits, PredictionKeys.PROBABILITIES: probabilities, PredictionKeys.CLASS_IDS: ids,
            PredictionKeys.CLASSES: names, PredictionKeys.ALL_CLASS_IDS: all_ids,
            PredictionKeys.ALL_CLASSES: all_names,
        }

    def _export_outputs(self, predictions: dict[str, Tensor]) -> dict[str, Any]:
        output = classes.classification_output(
            predictions[PredictionKeys.PROBABILITIES], self._n_classes, self._label_vocabulary
        )
        return {
            "serving_default": output, SERVING_CLASSIFY: output, SERVING_PREDICT: PredictOutput(predictions),
        }

    def _metrics(
        self, labels: Any, spec: LossSpec, predictions: dict[str, Tensor], regularization_loss: Any
    ) -> dict[str, Any]:
        ids = predictions[PredictionKeys.CLASS_IDS]
        values = (spec.processed_labels, ids, spec.weights, spec.unreduced_loss, regularization_loss)
        with name_scope(None, "metrics", values):
            metrics = {
                MetricKeys.LOSS_MEAN: means.mean(
                    spec.unreduced_loss, weights=spec.weights, name=MetricKeys.LOSS_MEAN
                ),
                MetricKeys.ACCURACY: means.accuracy(
                    labels=spec.processed_labels, predictions=ids, weights=spec.weights, name=MetricKeys.ACCURACY
                ),
            }
            if regularization_loss is not None:
                metrics[MetricKeys.LOSS_REGULARIZATION] = means.mean(
                    regularization_loss, name=MetricKeys.LOSS_REGULARIZATION
                )
        return {named(self._name, key): metric for key, metric in metrics.items()}
