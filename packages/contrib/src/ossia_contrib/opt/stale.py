"""Gradients that come too late are dropped."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public


@public("contrib.opt.DropStaleGradientOptimizer")
class DropStaleGradientOptimizer(tf.train.Optimizer):
    """An optimizer that applies no gradient which was computed more than some steps ago.

    Args:
      opt: the optimizer that applies the others.
      staleness: how many steps a gradient may be old.
      use_locking: whether updates hold locks.
      name: name of the optimizer.
    """

    def __init__(self, opt: Any, staleness: int, use_locking: bool = False, name: str = "DropStaleGradient") -> None:
        super().__init__(use_locking, name)
        self._opt, self._staleness = opt, staleness

    def compute_gradients(self, loss: Any, *args: Any, **kwargs: Any) -> Any:
        """As of the other optimizer; the global step before it is kept."""
        with tf.colocate_with(loss):
            self._local_step = tf.train.get_global_step() + 0
        with tf.control_dependencies([self._local_step]):
            return self._opt.compute_gradients(tf.identity(loss), *args, **kwargs)

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        """As of the other optimizer."""
        return self._opt.get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> list[str]:
        """As of the other optimizer."""
        return self._opt.get_slot_names(*args, **kwargs)

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """An op that applies the gradients if they are new enough, and counts them otherwise.

        Raises:
          ValueError: there is no global step.
        """
        grads_and_vars = list(grads_and_vars)
        global_step = tf.train.get_global_step()
        if global_step is None:
            raise ValueError("Global step is required.")
        with tf.colocate_with(global_step):
            dropped = tf.get_variable("stale_counter", [], initializer=tf.zeros_initializer(), trainable=False)

        def applied() -> Any:
            step = self._opt.apply_gradients(grads_and_vars, global_step, name)
            with tf.control_dependencies([step]):
                return tf.identity(0.0)

        gradients = [grad for grad, _ in grads_and_vars if grad is not None]
        with tf.control_dependencies(gradients), tf.colocate_with(global_step):
            age = tf.reshape(global_step - self._local_step, shape=())
        late = tf.cond(tf.less_equal(age, self._staleness), applied, lambda: tf.identity(1.0))
        update = dropped.assign_add(late)
        share = dropped / tf.cast(global_step + 1, tf.float32)
        tf.summary.scalar("Gradient_staleness_percentage", share)
        return update
