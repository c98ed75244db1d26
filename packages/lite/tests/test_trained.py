"""Integer models from graphs that were trained with fake quantization; drawings and settings of conversions."""

import pathlib
import runpy

import numpy as np
import pytest

import ossia as tf
from ossia_lite.convert.settings import ConverterError

HERE = pathlib.Path(__file__).parent
NETWORK = runpy.run_path(str(HERE / "trained_network.py"))["network"]


def _converter(network=NETWORK):
    with tf.Graph().as_default(), tf.Session() as session:
        x, y = network(tf)
        return tf.lite.TFLiteConverter.from_session(session, [x], [y])


def _run(content, value):
    interpreter = tf.lite.Interpreter(model_content=content)
    interpreter.allocate_tensors()
    interpreter.set_tensor(interpreter.get_input_details()[0]["index"], value)
    interpreter.invoke()
    return interpreter.get_tensor(interpreter.get_output_details()[0]["index"])


def _trained(dtype, **settings):
    converter = _converter()
    converter.inference_type = dtype
    converter.quantized_input_stats = {"x": (127.5 if dtype == tf.uint8 else 0.0, 127.5)}
    for name, value in settings.items():
        setattr(converter, name, value)
    return converter.convert()


def test_uint8_equals_the_original():
    content = _trained(tf.uint8)
    with np.load(HERE / "trained_golden.npz") as golden:
        for image, wanted in zip(golden["inputs"], golden["outputs"], strict=True):
            for model in (content, golden["model"].tobytes()):
                assert np.array_equal(_run(model, image), wanted)
        details = {d["name"]: d for d in tf.lite.Interpreter(model_content=content).get_tensor_details()}
        shared = [name for name in golden["names"] if str(name) in details]
        assert len(shared) >= 9
        for name, scale in zip(golden["names"], golden["scales"], strict=True):
            if str(name) in details:
                np.testing.assert_allclose(details[str(name)]["quantization"], scale, rtol=1e-6)


@pytest.mark.parametrize(("dtype", "settings", "tolerance"), [
    (tf.int8, {}, 12), (tf.uint8, dict(inference_input_type=tf.float32), 0),
    (tf.uint8, dict(inference_output_type=tf.float32), 0), (tf.uint8, dict(change_concat_input_ranges=True), 12),
])
def test_other_types(dtype, settings, tolerance):
    content = _trained(dtype, **settings)
    with np.load(HERE / "trained_golden.npz") as golden:
        for image, wanted in zip(golden["inputs"], golden["outputs"], strict=True):
            if dtype == tf.int8:
                image = (image - 128.0).astype(np.int8)
            elif "inference_input_type" in settings:
                image = ((image - 128.0) / 127.5).astype(np.float32)
            found = _run(content, image).astype(np.float64)
            found = found + 128 if dtype == tf.int8 else found * 256 if found.max() <= 1 else found
            assert np.abs(found - wanted).max() <= tolerance


def _without(tf):
    x = tf.placeholder(tf.float32, [1, 4], name="x")
    return x, tf.nn.relu(tf.matmul(x, tf.constant(np.eye(4, dtype=np.float32)), name="product"), name="y")


def test_missing_ranges_are_named():
    converter = _converter(_without)
    converter.inference_type, converter.quantized_input_stats = tf.uint8, {"x": (0.0, 255.0)}
    with pytest.raises(ConverterError, match="y, of the FULLY_CONNECTED operator"):
        converter.convert()
    converter.default_ranges_stats = (0.0, 2.0)
    found = _run(converter.convert(), np.array([[0, 51, 102, 255]], np.uint8))
    assert np.abs(found - np.array([[0, 25.5, 51, 127.5]])).max() <= 1


@pytest.mark.parametrize(("settings", "message"), [
    (dict(inference_type=tf.uint8), "std_dev and mean must be defined"),
    (dict(inference_type=tf.uint8, quantized_input_stats={"z": (1, 1)}), "not available for input tensors 'x'"),
    (dict(inference_type=tf.uint8, optimizations=[tf.lite.Optimize.DEFAULT]), "set to float"),
    (dict(target_spec=tf.lite.TargetSpec([tf.lite.OpsSet.TFLITE_BUILTINS_INT8])), "representative_dataset is required"),
    (dict(representative_dataset=tf.lite.RepresentativeDataset(None)), "Provide an input generator"),
])
def test_contradictions(settings, message):
    converter = _converter()
    for name, value in settings.items():
        setattr(converter, name, value)
    with pytest.raises(ValueError, match=message):
        converter.convert()


def test_integer_inputs_of_a_real_model():
    converter = _converter(_without)
    converter.inference_input_type, converter.quantized_input_stats = tf.uint8, {"x": (128.0, 64.0)}
    assert _run(converter.convert(), np.array([[0, 128, 192, 255]], np.uint8)).tolist() == [[0, 0, 1, 127 / 64]]


def test_drawings(tmp_path):
    converter = _converter()
    converter.output_format = tf.lite.constants.GRAPHVIZ_DOT
    assert b"DEPTHWISE_CONV_2D" in converter.convert()
    converter = _converter()
    converter.dump_graphviz_dir, converter.dump_graphviz_video = str(tmp_path), True
    converter.convert()
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names[0] == "toco_AFTER_TRANSFORMATIONS.dot" and "toco_video_00000.dot" in names


def test_deprecated_names():
    converter = _converter()
    with pytest.warns(UserWarning, match="post_training_quantize"):
        converter.post_training_quantize = True
    assert converter.optimizations == [tf.lite.Optimize.DEFAULT]
    with pytest.warns(UserWarning, match="target_ops"):
        assert converter.target_ops == {tf.lite.OpsSet.TFLITE_BUILTINS}
