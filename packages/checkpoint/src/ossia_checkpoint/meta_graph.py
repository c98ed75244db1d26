"""Meta graphs: a GraphDef with its collections and its saver, in one file from which a program can go on."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from typing import Any

from ossia_checkpoint import commit, debug_info
from ossia_checkpoint.collection_defs import UNBOUND, add_collection, restore_collection
from ossia_core import files
from ossia_core.declare import opdef
from ossia_core.graph.collections import GraphKeys
from ossia_core.graph.export import op_list
from ossia_core.graph.graph import Graph
from ossia_core.graph.import_graph import import_graph_def
from ossia_core.graph.scopes import strip_name_scope
from ossia_core.graph.stack import get_default_graph
from ossia_core.names import errors, text_proto, version
from ossia_core.plugins.api_table import public

_LOG = logging.getLogger("tensorflow")
_UNBOUND_COLLECTION = "unbound_inputs"
_SAVER_OPS = frozenset(("Save", "SaveSlices", "SaveV2", "Restore", "RestoreSlice", "RestoreV2", "MergeV2Checkpoints"))


@public("train.export_meta_graph")
def export_meta_graph(
    filename: str | None = None,
    meta_info_def: Any = None,
    graph_def: Any = None,
    saver_def: Any = None,
    collection_list: Sequence[str] | None = None,
    as_text: bool = False,
    graph: Graph | None = None,
    export_scope: str | None = None,
    clear_devices: bool = False,
    clear_extraneous_savers: bool = False,
    strip_default_attrs: bool = False,
    save_debug_info: bool = False,
    **kwargs: Any,
) -> Any:
    """Describes a graph with its collections, so that `import_meta_graph` can rebuild it.

    Args:
        filename: Where to write it; None writes nothing.
        meta_info_def: What is known about the graph, a MetaInfoDef to start from.
        graph_def: The graph's nodes; by default those of `graph`.
        saver_def: The SaverDef of the graph's saver.
        collection_list: Which collections to include; None includes all.
        as_text: Whether to write the text form.
        graph: The graph, by default the default graph.
        export_scope: Take only what lies in this name scope, without the scope in the names; inputs from outside are
            recorded.
        clear_devices: Whether to leave devices out.
        clear_extraneous_savers: Whether to leave out the nodes of other savers than `saver_def`, also from
            collections.
        strip_default_attrs: Whether to leave out attributes that have their default value.
        save_debug_info: Whether to write a file `.debug`, too, with the lines of the program that made the nodes.
        **kwargs: `unbound_inputs_col_name`, the collection that is to name inputs from outside, or None.

    Returns:
        A MetaGraphDef.

    Raises:
        TypeError: An unknown argument.
        OpError: The file cannot be written.
    """
    unbound_collection = kwargs.pop("unbound_inputs_col_name", _UNBOUND_COLLECTION)
    if kwargs:
        raise TypeError(f"export_meta_graph() got an unexpected keyword argument '{next(iter(kwargs))}'")
    from ossia_core.proto import MetaGraphDef

    graph = graph or get_default_graph()
    made = MetaGraphDef()
    if meta_info_def is not None:
        made.meta_info_def.CopyFrom(meta_info_def)
    savers = None
    if clear_extraneous_savers:
        savers = _saver_nodes(graph, keep=saver_def)
    made.graph_def.CopyFrom(graph_def if graph_def is not None else graph.as_graph_def(add_shapes=True))
    unbound = _restrict(made.graph_def, export_scope, savers, clear_devices)
    if export_scope and unbound_collection:
        graph.clear_collection(unbound_collection)
        for name in unbound:
            graph.add_to_collection(unbound_collection, name)
    info = made.meta_info_def
    if not info.tensorflow_version:
        info.tensorflow_version, info.tensorflow_git_version = version.VERSION, version.GIT_VERSION
    if not info.HasField("stripped_op_list"):
        info.stripped_op_list.MergeFrom(op_list(made.graph_def))
    if strip_default_attrs:
        strip_defaults(made.graph_def)
        info.stripped_default_attrs = True
    if saver_def is not None:
        made.saver_def.CopyFrom(saver_def)
    for key in graph.get_all_collection_keys() if collection_list is None else collection_list:
        items = graph.get_collection(key)
        if clear_extraneous_savers and key == GraphKeys.SAVERS:
            from ossia_checkpoint.saver import Saver

            items = [Saver(saver_def=saver_def)]  # builds one where none is given, as in the original
        add_collection(made, key, items, export_scope, savers)
    if filename:
        write_meta_graph(made, filename, as_text)
        if save_debug_info:
            names = [f"{export_scope}/{node.name}" if export_scope else node.name for node in made.graph_def.node]
            debug_info.write(graph, names, debug_info.path_beside(filename))
    return made


def write_meta_graph(meta_graph: Any, filename: str, as_text: bool = False) -> None:
    """Writes a MetaGraphDef to a file, in place of one that exists; missing directories are made."""
    from google.protobuf import text_format

    files.file_system(filename).make_directories(os.path.dirname(filename))
    commit.write(
        filename,
        text_format.MessageToString(meta_graph).encode()
        if as_text
        else meta_graph.SerializeToString(deterministic=True),
    )


def _saver_nodes(graph: Graph, keep: Any) -> set[str]:
    """Names of the nodes that only savers other than `keep` need."""
    kept = (
        {name.split(":")[0] for name in (keep.filename_tensor_name, keep.save_tensor_name, keep.restore_op_name)}
        if keep
        else set()
    )
    kept_scopes = {name.rpartition("/")[0] for name in kept}
    scopes = {op.name.rpartition("/")[0] for op in graph.get_operations() if op.type in _SAVER_OPS}
    # The types of ops tell: not every saver stands in a collection.
    starts = {f"{scope}/" for scope in scopes if scope} - {f"{scope}/" for scope in kept_scopes}
    return {op.name for op in graph.get_operations() if any(op.name.startswith(start) for start in starts)}


def _restrict(graph_def: Any, scope: str | None, excluded: set[str] | None, clear_devices: bool) -> list[str]:
    """Cuts a GraphDef down to a scope and away from excluded nodes; returns the inputs that came from outside."""
    nodes = [
        node
        for node in graph_def.node
        if node.name.startswith(scope or "") and not (excluded and node.name in excluded)
    ]
    unbound: list[str] = []
    if len(nodes) != len(graph_def.node) or scope:
        copies = [type(node).FromString(node.SerializeToString()) for node in nodes]
        for node in copies:
            for i, text in enumerate(node.input):
                name = text.lstrip("^").split(":")[0]
                if scope and not name.startswith(scope):
                    head = "^" if text.startswith("^") else ""
                    node.input[i] = f"{head}{UNBOUND}{text[len(head) :]}"
                    unbound.append(node.input[i])
                else:
                    node.input[i] = strip_name_scope(text, scope)
            node.name = strip_name_scope(node.name, scope)
            if scope and "_class" in node.attr:
                groups = [group for group in node.attr["_class"].list.s if group.startswith(b"loc:@" + scope.encode())]
                node.attr["_class"].list.s[:] = [strip_name_scope(group.decode(), scope).encode() for group in groups]
        del graph_def.node[:]
        graph_def.node.extend(copies)
    if clear_devices:
        for node in graph_def.node:
            node.device = ""
    return unbound


def strip_defaults(graph_def: Any) -> None:
    """Removes the attributes that have their default values from the nodes of a GraphDef."""
    from ossia_core.graph.export import op_def

    defaults: dict[str, dict[str, Any]] = {}
    for node in graph_def.node:
        if node.op not in defaults:
            attrs = op_def(opdef.lookup(node.op)).attr
            defaults[node.op] = {attr.name: attr.default_value for attr in attrs if attr.HasField("default_value")}
        for name, default in defaults[node.op].items():
            if name in node.attr and node.attr[name] == default:
                del node.attr[name]


def read_meta_graph(filename: str) -> Any:
    """Reads a MetaGraphDef from a file in binary or text form.

    Raises:
        OSError: There is no such file, or it holds no MetaGraphDef.
        OpError: The file cannot be read.
    """
    from google.protobuf import text_format
    from google.protobuf.message import DecodeError

    from ossia_core.proto import MetaGraphDef

    if not isinstance(filename, (str, bytes)) and not hasattr(filename, "__fspath__"):
        raise TypeError(f"Expected binary or unicode string, got {filename!r}")
    path = filename.decode() if isinstance(filename, bytes) else str(filename)
    system = files.file_system(path)
    if not system.exists(path):
        raise OSError(f"File {path} does not exist.")
    if system.is_directory(path):
        raise errors.FailedPreconditionError(None, None, f"{path}; Is a directory")
    with system.open(path, "rb") as stream:
        content = stream.read()
    try:
        return MetaGraphDef.FromString(content)
    except DecodeError:
        pass
    try:
        return text_proto.parse(content.decode(), MetaGraphDef())
    except (text_format.ParseError, UnicodeDecodeError) as error:
        raise OSError(f"Cannot parse file {path}: {str(error)[:200]}.") from None


@public("train.import_meta_graph")
def import_meta_graph(
    meta_graph_or_file: Any, clear_devices: bool = False, import_scope: str | None = None, **kwargs: Any
) -> Any:
    """Adds a meta graph to the default graph: its nodes, and its items to the collections.

    Args:
        meta_graph_or_file: A MetaGraphDef, or the path of a file that holds one.
        clear_devices: Whether to leave devices out.
        import_scope: A name scope to put everything into.
        **kwargs: `input_map`, `unbound_inputs_col_name`, `restore_collections_predicate`: see
            `import_scoped_meta_graph`.

    Returns:
        A `Saver` for the variables; None where there are none.

    Raises:
        OSError: There is no such file, or it holds no MetaGraphDef.
        ValueError: The graph cannot be imported.
        KeyError: A collection names what is not in the graph.
    """
    saver, _ = import_meta_graph_with_elements(meta_graph_or_file, clear_devices, import_scope, **kwargs)
    return saver


def import_meta_graph_with_elements(
    meta_graph_or_file: Any,
    clear_devices: bool = False,
    import_scope: str | None = None,
    return_elements: Any = None,
    **kwargs: Any,
) -> tuple[Any, list | None]:
    """Like `import_meta_graph`; returns also the operations and tensors that `return_elements` names."""
    meta_graph = meta_graph_or_file if _is_meta_graph(meta_graph_or_file) else read_meta_graph(meta_graph_or_file)
    variables, elements = import_scoped_meta_graph(
        meta_graph, clear_devices=clear_devices, import_scope=import_scope, return_elements=return_elements, **kwargs
    )
    return _saver_of(meta_graph, import_scope, variables), elements


def _is_meta_graph(value: Any) -> bool:
    return getattr(getattr(value, "DESCRIPTOR", None), "name", None) == "MetaGraphDef"


def _saver_of(meta_graph: Any, import_scope: str | None, variables: dict[str, Any]) -> Any:
    from ossia_checkpoint.saver import Saver

    if meta_graph.HasField("saver_def"):
        scope = import_scope
        if variables:  # the scope may have been made unique
            name, variable = next(iter(variables.items()))
            scope = variable.name[: -len(name)]
        return Saver(saver_def=meta_graph.saver_def, name=scope)
    graph = get_default_graph()
    if graph.get_collection(GraphKeys.GLOBAL_VARIABLES, import_scope) or graph.get_collection(
        GraphKeys.SAVEABLE_OBJECTS, import_scope
    ):
        return Saver()
    _LOG.info("Saver not created because there are no variables in the graph to restore")
    return None


def import_scoped_meta_graph(
    meta_graph: Any,
    clear_devices: bool = False,
    graph: Graph | None = None,
    import_scope: str | None = None,
    input_map: dict[str, Any] | None = None,
    unbound_inputs_col_name: str = _UNBOUND_COLLECTION,
    restore_collections_predicate: Callable[[str], bool] = lambda key: True,
    return_elements: Any = None,
) -> tuple[dict[str, Any], list | None]:
    """Adds a meta graph to a graph.

    Args:
        meta_graph: A MetaGraphDef.
        clear_devices: Whether to leave devices out.
        graph: The graph, by default the default graph.
        import_scope: A name scope to put everything into.
        input_map: Tensors to use in place of those of the meta graph, by name; all that were cut off on export need
            one.
        unbound_inputs_col_name: The collection that names these.
        restore_collections_predicate: Which collections to restore, by name.
        return_elements: Names of operations and tensors to return.

    Returns:
        The variables by name without the scope, and the elements.

    Raises:
        ValueError: The graph cannot be imported, or an input that was cut off is not in `input_map`.
    """
    graph = graph or get_default_graph()
    if getattr(type(meta_graph), "__module__", "") != "ossia_core.proto":
        from ossia_core.proto import MetaGraphDef

        meta_graph = MetaGraphDef.FromString(meta_graph.SerializeToString())
    if unbound_inputs_col_name:
        unbound = (
            [name.decode() for name in meta_graph.collection_def[unbound_inputs_col_name].bytes_list.value]
            if unbound_inputs_col_name in meta_graph.collection_def
            else []
        )
        if set(unbound) - set(input_map or ()):
            raise ValueError(
                f"Graph contains unbound inputs: {','.join(unbound)}. Must provide these inputs through input_map."
            )
    producer = (
        meta_graph.meta_info_def.stripped_op_list if meta_graph.meta_info_def.HasField("stripped_op_list") else None
    )
    graph_def = meta_graph.graph_def
    if clear_devices:
        graph_def = type(graph_def).FromString(graph_def.SerializeToString())
        for node in graph_def.node:
            node.device = ""
    with graph.as_default():
        # Where no scope is asked for, what is open is one: its name and a slash.
        scope = graph.unique_name(import_scope or "", mark_as_used=False)
        elements = import_graph_def(
            graph_def,
            name=import_scope or scope,
            input_map=input_map,
            producer_op_list=producer,
            return_elements=return_elements,
        )
        shared: dict[bytes, Any] = {}
        for key in sorted(meta_graph.collection_def):
            if key != unbound_inputs_col_name and restore_collections_predicate(key):
                restore_collection(graph, key, meta_graph.collection_def[key], scope, shared)
    variables: dict[str, Any] = {}
    for key in (GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES, GraphKeys.TRAINABLE_VARIABLES):
        for variable in graph.get_collection(key, scope or None) if key in meta_graph.collection_def else ():
            variables[strip_name_scope(variable.name, scope)] = variable
    return variables, elements
