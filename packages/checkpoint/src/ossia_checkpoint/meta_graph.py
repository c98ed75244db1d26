"""Meta graphs: a GraphDef with its collections and its saver, in one file from which a program can go on."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from ossia_checkpoint import commit
from ossia_core import errors, files, opdef, plugins, version
from ossia_core.api_table import public
from ossia_core.graph.collections import GraphKeys
from ossia_core.graph.graph import Graph
from ossia_core.graph.import_graph import import_graph_def
from ossia_core.graph.stack import get_default_graph

_LOG = logging.getLogger("tensorflow")
_UNBOUND = "$unbound_inputs_"
_UNBOUND_COLLECTION = "unbound_inputs"


class _Kind(NamedTuple):
    """How the items of a collection are written: the proto's name, and the functions to and from it."""

    proto: str
    to_proto: Callable[..., Any]
    from_proto: Callable[..., Any]


def _own_to_proto(item: Any, export_scope: str | None = None) -> Any:
    return item.to_proto(export_scope=export_scope)


def _through(target: str) -> Callable[..., Any]:
    """`from_proto` of a class that is loaded when it is called."""
    return lambda proto, import_scope=None: plugins.load(target).from_proto(proto, import_scope=import_scope)


def _public(name: str) -> Callable[..., Any]:
    return lambda proto, import_scope=None: plugins.load(plugins.api_table()[name]).from_proto(
        proto, import_scope=import_scope
    )


def _context_to_proto(context: Any, export_scope: str | None = None) -> Any:
    from ossia_core.control.context_protos import to_proto

    return to_proto(context, export_scope)


def _context_from_proto(proto: Any, import_scope: str | None = None) -> Any:
    from ossia_core.control.context_protos import from_proto

    return from_proto(proto, import_scope)


def _variable_from_proto(proto: Any, import_scope: str | None = None) -> Any:
    from ossia_core.variables.variable import from_definition

    return from_definition(proto, import_scope)


_VARIABLES = (
    GraphKeys.GLOBAL_VARIABLES,
    GraphKeys.TRAINABLE_VARIABLES,
    GraphKeys.MOVING_AVERAGE_VARIABLES,
    GraphKeys.LOCAL_VARIABLES,
    GraphKeys.MODEL_VARIABLES,
    GraphKeys.METRIC_VARIABLES,
    GraphKeys.GLOBAL_STEP,
    "tpu_estimator_iterations_per_loop",
)

_kinds: dict[str, _Kind] = {
    **{name: _Kind("VariableDef", _own_to_proto, _variable_from_proto) for name in _VARIABLES},
    GraphKeys.QUEUE_RUNNERS: _Kind("QueueRunnerDef", _own_to_proto, _public("train.QueueRunner")),
    GraphKeys.SAVERS: _Kind("SaverDef", _own_to_proto, _through("ossia_checkpoint.saver:Saver")),
    GraphKeys.COND_CONTEXT: _Kind("CondContextDef", _context_to_proto, _context_from_proto),
    GraphKeys.WHILE_CONTEXT: _Kind("WhileContextDef", _context_to_proto, _context_from_proto),
}


