"""Optimizers whose weights decay beside the step (Loshchilov and Hutter 2017)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public


@public("contrib.opt.DecoupledWeightDecayExtension")
class DecoupledWeightDecayExtension:
    """What comes before an optimizer among the parents of a class: `weight_decay * var` is taken off before a step.

    Args:
      weight_decay: a number, a tensor, or a function that returns one; it has to follow the schedule of the learning
        rate, if there is one.
      **kwargs: arguments of the optimizer.
    """

    def __init__(self, weight_decay: Any, **kwargs: Any) -> None:
        self._decay_var_list: set[Any] | None = None
        self._weight_decay = weight_decay
        self._weight_decay_tensor: Any = None
        super().__init__(**kwargs)

    def minimize(
        self, loss: Any, global_step: Any = None, var_list: Any = None, gate_gradients: int = 1,
        aggregation_method: Any = None, colocate_gradients_with_ops: bool = False, name: str | None = None,
        grad_loss: Any = None, decay_var_list: Iterable[Any] | None = None,
    ) -> Any:
        """`Optimizer.minimize`; of the variables, those of `decay_var_list` decay, all by default."""
        self._decay_var_list = set(decay_var_list) if decay_var_list else None
        return super().minimize(  # type: ignore[misc]
            loss, global_step=global_step, var_list=var_list, gate_gradients=gate_gradients,
            aggregation_method=aggregation_method, colocate_gradients_with_ops=colocate_gradients_with_ops, name=name,
            grad_loss=grad_loss,
        )

    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None,
        decay_var_list: Iterable[Any] | None = None,
    ) -> Any:
        """`Optimizer.apply_gradients`; of the variables, those of `decay_var_list` decay, all by default."""
        self._decay_var_list = set(decay_var_list) if decay_var_list else self._decay_var_list
        return super().apply_gradients(grads_and_vars, global_step=global_step, name=name)  # type: ignore[misc]

    def _prepare(self) -> None:
        self._weight_decay_tensor = tf.convert_to_tensor(self._decay(), name="weight_decay")
        super()._prepare()  # type: ignore[misc]

    def _decay(self) -> Any:
        return self._weight_decay() if callable(self._weight_decay) else self._weight_decay

    def _decays(self, var: Any) -> bool:
        return not self._decay_var_list or var in self._decay_var_list

    def _decayed(self, var: Any) -> Any:
        if self._decays(var):
            return var.assign_sub(self._decay() * var, self._use_locking)  # type: ignore[attr-defined]
        return tf.no_op()

    def _decayed_rows(self, var: Any, indices: Any) -> Any:
        if not self._decays(var):
            return tf.no_op()
        update = -self._decay() * tf.gather(var, indices)
        if hasattr(var, "handle"):
            return tf.raw_ops.ResourceScatterAdd(resource=var.handle, indices=indices, updates=update)
        return tf.scatter_add(var, indices, update, use_locking=self._use_locking)  # type: ignore[attr-defined]

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        with tf.control_dependencies([self._decayed(var)]):
            return super()._apply_dense(grad, var)  # type: ignore[misc]

    def _resource_apply_dense(self, grad: Any, var: Any) -> Any:
        with tf.control_dependencies([self._decayed(var)]):
            return super()._resource_apply_dense(grad, var)  # type: ignore[misc]

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        with tf.control_dependencies([self._decayed_rows(var, grad.indices)]):
            return super()._apply_sparse(grad, var)  # type: ignore[misc]

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any) -> Any:
        with tf.control_dependencies([self._decayed_rows(var, indices)]):
            return super()._resource_apply_sparse(grad, var, indices)  # type: ignore[misc]


@public("contrib.opt.extend_with_decoupled_weight_decay")
def extend_with_decoupled_weight_decay(base_optimizer: type) -> type:
    """A class of optimizers like `base_optimizer` whose weights decay; its first argument is `weight_decay`."""

    class OptimizerWithDecoupledWeightDecay(DecoupledWeightDecayExtension, base_optimizer):  # type: ignore[misc, valid-type]
        """An optimizer whose weights decay."""

        def __init__(self, weight_decay: Any, *args: Any, **kwargs: Any) -> None:
            self._decay_var_list, self._weight_decay, self._weight_decay_tensor = None, weight_decay, None
            base_optimizer.__init__(self, *args, **kwargs)  # type: ignore[misc]

    return OptimizerWithDecoupledWeightDecay


@public("contrib.opt.MomentumWOptimizer")
class MomentumWOptimizer(DecoupledWeightDecayExtension, tf.train.MomentumOptimizer):  # type: ignore[misc]
    """Momentum with decoupled weight decay; other arguments as of `tf.train.MomentumOptimizer`."""

    def __init__(
        self, weight_decay: Any, learning_rate: Any, momentum: Any, use_locking: bool = False, name: str = "MomentumW",
        use_nesterov: bool = False,
    ) -> None:
        super().__init__(
            weight_decay, learning_rate=learning_rate, momentum=momentum, use_locking=use_locking, name=name,
            use_nesterov=use_nesterov,
        )


@public("contrib.opt.AdamWOptimizer")
class AdamWOptimizer(DecoupledWeightDecayExtension, tf.train.AdamOptimizer):  # type: ignore[misc]
    """Adam with decoupled weight decay; other arguments as of `tf.train.AdamOptimizer`."""

    def __init__(
        self, weight_decay: Any, learning_rate: Any = 0.001, beta1: Any = 0.9, beta2: Any = 0.999,
        epsilon: Any = 1e-8, use_locking: bool = False, name: str = "AdamW",
    ) -> None:
        super().__init__(
            weight_decay, learning_rate=learning_rate, beta1=beta1, beta2=beta2, epsilon=epsilon,
            use_locking=use_locking, name=name,
        )
