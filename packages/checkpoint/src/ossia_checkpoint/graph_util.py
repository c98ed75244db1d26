"""`tf.graph_util`: parts of GraphDefs, and variables frozen to constants."""
from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ossia_core.graph.operation import Operation
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public

_ON_CPU_WITH_VARIABLES = frozenset(
    (
        "Assign",
        "AssignAdd",
        "AssignSub",
        "Queue",
        "ScatterAdd",
        "ScatterSub",
        "ScatterUpdate",
        "TruncatedNormal",
        "Variable",
        "VariableV2",
    )
)
_REF_VARIABLES = frozenset(("Variable", "VariableV2"))


def _source(text: str) -> str:
    """Name of the node that an input of a NodeDef refers to."""
    return text.removeprefix("^").partition(":")[0]


def _check_graph_def(graph_def: Any) -> None:
    if not hasattr(graph_def, "node") or not hasattr(graph_def, "library"):
        raise TypeError("graph_def must be a graph_pb2.GraphDef proto.")


@public("graph_util.extract_sub_graph")
def extract_sub_graph(graph_def: Any, dest_nodes: Any) -> Any:
    """The GraphDef of the nodes that `dest_nodes` depend on, in their order.

    Raises:
      TypeError: `graph_def` is no GraphDef, or `dest_nodes` a string.
      AssertionError: a name is not in the graph.
    """
    _check_graph_def(graph_def)
    if isinstance(dest_nodes, str):
        raise TypeError("dest_nodes must be a list.")
    nodes = {node.name: node for node in graph_def.node}
    for name in dest_nodes:
        if name not in nodes:
            raise AssertionError(f"{name} is not in graph")
    needed: set[str] = set()
    pending = list(dest_nodes)
    while pending:
        name = pending.pop()
        if name not in needed and name in nodes:
            needed.add(name)
            pending.extend(_source(text) for text in nodes[name].input)
    result = type(graph_def)()
    result.node.extend(node for node in graph_def.node if node.name in needed)
    result.library.CopyFrom(graph_def.library)
    result.versions.CopyFrom(graph_def.versions)
    return result


@public("graph_util.convert_variables_to_constants")
def convert_variables_to_constants(
    sess: Any,
    input_graph_def: Any,
    output_node_names: Any,
    variable_names_whitelist: Collection[str] | None = None,
    variable_names_blacklist: Collection[str] | None = None,
) -> Any:
    """A GraphDef with constants, of the variables' values in `sess`, in place of variables.

    Args:
      sess: a session of the graph, in which the variables are initialised.
      input_graph_def: its GraphDef.
      output_node_names: names of the nodes to keep, with what they depend on.
      variable_names_whitelist: the variables to convert; all if None.
      variable_names_blacklist: variables not to convert.

    Raises:
      AssertionError: a name is not in the graph.
    """
    from ossia_core.names.attr_proto import to_attr_value
    from ossia_core.names.tensor_proto import make_tensor_proto
    inference = extract_sub_graph(input_graph_def, output_node_names)
    sources = {node.name: node for node in inference.node}

    def variable_behind(node: Any) -> str | None:
        """The handle that an op on a resource variable refers to, through identities and loops."""
        seen = set()
        while node is not None and node.op != "VarHandleOp" and node.input and node.name not in seen:
            seen.add(node.name)
            node = sources.get(_source(node.input[0]))
        return node.name if node is not None and node.op == "VarHandleOp" else None
    fetches = {}
    for node in inference.node:
        if variable_names_whitelist is not None and node.name not in variable_names_whitelist:
            continue
        if variable_names_blacklist is not None and node.name in variable_names_blacklist:
            continue
        if node.op in _REF_VARIABLES:
            fetches[node.name] = node.name + ":0"
        elif node.op == "VarHandleOp":
            fetches[node.name] = node.name + "/Read/ReadVariableOp:0"
    values = dict(zip(fetches, sess.run(list(fetches.values())))) if fetches else {}
    kinds = {name: dtypes.as_dtype(sources[name].attr["dtype"].type) for name in fetches}
    result = type(inference)()
    for node in inference.node:
        reads = (
            variable_behind(node)
            if node.op in ("ReadVariableOp", "ResourceGather", "Identity", "Enter", "Switch")
            else None
        )
        if node.op == "ResourceGather" and reads in values:
            axis = result.node.add(name=node.name + "/axis", op="Const")
            axis.attr["dtype"].type = dtypes.int32.as_datatype_enum
            axis.attr["value"].MergeFromString(
                to_attr_value(make_tensor_proto(0, dtypes.int32), "tensor").SerializeToString()
            )
        made = result.node.add()
        if node.name in values:
            made.name, made.op = node.name, "Const"
            made.attr["dtype"].CopyFrom(node.attr["dtype"])
            proto = make_tensor_proto(values[node.name], kinds[node.name])
            made.attr["value"].MergeFromString(to_attr_value(proto, "tensor").SerializeToString())
        elif node.op == "ReadVariableOp" and reads in values:
            made.name, made.op = node.name, "Identity"
            made.attr["T"].CopyFrom(node.attr["dtype"])
            made.input.append(node.input[0])
        elif node.op == "ResourceGather" and reads in values:
            made.name, made.op = node.name, "GatherV2"
            made.input.extend([node.input[0], node.input[1], axis.name])
            made.attr["Tparams"].CopyFrom(node.attr["dtype"])
            made.attr["Tindices"].CopyFrom(node.attr["Tindices"])
            made.attr["Taxis"].type = dtypes.int32.as_datatype_enum
        else:
            made.CopyFrom(node)
            if reads in values and "T" in made.attr:
                made.attr["T"].type = kinds[reads].as_datatype_enum
    result.library.CopyFrom(inference.library)
    return result


