"""Proximal Adagrad (Duchi and Singer 2009; Duchi, Hazan and Singer 2011): a step of Adagrad, then l1 and l2 shrink the
weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.graph.convert import constant
from ossia_core.graph.scopes import colocate_with
from ossia_core.plugins.api_table import provides
from ossia_optimizers.proximal_sgd import ProximalOptimizer, shrink
from ossia_optimizers.updates import update_ops

_RANGES = {"lr": "positive", "l1": "non-negative", "l2": "non-negative"}


@update_ops("ProximalAdagrad", "lr l1 l2 grad", ranges=_RANGES, whole_rows=True)
def updates(var, accum, lr, l1, l2, grad):
    """A step of Adagrad, then shrinkage by the norms l1 and l2."""
    accum += np.square(grad)
    rate = lr / np.sqrt(accum)
    var[...] = shrink(var - grad * rate, rate, l1, l2)


updates.samples(lr=0.1, l1=0.3, l2=0.2)


@provides("ossia_optimizers", "ProximalAdagradOptimizer")
class ProximalAdagradOptimizer(ProximalOptimizer):
    """Proximal Adagrad.

    Args:
      learning_rate: a number or tensor.
      initial_accumulator_value: where the sums of squares start, positive.
      l1_regularization_strength: a number not below 0.
      l2_regularization_strength: a number not below 0.
      use_locking: whether updates hold locks.
      name: name of the optimizer.

    Raises:
      ValueError: `initial_accumulator_value` is not positive.
    """

    _updates = updates
    _state = ("accumulator",)

    def __init__(
        self,
        learning_rate: Any,
        initial_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        use_locking: bool = False,
        name: str = "ProximalAdagrad",
    ) -> None:
        if initial_accumulator_value <= 0.0:
            raise ValueError(f"initial_accumulator_value must be positive: {initial_accumulator_value}")
        super().__init__(use_locking, name)
        self._learning_rate, self._initial_accumulator_value = learning_rate, initial_accumulator_value
        self._l1_regularization_strength, self._l2_regularization_strength = (
            l1_regularization_strength,
            l2_regularization_strength,
        )

    def _create_slots(self, var_list: Any) -> None:
        for var in var_list:
            with colocate_with(var):
                start = constant(self._initial_accumulator_value, shape=var.shape, dtype=var.dtype.base_dtype)
            self._get_or_make_slot(var, start, "accumulator", self._name)
