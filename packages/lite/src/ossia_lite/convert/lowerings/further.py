"""Ops that become several operators, or operators with options of their own."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.plugins.api_table import provides
from ossia_lite.convert.lowering import LoweredModel, static_shape
from ossia_lite.convert.lowerings.array import index_of
from ossia_lite.convert.settings import ConverterError
from ossia_lite.operators import type_code
from ossia_lite.schema import record

# Op type -> operator, table of its options, fields of it that are attributes.
_SIMPLE: dict[str, tuple[str, str | None, dict[str, str]]] = {
    "Sign": ("SIGN", "SignOptions", {}),
    "Atan2": ("ATAN2", "ATan2Options", {}),
    "BroadcastTo": ("BROADCAST_TO", "BroadcastToOptions", {}),
    "MatrixDiag": ("MATRIX_DIAG", "MatrixDiagOptions", {}),
    "MatrixSetDiag": ("MATRIX_SET_DIAG", "MatrixSetDiagOptions", {}),
    "SegmentSum": ("SEGMENT_SUM", "SegmentSumOptions", {}),
    "UnsortedSegmentSum": ("UNSORTED_SEGMENT_SUM", "UnsortedSegmentSumOptions", {}),
    "UnsortedSegmentMax": ("UNSORTED_SEGMENT_MAX", "UnsortedSegmentMaxOptions", {}),
    "UnsortedSegmentMin": ("UNSORTED_SEGMENT_MIN", "UnsortedSegmentMinOptions", {}),
    "UnsortedSegmentProd": ("UNSORTED_SEGMENT_PROD", "UnsortedSegmentProdOptions", {}),
    "RFFT2D": ("RFFT2D", "Rfft2dOptions", {}),
    "ReverseSequence": ("REVERSE_SEQUENCE", "ReverseSequenceOptions", {"seq_dim": "seq_dim", "batch_dim": "batch_dim"}),
    "SparseToDense": ("SPARSE_TO_DENSE", "SparseToDenseOptions", {"validate_indices": "validate_indices"}),
    "RightShift": ("RIGHT_SHIFT", "RightShiftOptions", {}),
    "BitwiseXor": ("BITWISE_XOR", "BitwiseXorOptions", {}),
    "Bitcast": ("BITCAST", "BitcastOptions", {}),
    "Mfcc": ("Mfcc", None, {}),
    "AudioSpectrogram": ("AudioSpectrogram", None, {}),
}
SIMPLE_TYPES = tuple(_SIMPLE)
_FLEX = {
    "Mfcc": ("upper_frequency_limit", "lower_frequency_limit", "filterbank_channel_count", "dct_coefficient_count"),
    "AudioSpectrogram": ("window_size", "stride", "magnitude_squared"),
}


@provides(
    "ossia_lite_lowerings",
    "Sign", "Atan2", "BroadcastTo", "MatrixDiag", "MatrixSetDiag", "SegmentSum", "UnsortedSegmentSum",
    "UnsortedSegmentMax", "UnsortedSegmentMin", "UnsortedSegmentProd", "RFFT2D", "ReverseSequence", "SparseToDense",
    "RightShift", "BitwiseXor", "Bitcast", "Mfcc", "AudioSpectrogram",
)
def simple(operation: Any, model: LoweredModel) -> None:
    """An op that is one operator with the same inputs."""
    name, table, fields = _SIMPLE[operation.type]
    values = {field: operation.get_attr(attribute) for field, attribute in fields.items()}
    made = model.add(name, operation, [index_of(model, tensor) for tensor in operation.inputs], table, **values)
    if operation.type in _FLEX:
        from flatbuffers import flexbuffers

        options = {name: operation.get_attr(name) for name in _FLEX[operation.type]}
        made.custom_options = np.frombuffer(bytes(flexbuffers.Dumps(options)), np.uint8)


@provides("ossia_lite_lowerings", "Concat")
def concat_v1(operation: Any, model: LoweredModel) -> None:
    """Concat, whose dimension comes first."""
    axis = model.value_of(operation.inputs[0])
    if axis is None:
        raise ConverterError("its axis is not constant")
    place = int(axis) % max(len(static_shape(operation.outputs[0])), 1)
    inputs = [model.index(tensor) for tensor in list(operation.inputs)[1:]]
    model.add("CONCATENATION", operation, inputs, "ConcatenationOptions", axis=place)


@provides("ossia_lite_lowerings", "BiasAddV1")
def bias_add_v1(operation: Any, model: LoweredModel) -> None:
    """BiasAddV1."""
    model.add("ADD", operation, [model.index(tensor) for tensor in operation.inputs], "AddOptions")


class _Steps:
    """Operators one after the other that together compute an op."""

    def __init__(self, operation: Any, model: LoweredModel) -> None:
        self.operation, self.model, self._count = operation, model, 0
        self.x = model.index(operation.inputs[0])
        self.dtype = operation.outputs[0].dtype.as_numpy_dtype

    def number(self, value: float) -> int:
        self._count += 1
        name = self.model.unique(f"{self.operation.name}/number{self._count}")
        return self.model.constant(name, np.array(value, self.dtype))

    def then(self, name: str, inputs: list[int], table: str | None = None, dtype: Any = None, **fields: Any) -> int:
        self._count += 1
        result = self.operation.outputs[0]
        made = self.model.between(result, f"step{self._count}", static_shape(result), dtype or self.dtype)
        self.model.operator(name, inputs, [made], record(table, **fields) if table else None)
        return made

    def last(self, name: str, inputs: list[int], table: str | None = None, **fields: Any) -> None:
        self.model.add(name, self.operation, inputs, table, **fields)


@provides("ossia_lite_lowerings", "Selu")
def selu(operation: Any, model: LoweredModel) -> None:
    """Selu: `scale * relu(x) + scale * alpha * (exp(min(x, 0)) - 1)`."""
    s = _Steps(operation, model)
    below = s.then("ELU", [s.then("MINIMUM", [s.x, s.number(0)], "MaximumMinimumOptions")])
    left = s.then("MUL", [s.then("RELU", [s.x]), s.number(1.0507009873554805)], "MulOptions")
    right = s.then("MUL", [below, s.number(1.0507009873554805 * 1.6732632423543772)], "MulOptions")
    s.last("ADD", [left, right], "AddOptions")


@provides("ossia_lite_lowerings", "Softsign")
def softsign(operation: Any, model: LoweredModel) -> None:
    """Softsign: `x / (1 + abs(x))`."""
    s = _Steps(operation, model)
    below = s.then("ADD", [s.then("ABS", [s.x], "AbsOptions"), s.number(1)], "AddOptions")
    s.last("DIV", [s.x, below], "DivOptions")


@provides("ossia_lite_lowerings", "Log1p", "Expm1")
def shifted(operation: Any, model: LoweredModel) -> None:
    """Log1p and Expm1."""
    s = _Steps(operation, model)
    if operation.type == "Log1p":
        s.last("LOG", [s.then("ADD", [s.x, s.number(1)], "AddOptions")])
    else:
        s.last("SUB", [s.then("EXP", [s.x], "ExpOptions"), s.number(1)], "SubOptions")


@provides("ossia_lite_lowerings", "Tan")
def tan(operation: Any, model: LoweredModel) -> None:
    """Tan: sine over cosine."""
    s = _Steps(operation, model)
    s.last("DIV", [s.then("SIN", [s.x]), s.then("COS", [s.x], "CosOptions")], "DivOptions")


@provides("ossia_lite_lowerings", "Rint")
def rint(operation: Any, model: LoweredModel) -> None:
    """Rint."""
    model.add("ROUND", operation, [model.index(operation.inputs[0])])


@provides("ossia_lite_lowerings", "OnesLike")
def ones_like(operation: Any, model: LoweredModel) -> None:
    """OnesLike: ones in the shape of the input."""
    s = _Steps(operation, model)
    zeros = s.then("ZEROS_LIKE", [s.x], "ZerosLikeOptions")
    s.last("ADD", [zeros, s.number(1)], "AddOptions")


@provides("ossia_lite_lowerings", "DivNoNan", "Xdivy", "MulNoNan")
def without_nan(operation: Any, model: LoweredModel) -> None:
    """DivNoNan, Xdivy and MulNoNan: zero where the one argument is zero."""
    s = _Steps(operation, model)
    y = model.index(operation.inputs[1])
    name, table = ("MUL", "MulOptions") if operation.type == "MulNoNan" else ("DIV", "DivOptions")
    plain = s.then(name, [s.x, y], table)
    whose = s.x if operation.type == "Xdivy" else y
    shape = static_shape(operation.inputs[0 if operation.type == "Xdivy" else 1])
    empty = model.between(operation.outputs[0], "is_zero", shape, np.bool_)
    model.operator("EQUAL", [whose, s.number(0)], [empty], record("EqualOptions"))
    s.last("SELECT_V2", [empty, s.number(0), plain], "SelectV2Options")


@provides("ossia_lite_lowerings", "ClipByValue")
def clip_by_value(operation: Any, model: LoweredModel) -> None:
    """ClipByValue."""
    s = _Steps(operation, model)
    low, high = (model.index(tensor) for tensor in list(operation.inputs)[1:])
    s.last("MAXIMUM", [s.then("MINIMUM", [s.x, high], "MaximumMinimumOptions"), low], "MaximumMinimumOptions")


@provides("ossia_lite_lowerings", "TruncateDiv")
def truncate_div(operation: Any, model: LoweredModel) -> None:
    """TruncateDiv of integers."""
    if operation.outputs[0].dtype.is_floating:
        raise ConverterError("of real numbers")
    model.add("DIV", operation, [model.index(tensor) for tensor in operation.inputs], "DivOptions")


@provides("ossia_lite_lowerings", "Size")
def size(operation: Any, model: LoweredModel) -> None:
    """Size, where it is not known before the model runs: the product of the shape."""
    source, dtype = operation.inputs[0], operation.outputs[0].dtype.as_numpy_dtype
    shape = model.between(operation.outputs[0], "shape", [source.shape.ndims or 0], dtype)
    model.operator("SHAPE", [model.index(source)], [shape], record("ShapeOptions", out_type=type_code(dtype)))
    axis = model.shape_constant(operation, [0], "axis")
    model.add("REDUCE_PROD", operation, [shape, axis], "ReducerOptions", keep_dims=False)


@provides("ossia_lite_lowerings", "Unique")
def unique(operation: Any, model: LoweredModel) -> None:
    """Unique."""
    kind = type_code(operation.outputs[1].dtype.as_numpy_dtype)
    model.add("UNIQUE", operation, [model.index(operation.inputs[0])], "UniqueOptions", idx_out_type=kind)


@provides("ossia_lite_lowerings", "NonMaxSuppressionV4", "NonMaxSuppressionV5")
def suppression(operation: Any, model: LoweredModel) -> None:
    """NonMaxSuppressionV4 and V5, padded."""
    if not operation.get_attr("pad_to_max_output_size"):
        raise ConverterError("without pad_to_max_output_size")
    version = operation.type[-1]
    inputs = [model.index(tensor) for tensor in operation.inputs]
    model.add(f"NON_MAX_SUPPRESSION_V{version}", operation, inputs, f"NonMaxSuppressionV{version}Options")


@provides("ossia_lite_lowerings", "Conv3D")
def conv_3d(operation: Any, model: LoweredModel) -> None:
    """Conv3D."""
    if operation.get_attr("data_format") != b"NDHWC":
        raise ConverterError("data format other than NDHWC")
    strides, dilations = list(operation.get_attr("strides")), list(operation.get_attr("dilations"))
    padding = int(operation.get_attr("padding") != b"SAME")
    inputs = [model.index(tensor) for tensor in operation.inputs]
    fields = dict(zip(("stride_d", "stride_h", "stride_w"), strides[1:4], strict=True))
    fields |= dict(zip(("dilation_d_factor", "dilation_h_factor", "dilation_w_factor"), dilations[1:4], strict=True))
    model.add("CONV_3D", operation, inputs, "Conv3DOptions", padding=padding, **fields)


@provides("ossia_lite_lowerings", "RandomUniform", "RandomStandardNormal")
def random(operation: Any, model: LoweredModel) -> None:
    """RandomUniform and RandomStandardNormal."""
    name = "RANDOM_UNIFORM" if operation.type == "RandomUniform" else "RANDOM_STANDARD_NORMAL"
    seeds = {name: int(operation.get_attr(name)) for name in ("seed", "seed2")}
    model.add(name, operation, [index_of(model, operation.inputs[0])], "RandomOptions", **seeds)


@provides("ossia_lite_lowerings", "Assert", "NoOp", "Print", "PrintV2")
def nothing(operation: Any, model: LoweredModel) -> None:
    """Ops that compute nothing: a Print gives its input."""
    if operation.outputs:
        model.same(operation.outputs[0], model.index(operation.inputs[0]))


@provides("ossia_lite_lowerings", "IdentityN")
def identities(operation: Any, model: LoweredModel) -> None:
    """IdentityN."""
    for source, result in zip(operation.inputs, operation.outputs, strict=True):
        model.same(result, model.index(source))


@provides("ossia_lite_lowerings", "FakeQuantWithMinMaxVarsPerChannel")
def fake_quant_per_channel(operation: Any, model: LoweredModel) -> None:
    """FakeQuantWithMinMaxVarsPerChannel, of constants only."""
    raise ConverterError("it rounds what is not constant")
