"""Activation functions by the names that layers accept."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_core.builders import builder

_NAMES = {
    "elu": "nn.elu",
    "exponential": "math.exp",
    "relu": "nn.relu",
    "selu": "nn.selu",
    "sigmoid": "nn.sigmoid",
    "softmax": "nn.softmax",
    "softplus": "nn.softplus",
    "softsign": "nn.softsign",
    "tanh": "nn.tanh",
}


def linear(x: Any) -> Any:
    """`x` itself."""
    return x


def activation_function(identifier: Any) -> Callable[[Any], Any]:
    """The function that an activation argument means: None is linear, a string names one, a function is itself.

    Raises:
      ValueError: an unknown name.
      TypeError: something else.
    """
    if identifier is None or identifier == "linear":
        return linear
    if isinstance(identifier, str):
        if identifier not in _NAMES:
            raise ValueError(f"Unknown activation function:{identifier}")
        return builder(_NAMES[identifier])
    if callable(identifier):
        return identifier
    raise TypeError(f"Could not interpret activation function identifier: {identifier!r}")
