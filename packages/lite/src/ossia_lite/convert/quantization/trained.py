"""Integer models from graphs that were trained for them: fake quantization says the ranges of activations and weights.

Source: B. Jacob and others, "Quantization and Training of Neural Networks for Efficient Integer-Arithmetic-Only
Inference", https://arxiv.org/abs/1712.05877.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ossia_lite.builder import ModelBuilder
from ossia_lite.convert.quantization.full_integer import (
    FIXED,
    SAME,
    Quantizer,
    Scheme,
    asymmetric,
    can_quantize,
    has_reals,
)
from ossia_lite.convert.settings import ConverterError
from ossia_lite.fixed_point import limits
from ossia_lite.schema import Record

_Range = tuple[float, float]
_UINT8_FIXED = {name: (scale, zero + 128) for name, (scale, zero) in FIXED.items()}


class Training(NamedTuple):
    """What is said of a model besides its graph."""

    dtype: Any
    """The type of real numbers in the model: `tf.uint8` or `tf.int8`."""
    input_stats: dict[int, tuple[float, float]]
    """For each input the integer that stands for zero, and how many there are to one."""
    default_range: _Range | None
    """The range of activations for which there is no other."""
    joins_ranges: bool
    """Whether what is concatenated gets the range of the result."""
    input_type: Any
    output_type: Any


def quantize(model: Any, fed: list[int], fetched: list[int], training: Training) -> bytes:
    """Quantizes a model of float32 with FAKE_QUANT operators.

    Args:
        model: The model under construction; it is changed.
        fed: Its inputs.
        fetched: Its outputs.
        training: What else is known.

    Returns:
        The content of a `.tflite` file.

    Raises:
        ConverterError: Activations have no range; the message names them.
    """
    dtype = np.dtype(training.dtype.as_numpy_dtype)
    low, high = limits(dtype)
    ranges: dict[int, _Range] = {}
    fetched = _resolve(model, ranges, fetched)
    for index, (mean, deviation) in training.input_stats.items():
        ranges[index] = ((low - mean) / deviation, (high - mean) / deviation)
    chosen = [operator for operator in model.graph.operators if can_quantize(model, operator)]
    fixed = _UINT8_FIXED if dtype == np.uint8 else FIXED
    parameters = {
        operator.outputs[0]: fixed[name] for operator in chosen if (name := model.name_of(operator)) in fixed
    }
    for index, (scale, zero) in parameters.items():
        ranges.setdefault(index, ((low - zero) * scale, (high - zero) * scale))
    _spread(model, chosen, ranges, training.joins_ranges)
    _fill(model, chosen, ranges, training.default_range)
    for index, bounds in ranges.items():
        parameters.setdefault(index, asymmetric(*bounds, dtype.type))
    scheme = Scheme(dtype.type, "", dtype == np.int8, fixed)
    quantizer = Quantizer(model, parameters, chosen, scheme)
    return quantizer.write(fed, fetched, training.input_type.name, training.output_type.name)


def _resolve(model: ModelBuilder, ranges: dict[int, _Range], fetched: list[int]) -> list[int]:
    """Takes FAKE_QUANT operators out: what they round gets their range."""
    renamed: dict[int, int] = {}
    kept: list[Record] = []
    for operator in model.graph.operators:
        operator.inputs = [renamed.get(index, index) for index in operator.inputs]
        source = operator.inputs[0] if operator.inputs else -1
        bounds = None
        if model.name_of(operator) == "FAKE_QUANT":
            bounds = (operator.builtin_options.min, operator.builtin_options.max)
        if bounds is not None and ranges.get(source, bounds) == bounds:
            ranges[source] = bounds
            renamed[operator.outputs[0]] = source
        elif bounds is not None:  # rounded twice: the second time to another scale
            ranges[operator.outputs[0]] = bounds
            _requantize(model, operator)
            kept.append(operator)
        else:
            kept.append(operator)
    model.graph.operators = kept
    return [renamed.get(index, index) for index in fetched]


def _requantize(model: ModelBuilder, operator: Record) -> None:
    from ossia_lite.schema import record

    made = model.operator("QUANTIZE", operator.inputs, operator.outputs, record("QuantizeOptions"))
    model.graph.operators.pop()
    operator.opcode_index, operator.builtin_options = made.opcode_index, made.builtin_options


def _spread(model: ModelBuilder, chosen: list[Record], ranges: dict[int, _Range], joins: bool) -> None:
    """Ranges go through operators that only move numbers, forward and then backward."""
    for operator in chosen:
        if model.name_of(operator) in SAME:
            for index in operator.outputs:
                if operator.inputs[0] in ranges:
                    ranges.setdefault(index, ranges[operator.inputs[0]])
        elif model.name_of(operator) == "CONCATENATION":
            known = [ranges[index] for index in operator.inputs if index in ranges]
            if known:
                ranges.setdefault(operator.outputs[0], (min(r[0] for r in known), max(r[1] for r in known)))
    for operator in reversed(chosen):
        name, result = model.name_of(operator), operator.outputs[0]
        if result not in ranges or name not in (*SAME, "CONCATENATION"):
            continue
        for index in operator.inputs if name == "CONCATENATION" else operator.inputs[:1]:
            if joins and name == "CONCATENATION":
                ranges[index] = ranges[result]
            ranges.setdefault(index, ranges[result])


def _fill(model: ModelBuilder, chosen: list[Record], ranges: dict[int, _Range], default: _Range | None) -> None:
    """Ranges of what is left: of constants those of their elements, of others the default."""
    missing = []
    for operator in chosen:
        for index in (*operator.inputs, *operator.outputs):
            if index < 0 or index in ranges or not has_reals(model, [index]):
                continue
            value = model.value(index)
            if value is not None:
                ranges[index] = float(value.min(initial=0)), float(value.max(initial=0))
            elif default is not None:
                ranges[index] = float(default[0]), float(default[1])
            else:
                missing.append(f"{model.graph.tensors[index].name}, of the {model.name_of(operator)} operator")
    if missing:
        listed = "; ".join(dict.fromkeys(missing))
        raise ConverterError(
            f"Arrays are lacking min/max data, which is necessary for quantization: {listed}. Train the graph with "
            "fake quantization, or give default_ranges_stats to try how fast it would be."
        )
