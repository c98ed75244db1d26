"""The metrics of `tf.metrics` under their names of old, with predictions before labels."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import ossia as tf
from ossia_core.plugins.api_table import public_value
from ossia_nn.metrics.ranking import streamed_average

_COLLECTED = "metrics_collections=None, updates_collections=None, name=None"
# name: (the metric, its parameters in the order of old, those that it calls otherwise)
_WRAPPED: dict[str, tuple[Callable, str, dict[str, str]]] = {
    "streaming_mean": (tf.metrics.mean, "values, weights=None", {}),
    "streaming_mean_tensor": (tf.metrics.mean_tensor, "values, weights=None", {}),
    "streaming_percentage_less": (tf.metrics.percentage_below, "values, threshold, weights=None", {}),
    "streaming_mean_cosine_distance": (
        tf.metrics.mean_cosine_distance, "predictions, labels, dim, weights=None", {},
    ),
    "streaming_mean_iou": (tf.metrics.mean_iou, "predictions, labels, num_classes, weights=None", {}),
    "streaming_mean_relative_error": (
        tf.metrics.mean_relative_error, "predictions, labels, normalizer, weights=None", {},
    ),
    "streaming_sensitivity_at_specificity": (
        tf.metrics.sensitivity_at_specificity, "predictions, labels, specificity, weights=None, num_thresholds=200", {},
    ),
    "streaming_specificity_at_sensitivity": (
        tf.metrics.specificity_at_sensitivity, "predictions, labels, sensitivity, weights=None, num_thresholds=200", {},
    ),
    "streaming_sparse_average_precision_at_k": (
        tf.metrics.average_precision_at_k, "predictions, labels, k, weights=None", {},
    ),
    "streaming_sparse_precision_at_k": (
        tf.metrics.precision_at_k, "predictions, labels, k, class_id=None, weights=None", {},
    ),
    "streaming_sparse_precision_at_top_k": (
        tf.metrics.precision_at_top_k, "top_k_predictions, labels, class_id=None, weights=None",
        {"top_k_predictions": "predictions_idx"},
    ),
    "streaming_sparse_recall_at_k": (
        tf.metrics.recall_at_k, "predictions, labels, k, class_id=None, weights=None", {},
    ),
    "streaming_sparse_average_precision_at_top_k": (
        streamed_average, "top_k_predictions, labels, weights=None", {"top_k_predictions": "predictions_idx"},
    ),
    "sparse_recall_at_top_k": (
        tf.metrics.recall_at_top_k, "labels, top_k_predictions, class_id=None, weights=None",
        {"top_k_predictions": "predictions_idx"},
    ),
}
for _name in (
    "accuracy", "precision", "recall", "true_positives", "true_negatives", "false_positives", "false_negatives",
    "mean_absolute_error", "mean_squared_error", "root_mean_squared_error",
):
    _WRAPPED[f"streaming_{_name}"] = (getattr(tf.metrics, _name), "predictions, labels, weights=None", {})
for _name in ("precision", "recall"):
    _metric = getattr(tf.metrics, f"{_name}_at_thresholds")
    _WRAPPED[f"streaming_{_name}_at_thresholds"] = (_metric, "predictions, labels, thresholds, weights=None", {})


def _parameters(text: str) -> list[inspect.Parameter]:
    names = (part.strip().partition("=") for part in text.split(","))
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    defaults: dict[str, Any] = {"None": None, "200": 200, "'ROC'": "ROC"}
    return [inspect.Parameter(name, kind, default=defaults[value] if equals else inspect.Parameter.empty)
            for name, equals, value in names]


def _streaming(name: str, metric: Callable, parameters: str, renamed: dict[str, str]) -> Callable[..., Any]:
    signature = inspect.Signature(_parameters(parameters))

    def streaming(*args: Any, **kwargs: Any) -> Any:
        given = signature.bind(*args, **kwargs).arguments
        return metric(**{renamed.get(key, key): value for key, value in given.items()})

    streaming.__name__ = streaming.__qualname__ = name
    streaming.__signature__ = signature  # type: ignore[attr-defined]
    streaming.__doc__ = f"`tf.metrics.{metric.__name__}`, with its arguments in the order of old."
    return streaming


_WRAPPED["streaming_auc"] = (
    tf.metrics.auc,
    "predictions, labels, weights=None, num_thresholds=200, metrics_collections=None, updates_collections=None, "
    "curve='ROC', name=None",
    {},
)
for _name, (_metric, _text, _renamed) in _WRAPPED.items():
    _whole = _text if "name=None" in _text else f"{_text}, {_COLLECTED}"
    globals()[_name] = _streaming(_name, _metric, _whole, _renamed)
    public_value(f"contrib.metrics.{_name}", f"contrib.slim.metrics.{_name}", name=_name)


if TYPE_CHECKING:
    def __getattr__(name: str) -> Any: ...  # what is set in the loop above
