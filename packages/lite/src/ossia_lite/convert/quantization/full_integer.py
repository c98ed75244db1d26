"""Weights and activations as int8 numbers; the ranges of activations come from runs on representative data.

Source: R. Krishnamoorthi, "Quantizing deep convolutional networks for efficient inference",
https://arxiv.org/abs/1806.08342; the scheme is
that of the published specification of 8-bit models (https://ai.google.dev/edge/litert/models/quantization_spec).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from ossia_lite.builder import ModelBuilder
from ossia_lite.convert.settings import ConverterError
from ossia_lite.fixed_point import limits, round_half_away
from ossia_lite.interpreter import Interpreter
from ossia_lite.operators import TYPE_CODES
from ossia_lite.schema import Record, record
from ossia_lite.writer import write_model

_FLOAT, _INT8 = TYPE_CODES["FLOAT32"], TYPE_CODES["INT8"]
_WEIGHTED = {"CONV_2D": 0, "DEPTHWISE_CONV_2D": 3, "FULLY_CONNECTED": None}  # the dimension that has a scale per index
_FREE = ("ADD", "SUB", "MUL", "MEAN", "SUM", "LEAKY_RELU", "PRELU", "HARD_SWISH", "RELU", "RELU6", "QUANTIZE")
SAME = (  # the result has the scale of the first input
    "RESHAPE",
    "MAX_POOL_2D",
    "AVERAGE_POOL_2D",
    "SQUEEZE",
    "EXPAND_DIMS",
    "TRANSPOSE",
    "SLICE",
    "STRIDED_SLICE",
    "PAD",
    "GATHER",
    "RESIZE_BILINEAR",
    "RESIZE_NEAREST_NEIGHBOR",
    "SPACE_TO_DEPTH",
    "DEPTH_TO_SPACE",
    "SPACE_TO_BATCH_ND",
    "BATCH_TO_SPACE_ND",
)
_ALL_SAME = ("CONCATENATION", "MAXIMUM", "MINIMUM")  # all inputs and the result have one scale
FIXED = {"SOFTMAX": (1 / 256, -128), "LOGISTIC": (1 / 256, -128), "TANH": (1 / 128, 0)}


def quantize(
    model: ModelBuilder,
    content: bytes,
    fed: list[int],
    fetched: list[int],
    dataset: Any,
    strict: bool,
    input_type: Any,
    output_type: Any,
) -> bytes:
    """Quantizes a model of float32.

    Args:
        model: The model under construction; it is changed.
        content: The same model as a file.
        fed: Its inputs.
        fetched: Its outputs.
        dataset: A `RepresentativeDataset` or its function: lists with an array per input.
        strict: Whether every operator has to be quantized; else operators that cannot be stay as they are.
        input_type: The type of inputs.
        output_type: The type of outputs.

    Returns:
        The content of a `.tflite` file.

    Raises:
        ConverterError: `strict`, and an operator cannot be quantized; the message names all of them.
        ValueError: The dataset is empty, or its arrays do not fit the inputs.
    """
    ranges = _calibrate(content, fed, dataset)
    chosen = [operator for operator in model.graph.operators if can_quantize(model, operator)]
    left = sorted(
        {model.name_of(op) for op in model.graph.operators if op not in chosen and has_reals(model, op.outputs)}
    )
    if strict and left:
        raise ConverterError(f"Quantization not yet supported for operators: {', '.join(left)}.")
    parameters = _parameters(model, ranges, chosen)
    return Quantizer(model, parameters, chosen, INT8).write(fed, fetched, input_type.name, output_type.name)


def _calibrate(content: bytes, fed: list[int], dataset: Any) -> dict[int, tuple[float, float]]:
    interpreter = Interpreter(model_content=content)
    interpreter.allocate_tensors()
    floats = [detail["index"] for detail in interpreter.get_tensor_details() if detail["dtype"] == np.float32]
    ranges: dict[int, tuple[float, float]] = {}
    samples: Iterable[Any] = getattr(dataset, "input_gen", dataset)()
    for sample in samples:
        for index, array in zip(fed, sample, strict=True):
            interpreter.set_tensor(index, np.asarray(array))
        interpreter.invoke()
        for index in floats:
            value = interpreter.get_tensor(index)
            low, high = ranges.get(index, (0.0, 0.0))
            ranges[index] = min(low, float(value.min(initial=0))), max(high, float(value.max(initial=0)))
    if not ranges:
        raise ValueError("The representative dataset has no sample.")
    return ranges


def has_reals(model: ModelBuilder, indices: Iterable[int]) -> bool:
    """Whether there are real numbers among tensors.

    Args:
        model: The model under construction.
        indices: The tensors.
    """
    return any(index >= 0 and model.graph.tensors[index].type == _FLOAT for index in indices)


def can_quantize(model: ModelBuilder, operator: Record) -> bool:
    """Whether an operator can work on integers.

    Args:
        model: The model under construction.
        operator: The operator.
    """
    name = model.name_of(operator)
    if name in _WEIGHTED:
        return model.value(operator.inputs[1]) is not None and (
            operator.inputs[2] < 0 or model.value(operator.inputs[2]) is not None
        )
    return (name in _FREE or name in SAME or name in _ALL_SAME or name in FIXED) and has_reals(model, operator.outputs)


def _parameters(
    model: ModelBuilder, ranges: dict[int, tuple[float, float]], chosen: list[Record]
) -> dict[int, tuple[float, int]]:
    """Scale and zero point of each real tensor, one for all tensors that have to share them."""
    parameters = {}
    groups = _groups(model, ranges, {id(operator) for operator in chosen})
    for group in groups:
        found = asymmetric(min(ranges[index][0] for index in group), max(ranges[index][1] for index in group), np.int8)
        parameters.update(dict.fromkeys(group, found))
    linked = {index for group in groups if len(group) > 1 for index in group}
    for operator in chosen:
        name, result = model.name_of(operator), operator.outputs[0]
        if name in FIXED and result not in linked:
            parameters[result] = FIXED[name]
    return parameters


def _groups(model: ModelBuilder, ranges: dict[int, tuple[float, float]], chosen: set[int]) -> list[list[int]]:
    group = {index: [index] for index in ranges}
    for operator in model.graph.operators:
        name = model.name_of(operator)
        if id(operator) not in chosen or name not in (*SAME, *_ALL_SAME):
            continue
        linked = [*(operator.inputs if name in _ALL_SAME else operator.inputs[:1]), *operator.outputs]
        joined = sorted({member for index in linked for member in group[index]})
        group.update(dict.fromkeys(joined, joined))
    return list({id(members): members for members in group.values()}.values())


class Scheme(NamedTuple):
    """How a model is quantized."""

    dtype: Any
    """The type of activations and weights."""
    suffix: str
    """What is put behind the names of quantized tensors."""
    per_channel: bool
    """Whether weights are symmetric around zero with a scale per result, rather than with a range of their own."""
    fixed: dict[str, tuple[float, int]]
    """Scale and zero point of the results of operators that have no choice."""


INT8 = Scheme(np.int8, "_int8", True, FIXED)


class Quantizer:
    """Turns operators on real numbers into such on integers.

    Args:
        model: The model under construction; it is changed.
        parameters: Scale and zero point of each real tensor.
        chosen: The operators that are to be quantized.
        scheme: How.
    """

    def __init__(
        self, model: ModelBuilder, parameters: dict[int, tuple[float, int]], chosen: list[Record], scheme: Scheme
    ) -> None:
        self._model, self._chosen, self._tensors = model, {id(operator) for operator in chosen}, model.graph.tensors
        self._parameters, self._scheme = parameters, scheme
        self._as_int8: dict[int, int] = {}
        self._as_float: dict[int, int] = {}
        self._operators: list[Record] = []

    def write(self, fed: list[int], fetched: list[int], input_type: str, output_type: str) -> bytes:
        """Quantizes, and writes the model.

        Args:
            fed: Its inputs.
            fetched: Its outputs.
            input_type: The type of inputs.
            output_type: The type of outputs.

        Returns:
            The content of a `.tflite` file.
        """
        operators, model = self._model.graph.operators, self._model
        model.graph.operators = self._operators = []
        inputs = [self._input(index, input_type) for index in fed]
        for operator in operators:
            if id(operator) in self._chosen:
                self._quantize(operator)
            else:
                operator.inputs = [self._float(index) for index in operator.inputs]
                self._operators.append(operator)
        outputs = [self._output(index, output_type) for index in fetched]
        from ossia_lite.convert.passes.prune import prune

        inputs, outputs = prune(model, inputs, outputs)
        return write_model(model.model(inputs, outputs))

    def _new(self, index: int, suffix: str, dtype: Any, parameters: Any = None) -> int:
        tensor = self._tensors[index]
        return self._model.tensor(f"{tensor.name}{suffix}", tensor.shape, dtype, parameters)

    def _quantized_place(self, index: int) -> int:
        """The integer tensor that stands for a real one."""
        if index not in self._as_int8:
            scheme = self._scheme
            self._as_int8[index] = self._new(index, scheme.suffix, scheme.dtype, self._parameters[index])
        return self._as_int8[index]

    def _input(self, index: int, kind: str) -> int:
        if self._tensors[index].type != _FLOAT or kind == "float32":
            return index
        quantized = self._quantized_place(index)
        if kind == np.dtype(self._scheme.dtype).name:
            return quantized
        outside = self._outside(index, kind)
        self._model.operator("QUANTIZE", [outside], [quantized], record("QuantizeOptions"))
        return outside

    def _output(self, index: int, kind: str) -> int:
        if self._tensors[index].type != _FLOAT or kind == "float32":
            return self._float(index)
        quantized = self._int8(index)
        if kind == np.dtype(self._scheme.dtype).name:
            return quantized
        outside = self._outside(index, kind)
        self._model.operator("QUANTIZE", [quantized], [outside], record("QuantizeOptions"))
        return outside

    def _outside(self, index: int, kind: str) -> int:
        """A tensor of the other type of 8 bits for the same numbers."""
        scale, zero = self._parameters[index]
        return self._new(index, f"_{kind}", np.dtype(kind), (scale, zero + (128 if kind == "uint8" else -128)))

    def _int8(self, index: int) -> int:
        if index < 0 or self._tensors[index].type != _FLOAT or index in self._as_int8:
            return self._as_int8.get(index, index)
        value = self._model.value(index)
        if value is not None:
            scale, zero = self._parameters[index]
            dtype, name = self._scheme.dtype, self._tensors[index].name + self._scheme.suffix
            numbers = np.clip(round_half_away(value / np.float32(scale)) + zero, *limits(dtype)).astype(dtype)
            self._as_int8[index] = self._model.constant(name, numbers, (scale, zero))
        else:
            self._model.operator("QUANTIZE", [index], [self._quantized_place(index)], record("QuantizeOptions"))
        return self._as_int8[index]

    def _float(self, index: int) -> int:
        if index not in self._as_int8 or self._model.value(index) is not None or index in self._as_float:
            return self._as_float.get(index, index)
        made = any(index in operator.outputs for operator in self._operators)
        if not made and self._as_int8[index] not in {
            o
            for op in self._operators
            if self._model.name_of(op) == "QUANTIZE" and op.inputs == [index]
            for o in op.outputs
        }:
            self._model.operator("DEQUANTIZE", [self._as_int8[index]], [index], record("DequantizeOptions"))
        self._as_float[index] = index
        return index

    def _quantize(self, operator: Record) -> None:
        name = self._model.name_of(operator)
        inputs = [self._int8(operator.inputs[0])]
        if name in _WEIGHTED:
            inputs += self._weights(operator, _WEIGHTED[name])
        else:
            inputs += [self._int8(index) for index in operator.inputs[1:]]
        results = [self._quantized_place(index) for index in operator.outputs]
        self._operators.append(operator)
        fixed = self._scheme.fixed.get(name)
        if fixed is not None and self._parameters[operator.outputs[0]] != fixed:  # not the scale of its neighbours
            exact = self._new(operator.outputs[0], "_exact", self._scheme.dtype, fixed)
            self._model.operator("QUANTIZE", [exact], results, record("QuantizeOptions"))
            results = [exact]
        operator.inputs, operator.outputs = inputs, results

    def _weights(self, operator: Record, axis: int | None) -> list[int]:
        model, tensor = self._model, self._tensors[operator.inputs[1]]
        value = model.value(operator.inputs[1])
        assert value is not None
        suffix = self._scheme.suffix
        if self._scheme.per_channel:
            numbers, scales = _symmetric(value, axis)
            found = [model.constant(f"{tensor.name}{suffix}", numbers, (scales, 0), axis or 0)]
        else:
            # Where training has found a range: the least and greatest value, and whether one integer is left out.
            low, high, narrow = getattr(tensor, "trained_range", None) or (value.min(), value.max(), False)
            dtype = self._scheme.dtype
            scale, zero = asymmetric(float(low), float(high), dtype, narrow)
            least, greatest = limits(dtype)
            numbers = np.clip(round_half_away(value / np.float32(scale)) + zero, least + narrow, greatest)
            found = [model.constant(f"{tensor.name}{suffix}", numbers.astype(dtype), (scale, zero))]
            scales = np.array([scale], np.float32)
        if len(operator.inputs) > 2 and operator.inputs[2] >= 0:
            bias = model.value(operator.inputs[2])
            factors = np.float32(self._parameters[operator.inputs[0]][0]) * scales
            sums = np.clip(round_half_away(bias / factors.astype(np.float64)), -(2**31), 2**31 - 1).astype(np.int32)
            name = self._tensors[operator.inputs[2]].name + ("_int32" if suffix else "")
            found.append(model.constant(name, sums, (factors, 0)))
        return found


def _symmetric(value: np.ndarray, axis: int | None) -> tuple[np.ndarray, np.ndarray]:
    """Weights as int8 numbers from -127 to 127, and their scales, one per index of a dimension."""
    others = tuple(i for i in range(value.ndim) if i != axis) if axis is not None else None
    largest = np.maximum(np.abs(value).max(others), 1e-12)
    scales = (largest / 127).astype(np.float32).reshape(-1)
    shape = [1] * value.ndim
    if axis is not None:
        shape[axis] = -1
    return np.clip(round_half_away(value / scales.reshape(shape)), -127, 127).astype(np.int8), scales


def asymmetric(low: float, high: float, dtype: Any, narrow: bool = False) -> tuple[float, int]:
    """Scale and zero point of numbers of 8 bits for a range.

    Args:
        low: The least real number.
        high: The greatest one.
        dtype: int8 or uint8.
        narrow: Whether the least integer is left out.
    """
    least, greatest = limits(dtype)
    least += narrow
    low, high = min(low, 0.0), max(high, 0.0)
    scale = max(high - low, 1e-12) / (greatest - least)
    zero = round_half_away(np.float64(least - low / scale)) if dtype == np.uint8 else np.rint(least - low / scale)
    return float(np.float32(scale)), int(np.clip(zero, least, greatest))
