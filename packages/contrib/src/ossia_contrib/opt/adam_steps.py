"""Adam whose powers of the decays come from the global step."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_contrib.opt.adam import LazyAdamOptimizer
from ossia_core.plugins.api_table import public

AdamOptimizer = tf.train.AdamOptimizer


@public("contrib.opt.AdamGSOptimizer")
class AdamGSOptimizer(AdamOptimizer):
    """Adam without variables for the powers of its decays: they are of the global step plus one.

    Args:
      global_step: the step, 0 or a variable.
      learning_rate, beta1, beta2, epsilon, use_locking, name: as of `tf.train.AdamOptimizer`.
    """

    def __init__(
        self, global_step: Any = 0, learning_rate: Any = 0.001, beta1: Any = 0.9, beta2: Any = 0.999,
        epsilon: Any = 1e-8, use_locking: bool = False, name: str = "Adam",
    ) -> None:
        super().__init__(learning_rate, beta1, beta2, epsilon, use_locking, name)
        self._global_step = global_step
        self._global_step_on_worker: Any = None

    def _get_beta_accumulators(self) -> tuple[Any, Any]:
        step = self._global_step_on_worker
        return tf.pow(self._beta1_t, step), tf.pow(self._beta2_t, step)

    def _create_slots(self, var_list: Any) -> None:
        for var in var_list:
            self._zeros_slot(var, "m", self._name)
            self._zeros_slot(var, "v", self._name)

    def _prepare(self) -> None:
        super()._prepare()
        # Read before anything is updated.
        self._global_step_on_worker = tf.cast(tf.identity(self._global_step) + 1, tf.float32)

    def _finish(self, update_ops: Any, name_scope: str) -> Any:
        return tf.group(*update_ops, name=name_scope)


@public("contrib.opt.LazyAdamGSOptimizer")
class LazyAdamGSOptimizer(AdamGSOptimizer):
    """AdamGSOptimizer that changes only the rows that a sparse gradient has; arguments as there."""

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        return LazyAdamOptimizer._apply_sparse(self, grad, var)  # type: ignore[arg-type]

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any) -> Any:
        return LazyAdamOptimizer._resource_apply_sparse(self, grad, var, indices)  # type: ignore[arg-type]
