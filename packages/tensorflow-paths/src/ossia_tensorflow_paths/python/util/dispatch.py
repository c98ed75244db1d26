"""`dispatch`: functions that stand in for public ones where these refuse their arguments."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

_dispatchers: dict[Any, list[Any]] = {}


class OpDispatcher:
    """Handles the arguments of a function that refuses them; override `handle`."""

    NOT_SUPPORTED = object()

    def handle(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The result of the function, or NOT_SUPPORTED."""
        return self.NOT_SUPPORTED

    def register(self, op: Callable[..., Any]) -> None:
        """Puts this behind the other dispatchers of a function."""
        _dispatchers.setdefault(op, []).append(self)


class _TypeBasedDispatcher(OpDispatcher):
    def __init__(self, override_func: Callable[..., Any], types: Sequence[type]) -> None:
        self._override, self._types = override_func, tuple(types)

    def handle(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        for value in [*args, *kwargs.values()]:
            items = value if isinstance(value, (list, tuple)) else [value]
            if any(isinstance(item, self._types) for item in items):
                return self._override(*args, **kwargs)
        return self.NOT_SUPPORTED


def dispatch(op: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """What the dispatchers of a function make of arguments, or NOT_SUPPORTED."""
    for dispatcher in _dispatchers.get(op, ()):
        result = dispatcher.handle(args, kwargs)
        if result is not OpDispatcher.NOT_SUPPORTED:
            return result
    return OpDispatcher.NOT_SUPPORTED


def dispatch_for_types(op: Callable[..., Any], *types: type) -> Callable[[Any], Any]:
    """Decorates what a function of the public API does with instances of classes.

    A class is told by its method `_dispatch`, which this gives to each of `types`, so that public functions find it.

    Raises:
        AssertionError: The signatures differ.
    """

    def decorator(override: Any) -> Any:
        if list(inspect.signature(op).parameters) != list(inspect.signature(override).parameters):
            raise AssertionError("The decorated function's signature must exactly match the signature of the op.")
        _TypeBasedDispatcher(override, types).register(op)
        for kind in types:
            if "_dispatch" not in vars(kind):
                kind._dispatch = classmethod(_handle)  # type: ignore[attr-defined]
        return override

    return decorator


def _handle(cls: type, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    result = dispatch(function, *args, **kwargs)
    return NotImplemented if result is OpDispatcher.NOT_SUPPORTED else result


def add_dispatch_list(target: Any) -> Any:
    """Lets a function have dispatchers."""
    _dispatchers.setdefault(target, [])
    return target


def add_dispatch_support(target: Callable[..., Any]) -> Callable[..., Any]:
    """Decorates a function whose dispatchers are asked where it refuses its arguments."""

    @functools.wraps(target)
    def dispatching(*args: Any, **kwargs: Any) -> Any:
        try:
            return target(*args, **kwargs)
        except (TypeError, ValueError):
            result = dispatch(dispatching, *args, **kwargs)
            if result is not OpDispatcher.NOT_SUPPORTED:
                return result
            raise

    return add_dispatch_list(dispatching)
