"""Functions on elements that may be called on whole batches instead: chains of elementwise ops.

A function qualifies if each of its nodes computes every element from those in its place, and lines up in a batch as it
does alone: what comes from the element has one known rank in each node, and all else has no higher one. What
parses one string has a kernel for many here.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.backend import Backend, installed_backends
from ossia_core.declare.opdef import lookup
from ossia_core.declare.shape_rules import broadcast
from ossia_core.graph.graph import Graph
from ossia_core.names import dtypes
from ossia_core.primitives.source import placeholder
from ossia_data.elements import Body

_BESIDE = frozenset({"Const", "Identity", "StopGradient"})
_UNARY = frozenset(
    "Abs Acos Acosh Asin Asinh Atan Atanh Ceil Cos Cosh Elu Erf Erfc Exp Expm1 Floor Inv IsFinite IsInf IsNan Log "
    "Log1p LogicalNot Neg Reciprocal Relu Relu6 Rint Round Rsqrt Selu Sigmoid Sign Sin Sinh Softplus Softsign Sqrt "
    "Square StringLength StringLower StringStrip StringToHashBucket StringToHashBucketFast StringToHashBucketStrong "
    "StringToNumber StringUpper Tan Tanh ZerosLike OnesLike Cast".split()
)
# What adds one dimension at the end, and when it may.
_LONGER: dict[str, Callable[[Any], bool]] = {
    "DecodeRaw": lambda node: node.inputs[0].shape.ndims is not None,
    "OneHot": lambda node: node.get_attr("axis") == -1 and node.inputs[0].shape.ndims is not None,
}


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
        if node.control_inputs:
            return False
        if node.type in _LONGER or node.type in _KERNELS:
            if not batched[node.inputs[0]] or any(batched[tensor] for tensor in node.inputs[1:]) or not _LONGER.get(
                node.type, _is_dense
            )(node):
                return False
            batched.update(dict.fromkeys(node.outputs, True))
            continue
        if not _by_element(node):
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


def _is_dense(node: Any) -> bool:
    """Whether an op that parses one Example gives dense tensors of known shapes alone."""
    return not node.get_attr("num_sparse") and all(tensor.shape.is_fully_defined() for tensor in node.outputs)


def _examples(node: Any, session: Any) -> Any:
    """What parses a column of Examples, as `ParseSingleExample` parses one."""
    keys = [np.array(key, object) for key in node.attrs["dense_keys"]]
    with Graph().as_default():
        defaults = [placeholder(dtype) for dtype in node.attrs["Tdense"]]
        parsed = lookup("ParseExample")(
            placeholder(dtypes.string, [None]), np.zeros(0, object), [], list(node.attrs["dense_keys"]), defaults,
            sparse_types=[], dense_shapes=node.attrs["dense_shapes"],
        )
    kernels = (backend.kernel(parsed[3][0].op, session) for backend in installed_backends())
    parse: Any = next(kernel for kernel in kernels if kernel is not None)
    nobody = np.zeros(0, object)
    return lambda serialized, defaults: parse(serialized, nobody, [], keys, defaults)


_KERNELS = {"ParseSingleExample": _examples}


class _OnRows(Backend):
    """Kernels that take columns where those of the nodes take the values of one element."""

    name = "rows of datasets"

    def kernel(self, node: Any, session: Any) -> Any:
        make = _KERNELS.get(node.type)
        return None if make is None else make(node, session)


KERNELS_ON_ROWS = _OnRows()
