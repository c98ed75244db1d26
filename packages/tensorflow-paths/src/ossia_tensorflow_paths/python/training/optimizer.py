"""`training.optimizer`: how optimizers treat each kind of variable."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_optimizers import base

_OptimizableVariable = _RefVariableProcessor = base.RefTarget
_DenseResourceVariableProcessor = base.ResourceTarget
_TensorProcessor = base.TensorTarget
_get_processor = base.target_of
_var_key = base.variable_key
_deduplicate_indexed_slices = base.sum_repeated


def get_filtered_grad_fn(grad_fn: Callable[..., Any]) -> Callable[..., list[tuple[Any, Any]]]:
    """`grad_fn` without the variables that have no gradient."""

    def filtered(*args: Any, **kwargs: Any) -> list[tuple[Any, Any]]:
        return [(gradient, variable) for gradient, variable in grad_fn(*args, **kwargs) if gradient is not None]

    return filtered
