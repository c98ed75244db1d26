"""Values that stand for tensors, as arguments of public functions: who handles them.

A function that is declared with `dispatches` is tried as it is first. If it refuses its arguments and one of them, or
of a list among them, is of a class with a method

    @classmethod
    def _dispatch(cls, function, args, kwargs): ...

that method is asked; it returns the result, or NotImplemented for a function that it does not know. `function` is what
the public name stands for.
"""
from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any, TypeVar, cast

_Function = TypeVar("_Function", bound=Callable[..., Any])


def dispatches(function: _Function) -> _Function:
    """Declares that arguments of other classes than tensors may say what `function` does with them.

    Example:
        @public("negative")
        @dispatches
        def negative(x, name=None): ...
    """

    @functools.wraps(function)
    def dispatching(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except (TypeError, ValueError):
            for handler in _handlers(args, kwargs):
                result = handler(dispatching, args, kwargs)
                if result is not NotImplemented:
                    return result
            raise

    return cast(_Function, dispatching)


def _handlers(args: tuple, kwargs: dict[str, Any]) -> Iterator[Callable]:
    """What to ask, each class once, in the order of the arguments."""
    seen = set()
    for argument in [*args, *kwargs.values()]:
        for value in argument if isinstance(argument, (list, tuple)) else [argument]:
            kind = type(value)
            if kind not in seen:
                seen.add(kind)
                handler = getattr(kind, "_dispatch", None)
                if handler is not None:
                    yield handler
