"""Functions on elements that may be called on whole batches instead: chains of elementwise ops.

A function qualifies if each of its nodes computes every element from those in its place, and lines up in a batch as it
does alone: what comes from the element has one known rank in each node, and all else has no higher one.
"""
from __future__ import annotations

from typing import Any

from ossia_core.declare.shape_rules import broadcast
from ossia_data.elements import Body

_BESIDE = frozenset({"Const", "Identity", "StopGradient"})
_UNARY = frozenset(
    "Abs Acos Acosh Asin Asinh Atan Atanh Ceil Cos Cosh Elu Erf Erfc Exp Expm1 Floor Inv IsFinite IsInf IsNan Log "
    "Log1p LogicalNot Neg Reciprocal Relu Relu6 Rint Round Rsqrt Selu Sigmoid Sign Sin Sinh Softplus Softsign Sqrt "
    "Square Tan Tanh".split()
)


def over_batches(body: Body, parts: int) -> bool:
    """Whether a function of elements of so many tensors, and captured ones, may be called on batches."""
    graph = body.graph()
    if graph.control_outputs:
        return False
    batched = dict.fromkeys(graph.inputs[:parts], True)
    batched.update(dict.fromkeys(graph.inputs[parts:], False))
    if any(tensor.shape.ndims is None or tensor.dtype.is_compatible_with("variant") for tensor in graph.inputs):
        return False
    inputs = {tensor.op for tensor in graph.inputs}
    for node in graph.get_operations():
        if node in inputs:
            continue
        if node.control_inputs or not _by_element(node):
            return False
        lined_up = {tensor.shape.ndims for tensor in node.inputs if batched[tensor]}
        if None in lined_up or len(lined_up) > 1:
            return False
        if lined_up and any(
            tensor.shape.ndims is None or tensor.shape.ndims > min(lined_up) for tensor in node.inputs
        ):
            return False
        if lined_up and any(tensor.shape.ndims != min(lined_up) for tensor in node.outputs):
            return False
        batched.update(dict.fromkeys(node.outputs, bool(lined_up)))
    return all(batched[tensor] for tensor in graph.outputs)


def _by_element(node: Any) -> bool:
    definition = node.definition
    if definition.stateful or definition.checking:
        return False
    if node.type in _BESIDE or node.type in _UNARY or definition.elementwise:
        return True
    return definition.shape_fn is broadcast
