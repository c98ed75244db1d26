"""The op that a SavedModel runs when it is loaded."""

from __future__ import annotations

from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.operation import Operation
from ossia_core.graph.scopes import control_dependencies
from ossia_core.plugins.api_table import public


@public("saved_model.main_op.main_op")
def main_op() -> Operation:
    """An operation that initializes all variables, local variables and tables of the default graph."""
    return builder("group")(
        builder("global_variables_initializer")(),
        builder("local_variables_initializer")(),
        builder("tables_initializer")(),
    )


@public("saved_model.main_op_with_restore", "saved_model.main_op.main_op_with_restore")
def main_op_with_restore(restore_op_name: Any) -> Operation:
    """An operation that initializes everything as `main_op`, and then restores.

    Args:
        restore_op_name: The operation that restores.
    """
    with control_dependencies([main_op()]):
        return builder("group")(restore_op_name)
