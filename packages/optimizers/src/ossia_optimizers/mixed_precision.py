"""An optimizer that scales the loss, and the switch for mixed precision."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ossia_core.control.cond import cond
from ossia_core.graph.composites import IndexedSlices
from ossia_core.graph.convert import constant
from ossia_core.names import logging
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import group
from ossia_core.primitives.source import no_op
from ossia_core.session.compile import rewrites
from ossia_optimizers.base import Optimizer
from ossia_optimizers.loss_scale import DynamicLossScale, as_loss_scale

_REWRITE = "auto_mixed_precision"


@public("train.experimental.MixedPrecisionLossScaleOptimizer")
class MixedPrecisionLossScaleOptimizer(Optimizer):
    """Wraps an optimizer: the loss is scaled before it is differentiated, the gradients are scaled back before they are
    applied.

    Args:
      opt: the optimizer to wrap.
      loss_scale: a LossScale, a number for a fixed one, or "dynamic".

    Raises:
      ValueError: `opt` is no optimizer, or `loss_scale` is none of these.
      TypeError: `loss_scale` is None.
    """

    def __init__(self, opt: Optimizer, loss_scale: Any) -> None:
        if not isinstance(opt, Optimizer):
            raise ValueError(f'"opt" must be an instance of Optimizer, but got: {type(opt)}')
        super().__init__(opt._use_locking, opt.get_name())
        self._optimizer = opt
        scale = as_loss_scale(loss_scale)
        if scale is None:
            raise TypeError("loss_scale cannot be None")
        self._loss_scale = scale

    @property
    def _checkpoint_dependencies(self) -> list[tuple[str, Any]]:
        return [("base_optimizer", self._optimizer), ("loss_scale", self._loss_scale)]

    def compute_gradients(
        self,
        loss: Any,
        var_list: Any = None,
        gate_gradients: int = Optimizer.GATE_OP,
        aggregation_method: int | None = None,
        colocate_gradients_with_ops: bool = False,
        grad_loss: Any = None,
    ) -> list[tuple[Any, Any]]:
        """Pairs of gradient and variable, as the wrapped optimizer gives them for the scaled loss, scaled back."""
        pairs = self._optimizer.compute_gradients(
            loss=self._scaled(loss),
            var_list=var_list,
            gate_gradients=gate_gradients,
            aggregation_method=aggregation_method,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
            grad_loss=grad_loss,
        )
        gradients = self._unscaled([gradient for gradient, _ in pairs])
        return list(zip(gradients, [variable for _, variable in pairs]))

    def _scaled(self, loss: Any) -> Any:
        scale = self._loss_scale()
        return (lambda: loss() * scale) if callable(loss) else loss * scale

    def _unscaled(self, gradients: Sequence[Any]) -> list[Any]:
        inverse = 1 / self._loss_scale()
        return [None if gradient is None else _times(gradient, inverse) for gradient in gradients]

    def apply_gradients(
        self, grads_and_vars: Iterable[tuple[Any, Any]], global_step: Any = None, name: str | None = None
    ) -> Any:
        """The operation that applies gradients and adapts the loss scale; gradients that are not finite are left
        out."""
        pairs = tuple(grads_and_vars)
        if not isinstance(self._loss_scale, DynamicLossScale):
            return self._optimizer.apply_gradients(pairs, global_step, name)
        name = name if name is not None else self.get_name()
        adapted, usable = self._loss_scale.update([gradient for gradient, _ in pairs])

        def apply() -> Any:
            # The original makes a constant here, which later op seeds count.
            constant(0)
            return self._optimizer.apply_gradients(pairs, global_step, name + "-wrapped")

        return group(cond(usable, apply, no_op), adapted, name=name)

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        return self._optimizer._apply_dense(grad, var)

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        return self._optimizer._apply_sparse(grad, var)

    def _resource_apply_dense(self, grad: Any, handle: Any) -> Any:
        return self._optimizer._resource_apply_dense(grad, handle)

    def _resource_apply_sparse(self, grad: Any, handle: Any, indices: Any) -> Any:
        return self._optimizer._resource_apply_sparse(grad, handle, indices)


def _times(gradient: Any, factor: Any) -> Any:
    if isinstance(gradient, IndexedSlices):
        return IndexedSlices(gradient.values * factor, gradient.indices, gradient.dense_shape)
    return gradient * factor


@public("train.experimental.enable_mixed_precision_graph_rewrite")
def enable_mixed_precision_graph_rewrite(
    opt: Optimizer, loss_scale: Any = "dynamic"
) -> MixedPrecisionLossScaleOptimizer:
    """Switch mixed precision on for sessions made from now on, and give `opt` a loss scale.

    Sessions whose ConfigProto does not decline (`rewrite_options.auto_mixed_precision` OFF) then ask for the rewrite of
    `ossia_optimizers.half_precision`. As in the original it leaves CPUs alone, unless the environment variable
    `OSSIA_MIXED_PRECISION` is float16 or bfloat16.

    Args:
      opt: the optimizer.
      loss_scale: as for `MixedPrecisionLossScaleOptimizer`.

    Raises:
      ValueError: `opt` is no optimizer, or has a loss scale already.
    """
    if isinstance(opt, MixedPrecisionLossScaleOptimizer):
        raise ValueError(
            '"opt" must not already be an instance of a MixedPrecisionLossScaleOptimizer. '
            "`enable_mixed_precision_graph_rewrite` "
            "will automatically wrap the optimizer with a MixedPrecisionLossScaleOptimizer."
        )
    if not isinstance(opt, Optimizer):
        raise ValueError(
            f'"opt" must be an instance of a tf.train.Optimizer or a tf.keras.optimizers.Optimizer, but got: {opt}'
        )
    scaled = MixedPrecisionLossScaleOptimizer(opt, loss_scale)
    if rewrites.made_without(_REWRITE):
        logging.warning("Sessions that exist already do not compute in mixed precision; only new ones will.")
    rewrites.options[_REWRITE] = True
    return scaled


@public("train.experimental.disable_mixed_precision_graph_rewrite")
def disable_mixed_precision_graph_rewrite() -> None:
    """Switch mixed precision off for sessions made from now on; optimizers keep their loss scales."""
    if not rewrites.options.get(_REWRITE):
        logging.warning("Mixed precision is switched off although it was not on.")
    rewrites.options[_REWRITE] = False
