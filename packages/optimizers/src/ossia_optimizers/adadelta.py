"""Adadelta (Zeiler 2012): steps scaled by the average size of past steps over that of past gradients."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.plugins.api_table import provides
from ossia_ops.math.cast import cast
from ossia_optimizers.formula import GRADIENT, FormulaOptimizer
from ossia_optimizers.updates import update_ops


@update_ops("Adadelta", "lr rho epsilon grad", looked_up=True)
def updates(var, accum, accum_update, lr, rho, epsilon, grad):
    """A step of Adadelta: the gradient, scaled by the ratio of the running sizes of past steps and past gradients."""
    rest = rho.dtype.type(1) - rho
    accum *= rho
    accum += np.square(grad) * rest
    step = np.sqrt(accum_update + epsilon) / np.sqrt(accum + epsilon) * grad
    var -= step * lr
    accum_update *= rho
    accum_update += np.square(step) * rest


updates.samples(lr=1.0, rho=0.9, epsilon=1e-6)


@provides("ossia_optimizers", "AdadeltaOptimizer")
class AdadeltaOptimizer(FormulaOptimizer):
    """Adadelta.

    Args:
      learning_rate: a number, tensor, or function that returns one; 1.0 for the method as published.
      rho: decay of the averages, likewise.
      epsilon: keeps the ratio from zero, likewise.
      use_locking: whether updates hold locks.
      name: name of the optimizer.
    """

    _updates = updates
    _state = ("accum", "accum_update")

    def __init__(
        self,
        learning_rate: Any = 0.001,
        rho: Any = 0.95,
        epsilon: Any = 1e-8,
        use_locking: bool = False,
        name: str = "Adadelta",
    ) -> None:
        super().__init__(use_locking, name)
        self._lr, self._rho, self._epsilon = learning_rate, rho, epsilon

    def _create_slots(self, var_list: Any) -> None:
        for var in var_list:
            self._zeros_slot(var, "accum", self._name)
            self._zeros_slot(var, "accum_update", self._name)

    def _prepare(self) -> None:
        values = [self._call_if_callable(value) for value in (self._lr, self._rho, self._epsilon)]
        self._lr_t, self._rho_t, self._epsilon_t = [
            convert_to_tensor(v, name=n) for v, n in zip(values, ("lr", "rho", "epsilon"))
        ]

    def _inputs(self, dtype: Any, form: str) -> list[Any]:
        return [cast(self._lr_t, dtype), cast(self._rho_t, dtype), cast(self._epsilon_t, dtype), GRADIENT]
