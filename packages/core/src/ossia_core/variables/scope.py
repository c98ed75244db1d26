"""`variable_scope` and `get_variable`: variables shared by name, and the defaults in force where they are made."""

from __future__ import annotations

import enum
import threading
from collections.abc import Callable
from typing import Any

from ossia_core.graph.collections import VARIABLE_SCOPES, VARIABLE_STORE, GraphKeys, get_collection
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope as open_name_scope
from ossia_core.graph.stack import get_default_graph
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public, public_value
from ossia_core.variables.options import VariableAggregation, VariableSynchronization
from ossia_core.variables.store import VariableStore


class _ReuseMode(enum.Enum):
    """The third value of `reuse`."""

    AUTO_REUSE = 1


AUTO_REUSE = _ReuseMode.AUTO_REUSE
public_value("AUTO_REUSE", name="AUTO_REUSE")


@public("no_regularizer")
def no_regularizer(_: Any) -> None:
    """As `regularizer`, keeps the one of an outer scope from being applied."""
    return None


@public("VariableScope")
class VariableScope:
    """What `get_variable` takes from the scope it is called in: a name prefix and defaults for its arguments.

    Args:
      reuse: True, False or AUTO_REUSE.
      name: prefix of variables' names.
      initializer, regularizer, caching_device, partitioner, custom_getter, dtype, use_resource, constraint: defaults of
      `get_variable`.
      name_scope: the name scope opened with it.
    """

    def __init__(
        self,
        reuse: Any,
        name: str = "",
        initializer: Any = None,
        regularizer: Callable | None = None,
        caching_device: Any = None,
        partitioner: Callable | None = None,
        custom_getter: Callable | None = None,
        name_scope: str = "",
        dtype: Any = dtypes.float32,
        use_resource: bool | None = None,
        constraint: Callable | None = None,
    ) -> None:
        self._reuse, self._name, self._initializer, self._regularizer = reuse, name, initializer, regularizer
        self._caching_device, self._partitioner, self._custom_getter = caching_device, partitioner, custom_getter
        self._name_scope, self._dtype, self._use_resource, self._constraint = (
            name_scope,
            dtype,
            use_resource,
            constraint,
        )

    @property
    def name(self) -> str:
        """Prefix of variables' names."""
        return self._name

    @property
    def original_name_scope(self) -> str:
        """The name scope that was opened with the scope."""
        return self._name_scope

    @property
    def reuse(self) -> Any:
        """Whether `get_variable` returns variables that exist: True, False or AUTO_REUSE."""
        return self._reuse

    @property
    def initializer(self) -> Any:
        """The default initializer."""
        return self._initializer

    @property
    def dtype(self) -> Any:
        """The default dtype."""
        return self._dtype

    @property
    def use_resource(self) -> bool | None:
        """Whether variables are resource variables; None leaves it to the default."""
        return self._use_resource

    @property
    def regularizer(self) -> Callable | None:
        """The default regularizer."""
        return self._regularizer

    @property
    def caching_device(self) -> Any:
        """The default caching device."""
        return self._caching_device

    @property
    def partitioner(self) -> Callable | None:
        """The default partitioner."""
        return self._partitioner

    @property
    def custom_getter(self) -> Callable | None:
        """The default custom getter."""
        return self._custom_getter

    @property
    def constraint(self) -> Callable | None:
        """The default constraint."""
        return self._constraint

    def reuse_variables(self) -> None:
        """From here on, only return variables that exist."""
        self._reuse = True

    def set_initializer(self, initializer: Any) -> None:
        """Set the default initializer."""
        self._initializer = initializer

    def set_dtype(self, dtype: Any) -> None:
        """Set the default dtype."""
        self._dtype = dtype

    def set_use_resource(self, use_resource: bool | None) -> None:
        """Set whether variables are resource variables."""
        self._use_resource = use_resource

    def set_regularizer(self, regularizer: Callable | None) -> None:
        """Set the default regularizer."""
        self._regularizer = regularizer

    def set_caching_device(self, caching_device: Any) -> None:
        """Set the default caching device."""
        self._caching_device = caching_device

    def set_partitioner(self, partitioner: Callable | None) -> None:
        """Set the default partitioner."""
        self._partitioner = partitioner

    def set_custom_getter(self, custom_getter: Callable | None) -> None:
        """Set the default custom getter."""
        self._custom_getter = custom_getter

    def get_collection(self, name: str) -> list:
        """Items of a collection whose name begins with this scope's."""
        return get_collection(name, self._name + "/" if self._name else "")

    def trainable_variables(self) -> list:
        """The trainable variables of this scope."""
        return self.get_collection(GraphKeys.TRAINABLE_VARIABLES)

    def global_variables(self) -> list:
        """The global variables of this scope."""
        return self.get_collection(GraphKeys.GLOBAL_VARIABLES)

    def local_variables(self) -> list:
        """The local variables of this scope."""
        return self.get_collection(GraphKeys.LOCAL_VARIABLES)

    def get_variable(
        self,
        var_store: VariableStore,
        name: str,
        shape: Any = None,
        dtype: Any = None,
        initializer: Any = None,
        regularizer: Callable | None = None,
        reuse: Any = None,
        trainable: bool | None = None,
        collections: Any = None,
        caching_device: Any = None,
        partitioner: Callable | None = None,
        validate_shape: bool = True,
        use_resource: bool | None = None,
        custom_getter: Callable | None = None,
        constraint: Callable | None = None,
        synchronization: Any = VariableSynchronization.AUTO,
        aggregation: Any = VariableAggregation.NONE,
    ) -> Any:
        """`tf.get_variable` in this scope, from `var_store`."""
        regularizer = self._regularizer if regularizer is None else regularizer
        caching_device = self._caching_device if caching_device is None else caching_device
        partitioner = self._partitioner if partitioner is None else partitioner
        custom_getter = self._custom_getter if custom_getter is None else custom_getter
        reuse = self._reuse if reuse is None else reuse
        full_name = f"{self._name}/{name}" if self._name else name
        # Variables' names depend on the variable scope alone.
        with open_name_scope(None):
            if dtype is not None and initializer is not None and not callable(initializer):
                self._check_dtype(initializer, dtype)
            initializer = self._initializer if initializer is None else initializer
            constraint = self._constraint if constraint is None else constraint
            dtype = self._dtype if dtype is None else dtype
            use_resource = self._use_resource if use_resource is None else use_resource
            return var_store.get_variable(
                full_name,
                shape=shape,
                dtype=dtype,
                initializer=initializer,
                regularizer=regularizer,
                reuse=reuse,
                trainable=trainable,
                collections=collections,
                caching_device=caching_device,
                partitioner=partitioner,
                validate_shape=validate_shape,
                use_resource=use_resource,
                custom_getter=custom_getter,
                constraint=constraint,
                synchronization=synchronization,
                aggregation=aggregation,
            )

    @staticmethod
    def _check_dtype(initializer: Any, dtype: Any) -> None:
        found = convert_to_tensor(initializer).dtype.base_dtype
        if found != dtype:
            raise ValueError(f"Initializer type '{found}' and explicit dtype '{dtype}' don't match.")

    def _get_partitioned_variable(
        self,
        var_store: VariableStore,
        name: str | None,
        shape: Any = None,
        dtype: Any = None,
        initializer: Any = None,
        trainable: bool | None = None,
        collections: Any = None,
        partitioner: Callable | None = None,
    ) -> Any:
        partitioner = self._partitioner if partitioner is None else partitioner
        with open_name_scope(None):
            return var_store._get_partitioned_variable(
                "/".join(part for part in (self._name, name) if part),
                shape=shape,
                dtype=self._dtype if dtype is None else dtype,
                initializer=self._initializer if initializer is None else initializer,
                regularizer=self._regularizer,
                reuse=self._reuse,
                trainable=trainable,
                collections=collections,
                caching_device=self._caching_device,
                partitioner=partitioner,
                use_resource=self._use_resource,
                constraint=self._constraint,
            )


