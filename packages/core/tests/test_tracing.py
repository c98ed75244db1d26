"""RunMetadata: times of nodes, graphs of devices and costs, as TensorFlow 1.15 fills them in."""
import pytest

import ossia as tf

CPU = "/job:localhost/replica:0/task:0/device:CPU:"
FULL = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE, output_partition_graphs=True)


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def metadata_of(fetches, feeds=None, config=None, options=FULL):
    metadata = tf.RunMetadata()
    with tf.Session(config=config) as session:
        session.run(tf.global_variables_initializer())
        session.run(fetches, feeds, options=options, run_metadata=metadata)
    return metadata


def labels(metadata):
    return {device.device: [stats.timeline_label for stats in device.node_stats]
            for device in metadata.step_stats.dev_stats}


def test_a_constant_runs_on_no_thread():
    assert labels(metadata_of(tf.constant(1.0))) == {
        f"{CPU}0": ["_SOURCE = NoOp()", "Const = Const()", "_retval_Const_0_0 = _Retval(Const)"],
    }


def test_feeds_and_fetches_are_nodes_in_the_order_of_their_names():
    x, y = tf.placeholder(tf.float32, [], name="zx"), tf.placeholder(tf.float32, [], name="ay")
    parts = tf.split(tf.stack([tf.add(x, y, name="v"), x * y], name="st"), 2, name="sp")
    metadata = metadata_of([parts[1], "v:0", parts[0]], {x: 1.0, y: 2.0})
    (graph,) = metadata.partition_graphs
    assert {node.name: list(node.input) for node in graph.node if node.op.startswith("_")} == {
        "_arg_ay_0_0": [], "_arg_zx_0_1": [], "_retval_sp_0_0": ["sp"], "_retval_sp_1_1": ["sp:1"],
        "_retval_v_0_2": ["v"],
    }
    assert {node.device for node in graph.node} == {f"{CPU}0"} and graph.versions.producer
    times = labels(metadata)
    assert {"v = Add(_arg_zx_0_1, _arg_ay_0_0)", "st = Pack(v, mul)"} <= set(times[f"{CPU}0"])
    assert times["/host:CPU"][0].startswith("id=")
    sizes = {stats.node_name: [output.tensor_description.allocation_description.requested_bytes
                               for output in stats.output] for stats in metadata.step_stats.dev_stats[1].node_stats}
    assert sizes["_arg_zx_0_1"] == [4] and sizes["sp"] == [4, 4] and sizes["sp/split_dim"] == [4]


@pytest.mark.parametrize("folded", [True, False])
def test_folded_constants(folded):
    a, x = tf.constant([1.0, 2.0], name="a"), tf.placeholder(tf.float32, [2])
    y = tf.identity(tf.add(tf.square(a, name="sq"), x, name="y"))
    config = tf.ConfigProto()
    if not folded:
        config.graph_options.rewrite_options.constant_folding = 2
    (graph,) = metadata_of(y, {x: [0.0, 0.0]}, config).partition_graphs
    types = {node.name: node.op for node in graph.node}
    assert types["sq"] == ("Const" if folded else "Square") and ("a" in types) != folded
    if folded:
        (square,) = [node for node in graph.node if node.name == "sq"]
        assert tf.make_ndarray(square.attr["value"].tensor).tolist() == [1.0, 4.0]


def test_nodes_of_a_branch_that_is_not_taken_have_no_times():
    p, x = tf.placeholder(tf.bool, []), tf.placeholder(tf.float32, [2])
    metadata = metadata_of(tf.cond(p, lambda: x + 1.0, lambda: x * 2.0), {p: True, x: [1.0, 2.0]})
    names = {stats.node_name for stats in metadata.step_stats.dev_stats[-1].node_stats}
    assert {"cond/Switch", "cond/add", "cond/switch_t", "cond/Merge"} <= names
    assert names.isdisjoint(["cond/mul", "cond/switch_f", "cond/mul/y"])


def test_loops():
    metadata = metadata_of(tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)]))
    (graph,) = metadata.partition_graphs
    names = [node.name for node in graph.node]
    assert {stats.node_name for stats in metadata.step_stats.dev_stats[-1].node_stats} == {*names, "_SOURCE"}
    assert "while/NextIteration" in names


