"""What linear operators make of one another: functions by the classes of operators, the nearest ones first."""
from __future__ import annotations

import itertools
from collections.abc import Callable
from importlib import import_module
from typing import Any

from ossia_core.graph.scopes import name_scope

_MODULES = ("adjoints", "choleskys", "inverses", "products", "solutions")
_REGISTERED: dict[tuple[str, tuple[type, ...]], Callable] = {}
_found: dict[tuple[str, tuple[type, ...]], Callable] = {}


def register(operation: str, *kinds: type) -> Callable[[Callable], Callable]:
    """A decorator: the function does `operation` on operators of these classes and of classes derived from them."""
    def add(function: Callable) -> Callable:
        _REGISTERED[operation, kinds] = function
        _found.clear()
        return function
    return add


def _load() -> None:
    """Make sure that all functions of this package are registered."""
    for module in _MODULES:
        import_module(f"ossia_linear_operators.{module}")


def registered(operation: str, *kinds: type) -> Callable | None:
    """The function that does `operation` on operators of these very classes, if there is one."""
    _load()
    return _REGISTERED.get((operation, kinds))


def functions(operation: str) -> dict[tuple[type, ...], Callable]:
    """All functions that do `operation`, by the classes of the operators."""
    _load()
    return {kinds: function for (found, kinds), function in _REGISTERED.items() if found == operation}


def nearest(operation: str, *kinds: type) -> Callable | None:
    """The function for classes of operators, or for the bases that are the least steps away together."""
    function = _found.get((operation, kinds))
    if function is None:
        _load()
        ancestors = [list(enumerate(kind.__mro__)) for kind in kinds]
        by_distance = sorted(itertools.product(*ancestors), key=lambda steps: sum(distance for distance, _ in steps))
        candidates = (_REGISTERED.get((operation, tuple(kind for _, kind in steps))) for steps in by_distance)
        function = next(filter(None, candidates), None)
        if function is not None:
            _found[operation, kinds] = function
    return function


def _nearest(operation: str, *operators: Any) -> Callable:
    kinds = tuple(type(operator) for operator in operators)
    function = nearest(operation, *kinds)
    if function is None:
        names = ", ".join(kind.__name__ for kind in kinds)
        raise ValueError(f"There is no {operation} of {names}.")
    return function


def adjoint(operator: Any) -> Any:
    """The adjoint of an operator, as an operator."""
    function = _nearest("adjoint", operator)
    with name_scope("Adjoint"):
        return function(operator)


def cholesky(operator: Any) -> Any:
    """The Cholesky factor of a self-adjoint positive definite operator, as an operator."""
    function = _nearest("cholesky", operator)
    with name_scope("Cholesky"):
        return function(operator)


def inverse(operator: Any) -> Any:
    """The inverse of an operator, as an operator."""
    function = _nearest("inverse", operator)
    with name_scope("Inverse"):
        return function(operator)


def matmul(left: Any, right: Any) -> Any:
    """The product of two operators, as an operator."""
    function = _nearest("matmul", left, right)
    with name_scope("Matmul"):
        return function(left, right)


def solve(left: Any, right: Any) -> Any:
    """The product of the inverse of an operator and another, as an operator."""
    function = _nearest("solve", left, right)
    with name_scope("Solve"):
        return function(left, right)