class _ScopeStack(threading.local):
    """A thread's current variable scope in one graph, and how often each scope name was opened."""

    def __init__(self) -> None:
        self.current = VariableScope(False)
        self.counts: dict[str, int] = {}

    @property
    def current_scope(self) -> VariableScope:
        """The scope in force."""
        return self.current

    @property
    def variable_scopes_count(self) -> dict[str, int]:
        """How often each name was opened."""
        return self.counts

    def opened(self, name: str) -> None:
        self.counts[name] = self.counts.get(name, 0) + 1

    def close_inner(self, name: str) -> None:
        for key in self.counts:
            if key.startswith(name + "/"):
                self.counts[key] = 0

    def unique(self, prefix: str) -> str:
        name = f"{self.current.name}/{prefix}" if self.current.name else prefix
        if not self.counts.get(name):
            return prefix
        number = 1
        while self.counts.get(f"{name}_{number}"):
            number += 1
        return f"{prefix}_{number}"


def scope_stack() -> _ScopeStack:
    """The calling thread's stack of variable scopes in the default graph."""
    return _kept(VARIABLE_SCOPES, _ScopeStack)


def variable_store() -> VariableStore:
    """The variables that `get_variable` made in the default graph."""
    return _kept(VARIABLE_STORE, VariableStore)


