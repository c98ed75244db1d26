"""`tf.Module`: objects that hold variables, and name what their methods build."""
from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ossia_core.graph.scopes import name_scope
from ossia_core.graph.stack import get_default_graph
from ossia_core.plugins.api_table import public
from ossia_core.variables.variable import Variable

_VALID = re.compile(r"^[A-Za-z_]\w*$")
_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Za-z0-9])(?=[A-Z][a-z])")


@public("Module")
class Module:
    """Base class of objects that hold variables and other modules in their attributes.

    Args:
      name: name of the module; made of the class name if None.

    Raises:
      ValueError: the name is no Python identifier.
    """

    _TF_MODULE_IGNORED_PROPERTIES: frozenset = frozenset(("_name", "_scope_name"))

    def __init__(self, name: str | None = None) -> None:
        if name is None:
            name = _WORD.sub("_", type(self).__name__).lower()
        if not _VALID.match(name):
            raise ValueError(
                f"{name!r} is not a valid module name. Module names must be valid Python identifiers (e.g. a valid "
                "class name)."
            )
        self._name = name
        with name_scope(name) as scope:
            self._scope_name = scope

    @property
    def name(self) -> str:
        """The name given, or made of the class name."""
        return self._name

    @property
    def name_scope(self) -> Any:
        """The name scope of what the module builds; a new context manager each time."""
        return _Scope(self._scope_name)

    @property
    def variables(self) -> tuple:
        """The variables in the attributes of the module and its submodules, attributes in the order of their names."""
        return tuple(self._flatten(lambda item: isinstance(item, Variable)))

    @property
    def trainable_variables(self) -> tuple:
        """Those of the variables that are trainable."""
        return tuple(self._flatten(lambda item: isinstance(item, Variable) and item.trainable))

    @property
    def submodules(self) -> tuple:
        """The modules in the attributes of the module, and those in theirs."""
        return tuple(self._flatten(lambda item: isinstance(item, Module)))

    @property
    def _checkpoint_dependencies(self) -> Sequence[tuple[str, Any]]:
        """The attributes; an object-based checkpoint holds those that it can."""
        return list(vars(self).items())

    def _flatten(self, predicate: Callable[[Any], bool], recursive: bool = True) -> Iterator[Any]:
        """What of the attributes `predicate` holds for, each object once: the module's own, then those of each
        submodule."""
        yield from _walk(self, predicate, recursive, {id(self)})

    def _own_leaves(self) -> list:
        found: list[Any] = []
        attributes = vars(self)
        for key in sorted(attributes):
            if key not in self._TF_MODULE_IGNORED_PROPERTIES:
                _leaves(attributes[key], found)
        return found

    @classmethod
    def with_name_scope(cls, method: Callable) -> Callable:
        """A decorator: the method builds under the module's name scope."""
        @functools.wraps(method)
        def scoped(self: Module, *args: Any, **kwargs: Any) -> Any:
            with self.name_scope:
                return method(self, *args, **kwargs)
        return scoped


class _Scope:
    """The name scope of a module, entered again by each `with`."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._entered: list[Any] = []

    def __enter__(self) -> str:
        self._entered.append(get_default_graph().name_scope(self.name))
        return self._entered[-1].__enter__()

    def __exit__(self, *exc: Any) -> None:
        self._entered.pop().__exit__(*exc)


def _walk(module: Module, predicate: Callable[[Any], bool], recursive: bool, seen: set[int]) -> Iterator[Any]:
    inner = []
    for leaf in module._own_leaves():
        if id(leaf) in seen:
            continue
        seen.add(id(leaf))
        if predicate(leaf):
            yield leaf
        if recursive and isinstance(leaf, Module):
            inner.append(leaf)
    for submodule in inner:
        yield from _walk(submodule, predicate, recursive, seen)


def _leaves(value: Any, found: list) -> None:
    """Add the leaves of nested lists, tuples and dicts, dicts in the order of their keys."""
    if isinstance(value, dict):
        try:
            keys = sorted(value)
        except TypeError:
            keys = list(value)
        for key in keys:
            _leaves(value[key], found)
    elif isinstance(value, (list, tuple)):
        for item in value:
            _leaves(item, found)
    else:
        found.append(value)
