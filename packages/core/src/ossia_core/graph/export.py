"""GraphDefs out: nodes, op declarations and whole graphs as protos."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ossia_core.declare.opdef import MISSING, Arg, OpDef, find
from ossia_core.names import dtypes, tensor_proto
from ossia_core.names.attr_proto import to_attr_value

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
    node = NodeDef(name=op.name, op=op.type, device=op.device)
    node.input.extend(t.op.name if t.value_index == 0 else f"{t.op.name}:{t.value_index}" for t in op._inputs)
    controls = [c.name for c in op._control_inputs]
    node.input.extend(f"^{name}" for name in (sorted(controls) if by_name else controls))
    kinds = op.definition.attrs
    for name, value in op.attrs.items():
        attr = kinds.get(name)
        node.attr[name].CopyFrom(_attr(value, attr.kind if attr else None, op))
    return node


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
    result = GraphDef()
    result.versions.CopyFrom(graph.graph_def_versions)
    size = 0
    for op in graph._operations:
        node = node_def(op)
        if add_shapes and op.outputs:
            shapes = node.attr["_output_shapes"].list.shape
            shapes.extend([t.shape.as_proto() for t in op.outputs])
        size += node.ByteSize()
        if size >= _LIMIT:
            raise ValueError("GraphDef cannot be larger than 2GB.")
        result.node.append(node)
    for function in graph._functions.values():
        result.library.function.append(function.definition)
    for name, gradient in graph._function_gradients.items():
        result.library.gradient.add(function_name=name, gradient_func=gradient)
    return result


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

