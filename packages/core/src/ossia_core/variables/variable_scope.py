"""`variable_scope`: opens a scope of variables, with defaults derived from the scope around it."""
from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ossia_core.graph.build import graph_of
from ossia_core.graph.scopes import name_scope as open_name_scope
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.variables.scope import AUTO_REUSE, VariableScope, get_partitioned_variable, scope_stack


def _chained(inner: Callable | None, outer: Callable | None) -> Callable | None:
    """A custom getter that calls `inner` with `outer` around the real one."""
    if outer is None or inner is None:
        return inner

    def chained(getter: Callable, *args: Any, **kwargs: Any) -> Any:
        return inner(functools.partial(outer, getter), *args, **kwargs)

    return chained


_DEFAULTS = (
    "initializer",
    "regularizer",
    "caching_device",
    "partitioner",
    "custom_getter",
    "dtype",
    "use_resource",
    "constraint",
)


class PureVariableScope:
    """The variable scope without a name scope. `defaults` may hold what `_DEFAULTS` lists; None leaves a default as it
    was."""

    def __init__(
        self, name_or_scope: str | VariableScope, reuse: Any = None, old_name_scope: str | None = None, **defaults: Any
    ) -> None:
        self._name_or_scope, self._reuse, self._old_name_scope, self._defaults = (
            name_or_scope,
            reuse,
            old_name_scope,
            defaults,
        )
        self._stack = scope_stack()
        # A scope entered again continues as the one object.
        self._jump = (
            self._derived(name_or_scope, name_or_scope.name, name_or_scope._name_scope)
            if isinstance(name_or_scope, VariableScope)
            else None
        )

    def _derived(self, base: VariableScope, name: str, name_scope: str) -> VariableScope:
        scope = VariableScope(
            self._reuse or base.reuse,
            name=name,
            name_scope=name_scope,
            **{key: getattr(base, key) for key in _DEFAULTS},
        )
        for key, value in self._defaults.items():
            if value is not None:
                setattr(scope, f"_{key}", _chained(value, base.custom_getter) if key == "custom_getter" else value)
        return scope

    def __enter__(self) -> VariableScope:
        stack = self._stack
        self._outer = stack.current
        if self._jump is not None:
            self._name = self._jump.name
            stack.opened(self._name)
            self._counts = dict(stack.counts)
            scope = self._jump
        else:
            outer = self._outer
            self._name = f"{outer.name}/{self._name_or_scope}" if outer.name else str(self._name_or_scope)
            scope = self._derived(
                outer, self._name, str(self._name_or_scope) if self._old_name_scope is None else self._old_name_scope
            )
            # A constraint holds in the very scope that sets it.
            scope._constraint = self._defaults.get("constraint")
            stack.opened(self._name)
        stack.current = scope
        return scope

    def __exit__(self, *exc: Any) -> None:
        if self._jump is not None:
            self._stack.counts = self._counts
        else:
            self._stack.close_inner(self._name)
        self._stack.current = self._outer


