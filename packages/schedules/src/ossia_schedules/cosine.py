"""Cosine decays.

    t = min(step, decay_steps) / decay_steps
    cosine_decay:               rate * ((1 - alpha) * (1 + cos(pi * t)) / 2 + alpha)
    linear_cosine_decay:        rate * ((alpha + 1 - t) * (1 + cos(2 * pi * num_periods * t)) / 2 + beta)
    noisy_linear_cosine_decay:  the same, noise of variance initial_variance / (1 + step) ** variance_decay added to -t

Loshchilov and Hutter, 2016, SGDR, https://arxiv.org/abs/1608.03983; Bello et al., 2017, Neural Optimizer Search with
Reinforcement Learning, https://arxiv.org/abs/1709.07417.
"""

from __future__ import annotations

import math
from typing import Any

from ossia_core.graph.convert import constant
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import provides
from ossia_ops.math.arithmetic import minimum, multiply, pow
from ossia_ops.math.cast import cast
from ossia_ops.math.elementwise import sqrt
from ossia_ops.math.trigonometry import cos
from ossia_ops.random.normal import random_normal
from ossia_schedules.inputs import initial_rate


@provides("ossia_schedules", "cosine_decay")
def cosine_decay(
    learning_rate: Any, global_step: Any, decay_steps: Any, alpha: float = 0.0, name: str | None = None
) -> Tensor:
    """The learning rate, brought down along half a cosine wave in `decay_steps` steps.

    Args:
        learning_rate: The rate at step 0, a float or a float32 scalar tensor.
        global_step: The step, a scalar: a number, tensor or variable.
        decay_steps: Steps that the decay takes, positive.
        alpha: The last rate as a part of the first.
        name: Name of the scope.

    Returns:
        A scalar tensor.

    Raises:
        ValueError: `global_step` is None.
    """
    with name_scope(name, "CosineDecay", [learning_rate, global_step]):
        rate = initial_rate(learning_rate)
        dtype = rate.dtype.base_dtype
        length = cast(decay_steps, dtype)
        step = minimum(cast(global_step, dtype), length)
        done = step / length
        wave = 0.5 * (1.0 + cos(constant(math.pi) * done))
        return multiply(rate, (1 - alpha) * wave + alpha)


@provides("ossia_schedules", "linear_cosine_decay")
def linear_cosine_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    num_periods: Any = 0.5,
    alpha: Any = 0.0,
    beta: Any = 0.001,
    name: str | None = None,
) -> Tensor:
    """The learning rate, brought down along a line times a cosine wave.

    Args:
        learning_rate: The rate at step 0, a float or a float32 scalar tensor.
        global_step: The step, a scalar: a number, tensor or variable.
        decay_steps: Steps that the decay takes, positive.
        num_periods: Periods of the wave in this time.
        alpha: Added to the line.
        beta: Added to the product.
        name: Name of the op.

    Returns:
        A scalar tensor.

    Raises:
        ValueError: `global_step` is None.
    """
    values = [learning_rate, global_step, decay_steps, num_periods, alpha, beta]
    with name_scope(name, "LinearCosineDecay", values) as name:
        rate = initial_rate(learning_rate)
        dtype = rate.dtype.base_dtype
        length, num_periods, alpha, beta = (cast(value, dtype) for value in (decay_steps, num_periods, alpha, beta))
        step = minimum(cast(global_step, dtype), length)
        line = (length - step) / length
        wave = _wave(step, length, num_periods)
        return multiply(rate, (alpha + line) * wave + beta, name=name)


@provides("ossia_schedules", "noisy_linear_cosine_decay")
def noisy_linear_cosine_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    initial_variance: Any = 1.0,
    variance_decay: Any = 0.55,
    num_periods: Any = 0.5,
    alpha: Any = 0.0,
    beta: Any = 0.001,
    name: str | None = None,
) -> Tensor:
    """`linear_cosine_decay` with normal noise on the line, less of it with every step.

    Args:
        learning_rate: The rate at step 0, a float or a float32 scalar tensor.
        global_step: The step, a scalar: a number, tensor or variable.
        decay_steps: Steps that the decay takes, positive.
        initial_variance: Variance of the noise at step 0.
        variance_decay: The power of `1 + step` that divides the variance.
        num_periods: Periods of the wave in this time.
        alpha: Added to the line.
        beta: Added to the product.
        name: Name of the op.

    Returns:
        A scalar tensor.

    Raises:
        ValueError: `global_step` is None.
    """
    values = [learning_rate, global_step, decay_steps, initial_variance, variance_decay, num_periods, alpha, beta]
    with name_scope(name, "NoisyLinearCosineDecay", values) as name:
        rate = initial_rate(learning_rate)
        dtype = rate.dtype.base_dtype
        length, initial_variance, variance_decay, num_periods, alpha, beta = (
            cast(value, dtype) for value in (decay_steps, initial_variance, variance_decay, num_periods, alpha, beta)
        )
        step = minimum(cast(global_step, dtype), length)
        line = (length - step) / length
        deviation = sqrt(initial_variance / pow(1.0 + step, variance_decay))
        line = line + random_normal(line.shape, stddev=deviation)
        wave = _wave(step, length, num_periods)
        return multiply(rate, (alpha + line) * wave + beta, name=name)


def _wave(step: Tensor, length: Tensor, num_periods: Tensor) -> Tensor:
    done = step / length
    periods = 2.0 * num_periods * done
    return 0.5 * (1.0 + cos(constant(math.pi) * periods))
