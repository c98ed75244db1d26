"""`tf.contrib.copy_graph`: operations and variables copied from one graph to another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public


def _name(original: str, scope: str) -> str:
    return f"{scope}/{original}" if scope else original


@public("contrib.copy_graph.copy_variable_to_graph")
def copy_variable_to_graph(org_instance: tf.Variable, to_graph: tf.Graph, scope: str = "") -> tf.Variable:
    """A variable of the same name, beginning and collections in another graph.

    Args:
      org_instance: the variable.
      to_graph: the graph.
      scope: a scope in front of the name.

    Raises:
      TypeError: it is no variable.
    """
    if not isinstance(org_instance, tf.Variable):
        raise TypeError(str(org_instance) + " is not a Variable")
    graph = org_instance.graph
    collections = [
        f"{scope}/{key}" if scope and not hasattr(tf.GraphKeys, str(key).upper()) else key
        for key in graph.get_all_collection_keys()
        if any(each is org_instance for each in graph.get_collection(key))
    ]
    with graph.as_default(), tf.Session(graph=graph) as session:
        value = session.run(org_instance.initial_value)
    with to_graph.as_default():
        return tf.Variable(
            value, trainable=org_instance.trainable, name=_name(org_instance.op.name, scope), collections=collections,
            validate_shape=False,
        )


@public("contrib.copy_graph.copy_op_to_graph")
def copy_op_to_graph(org_instance: Any, to_graph: tf.Graph, variables: Sequence[Any], scope: str = "") -> Any:
    """An operation or tensor in another graph, with all that it is computed from.

    Args:
      org_instance: an operation, tensor or variable.
      to_graph: the graph.
      variables: variables that are copied there already, which take the place of the originals.
      scope: a scope in front of the names.

    Returns:
      The copy; what is there already is not copied again.

    Raises:
      TypeError: it is something else.
    """
    copied = {variable.op.name: variable for variable in variables}
    if isinstance(org_instance, tf.Variable):
        name = _name(org_instance.op.name, scope)
        return copied[name] if name in copied else copy_variable_to_graph(org_instance, to_graph, scope)
    if isinstance(org_instance, tf.Tensor):
        operation = copy_op_to_graph(org_instance.op, to_graph, variables, scope)
        return operation.outputs[org_instance.value_index]
    if not isinstance(org_instance, tf.Operation):
        raise TypeError(f"Could not copy instance: {org_instance}")
    waiting, order = [(org_instance, False)], []
    done: set[Any] = set()
    while waiting:  # inputs before what takes them, however long the chain
        operation, ready = waiting.pop()
        if ready:
            order.append(operation)
        elif operation not in done and not _is_there(to_graph, _name(operation.name, scope)):
            done.add(operation)
            waiting.append((operation, True))
            waiting += [(each, False) for each in reversed(operation.control_inputs)]
            waiting += [(each.op, False) for each in reversed(operation.inputs)]
    graph_def = tf.GraphDef(versions=org_instance.graph.as_graph_def().versions)
    for operation in order:
        node = graph_def.node.add()
        node.CopyFrom(operation.node_def)
    inside = {operation.name for operation in order}
    outside = {each for operation in order for each in operation.inputs if each.op.name not in inside}
    with to_graph.as_default():
        given = {each.name: to_graph.get_tensor_by_name(_name(each.name, scope)) for each in outside}
        if order:
            tf.import_graph_def(graph_def, input_map=given, name=scope)
    return to_graph.get_operation_by_name(_name(org_instance.name, scope))


def _is_there(graph: tf.Graph, name: str) -> bool:
    try:
        graph.get_operation_by_name(name)
    except KeyError:
        return False
    return True


@public("contrib.copy_graph.get_copied_op")
def get_copied_op(org_instance: Any, graph: tf.Graph, scope: str = "") -> Any:
    """The copy of an operation or tensor in a graph.

    Args:
      org_instance: the original.
      graph: the graph with the copy.
      scope: the scope in front of its name.
    """
    return graph.as_graph_element(_name(org_instance.name, scope), allow_tensor=True, allow_operation=True)
