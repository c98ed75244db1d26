"""The decorators of `tensorflow.python.util`."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any


def getfullargspec(function: Any) -> inspect.FullArgSpec:
    """The arguments of a function, beneath its decorators, or those that one of them states."""
    decorators, target = unwrap(function)
    stated = (getattr(decorator, "decorator_argspec", None) for decorator in decorators)
    return next((spec for spec in stated if spec is not None), None) or inspect.getfullargspec(target)


getargspec = getfullargspec


class TFDecorator:
    """What is known of a decorator around a function; calling it calls the function.

    Args:
        decorator_name: The name of the decorator.
        target: The function that it decorates.
        decorator_doc: The documentation of the whole; that of the function if it is empty.
        decorator_argspec: The arguments of the whole, where they are not those of the function.
    """

    def __init__(
        self, decorator_name: str, target: Callable[..., Any], decorator_doc: str = "", decorator_argspec: Any = None
    ) -> None:
        self.decorator_name = decorator_name
        self.decorated_target = target
        self.decorator_doc = decorator_doc
        self.decorator_argspec = decorator_argspec
        self.__name__ = getattr(target, "__name__", decorator_name)
        self.__doc__ = decorator_doc or getattr(target, "__doc__", None)
        self.__wrapped__ = target

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.decorated_target(*args, **kwargs)

    def __get__(self, instance: Any, owner: Any) -> Any:
        return self.decorated_target.__get__(instance, owner)


def make_decorator(
    target: Callable[..., Any], decorator_func: Callable[..., Any], decorator_name: str | None = None,
    decorator_doc: str = "", decorator_argspec: Any = None,
) -> Callable[..., Any]:
    """`decorator_func` with the name and documentation of what it stands for."""
    if decorator_name is None:
        frame = inspect.currentframe()
        decorator_name = frame.f_back.f_code.co_name if frame is not None and frame.f_back is not None else ""
    decorator = TFDecorator(decorator_name, target, decorator_doc, decorator_argspec)
    made = functools.wraps(target)(decorator_func) if hasattr(target, "__name__") else decorator_func
    made._tf_decorator = decorator  # type: ignore[attr-defined]
    if decorator_doc:
        made.__doc__ = decorator_doc
    if not hasattr(made, "__wrapped__"):
        made.__wrapped__ = target  # type: ignore[attr-defined]
    return made


def unwrap(maybe_decorated: Any) -> tuple[list[Any], Any]:
    """The decorators around a function, outermost first, and the function itself."""
    decorators = []
    while True:
        if isinstance(maybe_decorated, TFDecorator):
            decorators.append(maybe_decorated)
            maybe_decorated = maybe_decorated.decorated_target
        elif hasattr(maybe_decorated, "_tf_decorator"):
            decorators.append(maybe_decorated._tf_decorator)
            maybe_decorated = maybe_decorated._tf_decorator.decorated_target
        elif hasattr(maybe_decorated, "__wrapped__"):
            decorators.append(maybe_decorated)
            maybe_decorated = maybe_decorated.__wrapped__
        else:
            return decorators, maybe_decorated


def tf_export(*names: str, **options: Any) -> Callable[[Any], Any]:
    """A decorator without effect: it names a symbol of the original's public API."""
    return lambda symbol: symbol


keras_export = estimator_export = tf_export


def should_use_result(function: Any) -> Any:
    """A decorator without effect: it watches that results are used."""
    return function


def keyword_args_only(function: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator of a function that takes its arguments by keyword alone."""

    @functools.wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        if arguments:
            raise ValueError(f"Must use keyword args to call {function.__name__}.")
        return function(**keywords)

    return call


class classproperty:
    """A property of a class."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self._function = function

    def __get__(self, instance: Any, owner: Any) -> Any:
        return self._function(owner)


def remove_undocumented(module_name: str, allowed_exception_list: Any = None, doc_string_modules: Any = None) -> None:
    """Without effect: every name of a module stays."""


def make_all(module_name: str, doc_string_modules: Any = None) -> list[str]:
    """The public names of a module."""
    import sys

    return [name for name in vars(sys.modules[module_name]) if not name.startswith("_")]
