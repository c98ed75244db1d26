"""Polynomial decay: (rate - end) * (1 - step / decay_steps) ** power + end, up to `decay_steps`."""

from __future__ import annotations

from typing import Any

from ossia_core.control.cond import cond
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import provides
from ossia_ops.math.arithmetic import add, minimum, multiply, pow
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import equal
from ossia_ops.math.division import divide
from ossia_ops.math.elementwise import ceil
from ossia_schedules.inputs import initial_rate


@provides("ossia_schedules", "polynomial_decay")
def polynomial_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    end_learning_rate: Any = 0.0001,
    power: Any = 1.0,
    cycle: bool = False,
    name: str | None = None,
) -> Tensor:
    """The learning rate, brought to `end_learning_rate` in `decay_steps` steps.

    Args:
        learning_rate: The rate at step 0, a float or a scalar tensor; the result has its dtype.
        global_step: The step, a scalar: a number, tensor or variable.
        decay_steps: Steps that the decay takes, positive.
        end_learning_rate: The last rate.
        power: The power of the polynomial; 1 is a straight line.
        cycle: Whether, instead of staying at the last rate, the decay begins again with twice, three times, ... as
            many steps.
        name: Name of the op.

    Returns:
        A scalar tensor.

    Raises:
        ValueError: `global_step` is None.
    """
    values = [learning_rate, global_step, decay_steps, end_learning_rate, power]
    with name_scope(name, "PolynomialDecay", values) as name:
        rate = initial_rate(learning_rate)
        dtype = rate.dtype.base_dtype
        end = cast(end_learning_rate, dtype)
        power = cast(power, dtype)
        step = cast(global_step, dtype)
        length = cast(decay_steps, dtype)
        if cycle:
            cycles = cond(equal(step, 0), lambda: convert_to_tensor(1.0), lambda: ceil(step / decay_steps))
            length = multiply(length, cycles)
        else:
            step = minimum(step, decay_steps)
        done = divide(step, length)
        return add(multiply(rate - end, pow(1 - done, power)), end, name=name)
