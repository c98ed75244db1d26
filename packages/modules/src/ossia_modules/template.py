"""`make_template`: a function whose variables are made at the first call and shared by the later ones."""

from __future__ import annotations

import functools
import traceback
from collections.abc import Callable
from typing import Any

from ossia_core.graph.collections import GraphKeys, get_collection
from ossia_core.names import logging
from ossia_core.plugins.api_table import public
from ossia_core.variables.scope import VariableScope, scope_stack
from ossia_core.variables.variable_scope import PureVariableScope, variable_scope


@public("make_template")
def make_template(
    name_: str,
    func_: Callable,
    create_scope_now_: bool = False,
    unique_name_: str | None = None,
    custom_getter_: Callable | None = None,
    **kwargs: Any,
) -> Callable:
    """A function like `func_` whose `get_variable` calls give the same variables at every call.

    Args:
      name_: name of the variable scope, made unique.
      func_: the function.
      create_scope_now_: whether to open the scope here rather than at the first call.
      unique_name_: name of the scope, not made unique.
      custom_getter_: custom getter of the scope.
      **kwargs: arguments of `func_` to fix.

    Raises:
      ValueError: (at a later call) a trainable variable is made that the first call did not make.
    """
    if kwargs:
        func_ = functools.partial(func_, **kwargs)
    return Template(name_, func_, create_scope_now_, unique_name_, custom_getter_)


class Template:
    """What `make_template` returns."""

    def __init__(
        self,
        name: str,
        func: Callable,
        create_scope_now: bool = False,
        unique_name: str | None = None,
        custom_getter: Callable | None = None,
    ) -> None:
        if name is None:
            raise ValueError("name cannot be None.")
        self._func, self._name, self._unique_name, self._custom_getter = func, name, unique_name, custom_getter
        self._stacktrace = traceback.format_stack()[:-2]
        self._first_call = True
        self._variables_created = False
        self._variable_scope: VariableScope | None = None
        if create_scope_now:
            with PureVariableScope(unique_name or scope_stack().unique(name), custom_getter=custom_getter) as scope:
                self._variable_scope = scope

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._variable_scope is not None:
            with variable_scope(self._variable_scope, reuse=not self._first_call):
                self._first_call = False
                return self._call(args, kwargs)
        with variable_scope(self._unique_name, self._name, custom_getter=self._custom_getter) as scope:
            self._variable_scope = scope
            result = self._call(args, kwargs)
            self._first_call = False
            return result

    def _call(self, args: tuple, kwargs: dict[str, Any]) -> Any:
        try:
            trainable = len(get_collection(GraphKeys.TRAINABLE_VARIABLES))
            everything = len(get_collection(GraphKeys.GLOBAL_VARIABLES))
            result = self._func(*args, **kwargs)
            if not self._variables_created:
                self._variables_created = True
                return result
            new = get_collection(GraphKeys.TRAINABLE_VARIABLES)[trainable:]
            if new:
                raise ValueError(
                    "Trainable variable created when calling a template after the first time, perhaps you used "
                    f"tf.Variable when you meant tf.get_variable: {new}"
                )
            new = get_collection(GraphKeys.GLOBAL_VARIABLES)[everything:]
            if new:
                logging.info(
                    "New variables created when calling a template after the first time, perhaps you used tf.Variable "
                    f"when you meant tf.get_variable: {new}"
                )
            return result
        except Exception as e:
            first = e.args[0] if e.args else ""
            e.args = (f"{first}\n\noriginally defined at:\n{''.join(self._stacktrace)}", *e.args[1:])
            raise

    @property
    def name(self) -> str:
        """Name given to `make_template`."""
        return self._name

    @property
    def func(self) -> Callable:
        """The function."""
        return self._func

    @property
    def variable_scope(self) -> VariableScope | None:
        """The scope of the variables, None before the first call."""
        return self._variable_scope

    var_scope = variable_scope

    @property
    def variable_scope_name(self) -> str | None:
        """Name of the scope with a slash at its end, None before the first call."""
        name = self._variable_scope.name if self._variable_scope else None
        return f"{name}/" if name and not name.endswith("/") else name

    @property
    def variables(self) -> list:
        """All variables made by the template."""
        return self.global_variables + self.local_variables

    weights = variables

    @property
    def trainable_variables(self) -> list:
        """The trainable ones."""
        return self._collection(GraphKeys.TRAINABLE_VARIABLES)

    trainable_weights = trainable_variables

    @property
    def non_trainable_variables(self) -> list:
        """The others."""
        trained = {id(v) for v in self.trainable_variables}
        return [v for v in self.variables if id(v) not in trained]

    non_trainable_weights = non_trainable_variables

    @property
    def _checkpoint_dependencies(self) -> list[tuple[str, Any]]:
        """The variables by their names in the scope, for object-based checkpoints."""
        start = len(self.variable_scope_name or "")
        return [(variable.op.name[start:], variable) for variable in self.variables]

    @property
    def global_variables(self) -> list:
        """The global ones."""
        return self._collection(GraphKeys.GLOBAL_VARIABLES)

    @property
    def local_variables(self) -> list:
        """The local ones."""
        return self._collection(GraphKeys.LOCAL_VARIABLES)

    def _collection(self, key: str) -> list:
        return self._variable_scope.get_collection(key) if self._variables_created and self._variable_scope else []
