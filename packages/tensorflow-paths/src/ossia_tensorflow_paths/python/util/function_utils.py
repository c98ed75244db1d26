"""`util.function_utils` and `util.lazy_loader`."""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any

from ossia_tensorflow_paths.python.util.tf_decorator import unwrap


def fn_args(fn: Callable[..., Any]) -> tuple[str, ...]:
    """The names of the positional arguments of a function, a bound method, a partial or a callable object."""
    parameters = inspect.signature(fn).parameters.values()
    given = fn.keywords if isinstance(fn, functools.partial) else {}
    positional = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
    return tuple(p.name for p in parameters if p.kind in positional and p.name not in given)


def has_kwargs(fn: Callable[..., Any]) -> bool:
    """Whether a function takes any keyword argument.

    Raises:
        TypeError: It is not callable.
    """
    if not callable(fn):
        raise TypeError(f"fn should be a function-like object, but is of type {type(fn)}.")
    return any(p.kind is p.VAR_KEYWORD for p in inspect.signature(fn).parameters.values())


def get_func_name(func: Callable[..., Any]) -> str:
    """The name of a function, or the type of a callable object.

    Raises:
        ValueError: It is not callable.
    """
    if not callable(func):
        raise ValueError("Argument must be callable")
    inner = unwrap(func)[1]
    if inspect.ismethod(inner):
        return f"{type(inner.__self__).__name__}.{inner.__func__.__name__}"
    return inner.__name__ if inspect.isfunction(inner) else str(type(inner))


def get_func_code(func: Callable[..., Any]) -> Any:
    """The code of a function; None of a callable object without.

    Raises:
        ValueError: It is not callable.
    """
    if not callable(func):
        raise ValueError("Argument must be callable")
    inner = unwrap(func)[1]
    if isinstance(inner, functools.partial):
        return None
    called = inner if hasattr(inner, "__code__") else inner.__call__
    return getattr(called, "__code__", None)


def _is_bound_method(fn: Any) -> bool:
    return inspect.ismethod(unwrap(fn)[1])


def _is_callable_object(obj: Any) -> bool:
    return callable(obj) and inspect.ismethod(obj.__call__)


def get_disabled_rewriter_config() -> bytes:
    """A serialized ConfigProto that asks for no rewriting of graphs."""
    import ossia as tf

    config = tf.ConfigProto()
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    return config.SerializeToString()


class LazyLoader(ModuleType):
    """A module that is imported when something of it is first used.

    Args:
        local_name: The name that it has in the module which uses it.
        parent_module_globals: The globals of that module; the imported one replaces this there.
        name: The module to import.
        warning: What to log when it is imported; None for nothing.
    """

    def __init__(
        self, local_name: str, parent_module_globals: dict[str, Any], name: str, warning: str | None = None
    ) -> None:
        super().__init__(name)
        self._place = local_name, parent_module_globals
        self._warning = warning

    def _load(self) -> ModuleType:
        local_name, globals_of_parent = self._place
        module = globals_of_parent[local_name] = importlib.import_module(self.__name__)
        if self._warning:
            from ossia import logging

            logging.warning(self._warning)
            self._warning = None
        return module

    def __getattr__(self, item: str) -> Any:
        return getattr(self._load(), item)

    def __dir__(self) -> list[str]:
        return dir(self._load())
