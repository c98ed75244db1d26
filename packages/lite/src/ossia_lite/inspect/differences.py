"""Two models on the same inputs, tensor by tensor: which of them differs first, and by how much."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ossia_lite.interpreter import Interpreter


class Difference(NamedTuple):
    """A tensor of both models: its name, the largest difference, and the root mean square error over the root mean
    square of its values in the first one."""

    name: str
    largest: float
    relative: float


def differences(first: Interpreter, second: Interpreter, inputs: Sequence[np.ndarray]) -> list[Difference]:
    """Runs both on the same inputs and compares the tensors that both have by name, in the order in which the first
    one computes them, then the outputs.

    Args:
        first: An interpreter.
        second: Another one; its inputs may be quantized otherwise.
        inputs: An array of real numbers, or of the inputs' own type, per input.

    Raises:
        ValueError: There are too many or too few inputs, or shapes differ.
    """
    for interpreter in (first, second):
        feed(interpreter, inputs)
        interpreter.invoke()
    found = []
    names = {strip(detail["name"]): detail for detail in second.get_tensor_details()}
    for detail in first.computed_details():
        other = names.get(strip(detail["name"]))
        if other is not None and tuple(other["shape"]) == tuple(detail["shape"]):
            found.append(_difference(detail["name"], _real(first, detail), _real(second, other)))
    for mine, other in zip(first.get_output_details(), second.get_output_details(), strict=False):
        found.append(_difference(f"output {mine['name']}", _real(first, mine), _real(second, other)))
    return found


def strip(name: str) -> str:
    """A tensor's name without what quantization puts behind it.

    Args:
        name: The name.
    """
    for suffix in ("_int8", "_uint8", "_quantized", "_requantized"):
        name = name.removesuffix(suffix)
    return name


def feed(interpreter: Interpreter, inputs: Sequence[np.ndarray]) -> None:
    """Sets the inputs, resized and quantized as they need it.

    Args:
        interpreter: The interpreter; its tensors are allocated afterwards.
        inputs: An array per input.

    Raises:
        ValueError: There are too many or too few inputs.
    """
    details = interpreter.get_input_details()
    if len(details) != len(inputs):
        names = [detail["name"] for detail in details]
        raise ValueError(f"the model has {len(details)} inputs, {names}; {len(inputs)} were given")
    for detail, array in zip(details, inputs, strict=True):
        if tuple(detail["shape"]) != array.shape:
            interpreter.resize_tensor_input(detail["index"], array.shape)
    interpreter.allocate_tensors()
    for detail, array in zip(details, inputs, strict=True):
        interpreter.set_tensor(detail["index"], _as_input(array, detail))


def _as_input(array: np.ndarray, detail: dict[str, Any]) -> np.ndarray:
    scale, zero = detail["quantization"]
    dtype = np.dtype(detail["dtype"])
    if scale and array.dtype.kind == "f" and dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return np.clip(np.rint(array / scale) + zero, limits.min, limits.max).astype(dtype)
    return array if dtype.kind == "S" else array.astype(dtype)


def _real(interpreter: Interpreter, detail: dict[str, Any]) -> np.ndarray:
    value, (scale, zero) = interpreter.get_tensor(detail["index"]), detail["quantization"]
    return (value.astype(np.float64) - zero) * scale if scale else value


def _difference(name: str, first: np.ndarray, second: np.ndarray) -> Difference:
    if first.shape != second.shape:
        return Difference(name, float("inf"), float("inf"))
    if first.dtype == object:
        same = first.tolist() == second.tolist()
        return Difference(name, 0.0 if same else 1.0, 0.0 if same else 1.0)
    x, y = first.astype(np.float64), second.astype(np.float64)
    error = np.abs(x - y)
    size = float(np.sqrt(np.mean(x * x))) if x.size else 0.0
    rms = float(np.sqrt(np.mean(error * error))) if x.size else 0.0
    return Difference(name, float(error.max(initial=0)), rms / size if size else float(rms > 0))
