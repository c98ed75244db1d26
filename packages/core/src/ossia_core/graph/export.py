"""GraphDefs out: nodes, op declarations and whole graphs as protos."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ossia_core.declare.opdef import MISSING, Arg, OpDef, find
from ossia_core.names import dtypes, tensor_proto
from ossia_core.names.attr_proto import to_attr_value
from ossia_core.names.shapes import TensorShape

if TYPE_CHECKING:
    from ossia_core.graph.operation import Operation

_LIMIT = 1 << 31  # bytes that a protobuf message may have


def node_def(op: Operation, by_name: bool = True) -> Any:
    """The NodeDef of a node: inputs, control inputs, all attributes.

    Args:
      op: the node.
      by_name: whether control inputs stand in the order of their names, as in graphs, or in which they were given.
    """
    from ossia_core.proto import NodeDef
    return NodeDef.FromString(_node_bytes(op, by_name))


def _node_bytes(op: Operation, by_name: bool = True) -> bytes:
    """A NodeDef in wire format: a message for each node and attribute would take ten times as long."""
    parts = [_field(1, op.name.encode()), _field(2, op.type.encode())]
    for tensor in op._inputs:
        index = tensor.value_index
        parts.append(_field(3, (tensor.op.name if index == 0 else f"{tensor.op.name}:{index}").encode()))
    controls = [c.name for c in op._control_inputs]
    parts += [_field(3, b"^" + name.encode()) for name in (sorted(controls) if by_name else controls)]
    if op.device:
        parts.append(_field(4, op.device.encode()))
    kinds = op.definition.attrs
    for name, value in op.attrs.items():
        attr = kinds.get(name)
        parts.append(_attr_entry(name, value, attr.kind if attr else None, op))
    return b"".join(parts)


def _field(number: int, data: bytes) -> bytes:
    """A field of bytes, a string or a message."""
    size = len(data)
    if size < 128:
        return _HEADS[number][size] + data
    head = [number << 3 | 2]
    while size > 0x7F:
        head.append(size & 0x7F | 0x80)
        size >>= 7
    head.append(size)
    return bytes(head) + data


_HEADS = [[bytes((number << 3 | 2, size)) for size in range(128)] for number in range(6)]  # of short fields


_entries: dict[Any, bytes] = {}  # of attributes that are seen again and again
_MOST_ENTRIES = 1 << 12


def _attr_entry(name: str, value: Any, kind: str | None, op: Operation) -> bytes:
    """An entry of the map of attributes, with its tag."""
    if type(value) is list and kind in (None, "list(string)") and {type(item) for item in value} <= {bytes}:
        data = _field(1, b"".join([_field(2, item) for item in value]))
        return _field(5, _field(1, name.encode()) + _field(2, data))
    key = _attr_key(value)
    if key is not None:
        key = name, kind, key
        found = _entries.get(key)
        if found is not None:
            return found
    data = _attr(value, kind, op).SerializeToString()
    entry = _field(5, _field(1, name.encode()) + _field(2, data))
    if key is not None:
        _remember(key, entry)
    return entry


def _remember(key: Any, entry: bytes) -> None:
    if len(_entries) >= _MOST_ENTRIES:
        _entries.clear()
    _entries[key] = entry


def _attr_key(value: Any) -> Any:
    """What tells a value from all others that are written in another way; None if that would take long."""
    cls = type(value)
    if cls in _PLAIN:
        return cls, value
    if cls is dtypes.DType:
        return cls, value._type_enum
    if cls is TensorShape:
        return cls, value.as_tuple()
    if cls is list and len(value) <= _LONGEST_KEY and {type(item) for item in value} == {int}:
        return cls, tuple(value)
    if cls is np.ndarray and value.nbytes <= 8 * _LONGEST_KEY and value.dtype.kind in "iu":
        return value.dtype.str, value.shape, value.tobytes()
    return None


_PLAIN = frozenset((bool, int, bytes, str))
_LONGEST_KEY = 16


def _attr(value: Any, kind: str | None, op: Operation) -> Any:
    if kind == "tensor" and isinstance(value, np.ndarray):
        from ossia_core.proto import AttrValue
        made = AttrValue()
        made.tensor.CopyFrom(_tensor(value, op.attrs.get("dtype")))
        return made
    return to_attr_value(value, kind)


def _tensor(value: np.ndarray, dtype: Any) -> Any:
    if value.size > 1 and not any(value.strides):
        # One element seen many times, as large fills are kept.
        return tensor_proto.encode(value[(slice(1),) * value.ndim].reshape(()), dtype, value.shape)
    return (
        tensor_proto.make_tensor_proto(value, dtype)
        if dtype is not dtypes.string
        else tensor_proto.encode(value, dtype)
    )


def attr_for_user(value: Any, kind: str) -> Any:
    """An attribute as `Operation.get_attr` gives it: shapes and tensors are protos."""
    if kind == "shape":
        return value.as_proto()
    if kind == "list(shape)":
        return [shape.as_proto() for shape in value]
    if kind == "list(tensor)":
        return [attr_for_user(item, "tensor") for item in value]
    if kind == "tensor" and isinstance(value, np.ndarray):
        return _tensor(value, None)
    return value


def graph_def(graph: Any, add_shapes: bool = False) -> Any:
    """The GraphDef of a graph.

    Raises:
      ValueError: it would be larger than 2 GB.
    """
    from ossia_core.proto import GraphDef
    parts = [_field(4, graph.graph_def_versions.SerializeToString())]
    size = 0
    for op in graph._operations:
        node = _node_bytes(op)
        if add_shapes and op.outputs:
            shapes = [tensor.shape for tensor in op.outputs]
            key = tuple([shape.as_tuple() for shape in shapes])
            node += _shapes_entry(key, shapes)
        size += len(node)
        if size >= _LIMIT:
            raise ValueError("GraphDef cannot be larger than 2GB.")
        parts.append(_field(1, node))
    result = GraphDef.FromString(b"".join(parts))
    for function in graph._functions.values():
        result.library.function.append(function.definition)
    for name, gradient in graph._function_gradients.items():
        result.library.gradient.add(function_name=name, gradient_func=gradient)
    return result


def _shapes_entry(key: Any, shapes: list[TensorShape]) -> bytes:
    found = _entries.get(key)
    if found is None:
        data = to_attr_value(shapes, "list(shape)").SerializeToString()
        found = _field(5, _field(1, b"_output_shapes") + _field(2, data))
        _remember(key, found)
    return found


def op_def(definition: OpDef) -> Any:
    """The OpDef proto of an op type."""
    from ossia_core.proto import OpDef as Proto
    proto = Proto(name=definition.type, is_stateful=definition.stateful)
    for arg in definition.inputs:
        _arg(arg, proto.input_arg.add())
    for arg in definition.outputs:
        _arg(arg, proto.output_arg.add())
    for attr in definition.attrs.values():
        added = proto.attr.add(name=attr.name, type=attr.kind)
        if attr.minimum is not None:
            added.has_minimum, added.minimum = True, attr.minimum
        if attr.allowed is not None:
            kind = "list(type)" if isinstance(attr.allowed[0], dtypes.DType) else "list(string)"
            added.allowed_values.CopyFrom(to_attr_value(list(attr.allowed), kind))
        if attr.default is not MISSING:
            added.default_value.CopyFrom(to_attr_value(attr.default, attr.kind))
    if definition.deprecation is not None:
        proto.deprecation.version, proto.deprecation.explanation = definition.deprecation
    return proto


def op_types(graph_def: Any) -> set[str]:
    """The types of the nodes of a graph, and of the functions that nodes call by their type."""
    functions = {function.signature.name: function for function in graph_def.library.function}
    types = {node.op for node in graph_def.node}
    pending = list(types & functions.keys())
    while pending:
        more = {node.op for node in functions[pending.pop()].node_def} - types
        types |= more
        pending += more & functions.keys()
    return types - functions.keys()


def op_list(graph_def: Any) -> Any:
    """The OpDefs, by name, of the op types in a graph and its functions; types that are not known are left out."""
    from ossia_core.proto import OpList
    found = [find(kind) for kind in sorted(op_types(graph_def))]
    return OpList(op=[op_def(definition) for definition in found if definition is not None])


def _arg(arg: Arg, proto: Any) -> None:
    proto.name = arg.name
    proto.is_ref = arg.is_ref
    if arg.type is not None:
        proto.type = arg.type.as_datatype_enum
    if arg.type_attr:
        proto.type_attr = arg.type_attr
    if arg.number_attr:
        proto.number_attr = arg.number_attr
    if arg.type_list_attr:
        proto.type_list_attr = arg.type_list_attr

