"""An optimizer whose updates are the ops of one formula: dense and sparse, on both kinds of variables, in the same
way."""

from __future__ import annotations

from typing import Any

from ossia_optimizers.base import Optimizer
from ossia_optimizers.updates import Updates

GRADIENT = object()  # where the gradient stands among the inputs of an update op


class FormulaOptimizer(Optimizer):
    """Base of the optimizers that have update ops of their own.

    A subclass sets `_updates` and `_state`, the names of its slots in the order of the ops, and overrides `_inputs`.
    """

    _updates: Updates
    _state: tuple[str, ...] = ()

    def _inputs(self, dtype: Any, form: str) -> list[Any]:
        """The inputs of the update op after the variables, as tensors of `dtype`; GRADIENT stands for the gradient."""
        raise NotImplementedError

    def _options(self) -> dict[str, Any]:
        """Further attributes of the update ops."""
        return {}

    def _ops(self) -> Updates:
        return self._updates

    def _update(self, form: str, var: Any, dtype: Any, *gradient: Any) -> Any:
        variables = [var, *[self.get_slot(var, name) for name in self._state]]
        if form.startswith("resource"):
            variables = [variable.handle for variable in variables]
        inputs: list[Any] = []
        for value in self._inputs(dtype, form):
            inputs.extend(gradient if value is GRADIENT else [value])
        result = getattr(self._ops(), form)(*variables, *inputs, use_locking=self._use_locking, **self._options())
        return result if form.startswith("resource") else result.op

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        return self._update("dense", var, var.dtype.base_dtype, grad)

    def _resource_apply_dense(self, grad: Any, var: Any) -> Any:
        return self._update("resource_dense", var, grad.dtype.base_dtype, grad)

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        return self._update("sparse", var, var.dtype.base_dtype, grad.values, grad.indices)

    def _resource_apply_sparse(self, grad: Any, var: Any, indices: Any) -> Any:
        return self._update("resource_sparse", var, grad.dtype.base_dtype, grad, indices)
