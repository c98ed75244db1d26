"""Cosine decay with warm restarts.

    rate * ((1 - alpha) * m_mul ** i * (1 + cos(pi * t)) / 2 + alpha)

where i counts the restarts so far and t is the part of the current period that is over; the first period has
`first_decay_steps` steps, each following one `t_mul` times as many. Loshchilov and Hutter, 2016, SGDR, https://arxiv.org/abs/1608.03983.
"""

from __future__ import annotations

import math
from typing import Any

from ossia_core.control.cond import cond
from ossia_core.graph.convert import constant
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import provides
from ossia_ops.math.arithmetic import multiply
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import equal
from ossia_ops.math.elementwise import floor
from ossia_ops.math.exponential import log
from ossia_ops.math.trigonometry import cos
from ossia_schedules.inputs import initial_rate


@provides("ossia_schedules", "cosine_decay_restarts")
def cosine_decay_restarts(
    learning_rate: Any,
    global_step: Any,
    first_decay_steps: Any,
    t_mul: Any = 2.0,
    m_mul: Any = 1.0,
    alpha: Any = 0.0,
    name: str | None = None,
) -> Tensor:
    """The learning rate, brought down along half a cosine wave again and again.

    Args:
        learning_rate: The rate at step 0, a float or a float32 scalar tensor.
        global_step: The step, a scalar: a number, tensor or variable.
        first_decay_steps: Steps of the first period.
        t_mul: How many times longer each period is than the one before.
        m_mul: How many times higher each period begins than the one before.
        alpha: The lowest rate as a part of the first.
        name: Name of the op.

    Returns:
        A scalar tensor.

    Raises:
        ValueError: `global_step` is None.
    """
    with name_scope(name, "SGDRDecay", [learning_rate, global_step]) as name:
        rate = initial_rate(learning_rate)
        dtype = rate.dtype.base_dtype
        length = cast(first_decay_steps, dtype)
        alpha, t_mul, m_mul = cast(alpha, dtype), cast(t_mul, dtype), cast(m_mul, dtype)
        done = cast(global_step, dtype) / length

        def equal_periods() -> tuple[Tensor, Tensor]:
            restarts = floor(done)
            return restarts, done - restarts

        def growing_periods() -> tuple[Tensor, Tensor]:
            restarts = floor(log(1.0 - done * (1.0 - t_mul)) / log(t_mul))
            before = (1.0 - t_mul**restarts) / (1.0 - t_mul)
            return restarts, (done - before) / t_mul**restarts

        restarts, done = cond(equal(t_mul, 1.0), equal_periods, growing_periods)
        wave = 0.5 * m_mul**restarts * (1.0 + cos(constant(math.pi) * done))
        return multiply(rate, (1 - alpha) * wave + alpha, name=name)
