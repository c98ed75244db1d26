"""Variants of Adam."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public

AdamOptimizer = tf.train.AdamOptimizer


def _scatter_op(name: str, var: Any, indices: Any, values: Any, locks: bool) -> Any:
    """The value of a variable, of either kind, after its rows are changed."""
    if hasattr(var, "handle"):
        operation = getattr(tf.raw_ops, f"Resource{name}")(resource=var.handle, indices=indices, updates=values)
        with tf.control_dependencies([operation]):
            return var.value()
    return getattr(tf.raw_ops, name)(ref=var, indices=indices, updates=values, use_locking=locks)


@public("contrib.opt.NadamOptimizer")
class NadamOptimizer(AdamOptimizer):
    """Adam with Nesterov momentum (Dozat 2016); arguments as of `tf.train.AdamOptimizer`."""

    def _options(self) -> dict[str, Any]:
        return {"use_nesterov": True}

    def _apply_sparse_shared(self, grad: Any, var: Any, indices: Any, scatter_add: Any) -> Any:
        beta1_power, beta2_power, lr_t, beta1_t, beta2_t, epsilon_t = self._hyperparameters(var.dtype.base_dtype)
        rate = lr_t * tf.sqrt(1 - beta2_power) / (1 - beta1_power)
        m = self.get_slot(var, "m")
        scaled = grad * (1 - beta1_t)
        m_t = tf.assign(m, m * beta1_t, use_locking=self._use_locking)
        with tf.control_dependencies([m_t]):
            m_t = scatter_add(m, indices, scaled)
            ahead = scaled + beta1_t * tf.gather(m_t, indices)
        v = self.get_slot(var, "v")
        squared = (grad * grad) * (1 - beta2_t)
        v_t = tf.assign(v, v * beta2_t, use_locking=self._use_locking)
        with tf.control_dependencies([v_t]):
            v_t = scatter_add(v, indices, squared)
        root = tf.sqrt(tf.gather(v_t, indices))
        update = scatter_add(var, indices, -rate * ahead / (root + epsilon_t))
        return tf.group(update, ahead, v_t)


@public("contrib.opt.LazyAdamOptimizer")
class LazyAdamOptimizer(AdamOptimizer):
    """Adam that changes, of averages and variables, only the rows that a sparse gradient has; arguments as of
    `tf.train.AdamOptimizer`."""

    def _changed_rows(self, grad: Any, var: Any, indices: Any) -> Any:
        beta1_power, beta2_power, lr_t, beta1_t, beta2_t, epsilon_t = self._hyperparameters(var.dtype.base_dtype)
        rate = lr_t * tf.sqrt(1 - beta2_power) / (1 - beta1_power)
        locks = self._use_locking
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        m_t = _scatter_op(
            "ScatterUpdate", m, indices, beta1_t * tf.gather(m, indices) + (1 - beta1_t) * grad, locks
        )
        v_t = _scatter_op(
            "ScatterUpdate", v, indices, beta2_t * tf.gather(v, indices) + (1 - beta2_t) * tf.square(grad), locks
        )
        mean = tf.gather(m_t, indices)
        denominator = tf.sqrt(tf.gather(v_t, indices)) + epsilon_t
        update = _scatter_op("ScatterSub", var, indices, rate * mean / denominator, locks)
        return tf.group(update, m_t, v_t)

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        return self._changed_rows(grad.values, var, grad.indices)

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any) -> Any:
        return self._changed_rows(grad, var, indices)
