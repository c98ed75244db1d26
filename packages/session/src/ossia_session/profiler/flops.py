"""How many floating-point operations a node takes, as TensorFlow counts them, from static shapes."""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ossia_core.graph.operation import Operation

_PER_ELEMENT = {  # of the output
    **dict.fromkeys(
        "Reciprocal Square Log Neg AssignAdd AssignSub Add Sub Mul RealDiv Maximum Minimum Pow Greater GreaterEqual "
        "Less LessEqual Equal NotEqual BiasAdd".split(), 1
    ),
    "Rsqrt": 2, "SquaredDifference": 2, "RsqrtGrad": 4, "Softmax": 5,
}


class UnknownShapeError(Exception):
    """A node whose shapes are not all known."""


def _size(tensor: Any) -> int:
    return math.prod(_dims(tensor))


def _dims(tensor: Any) -> list[int]:
    dims = tensor.shape.as_tuple()
    if dims is None or None in dims:
        raise UnknownShapeError
    return list(dims)


def _area(op: Operation) -> int:
    return math.prod(op.get_attr("ksize"))


def _filter_flops(op: Operation) -> int:
    *kernel, _ = _dims(op.inputs[1])
    return 2 * _size(op.outputs[0]) * math.prod(kernel)


def _matmul(op: Operation) -> int:
    inner = _dims(op.inputs[0])[0 if op.get_attr("transpose_a") else 1]
    return 2 * inner * _size(op.outputs[0])


_RULES: dict[str, Callable[[Operation], int]] = {
    "L2Loss": lambda op: 3 * _size(op.inputs[0]) - 1,
    "Mean": lambda op: _size(op.inputs[0]),
    **dict.fromkeys(
        ("Sum", "ArgMax", "ArgMin", "BiasAddGrad"), lambda op: _size(op.inputs[0]) - _size(op.outputs[0])
    ),
    "AddN": lambda op: _size(op.outputs[0]) * (len(op.inputs) - 1),
    **dict.fromkeys(("AvgPool", "MaxPool"), lambda op: _size(op.outputs[0]) * _area(op)),
    "AvgPoolGrad": lambda op: 2 * _size(op.inputs[1]) * _area(op),
    "MaxPoolGrad": lambda op: _size(op.inputs[1]) * (_area(op) + 1),
    "Conv2D": _filter_flops,
    "Conv3D": _filter_flops,
    "Conv2DBackpropInput": lambda op: 2 * _size(op.inputs[2]) * math.prod(_dims(op.inputs[1])[:-1]),
    "Conv2DBackpropFilter": lambda op: 2 * _size(op.inputs[2]) * math.prod(_dims(op.outputs[0])[:-1]),
    "DepthwiseConv2dNative": lambda op: 2 * _size(op.outputs[0]) * math.prod(_dims(op.inputs[1])[:2]),
    "Dilation2D": lambda op: 2 * _size(op.outputs[0]) * math.prod(_dims(op.inputs[1])[:2]),
    "MatMul": _matmul,
    "BatchMatMul": lambda op: (
        2 * _dims(op.inputs[0])[-2 if op.get_attr("adj_x") else -1] * _size(op.outputs[0])
    ),
}


def float_ops(op: Operation) -> int:
    """The floating-point operations of a node, 0 for types that do not tell them.

    Raises:
        UnknownShapeError: A shape that matters is not known.
    """
    count = _PER_ELEMENT.get(op.type)
    if count is not None:
        return count * _size(op.outputs[0])
    rule = _RULES.get(op.type)
    return rule(op) if rule is not None else 0
