"""Ops that work on each element."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.plugins.api_table import provides
from ossia_lite.convert.lowering import LoweredModel, static_shape
from ossia_lite.operators import type_code
from ossia_lite.schema import record

# Op type -> operator, table of its options.
_SIMPLE = {
    "Add": ("ADD", "AddOptions"),
    "AddV2": ("ADD", "AddOptions"),
    "BiasAdd": ("ADD", "AddOptions"),
    "Sub": ("SUB", "SubOptions"),
    "Mul": ("MUL", "MulOptions"),
    "RealDiv": ("DIV", "DivOptions"),
    "Div": ("DIV", "DivOptions"),
    "Maximum": ("MAXIMUM", "MaximumMinimumOptions"),
    "Minimum": ("MINIMUM", "MaximumMinimumOptions"),
    "Pow": ("POW", "PowOptions"),
    "FloorDiv": ("FLOOR_DIV", "FloorDivOptions"),
    "FloorMod": ("FLOOR_MOD", "FloorModOptions"),
    "AddN": ("ADD_N", "AddNOptions"),
    "SquaredDifference": ("SQUARED_DIFFERENCE", "SquaredDifferenceOptions"),
    "Equal": ("EQUAL", "EqualOptions"),
    "NotEqual": ("NOT_EQUAL", "NotEqualOptions"),
    "Less": ("LESS", "LessOptions"),
    "LessEqual": ("LESS_EQUAL", "LessEqualOptions"),
    "Greater": ("GREATER", "GreaterOptions"),
    "GreaterEqual": ("GREATER_EQUAL", "GreaterEqualOptions"),
    "LogicalAnd": ("LOGICAL_AND", "LogicalAndOptions"),
    "LogicalOr": ("LOGICAL_OR", "LogicalOrOptions"),
    "LogicalNot": ("LOGICAL_NOT", "LogicalNotOptions"),
    "Select": ("SELECT", "SelectOptions"),
    "SelectV2": ("SELECT_V2", "SelectV2Options"),
    "Where": ("WHERE", "WhereOptions"),
    "Relu": ("RELU", None),
    "Relu6": ("RELU6", None),
    "Elu": ("ELU", None),
    "Tanh": ("TANH", None),
    "Sigmoid": ("LOGISTIC", None),
    "Exp": ("EXP", "ExpOptions"),
    "Log": ("LOG", None),
    "Sqrt": ("SQRT", None),
    "Rsqrt": ("RSQRT", None),
    "Square": ("SQUARE", "SquareOptions"),
    "Neg": ("NEG", "NegOptions"),
    "Abs": ("ABS", "AbsOptions"),
    "Floor": ("FLOOR", None),
    "Ceil": ("CEIL", None),
    "Round": ("ROUND", None),
    "Sin": ("SIN", None),
    "Cos": ("COS", "CosOptions"),
    "LogSoftmax": ("LOG_SOFTMAX", "LogSoftmaxOptions"),
    "ZerosLike": ("ZEROS_LIKE", "ZerosLikeOptions"),
}
SIMPLE_TYPES = tuple(_SIMPLE)


@provides(
    "ossia_lite_lowerings",
    "Add", "AddV2", "BiasAdd", "Sub", "Mul", "RealDiv", "Div", "Maximum", "Minimum", "Pow", "FloorDiv", "FloorMod",
    "AddN", "SquaredDifference", "Equal", "NotEqual", "Less", "LessEqual", "Greater", "GreaterEqual", "LogicalAnd",
    "LogicalOr", "LogicalNot", "Select", "SelectV2", "Where", "Relu", "Relu6", "Elu", "Tanh", "Sigmoid", "Exp",
    "Log", "Sqrt", "Rsqrt", "Square", "Neg", "Abs", "Floor", "Ceil", "Round", "Sin", "Cos", "LogSoftmax",
    "ZerosLike",
)
def simple(operation: Any, model: LoweredModel) -> None:
    """An op that is one operator with the same inputs."""
    name, table = _SIMPLE[operation.type]
    model.add(name, operation, [model.index(tensor) for tensor in operation.inputs], table)


@provides(
    "ossia_lite_lowerings",
    "Identity", "StopGradient", "PreventGradient", "CheckNumerics", "PlaceholderWithDefault", "Snapshot",
)
def identity(operation: Any, model: LoweredModel) -> None:
    """An op that gives its input, when a model runs."""
    model.same(operation.outputs[0], model.index(operation.inputs[0]))


@provides("ossia_lite_lowerings", "Softmax")
def softmax(operation: Any, model: LoweredModel) -> None:
    """Softmax."""
    model.add("SOFTMAX", operation, [model.index(operation.inputs[0])], "SoftmaxOptions", beta=1.0)


@provides("ossia_lite_lowerings", "LeakyRelu")
def leaky_relu(operation: Any, model: LoweredModel) -> None:
    """LeakyRelu."""
    model.add(
        "LEAKY_RELU",
        operation,
        [model.index(operation.inputs[0])],
        "LeakyReluOptions",
        alpha=float(operation.get_attr("alpha")),
    )


@provides("ossia_lite_lowerings", "Cast")
def cast(operation: Any, model: LoweredModel) -> None:
    """Cast."""
    source, result = (type_code(t.dtype.as_numpy_dtype) for t in (operation.inputs[0], operation.outputs[0]))
    model.add(
        "CAST", operation, [model.index(operation.inputs[0])], "CastOptions", in_data_type=source, out_data_type=result
    )


@provides("ossia_lite_lowerings", "Reciprocal")
def reciprocal(operation: Any, model: LoweredModel) -> None:
    """Reciprocal: one divided by the input."""
    one = model.constant(model.unique(f"{operation.name}/one"), np.ones((), operation.outputs[0].dtype.as_numpy_dtype))
    model.add("DIV", operation, [one, model.index(operation.inputs[0])], "DivOptions")


@provides("ossia_lite_lowerings", "Softplus")
def softplus(operation: Any, model: LoweredModel) -> None:
    """Softplus: `max(x, 0) + log(1 + exp(-abs(x)))`, which does not overflow."""
    x = model.index(operation.inputs[0])
    shape = static_shape(operation.outputs[0])
    one = model.constant(model.unique(f"{operation.name}/one"), np.float32(1))
    parts = {
        name: model.between(operation.outputs[0], name, shape) for name in ("abs", "neg", "exp", "sum", "log", "relu")
    }
    model.operator("ABS", [x], [parts["abs"]], record("AbsOptions"))
    model.operator("NEG", [parts["abs"]], [parts["neg"]], record("NegOptions"))
    model.operator("EXP", [parts["neg"]], [parts["exp"]], record("ExpOptions"))
    model.operator("ADD", [parts["exp"], one], [parts["sum"]], record("AddOptions"))
    model.operator("LOG", [parts["sum"]], [parts["log"]])
    model.operator("RELU", [x], [parts["relu"]])
    model.add("ADD", operation, [parts["relu"], parts["log"]], "AddOptions")


@provides("ossia_lite_lowerings", "FakeQuantWithMinMaxVars", "FakeQuantWithMinMaxArgs")
def fake_quant(operation: Any, model: LoweredModel) -> None:
    """FakeQuantWithMinMaxVars and FakeQuantWithMinMaxArgs."""
    from ossia_lite.convert.settings import ConverterError

    if operation.type.endswith("Args"):
        low, high = (operation.get_attr(name) for name in ("min", "max"))
    else:
        low, high = (model.value_of(tensor) for tensor in operation.inputs[1:])
    if low is None or high is None:
        raise ConverterError("its range is not constant")
    model.add(
        "FAKE_QUANT",
        operation,
        [model.index(operation.inputs[0])],
        "FakeQuantOptions",
        min=float(low),
        max=float(high),
        num_bits=int(operation.get_attr("num_bits")),
        narrow_range=bool(operation.get_attr("narrow_range")),
    )
