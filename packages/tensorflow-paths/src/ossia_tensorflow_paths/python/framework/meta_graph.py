"""`framework.meta_graph`: meta graphs of a part of a graph."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_checkpoint import collection_defs
from ossia_checkpoint import meta_graph as library
from ossia_core.graph import scopes
from ossia_core.graph.export import op_list, op_types

read_meta_graph_file = library.read_meta_graph
strip_name_scope = scopes.strip_name_scope
prepend_name_scope = scopes.prepend_name_scope


def stripped_op_list_for_graph(graph_def: Any) -> Any:
    """The OpDefs, by name, of the op types in a graph and its functions.

    Raises:
        ValueError: A type is not known.
    """
    found = op_list(graph_def)
    functions = {function.signature.name for function in graph_def.library.function}
    unknown = {node.op for node in graph_def.node} - functions - {op.name for op in found.op}
    if unknown:
        raise ValueError(f"Op {min(unknown)} is used by the graph, but is not registered")
    return found


def add_collection_def(
    meta_graph_def: Any, key: Any, graph: Any = None, export_scope: str | None = None, exclude_nodes: Any = None,
    override_contents: Any = None,
) -> None:
    """Adds a collection of a graph, or the items that are given instead, to a meta graph.

    Raises:
        TypeError: `graph` is no graph.
    """
    if graph is not None and not isinstance(graph, tf.Graph):
        raise TypeError("graph must be of type Graph, not %s", type(graph))
    graph = graph or tf.get_default_graph()
    items = graph.get_collection(key) if override_contents is None else override_contents
    collection_defs.add_collection(meta_graph_def, key, items, export_scope, set(exclude_nodes or ()))


def create_meta_graph_def(
    meta_info_def: Any = None, graph_def: Any = None, saver_def: Any = None, collection_list: Any = None,
    graph: Any = None, export_scope: str | None = None, exclude_nodes: Any = None,
    clear_extraneous_savers: bool = False, strip_default_attrs: bool = False,
) -> Any:
    """A meta graph of a graph, all of it, and of those items of its collections that are in a scope.

    Raises:
        TypeError: An argument is of another type.
    """
    for name, value, kind in (
        ("graph", graph, tf.Graph), ("meta_info_def", meta_info_def, tf.MetaGraphDef.MetaInfoDef),
        ("graph_def", graph_def, tf.GraphDef), ("saver_def", saver_def, tf.train.SaverDef),
    ):
        if value is not None and not isinstance(value, kind):
            raise TypeError(f"{name} must be of type {kind.__name__}, not %s", type(value))
    graph = graph or tf.get_default_graph()
    made = library.export_meta_graph(
        meta_info_def=meta_info_def, graph_def=graph_def, saver_def=saver_def, collection_list=[], graph=graph,
        strip_default_attrs=strip_default_attrs,
    )
    for key in graph.get_all_collection_keys() if collection_list is None else collection_list:
        if not (clear_extraneous_savers and key == tf.GraphKeys.SAVERS):
            add_collection_def(made, key, graph, export_scope, exclude_nodes)
    return made


def import_scoped_meta_graph(
    meta_graph_or_file: Any, clear_devices: bool = False, graph: Any = None, import_scope: str | None = None,
    input_map: Any = None, **options: Any,
) -> dict[str, Any]:
    """Adds a meta graph, or the one in a file, to a graph, and returns its variables by their names there."""
    return import_scoped_meta_graph_with_return_elements(
        meta_graph_or_file, clear_devices, graph, import_scope, input_map, **options
    )[0]


def import_scoped_meta_graph_with_return_elements(
    meta_graph_or_file: Any, clear_devices: bool = False, graph: Any = None, import_scope: str | None = None,
    input_map: Any = None, **options: Any,
) -> tuple[dict[str, Any], Any]:
    """Adds a meta graph, or the one in a file, to a graph; its variables by name, and the `return_elements`."""
    if isinstance(meta_graph_or_file, (str, bytes)):
        meta_graph_or_file = read_meta_graph_file(tf.compat.as_str(meta_graph_or_file))
    return library.import_scoped_meta_graph(
        meta_graph_or_file, clear_devices, graph, import_scope, input_map, **options
    )


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


def ops_used_by_graph_def(graph_def: Any) -> list[str]:
    """The types of the nodes of a graph and of the functions that they call."""
    return list(op_types(graph_def))


def strip_graph_default_valued_attrs(meta_graph_def: Any) -> None:
    """Removes the attributes that have their default values from the nodes of a meta graph."""
    library.strip_defaults(meta_graph_def.graph_def)
    meta_graph_def.meta_info_def.stripped_default_attrs = True
