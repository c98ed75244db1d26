"""Weights and activations as int8 numbers; the ranges of activations come from runs on representative data.

Source: R. Krishnamoorthi, "Quantizing deep convolutional networks for efficient inference",
https://arxiv.org/abs/1806.08342; the scheme is
that of the published specification of 8-bit models (https://ai.google.dev/edge/litert/models/quantization_spec).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ossia_lite.builder import ModelBuilder
from ossia_lite.convert.settings import ConverterError
from ossia_lite.fixed_point import round_half_away
from ossia_lite.interpreter import Interpreter
from ossia_lite.operators import TYPE_CODES
from ossia_lite.schema import Record, record
from ossia_lite.writer import write_model

_FLOAT, _INT8 = TYPE_CODES["FLOAT32"], TYPE_CODES["INT8"]
_WEIGHTED = {"CONV_2D": 0, "DEPTHWISE_CONV_2D": 3, "FULLY_CONNECTED": None}  # the dimension that has a scale per index
_FREE = ("ADD", "SUB", "MUL", "MEAN", "SUM", "LEAKY_RELU", "PRELU", "HARD_SWISH", "RELU", "RELU6", "QUANTIZE")
_SAME = (  # the result has the scale of the first input
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
_FIXED = {"SOFTMAX": (1 / 256, -128), "LOGISTIC": (1 / 256, -128), "TANH": (1 / 128, 0)}


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
    chosen = [operator for operator in model.graph.operators if _can(model, operator)]
    left = sorted(
        {model.name_of(op) for op in model.graph.operators if op not in chosen and _floats(model, op.outputs)}
    )
    if strict and left:
        raise ConverterError(f"Quantization not yet supported for operators: {', '.join(left)}.")
    return _Quantizer(model, ranges, chosen).write(fed, fetched, input_type.name, output_type.name)


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


def _floats(model: ModelBuilder, indices: Iterable[int]) -> bool:
    return any(index >= 0 and model.graph.tensors[index].type == _FLOAT for index in indices)


def _can(model: ModelBuilder, operator: Record) -> bool:
    name = model.name_of(operator)
    if name in _WEIGHTED:
        return model.value(operator.inputs[1]) is not None and (
            operator.inputs[2] < 0 or model.value(operator.inputs[2]) is not None
        )
    return (name in _FREE or name in _SAME or name in _ALL_SAME or name in _FIXED) and _floats(model, operator.outputs)


class _Quantizer:
    def __init__(self, model: ModelBuilder, ranges: dict[int, tuple[float, float]], chosen: list[Record]) -> None:
        self._model, self._chosen, self._tensors = model, {id(operator) for operator in chosen}, model.graph.tensors
        self._parameters = {}
        for group in self._groups(ranges):
            parameters = _asymmetric(min(ranges[index][0] for index in group), max(ranges[index][1] for index in group))
            self._parameters.update(dict.fromkeys(group, parameters))
        linked = {index for group in self._groups(ranges) if len(group) > 1 for index in group}
        for operator in chosen:
            name, result = model.name_of(operator), operator.outputs[0]
            if name in _FIXED and result not in linked:
                self._parameters[result] = _FIXED[name]
        self._as_int8: dict[int, int] = {}
        self._as_float: dict[int, int] = {}
        self._operators: list[Record] = []

    def _groups(self, ranges: dict[int, tuple[float, float]]) -> list[list[int]]:
        """Real tensors in groups that must have one scale."""
        group = {index: [index] for index in ranges}
        for operator in self._model.graph.operators:
            name = self._model.name_of(operator)
            if id(operator) not in self._chosen or name not in (*_SAME, *_ALL_SAME):
                continue
            linked = [*(operator.inputs if name in _ALL_SAME else operator.inputs[:1]), *operator.outputs]
            joined = sorted({member for index in linked for member in group[index]})
            group.update(dict.fromkeys(joined, joined))
        return list({id(members): members for members in group.values()}.values())

    def write(self, fed: list[int], fetched: list[int], input_type: str, output_type: str) -> bytes:
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
        """The int8 tensor that stands for a real one."""
        if index not in self._as_int8:
            self._as_int8[index] = self._new(index, "_int8", np.int8, self._parameters[index])
        return self._as_int8[index]

    def _input(self, index: int, kind: str) -> int:
        if self._tensors[index].type != _FLOAT or kind == "float32":
            return index
        quantized = self._quantized_place(index)
        if kind == "int8":
            return quantized
        scale, zero = self._parameters[index]
        outside = self._new(index, "_uint8", np.uint8, (scale, zero + 128))
        self._model.operator("QUANTIZE", [outside], [quantized], record("QuantizeOptions"))
        return outside

    def _output(self, index: int, kind: str) -> int:
        if self._tensors[index].type != _FLOAT or kind == "float32":
            return self._float(index)
        quantized = self._int8(index)
        if kind == "int8":
            return quantized
        scale, zero = self._parameters[index]
        outside = self._new(index, "_uint8", np.uint8, (scale, zero + 128))
        self._model.operator("QUANTIZE", [quantized], [outside], record("QuantizeOptions"))
        return outside

    def _int8(self, index: int) -> int:
        if index < 0 or self._tensors[index].type != _FLOAT or index in self._as_int8:
            return self._as_int8.get(index, index)
        value = self._model.value(index)
        if value is not None:
            scale, zero = self._parameters[index]
            numbers = np.clip(round_half_away(value / np.float32(scale)) + zero, -128, 127).astype(np.int8)
            self._as_int8[index] = self._model.constant(f"{self._tensors[index].name}_int8", numbers, (scale, zero))
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
        if (
            name in _FIXED and self._parameters[operator.outputs[0]] != _FIXED[name]
        ):  # its scale is not that of its neighbours
            exact = self._new(operator.outputs[0], "_exact", np.int8, _FIXED[name])
            self._model.operator("QUANTIZE", [exact], results, record("QuantizeOptions"))
            results = [exact]
        operator.inputs, operator.outputs = inputs, results

    def _weights(self, operator: Record, axis: int | None) -> list[int]:
        model, tensor = self._model, self._tensors[operator.inputs[1]]
        value = model.value(operator.inputs[1])
        assert value is not None
        others = tuple(i for i in range(value.ndim) if i != axis) if axis is not None else None
        largest = np.maximum(np.abs(value).max(others), 1e-12)
        scales = (largest / 127).astype(np.float32).reshape(-1)
        shape = [1] * value.ndim
        if axis is not None:
            shape[axis] = -1
        numbers = np.clip(round_half_away(value / scales.reshape(shape)), -127, 127).astype(np.int8)
        found = [model.constant(f"{tensor.name}_int8", numbers, (scales, 0), axis or 0)]
        if len(operator.inputs) > 2 and operator.inputs[2] >= 0:
            bias = model.value(operator.inputs[2])
            factors = np.float32(self._parameters[operator.inputs[0]][0]) * scales
            sums = np.clip(round_half_away(bias / factors.astype(np.float64)), -(2**31), 2**31 - 1).astype(np.int32)
            found.append(model.constant(f"{self._tensors[operator.inputs[2]].name}_int32", sums, (factors, 0)))
        return found


def _asymmetric(low: float, high: float) -> tuple[float, int]:
    """Scale and zero point of int8 numbers for a range that holds zero."""
    scale = max(high - low, 1e-12) / 255
    return float(np.float32(scale)), int(np.clip(np.rint(-128 - low / scale), -128, 127))
