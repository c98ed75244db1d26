"""Graphs as files, text and binary."""

import os

import pytest
from google.protobuf import text_format

from ossia_core.graph.convert import constant
from ossia_core.graph.graph import Graph
from ossia_core.names import errors
from ossia_core.proto import GraphDef
from ossia_io.graph_files import write_graph


def test_write_graph(tmp_path):
    graph = Graph()
    with graph.as_default():
        constant(1.0, name="x")
    graph_def = graph.as_graph_def()
    directory = str(tmp_path / "new")
    path = write_graph(graph, directory, "g.pbtxt")
    assert path == directory + "/g.pbtxt"
    with open(path) as file:
        assert text_format.Parse(file.read(), GraphDef()) == graph_def
    path = write_graph(graph_def, directory + "/", "g.pb", as_text=False)
    with open(path, "rb") as file:
        assert GraphDef.FromString(file.read()) == graph_def
    assert sorted(os.listdir(directory)) == ["g.pb", "g.pbtxt"]


def test_what_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(errors.FailedPreconditionError):
        write_graph(GraphDef(), str(tmp_path / "file" / "x"), "g.pb")
    with pytest.raises(AttributeError):
        write_graph("", str(tmp_path), "g.pb")
    (tmp_path / "g.pb").mkdir()
    with pytest.raises(errors.FailedPreconditionError):
        write_graph(GraphDef(), str(tmp_path), "g.pb")
    assert sorted(os.listdir(tmp_path)) == ["file", "g.pb"]
