"""Compiled kernels give what NumPy gives, refuse what they cannot take, and stand beside registered ones."""

import pathlib
import runpy

import numpy as np
import pytest

from ossia_lite import custom_operators, native
from ossia_lite.fixed_point import quantize_factor, scale
from ossia_lite.interpreter import Interpreter

Case, F = (runpy.run_path(str(pathlib.Path(__file__).parent / "operator_cases.py"))[name] for name in ("Case", "F"))
SIZES = [(1, 1, 1, 1), (3, 3, 1, 1), (3, 2, 2, 1), (5, 3, 1, 2), (2, 4, 3, 1)]  # window, stride, dilation
QUANTIZED = {
    np.int8: ((0.03, -4), (0.02, 0), (0.9, -2)),
    np.uint8: ((0.03, 124), (0.02, 137), (0.9, 126)),
    F: (None, None, None),
}


def test_there_are_compiled_kernels():
    assert native.kernels() is not None


def _run(content, value):
    interpreter = Interpreter(model_content=content)
    interpreter.allocate_tensors()
    interpreter.set_tensor(interpreter.get_input_details()[0]["index"], value)
    interpreter.invoke()
    interpreter.invoke()
    return interpreter.get_tensor(interpreter.get_output_details()[0]["index"])


@pytest.mark.parametrize("channels", [3, 16, 43])
@pytest.mark.parametrize("padding", [0, 1])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", QUANTIZED, ids=lambda dtype: np.dtype(dtype).name)
@pytest.mark.parametrize("operator", ["CONV_2D", "DEPTHWISE_CONV_2D"])
def test_convolution(monkeypatch, operator, dtype, size, padding, channels):
    """Integers are equal; floats are within rounding."""
    first, second, third = QUANTIZED[dtype]
    height, width, stride, spread = size
    case = Case(f"{operator} {size} {channels}")
    results = 19 if operator == "CONV_2D" else channels
    filters = (results, height, width, channels) if operator == "CONV_2D" else (1, height, width, channels)
    bias = case.random.randint(-300, 300, results).astype(np.int32)
    bias = case.constant(bias if dtype != F else bias.astype(F) / 100, (0.0006, 0) if dtype != F else None)
    limits = (-127, 128) if dtype == np.int8 else (0, 256)
    weights = case.random.rand(*filters) if dtype == F else case.random.randint(*limits, filters)
    image = (2, 11, 12, channels)
    inputs = [case.input(image, dtype, first), case.constant(weights.astype(dtype), second), bias]
    name = "Conv2DOptions" if operator == "CONV_2D" else "DepthwiseConv2DOptions"
    options = dict(padding=padding, stride_h=stride, stride_w=stride, fused_activation_function=3)
    options |= dict(dilation_h_factor=spread, dilation_w_factor=spread)
    if operator != "CONV_2D":
        options["depth_multiplier"] = 1
    rows, columns = (
        -(-n // stride) if padding == 0 else (n - (k - 1) * spread - 1) // stride + 1
        for n, k in ((11, height), (12, width))
    )
    _, content, (value,) = case.done(operator, inputs, [((2, rows, columns, results), dtype, third)], (name, options))
    found = _run(content, value)
    monkeypatch.setattr(native, "kernels", lambda: None)
    wanted = _run(content, value)
    assert found.shape == wanted.shape and found.dtype == wanted.dtype
    assert len(np.unique(wanted)) > 3
    np.testing.assert_allclose(found, wanted, atol=1e-4 if dtype == F else 0)


def test_requantization_is_that_of_the_reference():
    compiled, random = native.kernels(), np.random.RandomState(4)
    factor = np.exp(random.uniform(-16, -0.01, 40))
    fraction, shift = quantize_factor(factor)
    bias = random.randint(-(1 << 20), 1 << 20, 40)
    total = random.randint(-(1 << 23), 1 << 23, (500, 40))
    wanted = np.clip(scale(total + bias, fraction, shift) + 7, -100, 90)
    scaling = compiled.Scaling(bias, fraction, shift, 7, -100, 90, np.int8)
    for dtype in (np.float32, np.float64):
        np.testing.assert_array_equal(compiled.requantize(total.astype(dtype), scaling), wanted)


def test_hostile_scales_and_sizes_are_refused():
    compiled, few = native.kernels(), np.zeros(2, np.int64)
    total = np.ones((3, 2), np.float32)
    for bias, fraction, shift in ((1 << 40, 1, 0), (0, -1, 0), (0, 1, 9), (0, 1, -40)):
        scaling = compiled.Scaling(few + bias, few + fraction, few + shift, 0, -128, 127, np.int8)
        assert compiled.requantize(total, scaling) is None
    scaling = compiled.Scaling(few, few + 1, few, 0, -128, 127, np.int8)
    assert compiled.requantize(np.ones((3, 5), np.float32), scaling) is None
    image, weights = np.zeros((1, 4, 4, 2), np.int8), np.zeros((1, 1, 2), np.float32)
    for place in range(2, 10):
        for number in (-1, 1 << 40):
            sizes = [1, 1, 1, 1, 1, 1, 4, 4, 0, 0]
            sizes[place] = number
            if number < 0 or place not in (6, 7):
                assert compiled.depthwise_integers(image, 0, weights, sizes, scaling) is None


def test_a_custom_operator_runs_once_it_is_registered():
    case = Case("custom")
    _, content, (value,) = case.done("Twice", [case.input((2, 3), F, None)], [((2, 3), F, None)])
    with pytest.raises(NotImplementedError, match="Twice"):
        Interpreter(model_content=content)
    custom_operators.register("Twice", lambda call, x: x * 2)
    np.testing.assert_array_equal(_run(content, value), value * 2)
    with pytest.raises(TypeError, match="cannot be called"):
        custom_operators.register("Twice", 3)
