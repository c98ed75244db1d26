"""The variables of a graph: all of a kind, their initializers and those of tables, which are not initialised yet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.declare.opdef import lookup
from ossia_core.graph.collections import GraphKeys, get_collection
from ossia_core.graph.convert import constant, convert
from ossia_core.graph.operation import Operation
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.stack import get_default_graph
from ossia_core.plugins.api_table import public
from ossia_core.primitives.variable_ops import variable_op, variable_v2_op
from ossia_core.variables.assignment import is_initialized


@public("global_variables")
def global_variables(scope: str | None = None) -> list:
    """The variables that all engines share, only those whose name matches `scope` if given."""
    return get_collection(GraphKeys.GLOBAL_VARIABLES, scope)


@public("all_variables")
def all_variables() -> list:
    """The old name of `global_variables`."""
    return global_variables()


@public("local_variables")
def local_variables(scope: str | None = None) -> list:
    """The variables of this process alone, such as counters, only those whose name matches `scope` if given."""
    return get_collection(GraphKeys.LOCAL_VARIABLES, scope)


@public("model_variables")
def model_variables(scope: str | None = None) -> list:
    """The variables in the collection of model variables, only those whose name matches `scope` if given."""
    return get_collection(GraphKeys.MODEL_VARIABLES, scope)


@public("trainable_variables")
def trainable_variables(scope: str | None = None) -> list:
    """The variables that optimizers train by default, only those whose name matches `scope` if given."""
    return get_collection(GraphKeys.TRAINABLE_VARIABLES, scope)


@public("moving_average_variables")
def moving_average_variables(scope: str | None = None) -> list:
    """The variables with a moving average, only those whose name matches `scope` if given."""
    return get_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, scope)


@public("variables_initializer", "initializers.variables")
def variables_initializer(var_list: Sequence[Any], name: str = "init") -> Operation:
    """An operation that initialises the variables in `var_list`, in no fixed order."""
    if var_list:
        return builder("group")(*[variable.initializer for variable in var_list], name=name)
    return builder("group")(name=name)


@public("initialize_variables")
def initialize_variables(var_list: Sequence[Any], name: str = "init") -> Operation:
    """The old name of `variables_initializer`."""
    return variables_initializer(var_list, name)


@public("global_variables_initializer", "initializers.global_variables")
def global_variables_initializer() -> Operation:
    """An operation that initialises all global variables."""
    return variables_initializer(global_variables())


@public("initialize_all_variables")
def initialize_all_variables() -> Operation:
    """The old name of `global_variables_initializer`."""
    return global_variables_initializer()


@public("local_variables_initializer", "initializers.local_variables")
def local_variables_initializer() -> Operation:
    """An operation that initialises all local variables."""
    return variables_initializer(local_variables())


@public("initialize_local_variables")
def initialize_local_variables() -> Operation:
    """The old name of `local_variables_initializer`."""
    return local_variables_initializer()


@public("initializers.tables_initializer", "tables_initializer", "initialize_all_tables")
def tables_initializer(name: str = "init_all_tables") -> Operation:
    """An operation that fills all lookup tables of the default graph.

    Args:
      name: name of the operation.
    """
    return builder("group")(*get_collection(GraphKeys.TABLE_INITIALIZERS), name=name)


def _stored_references() -> list[Any]:
    return [
        op.outputs[0]
        for op in get_default_graph().get_operations()
        if op.definition in (variable_op, variable_v2_op)
    ]


@public("report_uninitialized_variables")
def report_uninitialized_variables(
    var_list: Sequence[Any] | None = None, name: str = "report_uninitialized_variables"
) -> Any:
    """A vector of the names of the variables that have no value when it is run.

    Args:
      var_list: variables to look at; all global and local ones if None.
      name: name scope of the ops made.
    """
    if var_list is None:
        var_list = global_variables() + local_variables()
        if not var_list:
            var_list = _stored_references()
    with name_scope(name):
        mask = [is_initialized(variable) for variable in var_list]
        with get_default_graph().device("/cpu:0"):
            if not var_list:
                return constant(np.array([], object))
            missing = builder("logical_not")(builder("stack")(mask))
            names = constant([variable.op.name for variable in var_list])
            return builder("boolean_mask")(names, missing)


@public("assert_variables_initialized")
def assert_variables_initialized(var_list: Sequence[Any] | None = None) -> Any:
    """An op that fails while a variable of `var_list` (all global and local ones if None) has no value; None without
    variables. An empty list stands for the reference variables of the graph, too."""
    if var_list is None:
        var_list = global_variables() + local_variables()
    var_list = var_list or _stored_references()
    if not var_list:
        return None
    ranks = []
    for variable in var_list:
        with get_default_graph().colocate_with(variable.op):
            ranks.append(_rank(variable))
    return ranks[0] if len(ranks) == 1 else builder("stack")(ranks)


def _rank(variable: Any) -> Any:
    """The rank of a variable, which is read twice, as in the original."""
    with name_scope("Rank", values=[variable]) as scope:
        convert(variable)
        return lookup("Rank")(variable, name=scope)