def register_proto_function(
    collection_name: str, proto_type: Any = None, to_proto: Any = None, from_proto: Any = None
) -> None:
    """Says how the items of a collection are written to meta graphs.

    Args:
        collection_name: The collection.
        proto_type: The message class of an item.
        to_proto: Called with an item and `export_scope=`; None leaves the item out.
        from_proto: Called with a message and `import_scope=`.

    Raises:
        TypeError: A function cannot be called.
    """
    for function in (to_proto, from_proto):
        if function is not None and not callable(function):
            raise TypeError("to_proto and from_proto must be callable.")
    _kinds[collection_name] = _Kind(proto_type, to_proto or _own_to_proto, from_proto or proto_type.from_proto)


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
        clear_extraneous_savers: Whether to leave out the nodes of other savers than `saver_def`, and the savers'
            collection.
        strip_default_attrs: Whether to leave out attributes that have their default value.
        save_debug_info: Accepted for compatibility.
        **kwargs: Nothing.

    Returns:
        A MetaGraphDef.

    Raises:
        TypeError: An unknown argument.
        OpError: The file cannot be written.
    """
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
    if export_scope:
        graph.clear_collection(_UNBOUND_COLLECTION)
        for name in unbound:
            graph.add_to_collection(_UNBOUND_COLLECTION, name)
    info = made.meta_info_def
    if not info.tensorflow_version:
        info.tensorflow_version, info.tensorflow_git_version = version.VERSION, version.GIT_VERSION
    if not info.HasField("stripped_op_list"):
        info.stripped_op_list.MergeFrom(_op_list(made.graph_def))
    if strip_default_attrs:
        _strip_defaults(made.graph_def)
        info.stripped_default_attrs = True
    if saver_def is not None:
        made.saver_def.CopyFrom(saver_def)
    for key in graph.get_all_collection_keys() if collection_list is None else collection_list:
        if not (clear_extraneous_savers and key == GraphKeys.SAVERS):
            _add_collection(made, key, graph.get_collection(key), export_scope, savers)
    if filename:
        write_meta_graph(made, filename, as_text)
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
    found: set[str] = set()
    for saver in graph.get_collection(GraphKeys.SAVERS):
        definition = saver.as_saver_def()
        scope = definition.filename_tensor_name.rpartition("/")[0]
        if scope not in kept_scopes:
            found.update(op.name for op in graph.get_operations() if op.name.startswith(scope + "/"))
    return found


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
                    node.input[i] = f"{head}{_UNBOUND}{text[len(head) :]}"
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


def strip_name_scope(name: str, scope: str | None) -> str:
    """A node's, tensor's or control input's name, or colocation group, without the scope in front."""
    if not scope:
        return name
    return re.sub(rf"([\^]|loc:@|^){re.escape(scope.rstrip('/'))}/(.*)", r"\1\2", name, count=1)


def prepend_name_scope(name: str, scope: str | None) -> str:
    """A node's, tensor's or control input's name, or colocation group, with a scope in front."""
    if not scope:
        return name
    head = next((mark for mark in ("^", "loc:@") if name.startswith(mark)), "")
    return f"{head}{scope.rstrip('/')}/{name[len(head) :]}"


def _op_list(graph_def: Any) -> Any:
    """The OpDefs of all op types in a graph and its functions, by name."""
    from ossia_core.graph.export import op_def
    from ossia_core.proto import OpList

    types = {node.op for node in graph_def.node}
    functions = {function.signature.name for function in graph_def.library.function}
    types.update(node.op for function in graph_def.library.function for node in function.node_def)
    return OpList(op=[op_def(opdef.lookup(kind)) for kind in sorted(types - functions)])


def _strip_defaults(graph_def: Any) -> None:
    from ossia_core.graph.export import op_def

    defaults: dict[str, dict[str, Any]] = {}
    for node in graph_def.node:
        if node.op not in defaults:
            attrs = op_def(opdef.lookup(node.op)).attr
            defaults[node.op] = {attr.name: attr.default_value for attr in attrs if attr.HasField("default_value")}
        for name, default in defaults[node.op].items():
            if name in node.attr and node.attr[name] == default:
                del node.attr[name]


def _add_collection(
    meta_graph: Any, key: Any, items: Iterable[Any], scope: str | None, excluded: set[str] | None
) -> None:
    if not isinstance(key, str):
        _LOG.warning("Only collections with string type keys will be serialized. This key has %s", type(key))
        return
    definition = meta_graph.collection_def[key]
    try:
        _fill_collection(definition, key, items, scope, excluded)
    except (AttributeError, TypeError, ValueError) as error:
        _LOG.warning(
            "Issue encountered when serializing %s.\nType is unsupported, or the types of the items don't match field "
            "type in CollectionDef. Note this is a warning and probably safe to ignore.\n%s",
            key,
            error,
        )
        del meta_graph.collection_def[key]
        return
    if not definition.WhichOneof("kind"):
        del meta_graph.collection_def[key]


