"""`framework.meta_graph`: meta graphs of a part of a graph."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_checkpoint import meta_graph as library
from ossia_core.graph import rescoping

read_meta_graph_file = library.read_meta_graph
strip_name_scope = rescoping.strip_name_scope
prepend_name_scope = rescoping.prepend_name_scope
stripped_op_list_for_graph = library.op_list


def import_scoped_meta_graph(
    meta_graph_or_file: Any, clear_devices: bool = False, graph: Any = None, import_scope: str | None = None,
    input_map: Any = None, **options: Any,
) -> dict[str, Any]:
    """Adds a meta graph, or the one in a file, to a graph, and returns its variables by their names there."""
    if isinstance(meta_graph_or_file, (str, bytes)):
        meta_graph_or_file = read_meta_graph_file(tf.compat.as_str(meta_graph_or_file))
    variables, _ = library.import_scoped_meta_graph(
        meta_graph_or_file, clear_devices, graph, import_scope, input_map, **options
    )
    return variables


def export_scoped_meta_graph(
    filename: str | None = None, graph_def: Any = None, graph: Any = None, export_scope: str | None = None,
    as_text: bool = False, **options: Any,
) -> tuple[Any, dict[str, Any]]:
    """The meta graph of a scope, and its variables by their names without the scope."""
    graph = graph or tf.get_default_graph()
    with graph.as_default():
        found = tf.train.export_meta_graph(
            filename, graph_def=graph_def, graph=graph, export_scope=export_scope, as_text=as_text, **options
        )
    variables = graph.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope=export_scope)
    return found, {strip_name_scope(variable.name, export_scope): variable for variable in variables}


def copy_scoped_meta_graph(
    from_scope: str, to_scope: str, from_graph: Any = None, to_graph: Any = None
) -> dict[str, Any]:
    """Copies the nodes and collections of a scope to another scope, or to another graph; returns the new variables.

    Raises:
        ValueError: Both scopes are the same one of the same graph.
    """
    from_graph = from_graph or tf.get_default_graph()
    to_graph = to_graph or tf.get_default_graph()
    if from_graph is to_graph and from_scope == to_scope:
        raise ValueError(
            "'from_scope' and 'to_scope' need to be different when performing copy in the same graph."
        )
    exported, _ = export_scoped_meta_graph(export_scope=from_scope, graph=from_graph)
    return import_scoped_meta_graph(exported, graph=to_graph, import_scope=to_scope)


def ops_used_by_graph_def(graph_def: Any) -> set[str]:
    """The types of the nodes of a graph and of the functions that they call."""
    return {definition.name for definition in library.op_list(graph_def).op}


def strip_graph_default_valued_attrs(meta_graph_def: Any) -> None:
    """Removes the attributes that have their default values from the nodes of a meta graph."""
    library.strip_defaults(meta_graph_def.graph_def)
    meta_graph_def.meta_info_def.stripped_default_attrs = True
