"""What `tf.contrib.estimator` adds to given models: features beside predictions, and gradients that are clipped."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ossia_core.graph.composites import SparseTensor
from ossia_core.plugins.api_table import public
from ossia_estimator.estimator import Estimator
from ossia_estimator.export_outputs import PredictOutput
from ossia_estimator.modes import ModeKeys
from ossia_ops.math.clip import clip_by_global_norm
from ossia_ops.sparse.dense import sparse_tensor_to_dense
from ossia_optimizers.base import Optimizer


@public("contrib.estimator.forward_features")
def forward_features(
    estimator: Any, keys: str | Sequence[str] | None = None, sparse_default_values: Mapping[str, Any] | None = None
) -> Estimator:
    """An estimator for the same model that returns features beside predictions, such as the key of each example.

    Args:
        estimator: The estimator.
        keys: Names of the features to return; None for all.
        sparse_default_values: What stands for missing values of sparse features, by their names.

    Raises:
        TypeError: A key is no string.
        ValueError: When predictions are made: there is no such feature, or a prediction of that name.
    """
    chosen = _checked_keys(keys)
    defaults = dict(sparse_default_values or {})

    def model_fn(features: Any, labels: Any, mode: str, config: Any) -> Any:
        spec = estimator.model_fn(features, labels, mode, config)
        predictions = spec.predictions
        if predictions is None or mode != ModeKeys.PREDICT:
            return spec
        if not isinstance(predictions, dict):
            raise ValueError(f"Predictions should be a dict to be able to forward features. Given: {type(predictions)}")
        wanted = chosen if chosen is not None else list(features)
        forwarded = {key: _feature(features, key, predictions, defaults) for key in wanted}
        for output in (spec.export_outputs or {}).values():
            if isinstance(output, PredictOutput):
                output.outputs.update(forwarded)
        return spec._replace(predictions={**predictions, **forwarded})

    return Estimator(model_fn=model_fn, model_dir=estimator.model_dir, config=estimator.config)


def _checked_keys(keys: Any) -> list[str] | None:
    if keys is None:
        return None
    if isinstance(keys, str):
        return [keys]
    if not isinstance(keys, (list, tuple)):
        raise TypeError(f"keys should be either a string or a list of strings. Given: {type(keys)}")
    for key in keys:
        if not isinstance(key, str):
            raise TypeError(
                "All items in the given keys list should be a string. There exist an item with type: "
                f"{type(key)}"
            )
    return list(keys)


def _feature(features: Any, key: str, predictions: Mapping[str, Any], defaults: Mapping[str, Any]) -> Any:
    if key not in features:
        raise ValueError(
            f'keys should be exist in features. Key "{key}" is not in features dict. features dict has following keys: '
            f"{features.keys()}. Please check arguments of forward_features."
        )
    if key in predictions:
        raise ValueError(
            f"Cannot forward feature key ({key}). Since it does exist in predictions. Existing prediction keys: "
            f"{predictions.keys()}. Please check arguments of forward_features."
        )
    feature = features[key]
    if not isinstance(feature, SparseTensor):
        return feature
    return sparse_tensor_to_dense(feature, default_value=defaults.get(key))


@public("contrib.estimator.clip_gradients_by_norm")
def clip_gradients_by_norm(optimizer: Optimizer, clip_norm: float) -> Optimizer:
    """An optimizer that scales gradients so that the norm of all of them together stays within a limit.

    Args:
        optimizer: What applies the gradients.
        clip_norm: The limit.

    Raises:
        AttributeError: `optimizer` is none.
    """

    def clipped(pairs: Sequence[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
        gradients, variables = zip(*pairs)
        limited, _ = clip_by_global_norm(gradients, clip_norm)
        return list(zip(limited, variables))

    return _Transforming(optimizer, clipped, "ClipByNorm" + optimizer.get_name())


class _Transforming(Optimizer):
    """Hands gradients on to another optimizer, changed by a function of pairs of gradient and variable."""

    def __init__(self, optimizer: Optimizer, transform: Callable, name: str) -> None:
        super().__init__(use_locking=False, name=name)
        self._optimizer = optimizer
        self._transform = transform

    def compute_gradients(self, *args: Any, **options: Any) -> list[tuple[Any, Any]]:
        return self._optimizer.compute_gradients(*args, **options)

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        return self._optimizer.apply_gradients(self._transform(grads_and_vars), global_step, name)

    def get_slot(self, *args: Any, **options: Any) -> Any:
        return self._optimizer.get_slot(*args, **options)

    def get_slot_names(self, *args: Any, **options: Any) -> Any:
        return self._optimizer.get_slot_names(*args, **options)
