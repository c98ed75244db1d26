"""Function bodies as FunctionDef protos, and FunctionDefs as graphs."""
from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ossia_core.declare.kernels import grouped
from ossia_core.declare.opdef import not_registered
from ossia_core.graph.export import node_def
from ossia_core.graph.graph import Graph
from ossia_core.graph.operation import Operation
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, errors
from ossia_core.names.attr_proto import from_attr_value, to_attr_value
from ossia_core.names.shapes import TensorShape
from ossia_functions.func_graph import FuncGraph

_NOT_IN_NAMES = re.compile(r"[^a-z0-9_]")
_MAX_LIST = 1 << 16  # elements of a list argument


# -- graph to FunctionDef -------------------------------------------------------------------------------


class _Names:
    """Names of one function: those of arguments and results in small letters, all different."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def unique(self, name: str) -> str:
        result, count = name, 0
        while result in self._taken:
            result, count = f"{name}_{count}", count + 1
        self._taken.add(result)
        return result

    def argument(self, name: str) -> str:
        found = _NOT_IN_NAMES.sub("_", name.lower()).lstrip("_0123456789")
        return self.unique(found or "unknown")


def function_def(
    graph: FuncGraph, name: str, attrs: dict[str, Any] | None = None, out_names: Sequence[str] | None = None
) -> Any:
    """The FunctionDef of a body with its inputs, outputs and control outputs.

    Args:
      graph: the body.
      name: the function's name.
      attrs: further attributes of the function, Python values or AttrValues.
      out_names: names of the results; by default those of the nodes that make them.

    Raises:
      InvalidArgumentError: there are more or fewer `out_names` than results.
    """
    from ossia_core.proto import FunctionDef
    result = FunctionDef()
    signature = result.signature
    signature.name = name
    names = _Names()
    if out_names and len(out_names) != len(graph.outputs):
        raise errors.InvalidArgumentError(
            None,
            None,
            "output names must be either empty or equal in size to outputs. output names size = "
            f"{len(out_names)} outputs size = {len(graph.outputs)}",
        )
    results = list(map(names.unique, out_names)) if out_names else [names.argument(t.op.name) for t in graph.outputs]
    of_input = {t.op: names.argument(t.op.name) for t in graph.inputs}
    for position, tensor in enumerate(graph.inputs):
        signature.input_arg.add(name=of_input[tensor.op], type=tensor.dtype.as_datatype_enum)
        result.arg_attr[position].SetInParent()
        specified = tensor.op.attrs.get("_user_specified_name")
        if specified is not None:
            result.arg_attr[position].attr["_user_specified_name"].s = specified
    of_node: dict[Operation, str] = dict(of_input)
    body = [op for op in graph._operations if op not in of_input]
    for op in body:
        of_node[op] = names.unique(op.name)
    for op in body:
        _add_node(result, op, of_node, of_input)
    for tensor, result_name in zip(graph.outputs, results, strict=True):
        signature.output_arg.add(name=result_name, type=tensor.dtype.base_dtype.as_datatype_enum)
        result.ret[result_name] = _reference(tensor, of_node, of_input)
    for op in graph.control_outputs:
        signature.control_output.append(op.name)
        result.control_ret[op.name] = of_node[op]
    signature.is_stateful = any(op.definition.stateful for op in body)
    for key, value in (attrs or {}).items():
        result.attr[key].CopyFrom(to_attr_value(value))
    return result


def _add_node(result: Any, op: Operation, of_node: dict[Operation, str], of_input: dict[Operation, str]) -> None:
    made = result.node_def.add()
    made.CopyFrom(node_def(op))
    made.name = of_node[op]
    del made.input[:]
    made.input.extend(_reference(t, of_node, of_input) for t in op._inputs)
    made.input.extend(f"^{name}" for name in sorted(of_node[c] for c in op._control_inputs if c not in of_input))


def _reference(tensor: Tensor, of_node: dict[Operation, str], of_input: dict[Operation, str]) -> str:
    op = tensor.op
    if op in of_input:
        return of_input[op]
    index = tensor.value_index
    for arg, group in zip(
        op.definition.outputs,
        grouped(op.definition.outputs, op.attrs, list(range(len(op.outputs)))),
        strict=True,
    ):
        items = group if isinstance(group, list) else [group]
        if index in items:
            return f"{of_node[op]}:{arg.name}:{items.index(index)}"
    raise AssertionError(f"{tensor.name} is no output of its operation")


# -- FunctionDef to graph -------------------------------------------------------------------------------


def body_graph(
    definition: Any, attrs: dict[str, Any], outer: Graph, shapes: Sequence[TensorShape | None] | None = None
) -> FuncGraph:
    """The body of a FunctionDef as a graph of its own.

    Args:
      definition: the FunctionDef.
      attrs: AttrValues of the attributes that the function is called with.
      outer: the graph whose library has the functions that the body calls.
      shapes: static shapes of the arguments, as far as they are known.

    Raises:
      ValueError: the definition is malformed.
      NotFoundError: a node's op type is neither installed nor in the library.
    """
    from ossia_core.graph.import_graph import import_nodes
    from ossia_core.proto import GraphDef
    name = definition.signature.name
    graph = FuncGraph(name, outer)
    flat = GraphDef(versions=outer.graph_def_versions)
    where: dict[str, list[str]] = {}
    for arg in definition.signature.input_arg:
        if arg.name in where:
            raise ValueError(f"Function '{name}' has two arguments of the name '{arg.name}'")
        types = _types(arg, attrs, name)
        where[arg.name] = [arg.name] if not _is_list(arg) else [f"{arg.name}/{i}" for i in range(len(types))]
        for node_name, dtype in zip(where[arg.name], types, strict=True):
            node = flat.node.add(name=node_name, op="Placeholder")
            node.attr["dtype"].type = dtype.as_datatype_enum
            shape = None
            if shapes is not None and len(graph.inputs) < len(shapes):
                shape = shapes[len(graph.inputs)]
            node.attr["shape"].CopyFrom(to_attr_value(TensorShape(None) if shape is None else shape, "shape"))
            graph.inputs.append(node)
    inputs = [node.name for node in graph.inputs]  # type: ignore[attr-defined]
    outputs = _output_positions(definition, attrs, outer, where)
    for node in definition.node_def:
        made = flat.node.add()
        made.CopyFrom(node)
        del made.input[:]
        for text in node.input:
            made.input.append(_flat_reference(text, where, outputs, node.name))
        for value in made.attr.values():
            _fill(value, attrs, name)
        if "_class" in made.attr:
            _drop_outer_colocation(made, outputs)
    with graph.as_default():
        import_nodes(graph, flat)
    graph.inputs = [graph._by_name[n].outputs[0] for n in inputs]
    for ret in definition.signature.output_arg:
        text = definition.ret.get(ret.name)
        if text is None:
            raise ValueError(f"Return {ret.name} missing in function '{name}'")
        found = [graph.get_tensor_by_name(_flat_reference(t, where, outputs, ret.name, "Return"))
                 for t in _expanded(text, ret, attrs, name, outputs, where)]
        for tensor, dtype in zip(found, _types(ret, attrs, name), strict=True):
            if tensor.dtype.base_dtype is not dtype:
                raise ValueError(
                    f"Invalid ret types {ret.name} : {dtype.name} vs. {tensor.dtype.name} in function '{name}'"
                )
        graph.outputs.extend(found)
    for node_name in definition.control_ret.values():
        if node_name not in graph._by_name:
            raise ValueError(f"Control return '{node_name}' of function '{name}' is not found")
        graph.control_outputs.append(graph._by_name[node_name])
    return graph


def _drop_outer_colocation(node: Any, inside: dict[str, Any]) -> None:
    """Leave out colocation with nodes of other graphs, which a call of the function does not know."""
    groups = node.attr["_class"].list.s
    kept = [g for g in groups if not g.startswith(b"loc:@") or g[5:].decode(errors="replace") in inside]
    if len(kept) == len(groups):
        return
    if kept:
        groups[:] = kept
    else:
        del node.attr["_class"]


def _is_list(arg: Any) -> bool:
    return bool(arg.number_attr or arg.type_list_attr)


def _types(arg: Any, attrs: dict[str, Any], function: str) -> list[dtypes.DType]:
    """The dtypes of an argument or result, one per tensor."""
    if arg.type_list_attr:
        return list(_attr(arg.type_list_attr, attrs, function, "list(type)"))
    dtype = _attr(arg.type_attr, attrs, function, "type") if arg.type_attr else _dtype(arg, function)
    count = _attr(arg.number_attr, attrs, function, "int") if arg.number_attr else 1
    if not 0 <= count <= _MAX_LIST:
        raise ValueError(f"Argument '{arg.name}' of function '{function}' would be a list of {count} tensors")
    return [dtype] * count


def _dtype(arg: Any, function: str) -> dtypes.DType:
    try:
        return dtypes.as_dtype(arg.type)
    except TypeError:
        raise ValueError(f"Argument '{arg.name}' of function '{function}' has no valid type") from None


def _attr(key: str, attrs: dict[str, Any], function: str, kind: str) -> Any:
    if key not in attrs:
        raise ValueError(f"Attr {key} is not found from the call of function '{function}'")
    return from_attr_value(attrs[key], kind)


def _fill(value: Any, attrs: dict[str, Any], function: str) -> None:
    """Put the values of the call in place of an attribute's placeholders."""
    kind = value.WhichOneof("value")
    if kind == "placeholder":
        key = value.placeholder
        if key not in attrs:
            raise ValueError(f"Attr {key} is not found from the call of function '{function}'")
        value.CopyFrom(attrs[key])
    elif kind == "func":
        for inner in value.func.attr.values():
            _fill(inner, attrs, function)
    elif kind == "list":
        for item in value.list.func:
            for inner in item.attr.values():
                _fill(inner, attrs, function)


