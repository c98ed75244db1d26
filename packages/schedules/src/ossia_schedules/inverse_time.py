"""Inverse time decay: rate / (1 + decay_rate * step / decay_steps)."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import constant
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import provides
from ossia_ops.math.arithmetic import add, multiply
from ossia_ops.math.cast import cast
from ossia_ops.math.division import divide
from ossia_ops.math.elementwise import floor
from ossia_schedules.inputs import initial_rate


@provides("ossia_schedules", "inverse_time_decay")
def inverse_time_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    decay_rate: Any,
    staircase: bool = False,
    name: str | None = None,
) -> Tensor:
    """The learning rate, divided by a number that grows with the step.

    Args:
        learning_rate: The rate at step 0, a float or a scalar tensor; the result has its dtype.
        global_step: The step, a scalar: a number, tensor or variable.
        decay_steps: Steps after which the divisor has grown by `decay_rate`.
        decay_rate: How much the divisor grows.
        staircase: Whether the rate stays the same between two multiples of `decay_steps`.
        name: Name of the op.

    Returns:
        A scalar tensor.

    Raises:
        ValueError: `global_step` is None.
    """
    with name_scope(name, "InverseTimeDecay", [learning_rate, global_step, decay_rate]) as name:
        rate = initial_rate(learning_rate)
        dtype = rate.dtype.base_dtype
        decay_steps = cast(decay_steps, dtype)
        decay_rate = cast(decay_rate, dtype)
        decays = cast(global_step, dtype) / decay_steps
        if staircase:
            decays = floor(decays)
        one = cast(constant(1), dtype)
        return divide(rate, add(one, multiply(decay_rate, decays)), name=name)
