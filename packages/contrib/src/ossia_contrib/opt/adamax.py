"""AdaMax (Kingma and Ba 2015, section 7.1): the average of the gradients over the largest decayed gradient."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public


@public("contrib.opt.AdaMaxOptimizer")
class AdaMaxOptimizer(tf.train.AdamOptimizer):
    """AdaMax; a sparse gradient changes the rows that it has, of averages and variables.

    Args:
      learning_rate, beta1, beta2, epsilon, use_locking, name: as of `tf.train.AdamOptimizer`.
    """

    def __init__(
        self, learning_rate: Any = 0.001, beta1: Any = 0.9, beta2: Any = 0.999, epsilon: Any = 1e-8,
        use_locking: bool = False, name: str = "AdaMax",
    ) -> None:
        super().__init__(learning_rate, beta1, beta2, epsilon, use_locking, name)

    def _get_beta_accumulators(self) -> Any:
        return self._get_non_slot_variable("beta1_power", tf.get_default_graph())

    def _create_slots(self, var_list: Any) -> None:
        first = min(var_list, key=lambda var: var.name)
        self._create_non_slot_variable(self._beta1, name="beta1_power", colocate_with=first)
        for var in var_list:
            self._zeros_slot(var, "m", self._name)
            self._zeros_slot(var, "v", self._name)

    def _numbers(self, dtype: Any, *names: str) -> list[Any]:
        return [tf.cast(getattr(self, f"_{name}_t"), dtype) for name in names]

    def _dense(self, op: str, grad: Any, var: Any, m: Any, v: Any, dtype: Any) -> Any:
        power = tf.cast(self._get_beta_accumulators(), dtype)
        lr, beta1, beta2, epsilon = self._numbers(dtype, "lr", "beta1", "beta2", "epsilon")
        return getattr(tf.raw_ops, op)(
            var=var, m=m, v=v, beta1_power=power, lr=lr, beta1=beta1, beta2=beta2, epsilon=epsilon, grad=grad,
            use_locking=self._use_locking,
        )

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        slots = self.get_slot(var, "m"), self.get_slot(var, "v")
        return self._dense("ApplyAdaMax", grad, var, *slots, var.dtype.base_dtype).op

    def _resource_apply_dense(self, grad: Any, var: Any) -> Any:
        slots = self.get_slot(var, "m").handle, self.get_slot(var, "v").handle
        return self._dense("ResourceApplyAdaMax", grad, var.handle, *slots, grad.dtype.base_dtype)

    def _changed_rows(self, grad: Any, var: Any, indices: Any, add: Callable, update: Callable) -> Any:
        beta1, beta2, epsilon = self._numbers(var.dtype.base_dtype, "beta1", "beta2", "epsilon")
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        mean = tf.gather(m, indices) * beta1 + grad * (1 - beta1)
        with tf.control_dependencies([mean]):
            m_t = update(m, indices, mean)
        largest = tf.maximum(tf.gather(v, indices) * beta2, tf.abs(grad))
        with tf.control_dependencies([largest]):
            v_t = update(v, indices, largest)
        power = tf.cast(self._get_beta_accumulators(), var.dtype.base_dtype)
        (lr,) = self._numbers(var.dtype.base_dtype, "lr")
        step = -lr / (1 - power) * (mean / (largest + epsilon))
        with tf.control_dependencies([step]):
            var_t = add(var, indices, step)
        return tf.group(var_t, m_t, v_t)

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        def scatter(function: Callable) -> Callable:
            return lambda x, i, v: function(x, i, v, use_locking=self._use_locking)

        return self._changed_rows(
            grad.values, var, grad.indices, scatter(tf.scatter_add), scatter(tf.scatter_update)
        )

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any) -> Any:
        def scatter(name: str) -> Callable:
            def apply(x: Any, i: Any, v: Any) -> Any:
                with tf.control_dependencies([getattr(tf.raw_ops, name)(resource=x.handle, indices=i, updates=v)]):
                    return x.value()

            return apply

        return self._changed_rows(
            grad, var, indices, scatter("ResourceScatterAdd"), scatter("ResourceScatterUpdate")
        )

    def _finish(self, update_ops: Any, name_scope: str) -> Any:
        with tf.control_dependencies(update_ops):
            power = self._get_beta_accumulators()
            with tf.colocate_with(power):
                decayed = power.assign(power * self._beta1_t, use_locking=self._use_locking)
        return tf.group(*update_ops, decayed, name=name_scope)