@public("graph_util.remove_training_nodes")
def remove_training_nodes(input_graph: Any, protected_nodes: Collection[str] | None = None) -> Any:
    """A GraphDef without CheckNumerics nodes, and without identities that no control edge needs.

    Args:
      input_graph: a GraphDef.
      protected_nodes: names of nodes to keep in any case.
    """
    protected = protected_nodes or ()
    removed = {node.name for node in input_graph.node if node.op == "CheckNumerics" and node.name not in protected}
    kept = []
    for node in input_graph.node:
        if node.name not in removed:
            copy = type(node)()
            copy.CopyFrom(node)
            del copy.input[:]
            copy.input.extend(text for text in node.input if text.removeprefix("^") not in removed)
            kept.append(copy)
    controls = {text[1:] for node in kept for text in node.input if text.startswith("^")}
    spliced = {node.name: node.input[0] for node in kept
               if node.op == "Identity" and node.name not in protected and node.name not in controls and node.input
               and not any(text.startswith("^") for text in node.input)}
    result = type(input_graph)()
    for node in kept:
        if node.name in spliced:
            continue
        made = result.node.add()
        made.CopyFrom(node)
        for i, text in enumerate(node.input):
            while text.removeprefix("^") in spliced:
                text = spliced[text.removeprefix("^")]
            made.input[i] = text
    return result


@public("graph_util.must_run_on_cpu")
def must_run_on_cpu(node: Any, pin_variables_on_cpu: bool = False) -> bool:
    """Whether a node (an Operation or a NodeDef) has to be placed on a CPU.

    Args:
      node: the node.
      pin_variables_on_cpu: whether variables and their updates count.
    """
    if not isinstance(node, Operation) and not (hasattr(node, "op") and hasattr(node, "attr")):
        raise AssertionError(f"{node!r} is neither an Operation nor a NodeDef")
    definition = node.node_def if isinstance(node, Operation) else node
    if pin_variables_on_cpu and definition.op in _ON_CPU_WITH_VARIABLES:
        return True
    on_cpu = {"Const": ("dtype", (dtypes.string, dtypes.int32)), "DynamicStitch": ("T", (dtypes.int32,)),
              "ParallelDynamicStitch": ("T", (dtypes.int32,)), "Cast": ("SrcT", (dtypes.int32,))}
    attr, kinds = on_cpu.get(definition.op, ("", ()))
    return bool(attr) and dtypes.as_dtype(definition.attr[attr].type) in kinds


@public("graph_util.tensor_shape_from_node_def_name")
def tensor_shape_from_node_def_name(graph: Any, input_name: str) -> TensorShape:
    """The static shape of the tensor that an input of a NodeDef names.

    Raises:
      KeyError: there is no such tensor.
    """
    return graph.get_tensor_by_name(input_name if ":" in input_name else input_name + ":0").get_shape()
