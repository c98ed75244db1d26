"""Which quantization a converter asks for."""

from __future__ import annotations

from typing import Any

from ossia_core.names import dtypes
from ossia_lite.convert import constants
from ossia_lite.convert.quantization import float16, full_integer, hybrid, trained
from ossia_lite.convert.settings import OpsSet
from ossia_lite.schema import record
from ossia_lite.writer import write_model


def written(converter: Any, model: Any, fed: list[int], fetched: list[int]) -> bytes:
    """Writes a model, quantized as a converter's attributes say.

    Args:
        converter: The `TFLiteConverter`.
        model: The model under construction; it is changed.
        fed: Its inputs.
        fetched: Its outputs.

    Returns:
        The content of a `.tflite` file.
    """
    if converter.inference_type != constants.FLOAT:
        return _trained(converter, model, fed, fetched)
    if converter.inference_input_type in (constants.QUANTIZED_UINT8, constants.INT8) and not converter.optimizations:
        fed = _integer_inputs(converter, model, fed)
    content = write_model(model.model(fed, fetched))
    if converter.optimizations:
        if any(dtypes.as_dtype(kind) == dtypes.float16 for kind in converter.target_spec.supported_types):
            float16.quantize(model)
            content = write_model(model.model(fed, fetched))
        elif converter.representative_dataset is not None:
            strict = set(converter.target_spec.supported_ops) == {OpsSet.TFLITE_BUILTINS_INT8}
            content = full_integer.quantize(
                model,
                content,
                fed,
                fetched,
                converter.representative_dataset,
                strict,
                converter.inference_input_type or constants.FLOAT,
                converter.inference_output_type or constants.FLOAT,
            )
        else:
            hybrid.quantize(model)
            content = write_model(model.model(fed, fetched))
    return content


def _integer_inputs(converter: Any, model: Any, fed: list[int]) -> list[int]:
    """Integer inputs of a model of real numbers, by the statistics that are given."""
    dtype, found, operators = converter.inference_input_type.as_numpy_dtype, [], model.graph.operators
    model.graph.operators = []
    for name, index in zip(converter.get_input_arrays(), fed, strict=True):
        mean, deviation = converter.quantized_input_stats[name]
        tensor = model.graph.tensors[index]
        found.append(model.tensor(f"{tensor.name}_quantized", tensor.shape, dtype, (1 / deviation, round(mean))))
        model.operator("DEQUANTIZE", [found[-1]], [index], record("DequantizeOptions"))
    model.graph.operators += operators
    return found


def _trained(converter: Any, model: Any, fed: list[int], fetched: list[int]) -> bytes:
    names = zip(converter.get_input_arrays(), fed, strict=True)
    stats = {index: converter.quantized_input_stats[name] for name, index in names}
    return trained.quantize(
        model,
        fed,
        fetched,
        trained.Training(
            converter.inference_type,
            stats,
            converter.default_ranges_stats,
            bool(converter.change_concat_input_ranges),
            converter.inference_input_type or converter.inference_type,
            converter.inference_output_type or converter.inference_type,
        ),
    )