def _output_positions(
    definition: Any, attrs: dict[str, Any], outer: Graph, arguments: dict[str, list[str]]
) -> dict[str, dict[str, tuple[int, int]]]:
    """Node -> output argument -> (its first output, how many there are)."""
    from ossia_core.graph.node_defs import op_definition
    found: dict[str, dict[str, tuple[int, int]]] = {}
    for node in definition.node_def:
        if node.name in found or node.name in arguments:
            raise ValueError(f"Function '{definition.signature.name}' has two nodes of the name '{node.name}'")
        op_def = op_definition(outer, node.op)
        if op_def is None:
            raise not_registered(node.op, f"node '{node.name[:200]}' of function '{definition.signature.name}'")
        position = 0
        ranges: dict[str, tuple[int, int]] = {}
        for arg in op_def.outputs:
            count = 1
            key = arg.number_attr or arg.type_list_attr
            if key:
                value = node.attr.get(key)
                if value is not None and value.WhichOneof("value") == "placeholder":
                    value = attrs.get(value.placeholder)
                if value is None:
                    raise ValueError(f"NodeDef missing attr '{key}' from {op_def!r}; NodeDef: {{{{node {node.name}}}}}")
                count = value.i if arg.number_attr else len(value.list.type)
            ranges[arg.name] = position, count
            position += count
        found[node.name] = ranges
    return found