def _kept(key: tuple[str], make: Callable[[], Any]) -> Any:
    """The one item of a collection of the default graph, made if there is none."""
    collections = get_default_graph()._collections
    items = collections.get(key)
    if items is None:
        items = collections.setdefault(key, [])
    if not items:
        items.append(make())
    return items[0]


@public("get_variable_scope")
def get_variable_scope() -> VariableScope:
    """The variable scope in force."""
    return scope_stack().current


@public("get_variable")
def get_variable(
    name: str,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    regularizer: Callable | None = None,
    trainable: bool | None = None,
    collections: Any = None,
    caching_device: Any = None,
    partitioner: Callable | None = None,
    validate_shape: bool = True,
    use_resource: bool | None = None,
    custom_getter: Callable | None = None,
    constraint: Callable | None = None,
    synchronization: Any = VariableSynchronization.AUTO,
    aggregation: Any = VariableAggregation.NONE,
) -> Any:
    """The variable of that name in the current variable scope, made if the scope does not reuse variables.

    Args:
      name: name of the variable within the scope.
      shape: its shape; not given with a tensor as `initializer`.
      dtype: its dtype, by default the scope's (float32).
      initializer: an initializer, a function, or a tensor; by default the scope's, then glorot uniform, zeros for other
          than floats.
      regularizer: function from the new variable to a loss, which is added to the regularization losses.
      trainable: whether optimizers train it.
      collections: collections to add it to, by default the global variables.
      caching_device: device to keep a copy on.
      partitioner: function that says into how many parts to divide it along each axis.
      validate_shape: whether the initial value's shape must be known.
      use_resource: whether it is a resource variable.
      custom_getter: function `f(getter, *args, **kwargs)` that gets the variable in place of `getter`.
      constraint: function applied to the value after an optimizer's update.
      synchronization, aggregation: how replicas are kept in step.

    Returns:
      The variable, or a PartitionedVariable.

    Raises:
      ValueError: the variable exists though it must not, or does not though it must, or is of another shape or dtype.
    """
    return get_variable_scope().get_variable(
        variable_store(),
        name,
        shape=shape,
        dtype=dtype,
        initializer=initializer,
        regularizer=regularizer,
        trainable=trainable,
        collections=collections,
        caching_device=caching_device,
        partitioner=partitioner,
        validate_shape=validate_shape,
        use_resource=use_resource,
        custom_getter=custom_getter,
        constraint=constraint,
        synchronization=synchronization,
        aggregation=aggregation,
    )


@public("get_local_variable")
def get_local_variable(
    name: str,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    regularizer: Callable | None = None,
    trainable: bool | None = False,
    collections: Any = None,
    caching_device: Any = None,
    partitioner: Callable | None = None,
    validate_shape: bool = True,
    use_resource: bool | None = None,
    custom_getter: Callable | None = None,
    constraint: Callable | None = None,
    synchronization: Any = VariableSynchronization.AUTO,
    aggregation: Any = VariableAggregation.NONE,
) -> Any:
    """`get_variable` for variables of this process alone: in the collection of local variables, and not trained."""
    local = [GraphKeys.LOCAL_VARIABLES]
    return get_variable(
        name,
        shape=shape,
        dtype=dtype,
        initializer=initializer,
        regularizer=regularizer,
        trainable=False,
        collections=[*collections, *local] if collections else local,
        caching_device=caching_device,
        partitioner=partitioner,
        validate_shape=validate_shape,
        use_resource=use_resource,
        custom_getter=custom_getter,
        constraint=constraint,
        synchronization=synchronization,
        aggregation=aggregation,
    )


def get_partitioned_variable(name: str | None, **arguments: Any) -> Any:
    """A PartitionedVariable in the current variable scope, of the scope's own name if `name` is None."""
    return get_variable_scope()._get_partitioned_variable(variable_store(), name, **arguments)
