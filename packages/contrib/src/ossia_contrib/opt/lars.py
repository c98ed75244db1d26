"""Layer-wise rates (You, Gitman and Ginsburg 2017: Large Batch Training of Convolutional Networks)."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public


@public("contrib.opt.LARSOptimizer")
class LARSOptimizer(tf.train.Optimizer):
    """Momentum whose rate is, for each variable, `eeta * |w| / (|g| + weight_decay * |w| + epsilon)` of the given one.

    Args:
      learning_rate: the rate.
      momentum: decay of the momentum.
      weight_decay: how much of the weights is added to the gradient.
      eeta: the factor of trust.
      epsilon: keeps the denominator from zero.
      name: name of the optimizer.
      skip_list: parts of names of the variables that are trained with the rate itself.
      use_nesterov: whether momentum looks ahead.

    Raises:
      ValueError: `momentum` is negative.
    """

    def __init__(
        self, learning_rate: Any, momentum: float = 0.9, weight_decay: float = 0.0001, eeta: float = 0.001,
        epsilon: float = 0.0, name: str = "LARSOptimizer", skip_list: Any = None, use_nesterov: bool = False,
    ) -> None:
        if momentum < 0.0:
            raise ValueError(f"momentum should be positive: {momentum}")
        super().__init__(use_locking=False, name=name)
        self._learning_rate, self._momentum, self._weight_decay = learning_rate, momentum, weight_decay
        self._eeta, self._epsilon, self._name = eeta, epsilon, name
        self._skip_list, self._use_nesterov = skip_list, use_nesterov

    def _create_slots(self, var_list: Any) -> None:
        for var in var_list:
            self._zeros_slot(var, "momentum", self._name)

    def compute_lr(self, grad: Any, var: Any) -> tuple[Any, Any]:
        """The rate of a variable, and its gradient with the decay of the weights."""
        rate = self._learning_rate
        if self._skip_list is None or not any(part in var.name for part in self._skip_list):
            weights, gradient = tf.norm(var, ord=2), tf.norm(grad, ord=2)
            trust = tf.where(
                tf.greater(weights, 0),
                tf.where(
                    tf.greater(gradient, 0),
                    self._eeta * weights / (gradient + self._weight_decay * weights + self._epsilon),
                    1.0,
                ),
                1.0,
            )
            rate = self._learning_rate * trust
            grad = grad + self._weight_decay * var
        return rate, grad

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        return self._apply("ApplyMomentum", grad, var, var, self.get_slot(var, "momentum"))

    def _resource_apply_dense(self, grad: Any, var: Any) -> Any:
        return self._apply("ResourceApplyMomentum", grad, var, var.handle, self.get_slot(var, "momentum").handle)

    def _apply(self, op: str, grad: Any, var: Any, target: Any, momentum: Any) -> Any:
        rate, grad = self.compute_lr(grad, var)
        step = getattr(tf.raw_ops, op)(
            var=target, accum=momentum, lr=tf.cast(1.0, var.dtype.base_dtype), grad=grad * rate,
            momentum=self._momentum, use_locking=False, use_nesterov=self._use_nesterov,
        )
        return step if isinstance(step, tf.Operation) else step.op

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        momentum = self.get_slot(var, "momentum")
        return self._rows("SparseApplyMomentum", grad.values, grad.indices, var, var, momentum).op

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any) -> Any:
        momentum = self.get_slot(var, "momentum").handle
        return self._rows("ResourceSparseApplyMomentum", grad, indices, var, var.handle, momentum)

    def _rows(self, op: str, grad: Any, indices: Any, var: Any, target: Any, momentum: Any) -> Any:
        dtype = var.dtype.base_dtype
        return getattr(tf.raw_ops, op)(
            var=target, accum=momentum, lr=tf.cast(self._learning_rate_tensor, dtype), grad=grad, indices=indices,
            momentum=tf.cast(self._momentum_tensor, dtype), use_locking=self._use_locking,
            use_nesterov=self._use_nesterov,
        )

    def _prepare(self) -> None:
        self._learning_rate_tensor = tf.convert_to_tensor(
            self._call_if_callable(self._learning_rate), name="learning_rate"
        )
        self._momentum_tensor = tf.convert_to_tensor(self._call_if_callable(self._momentum), name="momentum")