@public("variable_scope")
class variable_scope:
    """A context manager that opens a variable scope, and a name scope with it.

    Args:
      name_or_scope: name of the scope, or a VariableScope to enter again.
      default_name: name to use, made unique, if `name_or_scope` is None.
      values: tensors whose graph becomes the default.
      initializer, regularizer, caching_device, partitioner, custom_getter, dtype, use_resource, constraint: defaults of
      `get_variable`.
      reuse: True to only return variables that exist, AUTO_REUSE to make what does not exist; None and False inherit.
      auxiliary_name_scope: whether to open a name scope.

    Raises:
      TypeError: neither `name_or_scope` nor `default_name` is given, or one is of the wrong type.
      ValueError: `reuse` is none of its values, or given without `name_or_scope`.
    """

    def __init__(
        self,
        name_or_scope: Any,
        default_name: str | None = None,
        values: Any = None,
        initializer: Any = None,
        regularizer: Callable | None = None,
        caching_device: Any = None,
        partitioner: Callable | None = None,
        custom_getter: Callable | None = None,
        reuse: Any = None,
        dtype: Any = None,
        use_resource: bool | None = None,
        constraint: Callable | None = None,
        auxiliary_name_scope: bool = True,
    ) -> None:
        if default_name is None and name_or_scope is None:
            raise TypeError("If default_name is None then name_or_scope is required")
        if reuse is False:
            reuse = None
        if not (reuse is True or reuse is None or reuse is AUTO_REUSE):
            raise ValueError("The reuse parameter must be True or False or None.")
        self._name_or_scope, self._default_name, self._reuse = name_or_scope, default_name, reuse
        self._defaults = {
            "initializer": initializer,
            "regularizer": regularizer,
            "caching_device": caching_device,
            "partitioner": partitioner,
            "custom_getter": custom_getter,
            "dtype": dtype,
            "use_resource": use_resource,
            "constraint": constraint,
        }
        self._graph = graph_of(values or [])
        if not isinstance(auxiliary_name_scope, bool):
            raise TypeError(f"The auxiliary_name_scope must be `True` or `False`, while get {auxiliary_name_scope}")
        self._auxiliary_name_scope = auxiliary_name_scope
        self._pure: PureVariableScope | None = None
        self._name_scope_to_open: str | None = None

    def __enter__(self) -> VariableScope:
        self._stack = contextlib.ExitStack()
        try:
            self._stack.enter_context(self._graph.as_default())
            if self._pure is not None:
                # Entered again: the same scope, in a new name scope.
                if self._name_scope_to_open is not None:
                    self._stack.enter_context(open_name_scope(self._name_scope_to_open))
                return self._stack.enter_context(self._pure)
            return self._enter()
        except BaseException:
            self._stack.close()
            raise

    def _enter(self) -> VariableScope:
        given = self._name_or_scope
        if given is None:
            if self._reuse:
                raise ValueError("reuse=True cannot be used without a name_or_scope")
            opened = self._open_name_scope(self._default_name)
            pure = PureVariableScope(scope_stack().unique(self._default_name), old_name_scope=opened, **self._defaults)  # type: ignore[arg-type]
        else:
            if not isinstance(given, (VariableScope, str)):
                raise TypeError("VariableScope: name_or_scope must be a string or VariableScope.")
            own = given if isinstance(given, str) else given.name.split("/")[-1]
            opened = self._open_name_scope(own)
            if isinstance(given, VariableScope):
                opened = given.original_name_scope
            pure = PureVariableScope(given, reuse=self._reuse, old_name_scope=opened, **self._defaults)
        scope = self._stack.enter_context(pure)
        self._pure = pure
        return scope

    def _open_name_scope(self, name: str | None) -> str | None:
        """Open the name scope that goes with the scope; its name, None if there is none to open."""
        if not self._auxiliary_name_scope:
            current = self._graph.get_name_scope()
            self._name_scope_to_open = current + "/" if current else ""
        elif not name:
            return None
        else:
            self._name_scope_to_open = name
        return self._stack.enter_context(open_name_scope(self._name_scope_to_open))

    def __exit__(self, *exc: Any) -> None:
        self._stack.__exit__(*exc)


@public("variable_op_scope")
@contextlib.contextmanager
def variable_op_scope(
    values: Any,
    name_or_scope: Any,
    default_name: str | None = None,
    initializer: Any = None,
    regularizer: Callable | None = None,
    caching_device: Any = None,
    partitioner: Callable | None = None,
    custom_getter: Callable | None = None,
    reuse: Any = None,
    dtype: Any = None,
    use_resource: bool | None = None,
    constraint: Callable | None = None,
) -> Iterator[VariableScope]:
    """The old argument order of `variable_scope`."""
    with variable_scope(
        name_or_scope,
        default_name=default_name,
        values=values,
        initializer=initializer,
        regularizer=regularizer,
        caching_device=caching_device,
        partitioner=partitioner,
        custom_getter=custom_getter,
        reuse=reuse,
        dtype=dtype,
        use_resource=use_resource,
        constraint=constraint,
    ) as scope:
        yield scope


@public("create_partitioned_variables")
def create_partitioned_variables(
    shape: Sequence[int],
    slicing: Sequence[int],
    initializer: Any,
    dtype: Any = dtypes.float32,
    trainable: bool = True,
    collections: Any = None,
    name: str | None = None,
    reuse: Any = None,
) -> list[Any]:
    """A list of variables that together have `shape`, divided into `slicing[i]` parts along axis i.

    Args:
      shape: shape of the whole.
      slicing: number of parts along each axis; more than one along one axis at most.
      initializer: an initializer, or a tensor of the whole shape.
      dtype: dtype of the variables.
      trainable: whether they are trained.
      collections: collections to add them to.
      name: name of the whole, "PartitionedVariable" if None.
      reuse: whether to reuse variables, as for `variable_scope`.

    Raises:
      ValueError: `shape` and `slicing` do not fit each other.
    """
    if len(shape) != len(slicing):
        raise ValueError(
            f"The 'shape' and 'slicing' of a partitioned Variable must have the length: shape: {shape}, slicing: "
            f"{slicing}"
        )
    if len(shape) < 1:
        raise ValueError(f"A partitioned Variable must have rank at least 1: shape: {shape}")
    with variable_scope(name, "PartitionedVariable", reuse=reuse):
        whole = get_partitioned_variable(
            None,
            shape=shape,
            dtype=dtype,
            initializer=initializer,
            trainable=trainable,
            partitioner=lambda **_: slicing,
            collections=collections,
        )
        return list(whole)
