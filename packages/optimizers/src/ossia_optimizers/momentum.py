"""Momentum: `accum = momentum * accum + gradient; var -= learning_rate * accum` (Polyak 1964), with Nesterov's variant
(Sutskever et al. 2013)."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.plugins.api_table import provides
from ossia_ops.math.cast import cast
from ossia_optimizers.formula import GRADIENT, FormulaOptimizer
from ossia_optimizers.updates import update_ops


@update_ops("Momentum", "lr grad momentum", use_nesterov="bool = false")
def updates(var, accum, lr, grad, momentum, *, use_nesterov):
    """A step of momentum: the decayed sum of the gradients; Nesterov's looks one step ahead."""
    accum *= momentum
    accum += grad
    if use_nesterov:
        var -= grad * lr + accum * momentum * lr
    else:
        var -= accum * lr


updates.samples(lr=0.1, momentum=0.9, nesterov={"use_nesterov": True})


@update_ops("KerasMomentum", "lr grad momentum", forms="resource_dense resource_sparse", use_nesterov="bool = false")
def keras_updates(var, accum, lr, grad, momentum, *, use_nesterov):
    """A step of momentum whose accumulator holds the step itself, rate and sign included."""
    accum *= momentum
    step = grad * lr
    accum -= step
    var += accum * momentum - step if use_nesterov else accum


keras_updates.samples(lr=0.1, momentum=0.9, nesterov={"use_nesterov": True})


@provides("ossia_optimizers", "MomentumOptimizer")
class MomentumOptimizer(FormulaOptimizer):
    """Gradient descent with momentum.

    Args:
      learning_rate: a number, tensor, or function that returns one.
      momentum: a number, tensor, or function that returns one.
      use_locking: whether updates hold locks.
      name: name of the optimizer.
      use_nesterov: whether the step looks ahead, as Nesterov's method does.
    """

    _updates = updates
    _state = ("momentum",)

    def __init__(
        self,
        learning_rate: Any,
        momentum: Any,
        use_locking: bool = False,
        name: str = "Momentum",
        use_nesterov: bool = False,
    ) -> None:
        super().__init__(use_locking, name)
        self._learning_rate, self._momentum, self._use_nesterov = learning_rate, momentum, use_nesterov

    def _create_slots(self, var_list: Any) -> None:
        for var in var_list:
            self._zeros_slot(var, "momentum", self._name)

    def _prepare(self) -> None:
        self._learning_rate_tensor = convert_to_tensor(
            self._call_if_callable(self._learning_rate), name="learning_rate"
        )
        self._momentum_tensor = convert_to_tensor(self._call_if_callable(self._momentum), name="momentum")

    def _options(self) -> dict[str, Any]:
        return {"use_nesterov": self._use_nesterov}

    def _inputs(self, dtype: Any, form: str) -> list[Any]:
        return [cast(self._learning_rate_tensor, dtype), GRADIENT, cast(self._momentum_tensor, dtype)]
