"""Conversion: each op and a whole network, run by the interpreter and by a session."""

import pathlib

import numpy as np
import pytest

import ossia as tf
from ossia_lite.checks import operator_name
from ossia_lite.convert.settings import ConverterError
from ossia_lite.reader import read_model

HERE = pathlib.Path(__file__).parent


def _run(content, *feeds):
    interpreter = tf.lite.Interpreter(model_content=content)
    interpreter.allocate_tensors()
    for detail, value in zip(interpreter.get_input_details(), feeds, strict=True):
        interpreter.set_tensor(detail["index"], value)
    interpreter.invoke()
    return [interpreter.get_tensor(detail["index"]) for detail in interpreter.get_output_details()]


def _operators(content):
    model = read_model(content)
    return [operator_name(model.operator_codes[operator.opcode_index]) for operator in model.subgraphs[0].operators]


def _filters(*shape):
    return tf.constant(np.random.RandomState(0).uniform(-1, 1, shape).astype(np.float32))


BUILDERS = {
    "conv": lambda x: tf.nn.conv2d(x, _filters(3, 3, 4, 5), 2, "SAME"),
    "depthwise": lambda x: tf.nn.depthwise_conv2d(x, _filters(3, 3, 4, 2), [1, 1, 1, 1], "VALID"),
    "dilated": lambda x: tf.nn.conv2d(x, _filters(3, 3, 4, 5), 1, "VALID", dilations=2),
    "transposed": lambda x: tf.nn.conv2d_transpose(x, _filters(3, 3, 5, 4), [1, 12, 12, 5], 2, "SAME"),
    "dense": lambda x: tf.matmul(tf.reshape(x, [36, 4]), _filters(4, 7)),
    "products": lambda x: tf.matmul(x, x, transpose_b=True),
    "pools": lambda x: tf.nn.max_pool2d(x, 2, 2, "VALID") + tf.nn.avg_pool2d(x, 3, 2, "SAME"),
    "arithmetic": lambda x: tf.nn.relu((x + 1.0) * 2.0 - x / 3.0),
    "activations": lambda x: tf.nn.leaky_relu(
        tf.nn.relu6(x) + tf.tanh(x) + tf.sigmoid(x) + tf.nn.elu(x) + tf.nn.softplus(x)
    ),
    "softmax": lambda x: tf.nn.softmax(x) + tf.nn.log_softmax(x),
    "reductions": lambda x: tf.reduce_mean(x, [1, 2]) + tf.reduce_max(x, [1, 2]) + tf.reduce_sum(x, [1, 2]),
    "shapes": lambda x: tf.transpose(tf.squeeze(tf.expand_dims(x, 1), 1), [0, 3, 1, 2]),
    "parts": lambda x: x[:, 1:-1:2, ::2, 1] + tf.concat(tf.split(x, 2, 3), 3)[:, :2, :3, 0],
    "folded": lambda x: tf.reshape(x, [tf.shape(x)[0], -1]),
    "stack": lambda x: tf.stack(tf.unstack(x, axis=3)[:2], axis=-1),
    "gather": lambda x: tf.gather(x, [2, 0], axis=3),
    "pad": lambda x: tf.pad(x, [[0, 0], [1, 2], [0, 1], [0, 0]]),
    "choose": lambda x: tf.where(x > 0, x, tf.square(x)),
    "largest": lambda x: tf.cast(tf.argmax(x, 3), tf.float32),
    "blocks": lambda x: tf.space_to_depth(x, 2),
    "dropout": lambda x: tf.stop_gradient(tf.identity(x)) * 2.0,
}


@pytest.mark.parametrize("name", BUILDERS)
def test_op(name):
    data = np.random.RandomState(1).uniform(-2, 2, (1, 6, 6, 4)).astype(np.float32)
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 6, 6, 4], name="x")
        y = BUILDERS[name](x)
        wanted = session.run(y, {x: data})
        content = tf.lite.TFLiteConverter.from_session(session, [x], [y]).convert()
    (found,) = _run(content, data)
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)


def _choice(x, condition):
    inside = tf.cond(condition, lambda: tf.reduce_sum(x) > 1e9, lambda: tf.constant(False))
    return tf.cond(condition, lambda: tf.cond(inside, lambda: x * 5.0, lambda: x * 2.0), lambda: x + tf.constant(1.0))


@pytest.mark.parametrize("kind", ["constant", "default", "fed"])
@pytest.mark.parametrize("value", [True, False])
def test_condition(kind, value):
    data = np.array([[-1, 2, 3]], np.float32)
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [1, 3], name="x")
        condition = tf.constant(value)
        if kind == "default":
            condition = tf.placeholder_with_default(value, [])
        elif kind == "fed":
            condition = tf.reduce_sum(x) > (0.0 if value else 100.0)
        y = _choice(x, condition)
        wanted = session.run(y, {x: data})
        content = tf.lite.TFLiteConverter.from_session(session, [x], [y]).convert()
    assert _run(content, data)[0].tolist() == wanted.tolist()
    assert kind == "fed" or "SELECT_V2" not in _operators(content) or value


def _network():
    x = tf.placeholder(tf.float32, [None, 16, 16, 3], name="x")
    h = tf.layers.conv2d(x, 8, 3, strides=2, padding="same", use_bias=False)
    h = tf.nn.relu6(tf.layers.batch_normalization(h, moving_variance_initializer=tf.constant_initializer(0.7)))
    side = tf.nn.depthwise_conv2d(h, tf.get_variable("depthwise", [3, 3, 8, 1]), [1, 1, 1, 1], "SAME")
    h += tf.layers.conv2d(tf.nn.relu6(tf.layers.batch_normalization(side)), 8, 1)
    h = tf.concat([tf.layers.max_pooling2d(h, 2, 2), tf.layers.average_pooling2d(h, 2, 2)], -1)
    h = tf.layers.dense(tf.layers.dropout(tf.layers.flatten(h)), 64, tf.nn.relu)
    return x, tf.nn.softmax(tf.layers.dense(h, 10), name="out")


