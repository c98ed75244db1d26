"""`tf.profiler`: counts of parameters and operations as TensorFlow 1.15.5 prints them, and times of traced runs."""

import numpy as np
import pytest

import ossia as tf

PARAMETERS = """\
Doc:
scope: The nodes in the model graph are organized by their names, which is hierarchical like filesystem.
param: Number of parameters (in the Variable).

Profile:
node name | # parameters
_TFProfRoot (--/1.06k params)
  net (--/1.06k params)
    net/kernel (32x32, 1.02k/1.02k params)
    net/scale (32, 32/32 params)
"""
OPERATIONS = """\
Profile:
node name | # float_ops
MatMul                   8.19k float_ops (100.00%, 96.98%)
Mul                        128 float_ops (3.02%, 1.52%)
Sum                        127 float_ops (1.50%, 1.50%)
"""


@pytest.fixture
def net():
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [4, 32], "x")
        with tf.variable_scope("net"):
            kernel = tf.get_variable("kernel", [32, 32], initializer=tf.zeros_initializer())
            scale = tf.get_variable("scale", [32], initializer=tf.zeros_initializer())
            tf.get_variable("step", [7], initializer=tf.zeros_initializer(), trainable=False)
        tf.reduce_sum(tf.matmul(x, kernel, name="product") * scale, name="sum")
        yield tf.get_default_graph()


def options(name, **more):
    return {**getattr(tf.profiler.ProfileOptionBuilder, name)(), **more}


def test_parameters(net, capsys):
    found = tf.profiler.profile(net, options=options("trainable_variables_parameter"))
    assert (found.total_parameters, [child.name for child in found.children[0].children]) == (
        1056, ["net/kernel", "net/scale"]
    )
    assert found.total_definition_count == 4
    assert PARAMETERS in capsys.readouterr().out


def test_operations(net, capsys):
    found = tf.profiler.profile(net, cmd="op", options=options("float_operation"))
    assert found.total_float_ops == 8192 + 128 + 127 and found.children[0].name == "MatMul"
    assert OPERATIONS in capsys.readouterr().out


def test_other_outputs(net, capsys, tmp_path):
    path = tmp_path / "profile.txt"
    tf.profiler.profile(net, options=options("trainable_variables_parameter", output=f"file:outfile={path}"))
    assert path.read_text() == f"\n{PARAMETERS}"
    builder = tf.profiler.ProfileOptionBuilder(options("trainable_variables_parameter"))
    tf.profiler.profile(net, options=builder.with_empty_output().with_max_depth(2).build())
    assert capsys.readouterr().out == "Parsing Inputs...\n" * 2
    with pytest.raises(tf.errors.InvalidArgumentError, match="unknown cmd: no"):
        tf.profiler.profile(net, cmd="no")
    with pytest.raises(NotImplementedError, match="pprof"):
        tf.profiler.profile(net, options=options("time_and_memory", output="pprof:outfile=x"))


@pytest.mark.parametrize("view", ["scope", "graph", "op", "code"])
def test_a_traced_run(net, capsys, view):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        metadata = tf.RunMetadata()
        trace = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
        session.run("sum:0", {"x:0": np.ones([4, 32])}, options=trace, run_metadata=metadata)
    found = tf.profiler.profile(net, metadata, cmd=view, options=options("time_and_memory", min_bytes=0))
    assert found.total_exec_micros > 0
    assert "node name | requested bytes | total execution time | acc" in capsys.readouterr().out
    profiler = tf.profiler.Profiler(net)
    profiler.add_step(1, metadata)
    assert profiler.profile_name_scope(options("time_and_memory")).total_requested_bytes > 0
    advice = profiler.advise({"ExpensiveOperationChecker": {}})
    assert "top 1 graph node: " in advice.checkers["ExpensiveOperationChecker"].reports[1]


def test_the_log(net, tmp_path):
    tf.profiler.write_op_log(net, str(tmp_path))
    log = tf.profiler.OpLogProto.FromString((tmp_path / "tfprof_log").read_bytes())
    entries = {entry.name: entry for entry in log.log_entries}
    assert entries["product"].float_ops == 8192 and list(entries["net/scale"].types) == ["_trainable_variables"]
    assert __file__ in {log.id_to_string[trace.file_id] for trace in entries["product"].code_def.traces}
