"""A head for numbers: mean squared error."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ossia_core.graph.tensor import Tensor
from ossia_estimator.export_outputs import PredictOutput, RegressionOutput
from ossia_estimator.heads import checks, measures
from ossia_estimator.heads.head import LossSpec, SingleLossHead
from ossia_estimator.heads.keys import SERVING_PREDICT, SERVING_REGRESS, MetricKeys, PredictionKeys, named
from ossia_nn import losses
from ossia_nn.losses import Reduction
from ossia_nn.metrics import means
from ossia_ops.math.cast import to_float


def regression_head(
    weight_column: Any = None, label_dimension: int = 1, loss_reduction: str = Reduction.SUM,
    loss_fn: Callable | None = None, inverse_link_fn: Callable | None = None, name: str | None = None,
) -> RegressionHead:
    """A head for one or more numbers.

    Args:
        weight_column: Key or numeric column of weights of examples.
        label_dimension: How many numbers an example has.
        loss_reduction: How the losses of examples become one number, a value of `tf.losses.Reduction`.
        loss_fn: A loss to use instead of the squared error, with arguments `labels`, `logits` and, if wanted,
            `features`.
        inverse_link_fn: Makes predictions from logits.
        name: The name of the head.

    Raises:
        ValueError: An argument is out of range.
    """
    return RegressionHead(label_dimension, weight_column, loss_reduction, loss_fn, inverse_link_fn, name)


class RegressionHead(SingleLossHead):
    """A head for numbers; see `regression_head`."""

    def __init__(
        self, label_dimension: int, weight_column: Any = None, loss_reduction: str = Reduction.SUM,
        loss_fn: Callable | None = None, inverse_link_fn: Callable | None = None, name: str | None = None,
    ) -> None:
        if label_dimension < 1:
            raise ValueError(f"Invalid label_dimension {label_dimension}.")
        super().__init__(weight_column, loss_reduction, loss_fn, name)
        self._logits_dimension = label_dimension
        self._inverse_link_fn = inverse_link_fn

    @property
    def logits_dimension(self) -> int:
        return self._logits_dimension

    def create_loss(self, features: Mapping[str, Any], mode: str, logits: Tensor, labels: Any) -> LossSpec:
        labels = to_float(checks.checked_labels(labels, logits, self.logits_dimension))
        if self._loss_fn:
            unreduced = checks.called_loss(self._loss_fn, labels, logits, features, self.logits_dimension)
        else:
            unreduced = losses.mean_squared_error(labels=labels, predictions=logits, reduction=Reduction.NONE)
        weights = checks.checked_weights(features, self._weight_column, logits, allow_per_logit_weights=True)
        loss = losses.compute_weighted_loss(unreduced, weights=weights, reduction=self._loss_reduction)
        return LossSpec(loss, unreduced, weights, labels)

    def _predictions(self, logits: Tensor) -> tuple[Tensor, dict[str, Tensor]]:
        logits = checks.checked_logits(logits, self.logits_dimension)
        if not self._inverse_link_fn:
            return logits, {PredictionKeys.PREDICTIONS: logits}
        return logits, {PredictionKeys.PREDICTIONS: self._inverse_link_fn(logits), PredictionKeys.LOGITS: logits}

    def _export_outputs(self, predictions: dict[str, Tensor]) -> dict[str, Any]:
        output = RegressionOutput(predictions[PredictionKeys.PREDICTIONS])
        return {"serving_default": output, SERVING_REGRESS: output, SERVING_PREDICT: PredictOutput(predictions)}

    def _metrics(
        self, labels: Any, spec: LossSpec, predictions: dict[str, Tensor], regularization_loss: Any
    ) -> dict[str, Any]:
        keys, weights = MetricKeys, spec.weights
        predicted = predictions[PredictionKeys.PREDICTIONS]
        metrics = {
            keys.LOSS_MEAN: means.mean(spec.unreduced_loss, weights=weights),
            keys.PREDICTION_MEAN: measures.mean_of_predictions(predicted, weights, keys.PREDICTION_MEAN),
            keys.LABEL_MEAN: means.mean(labels, weights=weights),
        }
        if regularization_loss is not None:
            metrics[keys.LOSS_REGULARIZATION] = means.mean(regularization_loss, name=keys.LOSS_REGULARIZATION)
        return {named(self._name, key): metric for key, metric in metrics.items()}
