"""Dumped tensors of runs: written, read, searched."""

import os

import numpy as np
import pytest

import ossia as tf
from ossia_debugging.dumps.dump_dir import DebugDumpDir, has_inf_or_nan
from ossia_debugging.dumps.hooks import DumpingDebugHook, GrpcDebugHook, LocalCLIDebugHook
from ossia_debugging.dumps.sessions import DumpingDebugWrapperSession, LocalCLIDebugWrapperSession
from ossia_debugging.dumps.watched import (
    WatchOptions,
    add_debug_tensor_watch,
    watch_graph,
    watch_graph_with_blacklists,
)


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


def test_runs_heed_what_their_options_watch(session, tmp_path):
    options = tf.RunOptions()
    ops = ["DebugIdentity", "DebugNumericSummary"]
    add_debug_tensor_watch(options, "y", 0, ops, f"file://{tmp_path}", global_step=7)
    assert session.run("z:0", {"x:0": [0.0, 1.0]}, options=options) == np.inf
    dumped = DebugDumpDir(str(tmp_path))
    assert [datum.watch_key for datum in dumped.dumped_tensor_data] == ["y:0:DebugIdentity", "y:0:DebugNumericSummary"]
    [summary] = dumped.get_tensors("y", 0, "DebugNumericSummary")
    assert summary.tolist() == [1, 2, 0, 0, 0, 0, 1, 1, 2, 2, 2, 0, 1, 1, 2]
    assert dumped.core_metadata[0] == 7 and dumped.core_metadata[3:] == (["x:0"], ["z:0"], [])
    assert dumped.find_some_path("s/v", "z") == ["s/v", "s/v/read", "y", "z"]
    assert dumped.find_some_path("z", "s/v") is None


def test_patterns_choose_what_is_watched(session):
    def chosen(function, **patterns):
        options = tf.RunOptions()
        function(options, session.graph, debug_urls="file:///nowhere", **patterns)
        return [watch.node_name for watch in options.debug_options.debug_tensor_watch_opts]

    names = [op.name for op in session.graph.get_operations() for _ in op.outputs]
    assert chosen(watch_graph) == [*names, "*"]
    assert chosen(watch_graph, node_name_regex_whitelist="s/v$|y", op_type_regex_whitelist="Var") == ["s/v"]
    assert chosen(watch_graph, tensor_dtype_regex_whitelist="int") == ["Const"]
    left = chosen(watch_graph_with_blacklists, node_name_regex_blacklist="s/", op_type_regex_blacklist="Const")
    assert left == ["x", "y", "z"]
    with pytest.raises(ValueError, match="debug_urls"):
        watch_graph(tf.RunOptions(), session.graph)


def test_a_function_chooses_what_a_session_dumps(session, tmp_path):
    wrapped = DumpingDebugWrapperSession(
        session, str(tmp_path), lambda fetches, feeds: WatchOptions(node_name_regex_whitelist="z")
    )
    assert wrapped.make_callable("z:0", ["x:0"])([1.0, 1.0]) == 3
    [folder] = os.listdir(tmp_path)
    assert [d.node_name for d in DebugDumpDir(str(tmp_path / folder)).dumped_tensor_data] == ["z"]


def test_hooks_dump_and_print(tmp_path, capsys):
    with tf.Graph().as_default():
        y = tf.div(1.0, tf.placeholder_with_default(0.0, [], "x"), name="y")
        with tf.train.MonitoredSession(hooks=[DumpingDebugHook(str(tmp_path)), LocalCLIDebugHook()]) as session:
            assert session.run(y) == np.inf and session.run(y, {"x:0": 2.0}) == 0.5
    found = [DebugDumpDir(str(tmp_path / folder)) for folder in sorted(os.listdir(tmp_path))]
    assert [dumped.get_tensors("y", 0, "DebugIdentity")[0] for dumped in found] == [np.inf, 0.5]
    assert capsys.readouterr().out.count('passing filter "has_inf_or_nan"') == 1
    with pytest.raises(NotImplementedError, match="debug server"):
        GrpcDebugHook(["localhost:1"])
