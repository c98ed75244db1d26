"""`func_graph`: the bodies of functions, traced by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ossia as tf
from ossia_functions.func_graph import FuncGraph
from ossia_functions.function import trace
from ossia_functions.function_def import body_graph, function_def

__all__ = ["FuncGraph"]


def function_def_to_graph(fdef: Any, input_shapes: Any = None, copy_functions: bool = True) -> FuncGraph:
    """The body of a function as a graph, its arguments as placeholders.

    Args:
        fdef: The FunctionDef.
        input_shapes: Shapes of the arguments, a list; None for those that the function names, if it does.
        copy_functions: Not used: the library of the default graph serves both.

    Raises:
        ValueError: There are not as many shapes as arguments.
    """
    if input_shapes is None and "_input_shapes" in fdef.attr:
        input_shapes = fdef.attr["_input_shapes"].list.shape
    shapes = None if input_shapes is None else [tf.TensorShape(shape) for shape in input_shapes]
    if shapes is not None and len(shapes) != len(fdef.signature.input_arg):
        raise ValueError(
            f"Length of input_shapes must match the number of input_args. len(input_shapes): {len(shapes)} "
            f"len(input_arg): {len(fdef.signature.input_arg)}"
        )
    return body_graph(fdef, {}, tf.get_default_graph(), shapes)


def function_def_to_graph_def(fdef: Any, input_shapes: Any = None, copy_functions: bool = True) -> tuple[Any, dict]:
    """The body of a function as a GraphDef, its arguments as placeholders.

    Args:
        fdef: The FunctionDef.
        input_shapes: As for `function_def_to_graph`.
        copy_functions: Whether the GraphDef has the functions of the default graph's library.

    Returns:
        The GraphDef, and a dict of the function's names of tensors and control inputs to the GraphDef's.
    """
    graph = function_def_to_graph(fdef, input_shapes)
    made = graph.as_graph_def()
    if not copy_functions:
        made.ClearField("library")
    for node in made.node:
        node.input[:] = [text if text[0] == "^" or ":" in text else f"{text}:0" for text in node.input]
    arguments = {arg.name for arg in fdef.signature.input_arg}
    names = {name: f"{name}:0" for name in arguments}
    for op in graph.get_operations():
        names["^" + op.name] = "^" + op.name
        if op.name in arguments:
            continue
        number = 0
        for arg in op.op_def.output_arg:
            several = arg.number_attr or arg.type_list_attr
            count = op.get_attr(several) if several else 1
            for place in range(count if isinstance(count, int) else len(count)):
                names[f"{op.name}:{arg.name}:{place}"] = f"{op.name}:{number}"
                number += 1
    return made, names


def func_graph_from_py_func(
    name: str,
    python_func: Callable[..., Any],
    args: Any,
    kwargs: Any,
    signature: Any = None,
    func_graph: Any = None,
    autograph: bool = False,
    autograph_options: Any = None,
    add_control_dependencies: bool = True,
    arg_names: Sequence[str] | None = None,
    op_return_value: Any = None,
    collections: Any = None,
    capture_by_value: Any = None,
    override_flat_arg_shapes: Any = None,
) -> Any:
    """The FuncGraph that a Python function builds.

    Args:
        name: The name of the graph.
        python_func: The function.
        args: Its positional arguments; tensors and TensorSpecs in them become inputs of the graph.
        kwargs: Its keyword arguments, likewise.
        signature: TensorSpecs that stand for the positional arguments.
        op_return_value: What is returned for an operation.
        arg_names: Names of the positional arguments, for the inputs.
        func_graph, autograph, autograph_options, add_control_dependencies, collections, capture_by_value,
            override_flat_arg_shapes: Not used.

    Returns:
        The graph, with `inputs`, `outputs`, `structured_outputs`, `captures`, `variables` and `control_outputs`.

    Raises:
        TypeError: The function returns something that is no tensor.
        ValueError: It changes lists or dicts that it was given.
    """
    if signature is not None:
        args, kwargs = signature, {}
    def called(*arguments: Any, **keywords: Any) -> Any:
        before = tf.nest.flatten([arguments, keywords], expand_composites=True)
        result = python_func(*arguments, **keywords)
        after = tf.nest.flatten([arguments, keywords], expand_composites=True)
        if len(before) != len(after) or any(a is not b for a, b in zip(before, after)):
            raise ValueError(
                f"Function to be traced should not modify structure of input arguments. Look for operations of {name} "
                "on lists and dictionaries that change its arguments, such as `list.pop` or `list.append`"
            )
        for leaf in tf.nest.flatten(result):
            if isinstance(leaf, tf.Operation) and op_return_value is None:
                raise _not_a_tensor(python_func, leaf)
        return tf.nest.map_structure(_value, result)

    def _value(leaf: Any) -> Any:
        if isinstance(leaf, tf.Operation):
            with tf.control_dependencies([leaf]):
                return tf.identity(op_return_value)
        return leaf

    args, kwargs = tuple(args), dict(kwargs or {})
    names = list(arg_names) if arg_names is not None else []
    labels = names + ["placeholder"] * (len(args) - len(names))
    graph = trace(called, name, args, kwargs, names=labels).graph
    graph.name = name
    graph.structured_input_signature = (
        tuple(convert_structure_to_signature(arg, _name_at(names, i)) for i, arg in enumerate(args)),
        {key: convert_structure_to_signature(arg, key) for key, arg in kwargs.items()},
    )
    return graph


class UnknownArgument:
    """Stands in a signature for an argument that is neither a tensor nor a number."""


def convert_structure_to_signature(structure: Any, arg_names: Any = None) -> Any:
    """A structure with TensorSpecs for its tensors, called as `arg_names` says."""

    def described(leaf: Any) -> Any:
        if isinstance(leaf, (tf.Tensor, tf.TensorSpec)):
            return tf.TensorSpec(leaf.shape, leaf.dtype, arg_names)
        plain = leaf is None or isinstance(leaf, (bool, int, float, tf.DType, tf.TensorShape))
        return leaf if plain else UnknownArgument()

    return tf.nest.map_structure(described, structure, expand_composites=True)


def graph_to_function_def(
    graph: Any, operations: Sequence[Any], inputs: Sequence[Any], outputs: Sequence[Any],
    out_names: Sequence[str] | None = None,
) -> Any:
    """The FunctionDef of nodes of a graph, whose arguments have the names of their nodes.

    Args:
        graph: The graph.
        operations: The nodes.
        inputs: The tensors that become arguments.
        outputs: The tensors that are returned.
        out_names: Names of the results.
    """
    body = FuncGraph("", graph)
    body._operations = list(operations)
    body.inputs, body.outputs = list(inputs), list(outputs)
    given = out_names or [f"result {i}" for i in range(len(outputs))]  # no node has such a name
    made = function_def(body, "_", out_names=given)
    names = {arg.name: tensor.op.name for arg, tensor in zip(made.signature.input_arg, inputs, strict=True)}
    for arg in made.signature.input_arg:
        arg.name = names[arg.name]
    for node in made.node_def:
        node.input[:] = [names.get(name, name) for name in node.input]
    for arg, tensor in zip(made.signature.output_arg, outputs, strict=True):
        source = made.ret.pop(arg.name)
        if not out_names:
            arg.name = tensor.op.name + (f"_o{tensor.value_index}" if tensor.value_index else "")
        made.ret[arg.name] = names.get(source, source)
    return made


def _name_at(names: Sequence[str], place: int) -> str:
    return names[place] if place < len(names) else str(place)


def _not_a_tensor(function: Any, value: Any) -> TypeError:
    return TypeError(
        f"Python functions must return zero or more Tensors; in compilation of {function}, found return value of type "
        f"{type(value)}, which is not a Tensor."
    )


def flatten(sequence: Any) -> list[Any]:
    """The tensors of a structure, those that composites are made of too."""
    return tf.nest.flatten(sequence, expand_composites=True)


def pack_sequence_as(structure: Any, flat_sequence: Any) -> Any:
    """Tensors in the form of a structure, as `flatten` takes them apart."""
    return tf.nest.pack_sequence_as(structure, flat_sequence, expand_composites=True)
