"""What tests of `tf.signal` take from private modules: a graph with what is constant computed, and kernels of FFTs."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import ossia as tf
from ossia_core.declare import opdef


@contextlib.contextmanager
def fft_kernel_label_map() -> Iterator[None]:
    """A context in which the kernels of FFTs are those for the CPU, as they are everywhere here."""
    yield


def grappler_optimize(graph: Any, fetches: Any = None, config_proto: Any = None) -> Any:
    """A graph with what does not depend on feeds or variables computed.

    Args:
        graph: The graph.
        fetches: Operations or tensors that it is for, or their names.
        config_proto: How to do it; ours has one way.

    Returns:
        The GraphDef that computes the fetches.
    """
    with graph.as_default():
        wanted = [graph.as_graph_element(item) for item in fetches or ()]
        ops = [item if isinstance(item, tf.Operation) else item.op for item in wanted]
        known = [op for op in ops if _is_constant(op, {})]
        with tf.Session(graph=graph) as session:
            values = session.run({op.name: op.outputs[0] for op in known})
    result = tf.graph_util.extract_sub_graph(graph.as_graph_def(), [op.name for op in ops])
    for node in result.node:
        if node.name in values:
            dtype = graph.get_operation_by_name(node.name).outputs[0].dtype
            del node.input[:]
            node.op = "Const"
            node.attr.clear()
            node.attr["dtype"].type = dtype.as_datatype_enum
            node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(values[node.name], dtype=dtype))
    return tf.graph_util.extract_sub_graph(result, [op.name for op in ops])


def _is_constant(op: Any, known: dict[Any, bool]) -> bool:
    """Whether an operation computes one value, the same in every run."""
    if op not in known:
        definition = opdef.find(op.type)
        foldable = definition is not None and definition.foldable and len(op.outputs) == 1
        foldable = foldable and not op.type.startswith("Placeholder")
        known[op] = foldable and all(_is_constant(source.op, known) for source in op.inputs)
    return known[op]
