"""Calling model functions."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_core.graph.tensor import Tensor
from ossia_core.names import logging
from ossia_core.plugins.api_table import public
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


@public(
    "estimator.experimental.call_logit_fn", "compat.v2.estimator.experimental.call_logit_fn",
    "contrib.estimator.call_logit_fn",
)
def call_logit_fn(logit_fn: Callable, features: Any, mode: str, params: Any, config: Any) -> Any:
    """Calls a function that builds logits with those arguments that it takes.

    Args:
        logit_fn: The function, of `features` and those of `mode`, `params` and `config` that it needs.
        features: Features by name.
        mode: A mode of ModeKeys.
        params: Whatever the function needs.
        config: A RunConfig.

    Returns:
        A tensor, or tensors by name.

    Raises:
        ValueError: The function returns something else.
    """
    offered = {"mode": mode, "params": params, "config": config}
    names = arguments(logit_fn)
    logits = logit_fn(features=features, **{name: value for name, value in offered.items() if name in names})
    values = list(logits.values()) if isinstance(logits, dict) else [logits]
    if not all(isinstance(value, Tensor) for value in values):
        raise ValueError(
            "logit_fn should return a Tensor or a dictionary mapping strings to Tensors.  logit_fn returned: "
            f"{logits}"
        )
    return logits
