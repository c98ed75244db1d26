"""Norms of variables are limited."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public


@public("contrib.opt.VariableClippingOptimizer")
class VariableClippingOptimizer(tf.train.Optimizer):
    """An optimizer that limits norms of variables after the step of another one.

    Args:
      opt: the other optimizer.
      vars_to_clip_dims: for each variable, the dimensions over which its norms are taken.
      max_norm: the largest norm.
      use_locking: whether updates hold locks.
      colocate_clip_ops_with_vars: has no effect.
      name: name of the ops.
    """

    def __init__(
        self, opt: Any, vars_to_clip_dims: dict[Any, list[int]], max_norm: float, use_locking: bool = False,
        colocate_clip_ops_with_vars: bool = False, name: str = "VariableClipping",
    ) -> None:
        super().__init__(use_locking, name)
        self._opt, self._vars_to_clip_dims, self._max_norm = opt, dict(vars_to_clip_dims), max_norm

    def compute_gradients(self, *args: Any, **kwargs: Any) -> Any:
        """As of the other optimizer."""
        return self._opt.compute_gradients(*args, **kwargs)

    def get_slot(self, var: Any, name: str) -> Any:
        """As of the other optimizer."""
        return self._opt.get_slot(var, name)

    def get_slot_names(self) -> list[str]:
        """As of the other optimizer."""
        return self._opt.get_slot_names()

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """An op that applies the gradients, then limits the norms."""
        grads_and_vars = list(grads_and_vars)
        with tf.name_scope(name, self._name) as scope:
            step = self._opt.apply_gradients(grads_and_vars, global_step=global_step)
            limits = []
            with tf.control_dependencies([step]):
                for grad, var in grads_and_vars:
                    if grad is None or var not in self._vars_to_clip_dims:
                        continue
                    with tf.name_scope(f"clip_{var.op.name}"):
                        limits.append(self._limited(var) if isinstance(grad, tf.Tensor) else self._rows(grad, var))
            return tf.group(step, *limits, name=scope)

    def _limited(self, var: Any) -> Any:
        value = var.read_value()
        clipped = tf.clip_by_norm(value, self._max_norm, self._vars_to_clip_dims[var])
        delta = value - clipped
        with tf.colocate_with(var):
            return var.assign_sub(delta, use_locking=self._use_locking)

    def _rows(self, grad: Any, var: Any) -> Any:
        dims = self._vars_to_clip_dims[var]
        if 0 in dims:
            tf.logging.warning("Clipping norm across dims %s for %s is inefficient when including sparse dimension 0.",
                               dims, var.op.name)
            return self._limited(var)
        rows = tf.gather(var, grad.indices)
        clipped = tf.clip_by_norm(rows, self._max_norm, dims)
        return tf.scatter_sub(var, grad.indices, rows - clipped, use_locking=self._use_locking)
