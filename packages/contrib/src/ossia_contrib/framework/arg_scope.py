"""Scopes of default arguments: what a block of a program gives to all calls of some functions."""

from __future__ import annotations

import contextlib
import functools
import inspect
import threading
from collections.abc import Callable, Iterator
from typing import Any

from ossia_core.plugins.api_table import public

_open = threading.local()
_keyword_names: dict[str, tuple[str, ...]] = {}  # the key of a decorated function -> its arguments that have defaults


def _stack() -> list[dict[str, dict[str, Any]]]:
    if not hasattr(_open, "scopes"):
        _open.scopes = [{}]
    return _open.scopes


@public("contrib.framework.current_arg_scope", "contrib.slim.current_arg_scope")
def current_arg_scope() -> dict[str, dict[str, Any]]:
    """The innermost open scope: the key of a function to its default arguments."""
    return _stack()[-1]


@public("contrib.slim.arg_scope_func_key")
def arg_scope_func_key(func: Callable) -> str:
    """The key under which scopes keep the arguments of a function."""
    return getattr(func, "_key_op", str(func))


@public("contrib.framework.has_arg_scope", "contrib.slim.has_arg_scope")
def has_arg_scope(func: Callable) -> bool:
    """Whether a function takes defaults from scopes."""
    return arg_scope_func_key(func) in _keyword_names


@public("contrib.framework.arg_scoped_arguments", "contrib.slim.arg_scoped_arguments")
def arg_scoped_arguments(func: Callable) -> tuple[str, ...]:
    """The names of the arguments of a decorated function that a scope may give.

    Raises:
      AssertionError: the function takes nothing from scopes.
    """
    assert has_arg_scope(func)
    return _keyword_names[arg_scope_func_key(func)]


@public("contrib.framework.add_arg_scope", "contrib.slim.add_arg_scope")
def add_arg_scope(func: Callable) -> Callable:
    """Decorates a function so that it takes defaults from the open `arg_scope`s."""

    @functools.wraps(func)
    def scoped(*args: Any, **kwargs: Any) -> Any:
        defaults = current_arg_scope().get(scoped._key_op)  # type: ignore[attr-defined]
        return func(*args, **({**defaults, **kwargs} if defaults else kwargs))

    key = arg_scope_func_key(func)
    parameters = inspect.signature(func).parameters.values()
    _keyword_names.setdefault(key, tuple(p.name for p in parameters if p.default is not p.empty))
    scoped._key_op = key  # type: ignore[attr-defined]
    return scoped


@public("contrib.framework.arg_scope", "contrib.slim.arg_scope")
@contextlib.contextmanager
def arg_scope(list_ops_or_scope: Any, **kwargs: Any) -> Iterator[dict[str, dict[str, Any]]]:
    """Inside, the functions take these arguments by default, on top of what the scopes around give them.

    Args:
      list_ops_or_scope: functions decorated with `add_arg_scope`; or a scope as one of these blocks yielded it, which
          takes the place of the scopes around.
      **kwargs: the arguments.

    Yields:
      The scope.

    Raises:
      TypeError: the first argument is of another kind.
      ValueError: a function is not decorated, or a scope comes together with arguments.
    """
    if isinstance(list_ops_or_scope, dict):
        if kwargs:
            raise ValueError("When attempting to re-use a scope by suppling a dictionary, kwargs must be empty.")
        scope = list_ops_or_scope.copy()
    elif isinstance(list_ops_or_scope, (list, tuple)):
        scope = current_arg_scope().copy()
        for func in list_ops_or_scope:
            if not has_arg_scope(func):
                raise ValueError(f"{func.__module__}::{func.__name__} is not decorated with @add_arg_scope")
            key = arg_scope_func_key(func)
            scope[key] = {**scope.get(key, {}), **kwargs}
    else:
        raise TypeError("list_ops_or_scope must either be a list/tuple or reused scope (i.e. dict)")
    _stack().append(scope)
    try:
        yield scope
    finally:
        _stack().pop()
