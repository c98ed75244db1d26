"""Whole networks: converted in every way, they compute what the session computes."""

import pathlib
import runpy

import numpy as np
import pytest

import ossia as tf

_FOUND = runpy.run_path(str(pathlib.Path(__file__).parent / "architectures.py"))
ARCHITECTURES, values = _FOUND["ARCHITECTURES"], _FOUND["values"]
# By how much of the range of an output a quantized model may differ.
TOLERANCES = {"float": 1e-5, "float16": 5e-3, "hybrid": 0.1, "int8": 0.2}


def _run(content, feeds):
    interpreter = tf.lite.Interpreter(model_content=content)
    interpreter.allocate_tensors()
    for detail, value in zip(interpreter.get_input_details(), feeds, strict=True):
        interpreter.set_tensor(detail["index"], value)
    interpreter.invoke()
    return [interpreter.get_tensor(detail["index"]) for detail in interpreter.get_output_details()]


@pytest.fixture(scope="module", params=ARCHITECTURES)
def network(request):
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(1)
        inputs, outputs = ARCHITECTURES[request.param](tf)
        session.run(tf.global_variables_initializer())
        samples = [[values(request.param, tensor, number) for tensor in inputs] for number in range(4)]
        wanted = [session.run(outputs, dict(zip(inputs, sample, strict=True))) for sample in samples]
        return tf.lite.TFLiteConverter.from_session(session, inputs, outputs), samples, wanted


@pytest.mark.parametrize("kind", TOLERANCES)
def test_network(network, kind):
    converter, samples, wanted = network
    converter.optimizations = [] if kind == "float" else [tf.lite.Optimize.DEFAULT]
    converter.target_spec = tf.lite.TargetSpec(supported_types=[tf.float16] if kind == "float16" else None)
    converter.representative_dataset = (lambda: iter(samples)) if kind == "int8" else None
    content = converter.convert()
    for sample, results in zip(samples, wanted, strict=True):
        for found, real in zip(_run(content, sample), results, strict=True):
            assert found.shape == real.shape
            if real.dtype.kind == "i":
                assert kind != "float" or np.array_equal(found, real)
            else:
                assert np.abs(found - real).max() <= TOLERANCES[kind] * np.abs(real).max()
