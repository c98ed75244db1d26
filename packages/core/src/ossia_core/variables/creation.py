"""What `tf.Variable(...)` makes: the chain of variable creators, and which kind of variable is the default."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from ossia_core.graph.stack import get_default_graph
from ossia_core.plugins.api_table import public

_use_resource_by_default = False


@public("enable_resource_variables")
def enable_resource_variables() -> None:
    """Make `tf.Variable` and `tf.get_variable` give resource variables from here on, unless `use_resource` says
    otherwise."""
    global _use_resource_by_default
    _use_resource_by_default = True


@public("disable_resource_variables")
def disable_resource_variables() -> None:
    """Undo `enable_resource_variables`."""
    global _use_resource_by_default
    _use_resource_by_default = False


@public("resource_variables_enabled")
def resource_variables_enabled() -> bool:
    """Whether new variables are resource variables unless `use_resource` says otherwise."""
    return _use_resource_by_default


def _creators(graph: Any) -> list[Callable]:
    return graph._scopes.setdefault("variable creators", [])


@public("variable_creator_scope", "compat.v2.variable_creator_scope")
@contextlib.contextmanager
def variable_creator_scope(variable_creator: Callable) -> Iterator[None]:
    """Inside, variables are made by `variable_creator(next_creator, **kwargs)`.

    Args:
      variable_creator: gets the next creator and the arguments of `tf.Variable` by keyword; returns a variable, usually
        `next_creator(**kwargs)`.
    """
    graph = get_default_graph()
    creators = _creators(graph)
    creators.append(variable_creator)
    try:
        yield
    finally:
        if not creators or creators.pop() is not variable_creator:
            raise RuntimeError("Exiting variable_creator_scope without proper nesting.")


_last_creator: Callable


def last_creator(creator: Callable) -> Callable:
    """Let `creator(next_creator, **kwargs)` be the end of the chain of creators."""
    global _last_creator
    _last_creator = creator
    return creator


def _then(creator: Callable, following: Callable) -> Callable:
    return lambda **kwargs: creator(following, **kwargs)


def create(**kwargs: Any) -> Any:
    """Make a variable through the creators in force."""
    make: Callable = lambda **final: _last_creator(None, **final)
    for creator in _creators(get_default_graph()):
        make = _then(creator, make)
    return make(**kwargs)
