"""`ossia lite`: a graph converted, and the model inspected, run, timed and compared."""

import json

import numpy as np
import pytest

import ossia as tf
from ossia_command import main


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with a frozen graph, samples, and the models that the command makes of them."""
    folder = tmp_path_factory.mktemp("made")
    random = np.random.RandomState(0)
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [None, 8, 8, 3], name="x")
        filters = tf.constant(random.uniform(-1, 1, (3, 3, 3, 4)), tf.float32)
        h = tf.nn.relu(tf.nn.conv2d(x, filters, [1, 2, 2, 1], "SAME"), name="h")
        y = tf.matmul(tf.reshape(h, [-1, 64]), tf.constant(random.uniform(-1, 1, (64, 40)), tf.float32))
        tf.nn.softmax(y, name="y")
        tf.train.write_graph(tf.get_default_graph(), str(folder), "graph.pb", as_text=False)
    np.savez(folder / "samples.npz", x=random.uniform(-1, 1, (6, 8, 8, 3)).astype(np.float32))
    np.save(folder / "x.npy", random.uniform(-1, 1, (1, 8, 8, 3)).astype(np.float32))
    for quantize in ("none", "float16", "hybrid", "int8", "uint8"):
        arguments = [str(folder / "graph.pb"), "-o", str(folder / f"{quantize}.tflite"), "--quantize", quantize]
        assert main.main(["lite", "convert", *arguments, "--data", str(folder / "samples.npz")]) == 0
    return folder


def _json(capsys, *arguments):
    capsys.readouterr()
    status = main.main(["lite", *map(str, arguments), "--json"])
    return status, json.loads(capsys.readouterr().out)


def test_inspect(made, capsys):
    status, found = _json(capsys, "inspect", made / "none.tflite", "--graph", made / "g.svg", "--tensors")
    assert status == 0 and [row["name"] for row in found["inputs"]] == ["x"]
    assert [row["operator"] for row in found["operators"]] == ["CONV_2D", "RESHAPE", "FULLY_CONNECTED", "SOFTMAX"]
    assert "CONV_2D" in (made / "g.svg").read_text() and len(found["tensors"]) >= 8
    assert main.main(["lite", "inspect", str(made / "int8.tflite"), "--graph", str(made / "g.dot")]) == 0
    assert (made / "g.dot").read_text().startswith("digraph")


def test_run(made, capsys):
    output = made / "y.npz"
    assert main.main(["lite", "run", str(made / "none.tflite"), "--input", str(made / "x.npy"), "-o", str(output)]) == 0
    with np.load(output) as found:
        np.testing.assert_allclose(found["y"].sum(), 1, rtol=1e-5)
    assert main.main(["lite", "run", str(made / "none.tflite"), "--input", f"nothing={made / 'x.npy'}"]) == 2


def test_bench(made, capsys):
    status, found = _json(capsys, "bench", made / "none.tflite", "--runs", 2)
    assert status == 0 and found["microseconds"] > 0
    assert [row["operator"] for row in found["operators"]] == ["CONV_2D", "RESHAPE", "FULLY_CONNECTED", "SOFTMAX"]


@pytest.mark.parametrize(("other", "tolerance", "status"), [("none", 0, 0), ("uint8", 0.1, 0), ("hybrid", 1e-9, 1)])
def test_compare(made, capsys, other, tolerance, status):
    arguments = ["compare", made / "none.tflite", made / f"{other}.tflite", "--input", made / "x.npy"]
    found_status, found = _json(capsys, *arguments, "--tolerance", tolerance)
    assert found_status == status and (found["first"] is not None) == bool(status)


def test_what_is_wrong_is_said(made, capsys):
    assert main.main(["lite", "inspect", str(made / "graph.pb")]) == 1
    assert "TFL3" in capsys.readouterr().err
    assert main.main(["lite", "convert", str(made / "graph.pb"), "-o", "x.tflite", "--quantize", "int8"]) == 2
