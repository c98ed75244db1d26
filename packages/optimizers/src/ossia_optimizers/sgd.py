"""Gradient descent: `var -= learning_rate * gradient`."""

from __future__ import annotations

from typing import Any

from ossia_core.declare.opdef import lookup
from ossia_core.graph.composites import IndexedSlices
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.plugins.api_table import provides
from ossia_ops.math.cast import cast
from ossia_optimizers.base import Optimizer
from ossia_optimizers.updates import update_ops


@update_ops("GradientDescent", "alpha delta", forms="dense resource_dense")
def updates(var, alpha, delta):
    """A step of gradient descent."""
    var -= alpha * delta


updates.samples(alpha=0.1)


@provides("ossia_optimizers", "GradientDescentOptimizer")
class GradientDescentOptimizer(Optimizer):
    """Gradient descent.

    Args:
      learning_rate: a number, tensor, or function that returns one.
      use_locking: whether updates hold locks.
      name: name of the optimizer.
    """

    def __init__(self, learning_rate: Any, use_locking: bool = False, name: str = "GradientDescent") -> None:
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._learning_rate_tensor: Any = None

    def _prepare(self) -> None:
        self._learning_rate_tensor = convert_to_tensor(
            self._call_if_callable(self._learning_rate), name="learning_rate"
        )

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        return updates.dense(
            var, cast(self._learning_rate_tensor, var.dtype.base_dtype), grad, use_locking=self._use_locking
        ).op

    def _resource_apply_dense(self, grad: Any, handle: Any) -> Any:
        return updates.resource_dense(
            handle.handle, cast(self._learning_rate_tensor, grad.dtype.base_dtype), grad, use_locking=self._use_locking
        )

    def _resource_apply_sparse_duplicate_indices(self, grad: Any, handle: Any, indices: Any) -> Any:
        return lookup("ResourceScatterAdd")(handle.handle, indices, -grad * self._learning_rate)

    def _apply_sparse_duplicate_indices(self, grad: Any, var: Any) -> Any:
        delta = IndexedSlices(
            grad.values * cast(self._learning_rate_tensor, var.dtype.base_dtype), grad.indices, grad.dense_shape
        )
        return var.scatter_sub(delta, use_locking=self._use_locking)
