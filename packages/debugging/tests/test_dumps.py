"""Dumped tensors of runs: written, read, searched."""

import os

import numpy as np
import pytest

import ossia as tf
from ossia_debugging.dumps.dump_dir import DebugDumpDir, has_inf_or_nan
from ossia_debugging.dumps.sessions import DumpingDebugWrapperSession, LocalCLIDebugWrapperSession


@pytest.fixture
def session():
    with tf.Graph().as_default(), tf.Session() as made:
        x = tf.placeholder(tf.float32, [2], "x")
        v = tf.Variable([1.0, 2.0], name="s/v")
        tf.reduce_sum(tf.div(v, x, name="y"), name="z")
        made.run(v.initializer)
        yield made


def test_a_run_is_dumped(session, tmp_path):
    wrapped = DumpingDebugWrapperSession(session, str(tmp_path))
    assert wrapped.run("z:0", {"x:0": [0.0, 1.0]}) == np.inf
    [folder] = os.listdir(tmp_path)
    dumped = DebugDumpDir(str(tmp_path / folder))
    assert {"s/v/read:0:DebugIdentity", "y:0:DebugIdentity"} <= {d.watch_key for d in dumped.dumped_tensor_data}
    [y] = dumped.get_tensors("y", 0, "DebugIdentity")
    assert y.tolist() == [np.inf, 2.0]
    assert [d.node_name for d in dumped.find(has_inf_or_nan)] == ["y", "z"]
    assert len(dumped.find(has_inf_or_nan, first_n=1)) == 1
    assert dumped.node_op_type("y") == "RealDiv" and dumped.node_inputs("y") == ["s/v/read", "x"]
    assert dumped.node_recipients("y") == ["z"] and "s/v" in dumped.transitive_inputs("z")
    assert dumped.devices() == ["/job:localhost/replica:0/task:0/device:CPU:0"]
    with pytest.raises(ValueError, match="does not exist"):
        dumped.get_tensors("none", 0, "DebugIdentity")
    with pytest.raises(ValueError, match="non-empty"):
        DumpingDebugWrapperSession(session, str(tmp_path))


def test_what_is_found_is_printed(session, capsys):
    wrapped = LocalCLIDebugWrapperSession(session)
    wrapped.add_tensor_filter("large", lambda datum, value: datum.node_name == "y")
    wrapped.run({"sum": "z:0"}, {"x:0": [0.0, 1.0]})
    text = capsys.readouterr().out
    assert "run-end: run #1" in text and 'passing filter "has_inf_or_nan":\n  y:0' in text
    assert 'passing filter "large":\n  y:0' in text


def test_loops_and_conditionals_are_left_out(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        loop = tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0], name="loop")
        both = tf.cond(loop > 2, lambda: loop + 1, lambda: loop, name="branch")
        assert DumpingDebugWrapperSession(session, str(tmp_path)).run(both) == 4


def test_numbers_alone_are_searched():
    for value, found in (([1.0, np.nan], True), ([1.0], False), ([1], False), (["inf"], False), ([1j * np.inf], True)):
        assert has_inf_or_nan(None, np.array(value)) == found
    assert not has_inf_or_nan(None, None)
