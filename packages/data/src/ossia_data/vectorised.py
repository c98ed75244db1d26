"""Functions on elements that may be called on whole batches instead: chains of elementwise ops.

A function qualifies if each of its nodes computes every element from those in its place, and lines up in a batch as it
does alone: what comes from the element has one known rank in each node, and all else has no higher one. What
parses one string has a kernel for many here.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ossia_core.backend import Backend, installed_backends
from ossia_core.declare.opdef import lookup
from ossia_core.declare.shape_rules import broadcast
from ossia_core.graph.graph import Graph
from ossia_core.names import dtypes
from ossia_core.primitives.source import placeholder
from ossia_data.elements import Body
from ossia_data.ragged_rows import KERNELS_ON_RAGGED_ROWS

_BESIDE = frozenset({"Const", "Identity", "StopGradient"})
_UNARY = frozenset(
    "Abs Acos Acosh Asin Asinh Atan Atanh Ceil Cos Cosh Elu Erf Erfc Exp Expm1 Floor Inv IsFinite IsInf IsNan Log "
    "Log1p LogicalNot Neg Reciprocal Relu Relu6 Rint Round Rsqrt Selu Sigmoid Sign Sin Sinh Softplus Softsign Sqrt "
    "Square StringLength StringLower StringStrip StringToHashBucket StringToHashBucketFast StringToHashBucketStrong "
    "StringToNumber StringUpper Tan Tanh ZerosLike OnesLike Cast".split()
)
_LOOKUPS = frozenset({"LookupTableFind", "LookupTableFindV2"})
_SPLITS = frozenset({"StringSplit", "StringSplitV2"})
# What adds one dimension at the end, and when it may.
_LONGER: dict[str, Callable[[Any], bool]] = {
    "DecodeRaw": lambda node: node.inputs[0].shape.ndims is not None,
    "OneHot": lambda node: node.get_attr("axis") == -1 and node.inputs[0].shape.ndims is not None,
}


_ROW, _VECTORS, _UNIT, _NOTHING = "row", "vectors", "unit", "nothing"  # what tensors are for many elements; "" for one


def backends_on_rows(body: Body, parts: int, ragged: Sequence[bool]) -> tuple[Backend, ...] | None:
    """What computes a function of elements when it is called on columns, None if it may not be.

    Args:
        body: The function.
        parts: How many tensors an element has; what it has captured comes after these.
        ragged: Which of them come as columns of vectors of different lengths.
    """
    graph = body.graph()
    if graph.control_outputs:
        return None
    kinds = {
        tensor: "" if k >= parts else _VECTORS if ragged[k] else _ROW for k, tensor in enumerate(graph.inputs)
    }
    if any(tensor.shape.ndims is None or tensor.dtype.is_compatible_with("variant") for tensor in graph.inputs[:parts]):
        return None
    inputs = {tensor.op for tensor in graph.inputs}
    for node in graph.get_operations():
        if node in inputs:
            continue
        found = None if node.control_inputs else _kinds_of(node, [kinds[tensor] for tensor in node.inputs])
        if found is None:
            return None
        kinds.update(zip(node.outputs, found, strict=True))
    if not all(kinds[tensor] in (_ROW, _VECTORS) for tensor in graph.outputs):
        return None
    if _VECTORS in kinds.values():
        return (KERNELS_ON_RAGGED_ROWS,)
    return (KERNELS_ON_ROWS, *installed_backends())


def _kinds_of(node: Any, given: list[str]) -> list[str] | None:
    """What the outputs of a node are, None if it does not compute for many elements what it does for each."""
    if not any(given):
        return None if node.definition.stateful and node.outputs else [""] * len(node.outputs)
    if node.type in _LOOKUPS:
        return [given[1]] if given[1] in (_ROW, _VECTORS) and not given[0] and not given[2] else None
    if given[0] and not any(given[1:]):
        if node.type in _LONGER or node.type in _KERNELS:
            fits = given[0] == _ROW and _LONGER.get(node.type, _is_dense)(node)
            return [_ROW] * len(node.outputs) if fits else None
        if node.type in _SPLITS:
            return [_NOTHING, _VECTORS, _NOTHING] if given[0] == _UNIT else None
        if node.type == "Pack" or node.type == "ExpandDims":
            return [_UNIT] if given[0] == _ROW and node.inputs[0].shape.ndims == 0 else None
        if node.type == "Size":
            return [_ROW] if given[0] == _VECTORS and node.outputs[0].dtype == dtypes.int32 else None
    if not _by_element(node):
        return None
    kinds = {kind for kind in given if kind}
    ranks = {tensor.shape.ndims for tensor, kind in zip(node.inputs, given, strict=True) if kind}
    if len(kinds) > 1 or len(ranks) > 1 or None in ranks:
        return None
    kind, rank = kinds.pop(), ranks.pop()
    if kind == _VECTORS:
        alone = sum(map(bool, given)) == 1  # several may be of different lengths
        most = 0
    elif kind == _ROW:
        alone, most = True, rank
    else:
        return None
    if not alone or any(
        tensor.shape.ndims is None or tensor.shape.ndims > most
        for tensor, its in zip(node.inputs, given, strict=True) if not its
    ):
        return None
    return [kind] * len(node.outputs) if all(tensor.shape.ndims == rank for tensor in node.outputs) else None


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
