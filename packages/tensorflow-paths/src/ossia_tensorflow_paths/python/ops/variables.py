"""Variables under the names that `variables`, `variable_scope`, `state_ops` and `resource_variable_ops` give them."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_core import variables
from ossia_core.variables import initial_values, scope, store
from ossia_core.variables.partition import PartitionedVariable, PartitionInfo
from ossia_core.variables.ref import RefVariable
from ossia_core.variables.resource import ResourceVariable

VariableV1 = tf.Variable
variable = tf.Variable


def _all_saveable_objects(scope: str | None = None) -> list[Any]:
    """The global variables and the other objects that a saver saves."""
    return tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope) + tf.get_collection(
        tf.GraphKeys.SAVEABLE_OBJECTS, scope)


_get_default_variable_store = scope.variable_store
get_variable_scope_store = scope.scope_stack
default_variable_creator = variables.default_variable_creator
variable_creator_scope_v1 = tf.variable_creator_scope
_ReuseMode = scope._ReuseMode
_PartitionInfo = PartitionInfo
_VariableStore = store.VariableStore
_try_guard_against_uninitialized_dependencies = initial_values.guarded

__all__ = ["PartitionedVariable", "RefVariable", "ResourceVariable", "VariableV1", "is_resource_variable", "variable"]


def is_resource_variable(var: Any) -> bool:
    """Whether `var` is a resource variable."""
    return isinstance(var, ResourceVariable)


def is_variable_initialized(ref: Any, name: str | None = None) -> Any:
    """Whether a variable, or the one that a reference is of, has been initialized."""
    if ref.dtype._is_ref_dtype:
        from ossia import raw_ops

        return raw_ops.IsVariableInitialized(ref=ref, name=name)
    return ref.is_initialized(name=name)


def variable_op(
    shape: Any, dtype: Any, name: str = "Variable", set_shape: bool = True, container: str = "", shared_name: str = ""
) -> Any:
    """The op behind a variable of references, alone."""
    from ossia import raw_ops

    if not set_shape:
        shape = None
    made = raw_ops.Variable(
        shape=tf.TensorShape(shape), dtype=dtype, name=name, container=container, shared_name=shared_name
    )
    made.set_shape(shape)  # that of a scalar, which for this op means unknown
    return made


def variable_op_v2(shape: Any, dtype: Any, name: str = "Variable", container: str = "", shared_name: str = "") -> Any:
    """The op behind a variable of references, alone."""
    from ossia import raw_ops

    return raw_ops.VariableV2(
        shape=tf.TensorShape(shape), dtype=dtype, name=name, container=container, shared_name=shared_name
    )


def init_variable(v: Any, init: Any, name: str = "init") -> Any:
    """Assigns an initial value, a tensor or a function of shape and dtype, to a variable."""
    with tf.name_scope(None, f"{v.op.name}/", [v, init]), tf.name_scope(name) as scope:
        if callable(init):
            init = init(v.get_shape().as_list(), v.dtype.base_dtype)
        return tf.assign(v, init, name=scope)
