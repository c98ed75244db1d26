"""Meta graphs hold what the original's hold, and programs go on from them."""

import os

import pytest

from ossia_checkpoint import meta_graph
from ossia_core.names import errors
from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "meta_graph_cases.py")


def test_text_that_is_nested_too_deep_is_refused(tmp_path):
    path = tmp_path / "m.meta"
    for depth in (30, 3000, 300_000):
        path.write_text("graph_def { node { attr { key: 'a' value { " + "list { func { attr { value { " * depth)
        with pytest.raises(OSError, match="Cannot parse file"):
            meta_graph.read_meta_graph(str(path))


def test_a_named_pipe_is_refused(tmp_path):
    os.mkfifo(tmp_path / "m.meta")
    with pytest.raises(errors.FailedPreconditionError):
        meta_graph.read_meta_graph(str(tmp_path / "m.meta"))
