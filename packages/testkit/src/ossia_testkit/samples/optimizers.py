"""Samples of the optimizers: arguments, and one step by the formula of the paper, in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray


def _slot(slots: dict[str, Array], name: str, weight: Array, initial: float = 0.0) -> Array:
    return slots.get(name, np.full_like(weight, initial))


def descent(weight: Array, gradient: Array, slots: dict, learning_rate: float) -> Array:
    """Gradient descent."""
    return weight - learning_rate * gradient


def momentum(weight: Array, gradient: Array, slots: dict, learning_rate: float, momentum: float,
             use_nesterov: bool = False) -> Array:
    """Momentum, of Nesterov too."""
    slots["momentum"] = velocity = momentum * _slot(slots, "momentum", weight) + gradient
    return weight - learning_rate * (gradient + momentum * velocity if use_nesterov else velocity)


def adagrad(weight: Array, gradient: Array, slots: dict, learning_rate: float,
            initial_accumulator_value: float = 0.1) -> Array:
    """Adagrad."""
    slots["accumulator"] = total = _slot(slots, "accumulator", weight, initial_accumulator_value) + gradient**2
    return weight - learning_rate * gradient / np.sqrt(total)


def adadelta(weight: Array, gradient: Array, slots: dict, learning_rate: float, rho: float = 0.95,
             epsilon: float = 1e-8) -> Array:
    """Adadelta."""
    slots["accum"] = squares = rho * _slot(slots, "accum", weight) + (1 - rho) * gradient**2
    before = _slot(slots, "accum_update", weight)
    update = np.sqrt(before + epsilon) / np.sqrt(squares + epsilon) * gradient
    slots["accum_update"] = rho * before + (1 - rho) * update**2
    return weight - learning_rate * update


def adam(weight: Array, gradient: Array, slots: dict, learning_rate: float, beta1: float = 0.9, beta2: float = 0.999,
         epsilon: float = 1e-8) -> Array:
    """Adam, with its epsilon before the correction of the bias."""
    slots["step"] = step = slots.get("step", 0) + 1
    slots["m"] = first = beta1 * _slot(slots, "m", weight) + (1 - beta1) * gradient
    slots["v"] = second = beta2 * _slot(slots, "v", weight) + (1 - beta2) * gradient**2
    rate = learning_rate * np.sqrt(1 - beta2**step) / (1 - beta1**step)
    return weight - rate * first / (np.sqrt(second) + epsilon)


def rmsprop(weight: Array, gradient: Array, slots: dict, learning_rate: float, decay: float = 0.9,
            momentum: float = 0.0, epsilon: float = 1e-10, centered: bool = False) -> Array:
    """RMSProp, centered too."""
    slots["rms"] = squares = decay * _slot(slots, "rms", weight, 1.0) + (1 - decay) * gradient**2
    mean = np.zeros_like(weight)
    if centered:
        slots["mg"] = mean = decay * _slot(slots, "mg", weight) + (1 - decay) * gradient
    step = learning_rate * gradient / np.sqrt(squares - mean**2 + epsilon)
    slots["momentum"] = velocity = momentum * _slot(slots, "momentum", weight) + step
    return weight - velocity


def ftrl(weight: Array, gradient: Array, slots: dict, learning_rate: float, l1_regularization_strength: float = 0.0,
         l2_regularization_strength: float = 0.0, initial_accumulator_value: float = 0.1) -> Array:
    """FTRL-Proximal."""
    before = _slot(slots, "accum", weight, initial_accumulator_value)
    slots["accum"] = total = before + gradient**2
    sigma = (np.sqrt(total) - np.sqrt(before)) / learning_rate
    slots["linear"] = linear = _slot(slots, "linear", weight) + gradient - sigma * weight
    quadratic = np.sqrt(total) / learning_rate + 2 * l2_regularization_strength
    shrunk = (np.sign(linear) * l1_regularization_strength - linear) / quadratic
    return np.where(np.abs(linear) > l1_regularization_strength, shrunk, 0)


def proximal(weight: Array, rate: Any, l1: float, l2: float) -> Array:
    """The proximal step after a step of gradients."""
    return np.sign(weight) * np.maximum(np.abs(weight) - rate * l1, 0) / (1 + rate * l2)


def proximal_descent(weight: Array, gradient: Array, slots: dict, learning_rate: float,
                     l1_regularization_strength: float = 0.0, l2_regularization_strength: float = 0.0) -> Array:
    """Proximal gradient descent."""
    moved = weight - learning_rate * gradient
    return proximal(moved, learning_rate, l1_regularization_strength, l2_regularization_strength)


def proximal_adagrad(weight: Array, gradient: Array, slots: dict, learning_rate: float,
                     initial_accumulator_value: float = 0.1, l1_regularization_strength: float = 0.0,
                     l2_regularization_strength: float = 0.0) -> Array:
    """Proximal Adagrad."""
    slots["accumulator"] = total = _slot(slots, "accumulator", weight, initial_accumulator_value) + gradient**2
    rate = learning_rate / np.sqrt(total)
    return proximal(weight - rate * gradient, rate, l1_regularization_strength, l2_regularization_strength)


def _averaged() -> Any:
    import ossia as tf

    return tf.train.AdagradDAOptimizer(0.1, tf.train.get_global_step())


def _rows(formula: Any, **samples: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {reason: {"arguments": {"learning_rate": 0.1, **arguments}, "formula": formula, "rows": "touched"}
            for reason, arguments in samples.items()}


def _single(samples: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The samples of an optimizer that trains single numbers alone, as in the original."""
    return {reason: {**sample, "dtypes": ["float32"]} for reason, sample in samples.items()}


_REGULAR = {"l1_regularization_strength": 0.05, "l2_regularization_strength": 0.1}
SAMPLES = {
    "GradientDescentOptimizer": _rows(descent, plain={}),
    "MomentumOptimizer": _rows(momentum, plain={"momentum": 0.9}, nesterov={"momentum": 0.5, "use_nesterov": True}),
    "AdagradOptimizer": _rows(adagrad, plain={}, initial={"initial_accumulator_value": 2.0}),
    "AdadeltaOptimizer": _rows(adadelta, plain={"learning_rate": 1.0}, options={"rho": 0.5, "epsilon": 1e-2}),
    "AdamOptimizer": {reason: {"arguments": {"learning_rate": 0.1, **options}, "formula": adam}
                      for reason, options in {"plain": {}, "options": {"beta1": 0.5, "epsilon": 0.1}}.items()},
    "RMSPropOptimizer": _rows(rmsprop, plain={}, momentum={"momentum": 0.5, "decay": 0.5, "epsilon": 0.1},
                              centered={"centered": True, "epsilon": 0.1}),
    "FtrlOptimizer": _rows(ftrl, plain={}, regular=_REGULAR),
    "ProximalGradientDescentOptimizer": _single(_rows(proximal_descent, plain={}, regular=_REGULAR)),
    "ProximalAdagradOptimizer": _single(_rows(proximal_adagrad, plain={}, regular=_REGULAR)),
    "AdagradDAOptimizer": {"plain": {"make": _averaged, "rows": "touched"}},
}