def _fill_collection(
    definition: Any, key: str, items: Iterable[Any], scope: str | None, excluded: set[str] | None
) -> None:
    kind = _kinds.get(key)
    if kind is not None:
        for item in items:
            proto = kind.to_proto(item, export_scope=scope)
            if proto is not None:
                definition.bytes_list.value.append(proto.SerializeToString())
        return
    items = list(items)
    if not items:
        return
    first = items[0]
    if isinstance(first, (str, bytes)):
        definition.bytes_list.value.extend(item.encode() if isinstance(item, str) else item for item in items)
    elif isinstance(first, int):
        definition.int64_list.value.extend(int(item) for item in items)
    elif isinstance(first, float):
        definition.float_list.value.extend(items)
    elif getattr(getattr(first, "DESCRIPTOR", None), "full_name", None) == "google.protobuf.Any":
        definition.any_list.value.extend(items)
    else:
        for item in items:
            name = item.name
            if not isinstance(name, str):
                raise TypeError(f"{item!r} has no name")
            if name.startswith(scope or "") and not (excluded and name.split(":")[0] in excluded):
                definition.node_list.value.append(strip_name_scope(name, scope))


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
        return text_format.Parse(content.decode(), MetaGraphDef())
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
        missing = sorted(set(unbound) - set(input_map or ()))
        if missing:
            raise ValueError(f"Graph contains unbound inputs: {missing}. Must provide these inputs through input_map.")
    producer = (
        meta_graph.meta_info_def.stripped_op_list if meta_graph.meta_info_def.HasField("stripped_op_list") else None
    )
    graph_def = meta_graph.graph_def
    if clear_devices:
        graph_def = type(graph_def).FromString(graph_def.SerializeToString())
        for node in graph_def.node:
            node.device = ""
    with graph.as_default():
        scope = graph.unique_name(import_scope or "", mark_as_used=False) if import_scope else ""
        elements = import_graph_def(
            graph_def,
            name=import_scope or "",
            input_map=input_map,
            producer_op_list=producer,
            return_elements=return_elements,
        )
        outer = graph.get_name_scope()
        scope = "/".join(
            part for part in (scope if not outer or scope.startswith(outer) else f"{outer}/{scope}",) if part
        )
        for key in sorted(meta_graph.collection_def):
            if key != unbound_inputs_col_name and restore_collections_predicate(key):
                _restore_collection(graph, key, meta_graph.collection_def[key], scope)
    variables: dict[str, Any] = {}
    for key in (GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES, GraphKeys.TRAINABLE_VARIABLES):
        for variable in graph.get_collection(key, scope or None) if key in meta_graph.collection_def else ():
            variables[strip_name_scope(variable.name, scope)] = variable
    return variables, elements


def _restore_collection(graph: Graph, key: str, definition: Any, scope: str) -> None:
    field = definition.WhichOneof("kind")
    if field is None:
        _LOG.error("Cannot identify data type for collection %s. Skipping.", key)
        return
    kind = _kinds.get(key)
    values = getattr(definition, field).value
    if kind is not None and field == "bytes_list":
        import ossia_core.proto

        message = getattr(ossia_core.proto, kind.proto) if isinstance(kind.proto, str) else kind.proto
        for value in values:
            graph.add_to_collection(key, kind.from_proto(message.FromString(value), import_scope=scope or None))
    elif field == "node_list":
        for value in values:
            graph.add_to_collection(key, graph.as_graph_element(prepend_name_scope(value, scope)))
    else:
        for value in values:
            if scope and field == "bytes_list":
                value = prepend_name_scope(value.decode(errors="backslashreplace"), scope)  # it may be a name
            graph.add_to_collection(key, value)
