"""Models turned back to graphs, which compute the same."""

import pathlib
import runpy

import numpy as np
import pytest

import ossia as tf
import ossia_lite

_FOUND = runpy.run_path(str(pathlib.Path(__file__).parent / "architectures.py"))
ARCHITECTURES, values = _FOUND["ARCHITECTURES"], _FOUND["values"]
_NAMES = sorted(set(ARCHITECTURES) - {"keywords", "inception"})  # Mfcc and local response normalization


@pytest.mark.parametrize("kind", ["float", "int8"])
@pytest.mark.parametrize("name", _NAMES)
def test_network(name, kind):
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(1)
        inputs, outputs = ARCHITECTURES[name](tf)
        session.run(tf.global_variables_initializer())
        sample = [values(name, tensor, 0) for tensor in inputs]
        converter = tf.lite.TFLiteConverter.from_session(session, inputs, outputs)
    if kind == "int8":
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
        converter.representative_dataset = lambda: [sample]
    content = converter.convert()
    interpreter = tf.lite.Interpreter(model_content=content)
    interpreter.allocate_tensors()
    for detail, value in zip(interpreter.get_input_details(), sample, strict=True):
        interpreter.set_tensor(detail["index"], value)
    interpreter.invoke()
    details = interpreter.get_output_details()
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(ossia_lite.to_graph(content), name="")
        feeds = {f"{d['name']}:0": v for d, v in zip(interpreter.get_input_details(), sample, strict=True)}
        found = session.run([f"{detail['name']}:0" for detail in details], feeds)
    for detail, value in zip(details, found, strict=True):
        wanted = interpreter.get_tensor(detail["index"])
        assert value.shape == wanted.shape
        if kind == "float" or wanted.dtype.kind == "f":
            tolerance = 1e-5 if kind == "float" else 0.1
            assert np.abs(value - wanted).max() <= tolerance * max(np.abs(wanted).max(), 1e-6)


def test_operators_without_an_op_are_named(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        inputs, outputs = ARCHITECTURES["inception"](tf)
        session.run(tf.global_variables_initializer())
        path = tmp_path / "m.tflite"
        path.write_bytes(tf.lite.TFLiteConverter.from_session(session, inputs, outputs).convert())
    with pytest.raises(NotImplementedError, match="LOCAL_RESPONSE_NORMALIZATION"):
        ossia_lite.to_graph(path)
