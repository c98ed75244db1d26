"""`tf.lite.Interpreter`: its methods, their rules and errors."""

import numpy as np
import pytest

from ossia_lite.builder import ModelBuilder
from ossia_lite.interpreter import Interpreter
from ossia_lite.schema import record
from ossia_lite.writer import write_model


def _content(quantized=False):
    builder = ModelBuilder()
    x = builder.tensor("x", [1, 3], np.float32, signature=[-1, 3])
    y = builder.tensor("y", [1, 3], np.int8 if quantized else np.float32, (0.5, 3) if quantized else None)
    if quantized:
        builder.operator("QUANTIZE", [x], [y], record("QuantizeOptions"))
    else:
        one = builder.constant("one", np.float32([1, 2, 3]))
        builder.operator("ADD", [x, one], [y], record("AddOptions"))
    return write_model(builder.model([x], [y], ({"a": x}, {"b": y})))


@pytest.fixture
def interpreter():
    made = Interpreter(model_content=_content(), num_threads=2)
    made.allocate_tensors()
    return made


def test_details(interpreter):
    (detail,) = interpreter.get_input_details()
    assert (detail["name"], detail["index"], detail["dtype"], detail["quantization"]) == ("x", 0, np.float32, (0.0, 0))
    assert detail["shape"].tolist() == [1, 3] and detail["shape_signature"].tolist() == [-1, 3]
    assert [tensor["name"] for tensor in interpreter.get_tensor_details()] == ["x", "y", "one"]


def test_quantized_details():
    (detail,) = Interpreter(model_content=_content(True)).get_output_details()
    assert detail["dtype"] == np.int8 and detail["quantization"] == (0.5, 3)
    assert detail["quantization_parameters"]["zero_points"].tolist() == [3]


def test_runs(interpreter):
    interpreter.set_tensor(0, np.float32([[1, 1, 1]]))
    interpreter.invoke()
    result = interpreter.get_tensor(1)
    interpreter.set_tensor(0, np.float32([[5, 5, 5]]))
    interpreter.invoke()
    assert result.tolist() == [[2, 3, 4]] and interpreter.get_tensor(1).tolist() == [[6, 7, 8]]


def test_from_file(tmp_path):
    path = tmp_path / "model.tflite"
    path.write_bytes(_content())
    Interpreter(str(path)).allocate_tensors()


def test_resize(interpreter):
    interpreter.resize_tensor_input(0, [4, 3])
    with pytest.raises(RuntimeError, match="not ready"):
        interpreter.invoke()
    interpreter.allocate_tensors()
    assert interpreter.get_output_details()[0]["shape"].tolist() == [4, 3]
    interpreter.set_tensor(0, np.ones((4, 3), np.float32))
    interpreter.invoke()
    assert interpreter.get_tensor(1).tolist() == [[2, 3, 4]] * 4
    interpreter.resize_tensor_input(0, [2, 5])
    with pytest.raises(RuntimeError, match="ADD"):
        interpreter.allocate_tensors()
    with pytest.raises(ValueError, match="unknown dimensions"):
        interpreter.resize_tensor_input(0, [2, 5], strict=True)


def test_views(interpreter):
    """A view writes into the tensor, and while it or a part of it exists, nothing runs."""
    view = interpreter.tensor(0)
    view()[...] = 3
    interpreter.invoke()
    assert interpreter.get_tensor(1).tolist() == [[4, 5, 6]]
    held = view()[0]
    for refused in (interpreter.invoke, interpreter.allocate_tensors):
        with pytest.raises(RuntimeError, match="reference to internal data"):
            refused()
    del held
    interpreter.invoke()


def test_signature(interpreter):
    assert interpreter.get_signature_list() == {"serving_default": {"inputs": ["a"], "outputs": ["b"]}}
    runner = interpreter.get_signature_runner()
    assert runner(a=np.float32([[1, 1, 1], [0, 0, 0]]))["b"].tolist() == [[2, 3, 4], [1, 2, 3]]
    with pytest.raises(ValueError, match="Invalid inputs"):
        runner(c=np.zeros(3))
    with pytest.raises(ValueError, match="Invalid signature_key"):
        interpreter.get_signature_runner("other")


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda i: Interpreter(), ValueError, "must be specified"),
        (lambda i: Interpreter(model_content=b"abc"), ValueError, "TFL3"),
        (lambda i: Interpreter("/nowhere/model.tflite"), ValueError, "Could not open"),
        (lambda i: Interpreter(model_content=_content(), experimental_delegates=[1]), NotImplementedError, "delegates"),
        (lambda i: Interpreter(model_content=_content(), num_threads=0), ValueError, "num_threads"),
        (lambda i: Interpreter(model_content=_content()).invoke(), RuntimeError, "not ready"),
        (lambda i: Interpreter(model_content=_content()).get_tensor(0), ValueError, "Tensor data is null"),
        (lambda i: i.set_tensor(0, np.zeros((1, 3))), ValueError, "FLOAT64 but expected type FLOAT32"),
        (lambda i: i.set_tensor(0, np.zeros((2, 3), np.float32)), ValueError, "Dimension mismatch"),
        (lambda i: i.set_tensor(9, np.zeros((2, 3), np.float32)), ValueError, "no tensor 9"),
        (lambda i: i.set_tensor(2, np.zeros(3, np.float32)), ValueError, "constant"),
        (lambda i: i.resize_tensor_input(1, [3]), ValueError, "cannot be resized"),
    ],
)
def test_refused(interpreter, call, kind, message):
    with pytest.raises(kind, match=message):
        call(interpreter)


def test_unknown_operator_is_named():
    builder = ModelBuilder()
    x, y = (builder.tensor(name, [1], np.float32) for name in "xy")
    builder.operator("Mystery", [x], [y])
    with pytest.raises(NotImplementedError, match="Mystery"):
        Interpreter(model_content=write_model(builder.model([x], [y])))


def test_variables_are_kept_and_reset():
    builder = ModelBuilder()
    x, weights = builder.tensor("x", [1, 1], np.float32), builder.constant("w", np.float32([[1]]))
    state = builder.tensor("state", [1, 1], np.float32, variable=True)
    y = builder.tensor("y", [1, 1], np.float32)
    bias = builder.constant("b", np.float32([0]))
    builder.operator("RNN", [x, weights, weights, bias, state], [y], record("RNNOptions"))
    interpreter = Interpreter(model_content=write_model(builder.model([x], [y])))
    interpreter.allocate_tensors()
    interpreter.set_tensor(x, np.float32([[1]]))
    results = []
    for _ in range(3):
        interpreter.invoke()
        results.append(interpreter.get_tensor(y).item())
    interpreter.reset_all_variables()
    interpreter.invoke()
    assert results == [1, 2, 3] and interpreter.get_tensor(y).item() == 1
