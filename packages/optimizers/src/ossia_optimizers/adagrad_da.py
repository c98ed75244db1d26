"""Adagrad with dual averaging (Duchi, Hazan and Singer 2011): weights follow from the sums of all gradients and of
their squares, shrunk by l1, so that unused ones stay zero."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.scopes import colocate_with, device
from ossia_core.plugins.api_table import provides
from ossia_core.primitives.identity import identity
from ossia_ops.math.cast import cast
from ossia_optimizers.formula import GRADIENT, FormulaOptimizer
from ossia_optimizers.proximal_sgd import nearer
from ossia_optimizers.updates import update_ops


def _rows(var, gradient_accumulator, gradient_squared_accumulator, grad, lr, l1, l2, global_step):
    """The same, divided by the step first, which matters where the step is not positive."""
    step, zero = var.dtype.type(global_step), var.dtype.type(0)
    gradient_accumulator += grad
    gradient_squared_accumulator += np.square(grad)
    mean = gradient_accumulator / step
    if l1 > 0:
        mean = np.sign(gradient_accumulator) * np.maximum(np.abs(gradient_accumulator) / step - l1, zero)
    var[...] = -mean / (l2 + np.sqrt(gradient_squared_accumulator) / (step * lr))


@update_ops("AdagradDA", "grad lr l1 l2 global_step", rows=_rows, whole_rows=True)
def updates(var, gradient_accumulator, gradient_squared_accumulator, grad, lr, l1, l2, global_step):
    """A step of Adagrad with dual averaging: the variable follows from the sums of gradients and of their squares."""
    step = var.dtype.type(global_step)
    gradient_accumulator += grad
    gradient_squared_accumulator += np.square(grad)
    total = gradient_accumulator
    if l1 > 0:
        total = nearer(total, l1 * step)
    root, share = np.sqrt(gradient_squared_accumulator), l2 * step * lr
    var[...] = total * -lr / (share + root if share else root)


updates.samples(lr=0.1, l1=0.05, l2=0.02, global_step=3)


@provides("ossia_optimizers", "AdagradDAOptimizer")
class AdagradDAOptimizer(FormulaOptimizer):
    """Adagrad with dual averaging, for sparse linear models.

    Args:
      learning_rate: a number or tensor.
      global_step: the variable that counts training steps.
      initial_gradient_squared_accumulator_value: where the sums of squares start, positive.
      l1_regularization_strength: a number not below 0.
      l2_regularization_strength: a number not below 0.
      use_locking: whether updates hold locks.
      name: name of the optimizer.

    Raises:
      ValueError: `initial_gradient_squared_accumulator_value` is not positive.
    """

    _updates = updates
    _state = ("gradient_accumulator", "gradient_squared_accumulator")

    def __init__(
        self,
        learning_rate: Any,
        global_step: Any,
        initial_gradient_squared_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        use_locking: bool = False,
        name: str = "AdagradDA",
    ) -> None:
        if initial_gradient_squared_accumulator_value <= 0.0:
            raise ValueError(
                "initial_gradient_squared_accumulator_value must be positive: "
                f"{initial_gradient_squared_accumulator_value}"
            )
        super().__init__(use_locking, name)
        self._learning_rate, self._global_step = learning_rate, global_step
        self._initial_gradient_squared_accumulator_value = initial_gradient_squared_accumulator_value
        self._l1_regularization_strength, self._l2_regularization_strength = (
            l1_regularization_strength,
            l2_regularization_strength,
        )

    def _create_slots(self, var_list: Any) -> None:
        for var in var_list:
            with colocate_with(var):
                dtype = var.dtype.base_dtype
                sums = constant(0.0, shape=var.shape, dtype=dtype)
                squares = constant(self._initial_gradient_squared_accumulator_value, shape=var.shape, dtype=dtype)
            self._get_or_make_slot(var, sums, "gradient_accumulator", self._name)
            self._get_or_make_slot(var, squares, "gradient_squared_accumulator", self._name)

    def _prepare(self) -> None:
        self._learning_rate_tensor = convert_to_tensor(self._learning_rate, name="learning_rate")
        with colocate_with(self._learning_rate_tensor):
            self._global_step_on_worker = identity(self._global_step) + 1

    def _inputs(self, dtype: Any, form: str) -> list[Any]:
        step = identity(self._global_step_on_worker)
        return [
            GRADIENT,
            cast(self._learning_rate_tensor, dtype),
            cast(self._l1_regularization_strength, dtype),
            cast(self._l2_regularization_strength, dtype),
            step,
        ]

    def _update(self, form: str, var: Any, dtype: Any, *gradient: Any) -> Any:
        with device(var.device):
            return super()._update(form, var, dtype, *gradient)
