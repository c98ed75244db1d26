"""An optimizer that scales the loss, and its gradients back."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public


@public("contrib.mixed_precision.LossScaleOptimizer")
class LossScaleOptimizer(tf.train.Optimizer):
    """Scales a loss so that gradients in half precision do not vanish, and leaves out steps in which they overflow.

    Args:
      opt: the optimizer that applies the gradients.
      loss_scale_manager: says how much the loss is scaled.

    Raises:
      ValueError: `opt` is no optimizer.
    """

    def __init__(self, opt: Any, loss_scale_manager: Any) -> None:
        if not isinstance(opt, tf.train.Optimizer):
            raise ValueError(f'"opt" must be an instance of Optimizer, but got: {type(opt)}')
        self._opt, self._loss_scale_manager = opt, loss_scale_manager

    def compute_gradients(
        self, loss: Any, var_list: Any = None, gate_gradients: int = tf.train.Optimizer.GATE_OP,
        aggregation_method: Any = None, colocate_gradients_with_ops: bool = False, grad_loss: Any = None,
    ) -> list[Any]:
        """As of the other optimizer; the gradients are those of the loss as it is given."""
        scale = self._loss_scale_manager.get_loss_scale()
        if callable(loss):
            original = loss
            scaled: Any = lambda: original() * tf.cast(scale, original().dtype.base_dtype)
        else:
            scaled = loss * tf.cast(scale, loss.dtype.base_dtype)
        pairs = self._opt.compute_gradients(
            scaled, var_list=var_list, gate_gradients=gate_gradients, aggregation_method=aggregation_method,
            colocate_gradients_with_ops=colocate_gradients_with_ops, grad_loss=grad_loss,
        )
        return self._down_scale(pairs, scale)

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """An op that applies the gradients if all are finite, and tells the manager."""
        pairs = list(grads_and_vars)
        finite = []
        for grad, _ in pairs:
            if grad is not None:
                finite.append(tf.reduce_all(tf.is_finite(grad.values if isinstance(grad, tf.IndexedSlices) else grad)))
        all_finite = tf.reduce_all(finite)
        step = tf.cond(
            all_finite, lambda: self._opt.apply_gradients(pairs, global_step, name), lambda: tf.no_op()
        )
        return tf.group(step, self._loss_scale_manager.update_loss_scale(all_finite))

    def _down_scale(self, pairs: list[Any], scale: Any) -> list[Any]:
        inverse = tf.reciprocal(scale)
        scaled: list[Any] = []
        for grad, var in pairs:
            if grad is None:
                scaled.append((None, var))
            elif isinstance(grad, tf.IndexedSlices):
                values = grad.values * tf.cast(inverse, grad.dtype.base_dtype)
                scaled.append((tf.IndexedSlices(values, grad.indices, grad.dense_shape), var))
            else:
                scaled.append((grad * tf.cast(inverse, grad.dtype.base_dtype), var))
        return scaled
