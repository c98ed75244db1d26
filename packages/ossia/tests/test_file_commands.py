"""The commands on files: what they find, and what they write."""

import json
import re

import numpy as np
import pytest

import ossia as tf
from ossia_command import graph_drawing, main


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with a file of each kind, of one small model."""
    folder = tmp_path_factory.mktemp("made")
    with tf.Graph().as_default() as graph, tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 2], "x")
        with tf.variable_scope("dense"):
            kernel = tf.get_variable("kernel", initializer=[[1.0], [2.0]])
            y = tf.identity(tf.matmul(x, kernel), "y")
        step = tf.train.create_global_step()
        saver = tf.train.Saver()
        session.run(tf.global_variables_initializer())
        saver.save(session, str(folder / "model"), 1)
        session.run([kernel.assign([[1.0], [2.5]]), step.assign(7)])
        saver.save(session, str(folder / "model"), 2)
        tf.saved_model.simple_save(session, str(folder / "exported"), {"x": x}, {"y": y})
        tf.train.write_graph(graph, str(folder), "graph.pb", as_text=False)
        tf.train.write_graph(graph, str(folder), "graph.pbtxt")
    with tf.summary.FileWriter(str(folder / "logs")) as writer:
        for i in range(5):
            writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag="loss", simple_value=5.0 - i)]), i)
    feature = tf.train.Feature(int64_list=tf.train.Int64List(value=[3, 4]))
    example = tf.train.Example(features=tf.train.Features(feature={"a": feature}))
    with tf.python_io.TFRecordWriter(str(folder / "some.tfrecord")) as writer:
        for _ in range(4):
            writer.write(example.SerializeToString())
    return folder


def inspected(capsys, path, *options):
    assert main.main(["inspect", str(path), "--json", *options]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("", "checkpoint"), ("model-1", "checkpoint"), ("model-1.index", "checkpoint"), ("checkpoint", "checkpoint"),
        ("model-1.meta", "meta graph"), ("exported", "saved model"), ("graph.pb", "graph"), ("graph.pbtxt", "graph"),
        ("logs", "event files"), ("some.tfrecord", "records"),
    ],
)
def test_kinds(made, capsys, name, kind):
    assert inspected(capsys, made / name)["kind"] == kind


def test_what_a_checkpoint_holds(made, capsys):
    found = inspected(capsys, made, "--stats", "--only", "dense/*")
    assert found["path"].endswith("model-2") and found["variables"] == [
        {"name": "dense/kernel", "type": "float32", "shape": "[2, 1]", "elements": 2, "bytes": 8}
    ]
    [values] = found["values"]
    assert (values["min"], values["max"], values["mean"], values["not finite"]) == (1.0, 2.5, 1.75, 0)


def test_what_others_hold(made, capsys):
    assert {row["name"] for row in inspected(capsys, made / "exported")["signatures [serve]"]} == {"x", "y"}
    [loss] = inspected(capsys, made / "logs")["tags"]
    assert (loss["tag"], loss["values"], loss["last step"], loss["last"], loss["plot"]) == ("loss", 5, 4, 1.0, "█▆▄▂▁")
    records = inspected(capsys, made / "some.tfrecord", "--records", "1")
    assert records["records"] == 4
    assert records["features of the first records"] == [
        {"record": 0, "feature": "a", "type": "int64", "values": 2, "first": "3, 4"}
    ]


def test_tables_fit_a_terminal(made, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    assert main.main(["inspect", str(made), "--stats"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any("dense/kernel" in line for line in lines)
    assert all(len(line) <= 60 for line in lines if not line.startswith("path"))


@pytest.mark.parametrize("ending", ["npz", "safetensors"])
@pytest.mark.parametrize("kind", ["V1", "V2"])
def test_weights_go_out_and_come_back(made, tmp_path, capsys, ending, kind):
    file, back = tmp_path / f"weights.{ending}", tmp_path / "back"
    assert main.main(["export", str(made), "-o", str(file), "--rename", "^dense=layer"]) == 0
    if ending == "npz":
        assert sorted(np.load(file).files) == ["global_step", "layer/kernel"]
    assert main.main(["import", str(file), "-o", str(back), "--format", kind, "--rename", "^layer=dense"]) == 0
    assert main.main(["diff", str(made), str(back)]) == 0
    assert tf.train.load_variable(str(back), "dense/kernel").tolist() == [[1.0], [2.5]]


def test_difference(made, capsys):
    assert main.main(["diff", str(made / "model-1"), str(made / "model-2"), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert {row["name"]: row["largest difference"] for row in found["differing"]} == {
        "dense/kernel": 0.5, "global_step": 7.0
    }
    assert main.main(["diff", str(made / "model-1"), str(made / "model-2"), "--tolerance", "10"]) == 0


def test_objects_and_names(made, tmp_path, capsys):
    objects, names = str(tmp_path / "objects"), str(tmp_path / "names")
    assert main.main(["convert-checkpoint", str(made), objects, "--to", "objects"]) == 0
    assert tf.train.load_variable(objects, "dense/kernel/.ATTRIBUTES/VARIABLE_VALUE").tolist() == [[1.0], [2.5]]
    with tf.Graph().as_default(), tf.Session() as session:
        kernel = tf.get_variable("dense/kernel", [2, 1])
        root = tf.train.Checkpoint(dense=tf.train.Checkpoint(kernel=kernel))
        root.restore(objects).run_restore_ops(session)
        assert session.run(kernel).tolist() == [[1.0], [2.5]]
    assert main.main(["convert-checkpoint", objects, names, "--to", "V1"]) == 0
    assert main.main(["diff", str(made), names]) == 0


def test_a_signature_is_run(made, tmp_path, capsys):
    np.save(tmp_path / "x.npy", np.array([[1.0, 2.0]], np.float32))
    for value in (tmp_path / "x.npy", "[[1, 2]]"):
        assert main.main(["saved-model", "run", str(made / "exported"), "--input", f"x={value}"]) == 0
        assert "[[6.]]" in capsys.readouterr().out
    assert main.main(["saved-model", "run", str(made / "exported")]) == 2
    assert "inputs without a value: x" in capsys.readouterr().err


def test_a_graph_is_drawn(made, tmp_path, capsys):
    import xml.etree.ElementTree as tree

    assert main.main(["graph", "show", str(made / "graph.pb"), "-o", str(tmp_path / "graph.svg")]) == 0
    root = tree.parse(tmp_path / "graph.svg").getroot()
    assert {"x", "dense/MatMul"} <= {text.text for text in root.iter("{http://www.w3.org/2000/svg}text")}
    graph = tf.GraphDef.FromString((made / "graph.pb").read_bytes())
    found = {box.name: box for box in graph_drawing.boxes(graph, depth=1)}
    assert found["dense"].sources["x"] == 1 and re.match(r"\d+ nodes, ", found["dense"].text)


def test_loops_are_drawn():
    with tf.Graph().as_default() as graph:
        tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0])
    boxes = graph_drawing.boxes(graph.as_graph_def(), depth=3)
    assert graph_drawing.svg(boxes, "loop").count("<rect") == len(boxes) + 1


def test_what_cannot_be_read(tmp_path, capsys):
    (tmp_path / "text").write_text("nothing of the kind")
    for name, why in (("none", "there is no file"), ("text", "is no checkpoint"), ("", "has no")):
        assert main.main(["inspect", str(tmp_path / name)]) == 1
        assert why in capsys.readouterr().err
    assert main.main(["export", str(tmp_path / "text"), "-o", str(tmp_path / "out.txt")]) == 2
