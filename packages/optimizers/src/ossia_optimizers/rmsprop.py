"""RMSProp (Tieleman and Hinton 2012): gradients over the root of their average square, with momentum; centred, over
their deviation (Graves 2013)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.plugins.api_table import provides
from ossia_ops.array.fill import ones_like
from ossia_ops.math.cast import cast
from ossia_optimizers.formula import GRADIENT, FormulaOptimizer
from ossia_optimizers.slots import all_ones
from ossia_optimizers.updates import Updates, update_ops


@update_ops("RMSProp", "lr rho momentum epsilon grad")
def updates(var, ms, mom, lr, rho, momentum, epsilon, grad):
    """A step of RMSProp: momentum over gradients divided by the root of the mean of their squares."""
    ms += (np.square(grad) - ms) * (rho.dtype.type(1) - rho)
    mom *= momentum
    mom += grad * lr / np.sqrt(ms + epsilon)
    var -= mom


updates.samples(lr=0.1, rho=0.9, momentum=0.5, epsilon=1e-3)


@update_ops("CenteredRMSProp", "lr rho momentum epsilon grad")
def centered_updates(var, mg, ms, mom, lr, rho, momentum, epsilon, grad):
    """A step of RMSProp with the variance of the gradients in place of the mean of their squares."""
    rest = rho.dtype.type(1) - rho
    ms += (np.square(grad) - ms) * rest
    mg += (grad - mg) * rest
    mom *= momentum
    mom += grad * lr / np.sqrt(ms - np.square(mg) + epsilon)
    var -= mom


centered_updates.samples(lr=0.1, rho=0.9, momentum=0.5, epsilon=10.0)


@provides("ossia_optimizers", "RMSPropOptimizer")
class RMSPropOptimizer(FormulaOptimizer):
    """RMSProp.

    Args:
      learning_rate: a number, tensor, or function that returns one.
      decay: decay of the averages, likewise.
      momentum: decay of past steps, likewise.
      epsilon: keeps the denominator from zero, likewise.
      use_locking: whether updates hold locks.
      centered: whether the square of the average gradient is subtracted from the average square.
      name: name of the optimizer.
    """

    def __init__(
        self,
        learning_rate: Any,
        decay: Any = 0.9,
        momentum: Any = 0.0,
        epsilon: Any = 1e-10,
        use_locking: bool = False,
        centered: bool = False,
        name: str = "RMSProp",
    ) -> None:
        super().__init__(use_locking, name)
        self._learning_rate, self._decay, self._momentum, self._epsilon = learning_rate, decay, momentum, epsilon
        self._centered = centered
        self._state = ("mg", "rms", "momentum") if centered else ("rms", "momentum")

    def _ops(self) -> Updates:
        return centered_updates if self._centered else updates

    def _create_slots(self, var_list: Any) -> None:
        for var in var_list:
            dtype = var.dtype.base_dtype
            ones: Any = all_ones if var.shape.is_fully_defined() else ones_like(var)
            self._get_or_make_slot_with_initializer(var, ones, var.shape, dtype, "rms", self._name)
            if self._centered:
                self._zeros_slot(var, "mg", self._name)
            self._zeros_slot(var, "momentum", self._name)

    def _prepare(self) -> None:
        values = [
            self._call_if_callable(value) for value in (self._learning_rate, self._decay, self._momentum, self._epsilon)
        ]
        names = ("learning_rate", "decay", "momentum", "epsilon")
        self._learning_rate_tensor, self._decay_tensor, self._momentum_tensor, self._epsilon_tensor = [
            convert_to_tensor(value, name=name) for value, name in zip(values, names)
        ]

    def _inputs(self, dtype: Any, form: str) -> list[Any]:
        values = (self._learning_rate_tensor, self._decay_tensor, self._momentum_tensor, self._epsilon_tensor)
        return [*[cast(value, dtype) for value in values], GRADIENT]
