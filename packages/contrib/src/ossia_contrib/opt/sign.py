"""Optimizers of the sign of gradient and momentum (Bello et al. 2017)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public


class _SignOptimizer(tf.train.Optimizer):
    """A step of the learning rate times the gradient, more of it where momentum agrees."""

    _operation: str

    def __init__(
        self, learning_rate: Any, base: Any, beta: Any, sign_decay_fn: Callable | None, use_locking: bool, name: str
    ) -> None:
        super().__init__(use_locking, name)
        self._lr, self._base, self._beta, self._sign_decay_fn = learning_rate, base, beta, sign_decay_fn
        self._base_name = {"AddSign": "alpha", "PowerSign": "logbase"}[self._operation]

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """As of `tf.train.Optimizer`; the sign's part decays with `global_step` if there is a function for it."""
        if self._sign_decay_fn is not None:
            self._sign_decay_t = tf.convert_to_tensor(self._sign_decay_fn(global_step), name="sign_decay")
        return super().apply_gradients(grads_and_vars, global_step=global_step, name=name)

    def _create_slots(self, var_list: Any) -> None:
        for var in var_list:
            self._zeros_slot(var, "m", self._name)

    def _prepare(self) -> None:
        self._lr_t = tf.convert_to_tensor(self._lr, name="learning_rate")
        self._beta_t = tf.convert_to_tensor(self._beta, name="beta")
        self._base_t = tf.convert_to_tensor(self._base, name=self._base_name)
        if self._sign_decay_fn is None:
            self._sign_decay_t = tf.convert_to_tensor(1.0, name="sign_decay")

    def _inputs(self, dtype: Any) -> dict[str, Any]:
        return {
            "lr": tf.cast(self._lr_t, dtype), self._base_name: tf.cast(self._base_t, dtype),
            "sign_decay": tf.cast(self._sign_decay_t, dtype), "beta": tf.cast(self._beta_t, dtype),
        }

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        operation = getattr(tf.raw_ops, f"Apply{self._operation}")
        return operation(
            var=var, m=self.get_slot(var, "m"), grad=grad, use_locking=self._use_locking,
            **self._inputs(var.dtype.base_dtype),
        ).op

    def _resource_apply_dense(self, grad: Any, var: Any) -> Any:
        operation = getattr(tf.raw_ops, f"ResourceApply{self._operation}")
        return operation(
            var=var.handle, m=self.get_slot(var, "m").handle, grad=grad, use_locking=self._use_locking,
            **self._inputs(grad.dtype.base_dtype),
        )


@public("contrib.opt.AddSignOptimizer")
class AddSignOptimizer(_SignOptimizer):
    """A step of `(alpha + sign_decay * sign(g) * sign(m)) * g`.

    Args:
      learning_rate: the learning rate.
      alpha: as in the formula.
      beta: decay of the momentum.
      sign_decay_fn: function of the global step; 1 by default.
      use_locking: whether updates hold locks.
      name: name of the optimizer.
    """

    _operation = "AddSign"

    def __init__(
        self, learning_rate: Any = 0.1, alpha: Any = 1.0, beta: Any = 0.9, sign_decay_fn: Callable | None = None,
        use_locking: bool = False, name: str = "AddSignOptimizer",
    ) -> None:
        super().__init__(learning_rate, alpha, beta, sign_decay_fn, use_locking, name)


@public("contrib.opt.PowerSignOptimizer")
class PowerSignOptimizer(_SignOptimizer):
    """A step of `base ** (sign_decay * sign(g) * sign(m)) * g`; arguments as of AddSignOptimizer, with `base` for
    `alpha`."""

    _operation = "PowerSign"

    def __init__(
        self, learning_rate: Any = 0.1, base: Any = math.e, beta: Any = 0.9, sign_decay_fn: Callable | None = None,
        use_locking: bool = False, name: str = "PowerSignOptimizer",
    ) -> None:
        super().__init__(learning_rate, math.log(base), beta, sign_decay_fn, use_locking, name)
