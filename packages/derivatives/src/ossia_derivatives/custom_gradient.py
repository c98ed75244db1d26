"""Functions that bring their own gradient: `custom_gradient` and what is made with it."""
from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable, Sequence
from typing import Any

from ossia_core.declare.opdef import lookup, register_gradient
from ossia_core.differentiate.autodiff import gradients
from ossia_core.graph.collections import GraphKeys
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import control_dependencies
from ossia_core.graph.stack import get_default_graph
from ossia_core.names import logging, nest
from ossia_core.plugins.api_table import public
from ossia_core.variables.resource import ResourceVariable
from ossia_core.variables.scope import get_variable_scope

_numbers = itertools.count(1)


@public("custom_gradient")
def custom_gradient(f: Callable) -> Callable:
    """A decorator for functions that return `(results, grad_fn)`.

    `grad_fn` takes the gradients of the results, one each, and returns those of the arguments. If the function reads
    trainable resource variables, `grad_fn` must take a keyword argument `variables` and return `(gradients of the
    arguments, gradients of the variables)`.

    Returns:
      A function that takes tensors and returns the results; `tf.gradients` through it calls `grad_fn`.
    """
    @functools.wraps(f)
    def decorated(*args: Any, **kwargs: Any) -> Any:
        if kwargs:
            raise ValueError(
                "The custom_gradient decorator currently supports keywords arguments only when eager execution is "
                "enabled."
            )
        return _call(f, args)
    return decorated


def _call(f: Callable, args: Sequence[Any]) -> Any:
    name = f"CustomGradient-{next(_numbers)}"
    args = [convert_to_tensor(x) for x in args]
    result, grad_fn, variables = _observed(f, args)
    results = nest.flatten(result) if nest.is_sequence(result) else [result]
    identity = lookup("Identity")
    for value in results:
        identity(value)
    tensors = [*results, *args, *variables]
    with get_default_graph().gradient_override_map({"IdentityN": name}):
        outputs = lookup("IdentityN")(tensors)
    for tensor in tensors:
        convert_to_tensor(tensor)

    def gradient(_: Any, *grads: Any) -> list:
        grads = grads[:len(results)]
        if variables:
            of_args, of_variables = grad_fn(*grads, variables=variables)
            if len(of_variables) != len(variables):
                raise ValueError("Must return gradient for each variable from @custom_gradient grad_fn.")
        else:
            of_args, of_variables = grad_fn(*grads), []
        return (
            [None] * len(results)
            + (nest.flatten(of_args) if nest.is_sequence(of_args) else [of_args])
            + list(of_variables)
        )

    register_gradient(name, gradient)
    return nest.pack_sequence_as(result, outputs[:len(results)]) if nest.is_sequence(result) else outputs[0]


def _observed(f: Callable, args: list) -> tuple[Any, Callable, list[ResourceVariable]]:
    """What `f(*args)` returns, and the trainable variables that it reads besides its arguments."""
    graph = get_default_graph()
    seen: dict[Any, None] = {}
    before = {id(v) for v in _known_variables()}
    graph._reads_seen.append(seen)
    try:
        result, grad_fn = f(*args)
    finally:
        graph._reads_seen.remove(seen)
    for v in _known_variables():
        if id(v) not in before and not isinstance(v, ResourceVariable):
            raise TypeError(
                "All variables used by a function wrapped with @custom_gradient must be `ResourceVariable`s. Ensure "
                "that no `variable_scope` is created with `use_resource=False`."
            )
    variables = list(seen)
    takes_variables = _takes(grad_fn, "variables")
    if variables and not takes_variables:
        raise TypeError(
            "If using @custom_gradient with a function that uses variables, then grad_fn must accept a keyword "
            "argument 'variables'."
        )
    if takes_variables and not variables:
        if not get_variable_scope().use_resource:
            raise TypeError(
                "If using @custom_gradient with a function that uses variables, the enclosing variable scope must have "
                "use_resource=True."
            )
        logging.warning(
            "@custom_gradient grad_fn has 'variables' in signature, but no ResourceVariables were used on the forward "
            "pass."
        )
    return result, grad_fn, variables


def _known_variables() -> list:
    graph, scope = get_default_graph(), get_variable_scope()
    return graph.get_collection(GraphKeys.GLOBAL_VARIABLES, scope.name) + graph.get_collection(
        GraphKeys.LOCAL_VARIABLES, scope.name
    )


def _takes(function: Callable, name: str) -> bool:
    parameters = inspect.signature(function).parameters.values()
    return any(p.name == name or p.kind is p.VAR_KEYWORD for p in parameters)


@public("grad_pass_through")
def grad_pass_through(f: Callable) -> Callable:
    """The function `f` with the gradient of the identity: the gradients of its results are those of its arguments.

    Variables that it reads get no gradient.
    """
    def with_gradient(*args: Any) -> Any:
        def grad(*grads: Any, **kwargs: Any) -> Any:
            variables = kwargs.get("variables")
            return grads if variables is None else (grads, [None] * len(variables))
        return f(*args), grad
    return functools.wraps(f)(custom_gradient(with_gradient))


@public("recompute_grad")
def recompute_grad(f: Callable) -> Callable:
    """The function `f` built a second time for its gradient, so that what it computes on the way need not be kept."""
    def with_gradient(*args: Any) -> Any:
        result = f(*args)

        def grad(*grads: Any, variables: Any = None) -> Any:
            with control_dependencies(grads):
                again = f(*args)
            found = gradients(again, [*args, *(variables or [])], grad_ys=list(grads))
            return found[:len(args)], found[len(args):]
        return result, grad
    return functools.wraps(f)(custom_gradient(with_gradient))
