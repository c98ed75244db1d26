"""Optimizers by name."""
from __future__ import annotations

from typing import Any

from ossia_optimizers.adagrad import AdagradOptimizer
from ossia_optimizers.adam import AdamOptimizer
from ossia_optimizers.base import Optimizer
from ossia_optimizers.ftrl import FtrlOptimizer
from ossia_optimizers.rmsprop import RMSPropOptimizer
from ossia_optimizers.sgd import GradientDescentOptimizer

_BY_NAME = {
    "Adagrad": AdagradOptimizer, "Adam": AdamOptimizer, "Ftrl": FtrlOptimizer, "RMSProp": RMSPropOptimizer,
    "SGD": GradientDescentOptimizer,
}
_HAVE_DEFAULT_RATE = ("Adam",)
_LEARNING_RATE = 0.05


def optimizer_of(given: Any, learning_rate: float | None = None) -> Optimizer:
    """The optimizer that an argument names, makes or is.

    Args:
        given: A name, a function without arguments that makes an optimizer, or an optimizer.
        learning_rate: The rate, for a name.

    Raises:
        ValueError: There is no optimizer of that name, or it is none.
    """
    if isinstance(given, str):
        if given not in _BY_NAME:
            raise ValueError(
                f"Unsupported optimizer name: {given}. Supported names are: {tuple(sorted(_BY_NAME))}"
            )
        if not learning_rate and given in _HAVE_DEFAULT_RATE:
            return _BY_NAME[given]()
        return _BY_NAME[given](learning_rate=learning_rate or _LEARNING_RATE)
    made = given() if callable(given) else given
    if not isinstance(made, Optimizer):
        raise ValueError(f"The given object is not an Optimizer instance. Given: {made}")
    return made