@pytest.mark.parametrize(
    ("kind", "tolerance"), [("float", 1e-6), ("float16", 1e-3), ("hybrid", 0.02), ("int8", 0.03), ("strict", 0.03)]
)
def test_network(kind, tolerance):
    data = np.random.RandomState(0).uniform(-1, 1, (8, 1, 16, 16, 3)).astype(np.float32)
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(1)
        x, y = _network()
        session.run(tf.global_variables_initializer())
        wanted = [session.run(y, {x: row}) for row in data]
        converter = tf.lite.TFLiteConverter.from_session(session, [x], [y])
    if kind != "float":
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
    if kind == "float16":
        converter.target_spec.supported_types = [tf.float16]
    if kind in ("int8", "strict"):
        converter.representative_dataset = lambda: ([row] for row in data)
    if kind == "strict":
        converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
        converter.inference_input_type = converter.inference_output_type = tf.int8
    content = converter.convert()
    (detail,) = tf.lite.Interpreter(model_content=content).get_input_details()
    for row, real in zip(data, wanted, strict=True):
        if kind == "strict":
            scale, zero = detail["quantization"]
            (found,) = _run(content, np.clip(np.rint(row / scale) + zero, -128, 127).astype(np.int8))
            found = (found.astype(np.float64) + 128) / 256
        else:
            (found,) = _run(content, row)
        assert np.abs(found - real).max() <= tolerance
    body = [name for name in _operators(content) if name not in ("QUANTIZE", "DEQUANTIZE")]
    assert body == [
        "CONV_2D",
        "DEPTHWISE_CONV_2D",
        "CONV_2D",
        "ADD",
        "MAX_POOL_2D",
        "AVERAGE_POOL_2D",
        "CONCATENATION",
        "RESHAPE",
        "FULLY_CONNECTED",
        "FULLY_CONNECTED",
        "SOFTMAX",
    ]


def test_model_of_the_original():
    """A model that TensorFlow 1.15 converted, with the values that it gives there."""
    with np.load(HERE / "original_golden.npz") as golden:
        (found,) = _run(golden["model"].tobytes(), golden["input"])
        np.testing.assert_allclose(found, golden["output"], rtol=1e-5, atol=1e-6)


def test_frozen_graph(tmp_path):
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        tf.add(x, 1.0, name="middle")
        tf.multiply(tf.get_default_graph().get_tensor_by_name("middle:0"), 3.0, name="y")
        path = tmp_path / "graph.pb"
        path.write_bytes(tf.get_default_graph().as_graph_def().SerializeToString())
    converter = tf.lite.TFLiteConverter.from_frozen_graph(str(path), ["middle"], ["y"], {"middle": [2, 3]})
    assert converter.get_input_arrays() == ["middle"]
    assert _run(converter.convert(), np.ones((2, 3), np.float32))[0].tolist() == [[3, 3, 3]] * 2
    with pytest.raises(ValueError, match="Invalid tensors 'nothing'"):
        tf.lite.TFLiteConverter.from_frozen_graph(str(path), ["nothing"], ["y"])
    with pytest.raises(OSError, match="does not exist"):
        tf.lite.TFLiteConverter.from_frozen_graph(str(tmp_path / "none.pb"), ["x"], ["y"])


def test_saved_model(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        y = x * tf.get_variable("v", initializer=4.0)
        session.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(session, str(tmp_path / "saved"), {"x": x}, {"y": y})
    for converter in (tf.lite.TFLiteConverter, tf.compat.v2.lite.TFLiteConverter):
        content = converter.from_saved_model(str(tmp_path / "saved")).convert()
        assert _run(content, np.ones((1, 3), np.float32))[0].tolist() == [[4, 4, 4]]


def test_every_unsupported_op_is_named():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [1, 4], name="x")
        converter = tf.lite.TFLiteConverter.from_session(
            session, [x], [tf.lgamma(x, name="a"), tf.digamma(x, name="b")]
        )
    with pytest.raises(ConverterError, match="Digamma: b; Lgamma: a"):
        converter.convert()
    converter.allow_custom_ops = True
    assert sorted(_operators(converter.convert())) == ["Digamma", "Lgamma"]


def test_loops_are_refused():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [1, 4], name="x")
        _, y = tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, v * 2.0), [0, x])
        converter = tf.lite.TFLiteConverter.from_session(session, [x], [y])
    with pytest.raises(ConverterError, match="Enter: .*it begins a loop"):
        converter.convert()


def test_unknown_sizes_are_refused():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, None], name="x")
        converter = tf.lite.TFLiteConverter.from_session(session, [x], [x * 2.0])
    with pytest.raises(ValueError, match="None is only supported in the 1st dimension. Tensor 'x'"):
        converter.convert()


@pytest.mark.parametrize(
    "call",
    [
        lambda: tf.lite.OpHint("f"),
        lambda: tf.lite.experimental.nn.TFLiteLSTMCell(3),
        lambda: tf.lite.experimental.nn.TfLiteRNNCell(3),
        lambda: tf.lite.experimental.nn.dynamic_rnn(None, None),
        lambda: tf.lite.experimental.convert_op_hints_to_stubs(),
        lambda: tf.lite.TFLiteConverter.from_keras_model_file("m.h5"),
    ],
)
def test_what_is_missing_names_itself(call):
    with pytest.raises(NotImplementedError, match="tf.lite"):
        call()


def test_supported_ops():
    assert ("Conv2D",) in tf.lite.experimental.get_potentially_supported_ops()
