"""Samples of the learning-rate schedules: arguments, and the formula in Python numbers."""

from __future__ import annotations

import math
from typing import Any


def _periods(step: int, decay_steps: int, staircase: bool) -> float:
    return step // decay_steps if staircase else step / decay_steps


def exponential(rate: float, step: int, decay_steps: int, decay_rate: float, staircase: bool = False) -> float:
    """Exponential decay."""
    return rate * decay_rate ** _periods(step, decay_steps, staircase)


def natural(rate: float, step: int, decay_steps: int, decay_rate: float, staircase: bool = False) -> float:
    """Exponential decay to the base of natural logarithms."""
    return rate * math.exp(-decay_rate * _periods(step, decay_steps, staircase))


def inverse_time(rate: float, step: int, decay_steps: int, decay_rate: float, staircase: bool = False) -> float:
    """Decay with the inverse of time."""
    return rate / (1 + decay_rate * _periods(step, decay_steps, staircase))


def polynomial(rate: float, step: int, decay_steps: int, end_learning_rate: float = 1e-4, power: float = 1.0,
               cycle: bool = False) -> float:
    """Polynomial decay, in cycles that grow."""
    whole = decay_steps * max(1, math.ceil(step / decay_steps)) if cycle else decay_steps
    return (rate - end_learning_rate) * (1 - min(step, whole) / whole) ** power + end_learning_rate


def cosine(rate: float, step: int, decay_steps: int, alpha: float = 0.0) -> float:
    """Half a wave of a cosine."""
    wave = (1 + math.cos(math.pi * min(step, decay_steps) / decay_steps)) / 2
    return rate * ((1 - alpha) * wave + alpha)


def restarts(rate: float, step: int, first_decay_steps: int, t_mul: float = 2.0, m_mul: float = 1.0,
             alpha: float = 0.0) -> float:
    """A cosine that starts anew, for longer each time."""
    period, height = float(first_decay_steps), 1.0
    while step >= period:
        step, period, height = step - int(period), period * t_mul, height * m_mul
    return rate * ((1 - alpha) * height * (1 + math.cos(math.pi * step / period)) / 2 + alpha)


def linear_cosine(rate: float, step: int, decay_steps: int, num_periods: float = 0.5, alpha: float = 0.0,
                  beta: float = 0.001, **noise: float) -> float:
    """A line times a cosine; without noise."""
    time = min(step, decay_steps) / decay_steps
    return rate * ((alpha + 1 - time) * (1 + math.cos(2 * math.pi * num_periods * time)) / 2 + beta)


def piecewise(rate: float, step: int, boundaries: list[int], values: list[float]) -> float:
    """A constant for each range of steps."""
    return values[sum(step > boundary for boundary in boundaries)]


def _table(formula: Any, dtypes: tuple[str, ...] = ("float32", "float64"), **samples: dict) -> dict[str, dict]:
    return {reason: {"arguments": arguments, "formula": formula, "dtypes": dtypes}
            for reason, arguments in samples.items()}


_SINGLE = ("float32",)  # as in the original
_TENTHS = {"decay_steps": 10, "decay_rate": 0.9}
_STAIRS = {**_TENTHS, "staircase": True}
_PIECES = {"plain": {"arguments": {"boundaries": [3, 100], "values": [1.0, 0.5, 0.125]}, "formula": piecewise,
                     "step": "x"}}
SAMPLES = {
    "exponential_decay": _table(exponential, plain=_TENTHS, stairs=_STAIRS),
    "natural_exp_decay": _table(natural, plain=_TENTHS, stairs=_STAIRS),
    "inverse_time_decay": _table(inverse_time, plain=_TENTHS, stairs=_STAIRS),
    "polynomial_decay": _table(polynomial, _SINGLE, plain={"decay_steps": 100},
                               square={"decay_steps": 50, "power": 2.0},
                               cycle={"decay_steps": 10, "end_learning_rate": 0.1, "cycle": True}),
    "cosine_decay": _table(cosine, _SINGLE, plain={"decay_steps": 100}, alpha={"decay_steps": 10, "alpha": 0.25}),
    "cosine_decay_restarts": _table(restarts, _SINGLE, plain={"first_decay_steps": 10},
                                    smaller={"first_decay_steps": 10, "m_mul": 0.5, "alpha": 0.125}),
    "linear_cosine_decay": _table(linear_cosine, _SINGLE, plain={"decay_steps": 100},
                                  periods={"decay_steps": 10, "num_periods": 2.0, "alpha": 0.5}),
    "noisy_linear_cosine_decay": _table(linear_cosine, _SINGLE, quiet={"decay_steps": 100, "initial_variance": 0.0}),
    "piecewise_constant_decay": _PIECES,
    "piecewise_constant": _PIECES,
}
