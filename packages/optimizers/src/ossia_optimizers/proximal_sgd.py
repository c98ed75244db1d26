"""Proximal gradient descent (Duchi and Singer 2009): a step of gradient descent, then l1 and l2 shrink the weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.plugins.api_table import provides
from ossia_ops.math.cast import cast
from ossia_optimizers.formula import GRADIENT, FormulaOptimizer
from ossia_optimizers.updates import update_ops


def nearer(values: np.ndarray, threshold: Any) -> np.ndarray:
    """`values`, nearer to zero by a threshold, but not past it."""
    if threshold.ndim:
        return values - np.minimum(np.maximum(values, -threshold), threshold)
    if threshold >= 0:
        return values - values.clip(-threshold, threshold)
    return np.sign(values) * (np.abs(values) - threshold)


def shrink(moved: np.ndarray, rate: Any, l1: Any, l2: Any) -> np.ndarray:
    """The proximal step at `rate`: towards zero by l1, and divided by what l2 asks for."""
    if l1 > 0:
        moved = nearer(moved, rate * l1)
    return moved / (1 + l2 * rate) if l2 else moved


class ProximalOptimizer(FormulaOptimizer):
    """An optimizer whose steps take a learning rate and the strengths of l1 and l2."""

    def _prepare(self) -> None:
        self._learning_rate_tensor, self._l1_regularization_strength_tensor, self._l2_regularization_strength_tensor = [
            convert_to_tensor(getattr(self, "_" + name), name=name)
            for name in ("learning_rate", "l1_regularization_strength", "l2_regularization_strength")
        ]

    def _inputs(self, dtype: Any, form: str) -> list[Any]:
        values = [
            self._learning_rate_tensor, self._l1_regularization_strength_tensor, self._l2_regularization_strength_tensor
        ]
        if form == "resource_sparse":  # the other forms want them of the variable's dtype
            values = [cast(value, dtype) for value in values]
        return [*values, GRADIENT]


@update_ops("ProximalGradientDescent", "alpha l1 l2 delta", whole_rows=True)
def updates(var, alpha, l1, l2, delta):
    """A step of gradient descent, then shrinkage by the norms l1 and l2."""
    var[...] = shrink(var - delta * alpha, alpha, l1, l2)


updates.samples(alpha=0.1, l1=0.3, l2=0.2)


@provides("ossia_optimizers", "ProximalGradientDescentOptimizer")
class ProximalGradientDescentOptimizer(ProximalOptimizer):
    """Proximal gradient descent.

    Args:
      learning_rate: a number or tensor.
      l1_regularization_strength: a number not below 0.
      l2_regularization_strength: a number not below 0.
      use_locking: whether updates hold locks.
      name: name of the optimizer.
    """

    _updates = updates

    def __init__(
        self,
        learning_rate: Any,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        use_locking: bool = False,
        name: str = "ProximalGradientDescent",
    ) -> None:
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._l1_regularization_strength, self._l2_regularization_strength = (
            l1_regularization_strength,
            l2_regularization_strength,
        )
