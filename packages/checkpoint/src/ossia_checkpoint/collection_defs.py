"""Collections in meta graphs: how the items of each are written, and read back."""
from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from ossia_core.graph.collections import GraphKeys
from ossia_core.graph.graph import Graph
from ossia_core.graph.scopes import prepend_name_scope, strip_name_scope
from ossia_core.plugins import manager as plugins

_LOG = logging.getLogger("tensorflow")
UNBOUND = "$unbound_inputs_"
"""With what the names of inputs begin that come from outside of an exported scope."""


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


def get_collection_proto_type(collection_name: str) -> Any:
    """The message class of the items of a collection, None if it has none."""
    kind = _kinds.get(collection_name)
    return None if kind is None else kind.proto


def get_to_proto_function(collection_name: str) -> Callable[..., Any] | None:
    """The function that writes the items of a collection, None if it has none."""
    kind = _kinds.get(collection_name)
    return None if kind is None else kind.to_proto


def get_from_proto_function(collection_name: str) -> Callable[..., Any] | None:
    """The function that reads the items of a collection, None if it has none."""
    kind = _kinds.get(collection_name)
    return None if kind is None else kind.from_proto


def add_collection(
    meta_graph: Any, key: Any, items: Iterable[Any], scope: str | None, excluded: set[str] | None
) -> None:
    """Adds the items of a collection that are under the scope to a meta graph; what cannot be written is left out."""
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
        kept = (scope or "", UNBOUND)  # a string may be a name
        inside = [
            item
            for item in items
            if not isinstance(item, str)
            or (item.startswith(kept) and not (excluded and item.split(":")[0].lstrip("^") in excluded))
        ]
        if inside:
            definition.bytes_list.value.extend(item.encode() if isinstance(item, str) else item for item in inside)
    elif isinstance(first, int):
        definition.int64_list.value.extend(int(item) for item in items)
    elif isinstance(first, float):
        definition.float_list.value.extend(items)
    elif getattr(getattr(first, "DESCRIPTOR", None), "full_name", None) == "google.protobuf.Any":
        for item in items:
            definition.any_list.value.add().MergeFromString(item.SerializeToString())
    else:
        for item in items:
            name = item.name
            if not isinstance(name, str):
                raise TypeError(f"{item!r} has no name")
            if name.startswith(scope or "") and not (excluded and name.split(":")[0] in excluded):
                definition.node_list.value.append(strip_name_scope(name, scope))


def restore_collection(graph: Graph, key: str, definition: Any, scope: str, variables: dict[bytes, Any]) -> None:
    """Adds the items of a collection in a meta graph to the collection of a graph, names put under the scope.

    Args:
        graph: The graph.
        key: The name of the collection.
        definition: Its CollectionDef.
        scope: The name scope.
        variables: The variables that other collections have, by their definitions; those of this one are added.

    Raises:
        ValueError: The definition of an item is none.
        KeyError: An item names what is not in the graph.
    """
    field = definition.WhichOneof("kind")
    if field is None:
        _LOG.error("Cannot identify data type for collection %s. Skipping.", key)
        return
    kind = _kinds.get(key)
    values = getattr(definition, field).value
    if kind is not None and field == "bytes_list":
        from google.protobuf.message import DecodeError

        import ossia_core.proto

        message: Any = getattr(ossia_core.proto, kind.proto) if isinstance(kind.proto, str) else kind.proto
        shared = key in GraphKeys._VARIABLE_COLLECTIONS
        for value in values:
            item = variables.get(value) if shared else None
            if item is None:
                try:
                    definition = message.FromString(value)
                except DecodeError:
                    what = f"Collection {key} holds what is no {message.DESCRIPTOR.name}: {value[:100]!r}"
                    raise ValueError(what) from None
                item = kind.from_proto(definition, import_scope=scope or None)
                if shared:
                    variables[value] = item
            graph.add_to_collection(key, item)
    elif field == "node_list":
        for value in values:
            graph.add_to_collection(key, graph.as_graph_element(prepend_name_scope(value, scope)))
    elif field == "any_list":
        from google.protobuf.any_pb2 import Any as AnyMessage

        for value in values:
            graph.add_to_collection(key, AnyMessage.FromString(value.SerializeToString()))
    else:
        for value in values:
            if scope and field == "bytes_list":
                value = prepend_name_scope(value.decode(errors="backslashreplace"), scope)  # it may be a name
            graph.add_to_collection(key, value)
