"""Variants of Adam."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public

AdamOptimizer = tf.train.AdamOptimizer


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

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        indices, grad = grad.indices, grad.values
        beta1_power, beta2_power, lr_t, beta1_t, beta2_t, epsilon_t = self._hyperparameters(var.dtype.base_dtype)
        rate = lr_t * tf.sqrt(1 - beta2_power) / (1 - beta1_power)
        m, v, locks = self.get_slot(var, "m"), self.get_slot(var, "v"), self._use_locking
        mean = beta1_t * tf.gather(m, indices) + (1 - beta1_t) * grad
        m_t = tf.scatter_update(m, indices, mean, use_locking=locks)
        square = beta2_t * tf.gather(v, indices) + (1 - beta2_t) * tf.square(grad)
        v_t = tf.scatter_update(v, indices, square, use_locking=locks)
        m_rows, denominator = tf.gather(m_t, indices), tf.sqrt(tf.gather(v_t, indices)) + epsilon_t
        update = tf.scatter_sub(var, indices, rate * m_rows / denominator, use_locking=locks)
        return tf.group(update, m_t, v_t)

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any) -> Any:
        beta1_power, beta2_power, lr_t, beta1_t, beta2_t, epsilon_t = self._hyperparameters(var.dtype.base_dtype)
        rate = lr_t * tf.sqrt(1 - beta2_power) / (1 - beta1_power)
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        mean = beta1_t * tf.gather(m, indices) + (1 - beta1_t) * grad
        m_t = tf.raw_ops.ResourceScatterUpdate(resource=m.handle, indices=indices, updates=mean)
        square = beta2_t * tf.gather(v, indices) + (1 - beta2_t) * tf.square(grad)
        v_t = tf.raw_ops.ResourceScatterUpdate(resource=v.handle, indices=indices, updates=square)
        step = rate * mean / (tf.sqrt(square) + epsilon_t)
        update = tf.raw_ops.ResourceScatterSub(resource=var.handle, indices=indices, updates=step)
        return tf.group(update, m_t, v_t)
