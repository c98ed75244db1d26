"""An estimator of probabilities, with the metrics of two classes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ossia as tf
from ossia_contrib.learn.estimator import Estimator
from ossia_contrib.learn.heads.measures import MetricKey
from ossia_contrib.learn.modes import ModeKeys
from ossia_contrib.learn.specs import ModelFnOps, ProblemType
from ossia_core.plugins.api_table import public


@public("contrib.learn.LogisticRegressor")
def LogisticRegressor(
    model_fn: Callable, thresholds: Sequence[float] | None = None, model_dir: str | None = None, config: Any = None,
    feature_engineering_fn: Callable | None = None,
) -> Estimator:
    """An estimator of a model function that predicts probabilities `[batch, 1]`.

    Args:
      model_fn: a function of `features`, `labels` and `mode` that returns predictions, loss and training op.
      thresholds: probabilities at which accuracy, precision and recall are told, 0.5 by default.
      model_dir: the folder of checkpoints and events.
      config: a `RunConfig`.
      feature_engineering_fn: a function of features and labels that makes those that the model gets.
    """

    def with_metrics(features: Any, labels: Any, mode: str, params: dict[str, Any]) -> ModelFnOps:
        predictions, loss, train_op = model_fn(features, labels, mode)
        metrics = _metrics(labels, predictions, params["thresholds"] or (0.5,)) if mode == ModeKeys.EVAL else None
        return ModelFnOps(
            mode=mode, predictions=predictions, loss=loss, train_op=train_op, eval_metric_ops=metrics,
            output_alternatives={"head": (ProblemType.LOGISTIC_REGRESSION, {"predictions": predictions})},
        )

    return Estimator(
        model_fn=with_metrics, model_dir=model_dir, config=config, params={"thresholds": thresholds},
        feature_engineering_fn=feature_engineering_fn,
    )


def _metrics(labels: Any, predictions: Any, thresholds: Sequence[float]) -> dict[str, Any]:
    found = {
        MetricKey.PREDICTION_MEAN: tf.metrics.mean(predictions),
        MetricKey.LABEL_MEAN: tf.metrics.mean(labels),
        MetricKey.ACCURACY_BASELINE: tf.metrics.mean(labels),
        MetricKey.AUC: tf.metrics.auc(labels, predictions),
    }
    for threshold in thresholds:
        rounded = tf.cast(
            tf.greater_equal(predictions, threshold), tf.float32, name=f"predictions_at_threshold_{threshold:f}"
        )
        found[MetricKey.ACCURACY_MEAN % threshold] = tf.metrics.accuracy(labels, rounded)
        found[MetricKey.PRECISION_MEAN % threshold] = tf.metrics.precision(labels, rounded)
        found[MetricKey.RECALL_MEAN % threshold] = tf.metrics.recall(labels, rounded)
    return found
