"""The decorators of `tensorflow.python.util`."""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable, Iterator
from typing import Any

from ossia import logging


def getfullargspec(function: Any) -> inspect.FullArgSpec:
    """The arguments of a function, beneath its decorators."""
    return inspect.getfullargspec(unwrap(function)[1])


getargspec = getfullargspec


def make_decorator(
    target: Callable[..., Any], decorator_func: Callable[..., Any], decorator_name: str | None = None,
    decorator_doc: str = "", decorator_argspec: Any = None,
) -> Callable[..., Any]:
    """`decorator_func` with the name and documentation of what it stands for."""
    return functools.wraps(target)(decorator_func)


def unwrap(maybe_decorated: Any) -> tuple[list[Any], Any]:
    """The decorators around a function, outermost first, and the function itself."""
    decorators = []
    while hasattr(maybe_decorated, "__wrapped__"):
        decorators.append(maybe_decorated)
        maybe_decorated = maybe_decorated.__wrapped__
    return decorators, maybe_decorated


def _warning_once(message: str, about: Callable[..., bool], warn_once: bool = True) -> Callable[[Any], Any]:
    """A decorator that logs a message at a call of which `about` is true, the first one or each."""

    def decorate(function: Any) -> Any:
        said = False

        @functools.wraps(function)
        def call(*arguments: Any, **keywords: Any) -> Any:
            nonlocal said
            if not (said and warn_once) and about(function, arguments, keywords):
                said = True
                logging.warning("%s: %s", function.__qualname__, message)
            return function(*arguments, **keywords)

        return function if inspect.isclass(function) else call

    return decorate


def deprecated(date: str | None, instructions: str, warn_once: bool = True) -> Callable[[Any], Any]:
    """A decorator of what will go: its first use is logged."""
    when = f"after {date}" if date else "in a future version"
    return _warning_once(f"deprecated, to be removed {when}. {instructions}", lambda *_: True, warn_once)


def deprecated_args(
    date: str | None, instructions: str, *names: Any, warn_once: bool = True
) -> Callable[[Any], Any]:
    """A decorator of a function with arguments that will go: the first call with one of them is logged."""
    gone = {name if isinstance(name, str) else name[0] for name in names}

    def used(function: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> bool:
        return bool(gone & set(inspect.signature(function).bind_partial(*arguments, **keywords).arguments))

    return _warning_once(f"arguments {sorted(gone)} are deprecated. {instructions}", used, warn_once)


def deprecated_arg_values(
    date: str | None, instructions: str, warn_once: bool = True, **values: Any
) -> Callable[[Any], Any]:
    """A decorator of a function with values of arguments that will go: the first call with one of them is logged."""

    def used(function: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> bool:
        given = inspect.signature(function).bind_partial(*arguments, **keywords).arguments
        return any(name in given and given[name] is value for name, value in values.items())

    return _warning_once(f"values of {sorted(values)} are deprecated. {instructions}", used, warn_once)


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """A context manager in which warnings are not logged."""
    level = logging.get_verbosity()
    logging.set_verbosity(logging.ERROR)
    try:
        yield
    finally:
        logging.set_verbosity(level)


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
            raise ValueError(f"The function {function.__name__} accepts only keyword arguments.")
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
