"""Gradients of a loss given as a function: of the ops that it makes, in their reverse order, as a tape plays them
back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_core.autodiff import sum_slices, zeros_like_output
from ossia_core.graph.operation import Operation
from ossia_core.graph.scopes import control_dependencies
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.opdef import gradient_of, lookup
from ossia_core.primitives.variable_ops import handle_data
from ossia_core.variables.listing import trainable_variables
from ossia_core.variables.resource import ResourceVariable
from ossia_ops.fill import ones, ones_like


def gradients_of_function(loss: Callable, var_list: list[Any] | None, grad_loss: Any) -> list[tuple[Any, Any]]:
    """Pairs of gradient and variable.

    Args:
      loss: a function that builds the loss.
      var_list: variables to differentiate by; None takes the trainable resource variables that the function reads.
      grad_loss: gradient of the loss, ones if None.
    """
    start = get_default_graph().version
    value = loss()
    made = [op for op in get_default_graph().get_operations() if op._id > start]
    if var_list is None:
        var_list = _variables_read(made)
    sources = [variable.handle if isinstance(variable, ResourceVariable) else variable._ref() for variable in var_list]
    with control_dependencies([value]):
        found = _play_back(value, made, sources, grad_loss)
    return [(found.get(source), variable) for source, variable in zip(sources, var_list)]


def _variables_read(made: list[Operation]) -> list[Any]:
    read = {t for op in made for t in op.inputs}
    return [v for v in trainable_variables() if isinstance(v, ResourceVariable) and v.handle in read]


def _play_back(value: Tensor, made: list[Operation], sources: list[Tensor], grad_loss: Any) -> dict[Tensor, Any]:
    connected: set[Tensor] = set(sources)
    used = []
    for op in made:
        if any(t in connected for t in op.inputs):
            used.append(op)
            connected.update(op.outputs)
    if grad_loss is None:
        grad_loss = ones(value.shape, value.dtype.base_dtype) if value.shape.is_fully_defined() else ones_like(value)
    partial: dict[Tensor, list[Any]] = {value: [grad_loss]}
    for op in reversed(used):
        gradients = [_total(partial.get(output)) for output in op.outputs]
        if all(gradient is None for gradient in gradients):
            continue
        fn = gradient_of(op.type)
        if fn is None:
            continue
        gradients = [zeros_like_output(op, i) if g is None else g for i, g in enumerate(gradients)]
        results = fn(op, *gradients)
        for tensor, gradient in zip(op.inputs, results if isinstance(results, (list, tuple)) else [results]):
            if gradient is not None and (tensor in connected or handle_data(tensor) is not None):
                partial.setdefault(tensor, []).append(gradient)
    return {source: _total(partial.get(source)) for source in sources}


def _total(gradients: list[Any] | None) -> Any:
    if not gradients:
        return None
    if len(gradients) == 1:
        return gradients[0]
    if all(isinstance(gradient, Tensor) for gradient in gradients):
        return lookup("AddN")(gradients)
    return sum_slices(gradients)