def test_calls_of_functions_are_fetched_by_their_names():
    double = tf.function(lambda x: x * 2.0)
    x = tf.placeholder(tf.float32, [2], name="x")
    y = double(x)
    (graph,) = metadata_of(y, {x: [1.0, 2.0]}).partition_graphs
    assert graph.node[-1].name == f"_retval_{y.op.name}_0_0"


def test_several_devices_send_and_receive():
    a = tf.placeholder(tf.float32, [], name="a")
    with tf.device("/cpu:1"):
        b = tf.sqrt(a, name="b")
    with tf.device("/cpu:2"):
        c = tf.add(b, b, name="c")
    metadata = metadata_of(c, {a: 1.0}, tf.ConfigProto(device_count={"CPU": 3}))
    devices = [device.device for device in metadata.step_stats.dev_stats]
    assert devices == ["/host:CPU", f"{CPU}0", f"{CPU}1", f"{CPU}2"]
    nodes = {node.name: node for graph in metadata.partition_graphs for node in graph.node}
    assert len(metadata.partition_graphs) == 3
    received = nodes["c"].input[0]
    assert list(nodes["c"].input) == [received, received] and nodes[received].op == "_Recv"
    assert nodes[received].attr["send_device"].s.decode() == f"{CPU}1" == nodes["b"].device


@pytest.mark.parametrize(
    ("every", "after", "expected"), [(3, 0, [2, 5]), (2, 3, [4, 6]), (1, 0, list(range(8))), (0, 0, [])]
)
def test_costs_every_so_many_runs(every, after, expected):
    a = tf.placeholder(tf.float32, [], name="a")
    d = tf.subtract(a, a + a, name="d")
    config = tf.ConfigProto()
    config.graph_options.build_cost_model = every
    config.graph_options.build_cost_model_after = after
    with tf.Session(config=config) as session:
        found = []
        for i in range(8):
            metadata = tf.RunMetadata()
            session.run(d, {a: 10.0}, run_metadata=metadata)
            assert metadata.HasField("cost_graph") == metadata.HasField("step_stats")
            if metadata.HasField("cost_graph"):
                found.append(i)
                nodes = {node.name: node for node in metadata.cost_graph.node}
                assert list(nodes)[:2] == ["_SOURCE", "_SINK"] and nodes["_SINK"].control_input[0] == 0
                assert [pair.preceding_node for pair in nodes["d"].input_info] == [
                    nodes["_arg_a_0_0"].id, nodes["add"].id,
                ]
                assert nodes["add"].output_info[0].size == 4 and nodes["add"].device == f"{CPU}0"
                assert list(nodes["_arg_a_0_0"].control_input) == [0]
    assert found == expected


def test_any_trace_level_traces():
    for level in (tf.RunOptions.SOFTWARE_TRACE, tf.RunOptions.HARDWARE_TRACE):
        metadata = metadata_of(tf.constant(1.0), options=tf.RunOptions(trace_level=level))
        assert metadata.HasField("step_stats") and not metadata.partition_graphs
    assert not metadata_of(tf.constant(1.0), options=tf.RunOptions()).ListFields()


def test_a_run_that_fails_tells_nothing():
    x = tf.placeholder(tf.float32, [2])
    shape = tf.placeholder_with_default([7], None)
    metadata = tf.RunMetadata()
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="requested shape has 7"):
        session.run(tf.reshape(x, shape), {x: [1.0, 2.0]}, options=FULL, run_metadata=metadata)
    assert not metadata.ListFields()


def test_allocations_are_traced_for_reports_of_lacking_memory():
    options = tf.RunOptions(report_tensor_allocations_upon_oom=True)
    assert metadata_of(tf.constant(1.0), options=options).HasField("step_stats")


def test_pools_of_threads():
    config = tf.ConfigProto()
    config.session_inter_op_thread_pool.add()
    config.session_inter_op_thread_pool.add(num_threads=1)
    x = tf.constant(1.0)
    with tf.Session(config=config) as several, tf.Session() as one:
        for session, pool in ((several, 0), (several, 1), (several, -1), (one, 0), (one, -1)):
            assert session.run(x, options=tf.RunOptions(inter_op_thread_pool=pool)) == 1.0
        for session, pool in ((several, 2), (one, 1)):
            with pytest.raises(tf.errors.InvalidArgumentError, match=f"Invalid inter_op_thread_pool: {pool}"):
                session.run(x, options=tf.RunOptions(inter_op_thread_pool=pool))
