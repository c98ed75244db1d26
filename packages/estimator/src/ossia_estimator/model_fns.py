"""Calling model functions."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_core.names import logging
from ossia_estimator.input_results import arguments
from ossia_estimator.model_spec import EstimatorSpec

_KNOWN = ("features", "labels", "mode", "params", "self", "config")


def check_model_fn(model_fn: Callable, params: Any) -> None:
    """Raises ValueError where a model function does not take what it will be given."""
    names = arguments(model_fn)
    if "features" not in names:
        raise ValueError(f"model_fn ({model_fn}) must include features argument.")
    if params is not None and "params" not in names:
        raise ValueError(
            f"model_fn ({model_fn}) does not include params argument, but params ({params}) is passed to Estimator."
        )
    unknown = sorted(set(names) - set(_KNOWN))
    if unknown:
        raise ValueError(f"model_fn ({model_fn}) has following not expected args: {unknown}")


def call_model_fn(model_fn: Callable, features: Any, labels: Any, mode: str, params: Any, config: Any) -> EstimatorSpec:
    """Builds a model in the default graph.

    Raises:
        ValueError: There are labels that the function does not take, or it returns something else.
    """
    names = arguments(model_fn)
    offered = {"labels": labels, "mode": mode, "params": params, "config": config}
    if "labels" not in names and labels is not None:
        raise ValueError("model_fn does not take labels, but input_fn returns labels.")
    logging.info("Calling model_fn.")
    spec = model_fn(features=features, **{name: value for name, value in offered.items() if name in names})
    logging.info("Done calling model_fn.")
    if not isinstance(spec, EstimatorSpec):
        raise ValueError("model_fn should return an EstimatorSpec.")
    return spec