def _expanded(
    text: str,
    ret: Any,
    attrs: dict[str, Any],
    function: str,
    outputs: dict[str, dict[str, tuple[int, int]]],
    arguments: dict[str, list[str]],
) -> list[str]:
    """The references of a result, one per tensor."""
    if not _is_list(ret):
        return [text]
    count = len(_types(ret, attrs, function))
    if text in arguments or text.count(":") == 1:
        return [f"{text}:{i}" for i in range(count)]
    base, _, first = text.rpartition(":")
    if not first.isdigit():
        raise ValueError(f"Return {ret.name} -> {text} is not found.")
    return [f"{base}:{int(first) + i}" for i in range(count)]


def _flat_reference(
    text: str, arguments: dict[str, list[str]], outputs: dict[str, dict[str, tuple[int, int]]], node: str,
    what: str = "input",
) -> str:
    """`node:argument:index` of a function body as `node:index` of a graph."""
    if text.startswith("^"):
        if text[1:] not in outputs and text[1:] not in arguments:
            raise ValueError(f"{what} {text} is not found: {{{{node {node}}}}}")
        return text
    name, _, rest = text.partition(":")
    if name in arguments:
        index = int(rest) if rest.isdigit() else 0 if not rest else len(arguments[name])
        if index < len(arguments[name]):
            return arguments[name][index] + ":0"
    elif name in outputs:
        argument, _, position = rest.partition(":")
        if argument in outputs[name] and (position.isdigit() or not position):
            first, count = outputs[name][argument]
            if int(position or 0) < count:
                return f"{name}:{first + int(position or 0)}"
    raise ValueError(f"{what} {node} -> {text} is not found.")
