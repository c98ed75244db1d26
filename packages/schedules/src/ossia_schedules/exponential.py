"""Exponential decays.

exponential_decay:  rate * decay_rate ** (step / decay_steps)
natural_exp_decay:  rate * exp(-decay_rate) ** (step / decay_steps)
"""

from __future__ import annotations

from typing import Any

from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import provides
from ossia_ops.math.arithmetic import multiply, pow
from ossia_ops.math.cast import cast
from ossia_ops.math.elementwise import floor, negative
from ossia_ops.math.exponential import exp
from ossia_schedules.inputs import initial_rate


@provides("ossia_schedules", "exponential_decay")
def exponential_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    decay_rate: Any,
    staircase: bool = False,
    name: str | None = None,
) -> Tensor:
    """The learning rate, multiplied by `decay_rate` every `decay_steps` steps.

    Args:
        learning_rate: The rate at step 0, a float or a scalar tensor; the result has its dtype.
        global_step: The step, a scalar: a number, tensor or variable.
        decay_steps: Steps that one decay takes, positive.
        decay_rate: The factor of one decay.
        staircase: Whether the rate stays the same between two multiples of `decay_steps`.
        name: Name of the op.

    Returns:
        A scalar tensor.

    Raises:
        ValueError: `global_step` is None.
    """
    with name_scope(name, "ExponentialDecay", [learning_rate, global_step, decay_steps, decay_rate]) as name:
        rate = initial_rate(learning_rate)
        dtype = rate.dtype.base_dtype
        decay_steps = cast(decay_steps, dtype)
        decay_rate = cast(decay_rate, dtype)
        decays = cast(global_step, dtype) / decay_steps
        if staircase:
            decays = floor(decays)
        return multiply(rate, pow(decay_rate, decays), name=name)


@provides("ossia_schedules", "natural_exp_decay")
def natural_exp_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    decay_rate: Any,
    staircase: bool = False,
    name: str | None = None,
) -> Tensor:
    """The learning rate, multiplied by `exp(-decay_rate)` every `decay_steps` steps.

    Args and result: as for `exponential_decay`.
    """
    factor = exp(negative(decay_rate))
    return exponential_decay(learning_rate, global_step, decay_steps, factor, staircase=staircase, name=name)
