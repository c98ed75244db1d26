"""Adagrad (Duchi, Hazan and Singer 2011): `accum += gradient^2; var -= learning_rate * gradient / sqrt(accum)`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.plugins.api_table import provides
from ossia_ops.array.shape import shape
from ossia_ops.math.cast import cast
from ossia_optimizers.formula import GRADIENT, FormulaOptimizer
from ossia_optimizers.slots import filled_with
from ossia_optimizers.updates import update_ops


@update_ops("Adagrad", "lr grad", whole_rows=True, update_slots="bool = true")
def updates(var, accum, lr, grad, *, update_slots):
    """A step of Adagrad: the gradient over the root of the sum of its squares so far."""
    if update_slots:
        accum += np.square(grad)
    var -= grad * lr / np.sqrt(accum)


updates.samples(lr=0.1, fixed={"update_slots": False})


@update_ops("AdagradV2", "lr epsilon grad", update_slots="bool = true")
def updates_v2(var, accum, lr, epsilon, grad, *, update_slots):
    """Like `updates`, with `epsilon` added to the root."""
    if update_slots:
        accum += np.square(grad)
    var -= grad * lr / (np.sqrt(accum) + epsilon)


updates_v2.samples(lr=0.1, epsilon=1e-3, fixed={"update_slots": False})


@provides("ossia_optimizers", "AdagradOptimizer")
class AdagradOptimizer(FormulaOptimizer):
    """Adagrad: the more a weight has moved, the smaller its steps.

    Args:
      learning_rate: a number, tensor, or function that returns one.
      initial_accumulator_value: where the sums of squares start, positive.
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
        use_locking: bool = False,
        name: str = "Adagrad",
    ) -> None:
        if initial_accumulator_value <= 0.0:
            raise ValueError(f"initial_accumulator_value must be positive: {initial_accumulator_value}")
        super().__init__(use_locking, name)
        self._learning_rate, self._initial_accumulator_value = learning_rate, initial_accumulator_value
        self._learning_rate_tensor: Any = None

    def _create_slots(self, var_list: Any) -> None:
        for var in var_list:
            dtype = var.dtype.base_dtype
            if var.shape.is_fully_defined():
                initializer = filled_with(self._initial_accumulator_value)
            else:
                initializer = self._filled_like(var, dtype)
            self._get_or_make_slot_with_initializer(var, initializer, var.shape, dtype, "accumulator", self._name)

    def _filled_like(self, var: Any, dtype: Any) -> Any:
        return lambda: cast(lookup("Fill")(shape(var), self._initial_accumulator_value), dtype)

    def _prepare(self) -> None:
        self._learning_rate_tensor = convert_to_tensor(
            self._call_if_callable(self._learning_rate), name="learning_rate"
        )

    def _inputs(self, dtype: Any, form: str) -> list[Any]:
        return [cast(self._learning_rate_tensor, dtype), GRADIENT]
