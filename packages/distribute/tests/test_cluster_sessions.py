"""Sessions in clusters of one process. What is expected was seen of TensorFlow 1.15.5's servers."""
import threading
import time

import numpy as np
import pytest

import ossia as tf

PS0, PS1, WORKER = (f"/job:{task}" for task in ("ps/task:0", "ps/task:1", "worker/task:0"))


@pytest.fixture(scope="module")
def servers(cluster):
    return cluster(ps=2, worker=2)


@pytest.fixture
def session(servers):
    """Makes sessions of the first worker, with nothing left of earlier ones."""
    target = servers[1]["worker", 0].target
    tf.Session.reset(target)
    with tf.Graph().as_default():
        opened = []

        def make(config=None, job="worker"):
            opened.append(tf.Session(servers[1][job, 0].target, config=config))
            return opened[-1]

        yield make
        for each in opened:
            each.close()


def variables():
    with tf.device(PS0):
        first = tf.Variable(tf.ones([3]), name="first")
    with tf.device(PS1):
        second = tf.Variable(tf.ones([2]), name="second")
    return first, second


def test_nodes_run_where_they_are_placed(session):
    first, second = variables()
    with tf.device(WORKER):
        product = tf.reduce_sum(first) * tf.reduce_sum(second)
    made = session()
    made.run(tf.global_variables_initializer())
    assert made.run(product) == 6.0
    # The other worker sees the same variables; a session of a parameter server has its own by name.
    assert tf.Session(made.sess_str).run(first.assign_add([1.0, 2.0, 3.0])).tolist() == [2.0, 3.0, 4.0]
    assert session(job="ps").run(first).tolist() == [2.0, 3.0, 4.0]


def test_devices(session):
    assert [d.name for d in session().list_devices()] == [
        f"/job:{task}/device:CPU:0" for task in (
            "worker/replica:0/task:0", "ps/replica:0/task:0", "ps/replica:0/task:1", "worker/replica:0/task:1")
    ]
    filtered = session(tf.ConfigProto(device_filters=["/job:ps/task:0"]))
    assert [d.name for d in filtered.list_devices()] == [
        "/job:worker/replica:0/task:0/device:CPU:0", "/job:ps/replica:0/task:0/device:CPU:0"
    ]


@pytest.mark.parametrize("device", ["/job:ps", "/task:1", "/job:ps/task:1/cpu:0", "/device:CPU:0"])
def test_partial_device_names(session, device):
    with tf.device(device):
        value = tf.add(1, 2)
    assert session().run(value) == 3


def test_a_job_that_is_not_there(session):
    with tf.device("/job:nope"):
        value = tf.constant(1, name="z")
    with pytest.raises(tf.errors.InvalidArgumentError, match="Cannot assign a device for operation z.*/job:nope"):
        session().run(value)


def test_errors_name_task_and_node(session):
    first, _ = variables()
    with pytest.raises(tf.errors.FailedPreconditionError) as caught:
        session().run(first)
    assert caught.value.message.startswith(
        "From /job:ps/replica:0/task:0:\nAttempting to use uninitialized value first\n\t [[node first (defined at "
    )
    assert caught.value.op is first.op


def test_a_deadline(session):
    with tf.device(PS1):
        taken = tf.FIFOQueue(1, tf.int32).dequeue()
    began = time.monotonic()
    with pytest.raises(tf.errors.DeadlineExceededError):
        session().run(taken, options=tf.RunOptions(timeout_in_ms=100))
    assert time.monotonic() - began < 5


def test_closing_wakes_what_waits(session):
    with tf.device(PS1):
        taken = tf.FIFOQueue(1, tf.int32).dequeue()
    made, ends = session(), []

    def wait():
        try:
            made.run(taken)
        except tf.errors.OpError as error:
            ends.append(error)

    thread = threading.Thread(target=wait)
    thread.start()
    time.sleep(0.2)
    made.close()
    thread.join(10)
    assert [type(end) for end in ends] == [tf.errors.CancelledError]
    assert ends[0].message.startswith("Step was cancelled by an explicit call to `Session::Close()`.")


def test_reset_ends_sessions_and_drops_variables(session):
    _, second = variables()
    made = session()
    made.run(second.initializer)
    tf.Session.reset(made.sess_str)
    with pytest.raises(tf.errors.AbortedError, match="is not found"):
        made.run(second)
    with pytest.raises(tf.errors.FailedPreconditionError):
        session().run(second)


def test_isolated_sessions_share_nothing(session):
    first, _ = variables()
    isolated = session(tf.ConfigProto(isolate_session_state=True))
    isolated.run(first.initializer)
    assert isolated.run(first).tolist() == [1.0, 1.0, 1.0]
    with pytest.raises(tf.errors.FailedPreconditionError):
        session().run(first)


def test_partition_graphs(session):
    first, second = variables()
    with tf.device(WORKER):
        product = tf.reduce_sum(first) * tf.reduce_sum(second)
    made, metadata = session(), tf.RunMetadata()
    made.run(tf.global_variables_initializer())
    made.run(product, options=tf.RunOptions(output_partition_graphs=True), run_metadata=metadata)
    sends = [
        (node.device, node.attr["recv_device"].s.decode()) for graph in metadata.partition_graphs
        for node in graph.node if node.op == "_Send"
    ]
    to = "/job:worker/replica:0/task:0/device:CPU:0"
    assert sends == [(f"/job:ps/replica:0/task:{i}/device:CPU:0", to) for i in (0, 1)]


def test_queues_and_order_across_tasks(session):
    with tf.device(PS0):
        queue = tf.FIFOQueue(10, tf.float32, shapes=[[]])
        value = tf.placeholder(tf.float32, [])
        doubled = value * 2.0
    with tf.device(WORKER):
        put = queue.enqueue(doubled + 1.0)
    with tf.control_dependencies([put]), tf.device(PS1):
        after = tf.identity(3.0)
    taken = queue.dequeue()
    made = session()
    assert made.run(after, {value: 5.0}) == 3.0
    assert made.run(taken) == 11.0


def test_a_queue_that_waits_holds_nothing_up(session):
    with tf.device(PS0):
        queue = tf.FIFOQueue(1, tf.float32, shapes=[[]])
        taken = queue.dequeue()
        source = tf.Variable(2.0)
        start = source + 1.0
    with tf.device(WORKER):
        computed = start * 2.0
    put = queue.enqueue(computed)  # on ps 0 again: what is taken is what this very run computes
    made = session()
    made.run(source.initializer)
    assert made.run([taken, put], options=tf.RunOptions(timeout_in_ms=10000))[0] == 6.0


def test_loops_and_conditionals(session):
    first, _ = variables()
    with tf.device(WORKER):
        choice = tf.placeholder(tf.bool, [])
        total = tf.while_loop(lambda i, s: i < 5, lambda i, s: (i + 1, s + tf.reduce_sum(first)), (0, 0.0))[1]
        picked = tf.cond(choice, lambda: first.assign_add([1.0, 1.0, 1.0]), lambda: tf.identity(first))
    made = session()
    made.run(tf.global_variables_initializer())
    assert made.run(total) == 15.0
    assert made.run(picked, {choice: False}).tolist() == [1.0, 1.0, 1.0]
    assert made.run(picked, {choice: True}).tolist() == [2.0, 2.0, 2.0]


@pytest.mark.parametrize("use_resource", [False, True])
def test_gradients_across_tasks(session, use_resource):
    with tf.variable_scope("model", use_resource=use_resource):
        with tf.device(PS0):
            weight = tf.get_variable("weight", [2, 1], initializer=tf.ones_initializer())
        with tf.device(PS1):
            rows = tf.get_variable("rows", [4, 2], initializer=tf.ones_initializer())
    with tf.device(WORKER):
        loss = tf.reduce_sum(tf.matmul(tf.gather(rows, [0, 2, 2]), weight))
        train = tf.train.AdagradOptimizer(0.1, 1.0).minimize(loss)
    made, alone = session(), tf.Session(config=tf.ConfigProto(allow_soft_placement=True))
    initial = tf.global_variables_initializer()
    made.run(initial)
    for _ in range(3):
        made.run(train)
    got = made.run([weight, rows])
    graph = tf.get_default_graph().as_graph_def()
    for node in graph.node:
        node.device = ""
    with tf.Graph().as_default():
        tf.import_graph_def(graph, name="")
        with tf.Session() as alone:
            alone.run(initial.name)
            for _ in range(3):
                alone.run(train.name)
            expected = alone.run([weight.name, rows.name] if not use_resource else [
                "model/weight/Read/ReadVariableOp:0", "model/rows/Read/ReadVariableOp:0"])
    for one, other in zip(got, expected, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_task_that_is_gone(cluster):
    spec, servers = cluster(ps=1, worker=1)
    with tf.Graph().as_default(), tf.device(PS0):
        variable = tf.Variable(1.0)
        made = tf.Session(servers["worker", 0].target)
        made.run(variable.initializer)
        servers["ps", 0]._stop()
        with pytest.raises(tf.errors.UnavailableError):
            made.run(variable)
        again = tf.train.Server(spec, "ps", 0)
        with tf.Session(servers["worker", 0].target) as renewed, pytest.raises(tf.errors.FailedPreconditionError):
            renewed.run(variable)
        assert again.target == servers["ps", 0].target


def test_a_server_config():
    server = tf.train.Server.create_local_server(tf.ConfigProto(device_count={"CPU": 3}, operation_timeout_in_ms=50))
    with tf.Graph().as_default(), tf.Session(server.target) as made:
        assert len(made.list_devices()) == 3
        with pytest.raises(tf.errors.DeadlineExceededError):
            made.run(tf.FIFOQueue(1, tf.int32).dequeue())


def test_a_cluster_in_the_config():
    one, two = tf.train.Server.create_local_server(), tf.train.Server.create_local_server()
    addresses = [server.target.removeprefix("grpc://") for server in (one, two)]
    config = tf.ConfigProto(cluster_def=tf.train.ClusterSpec({"worker": addresses}).as_cluster_def())
    with tf.Graph().as_default():
        with tf.device("/job:worker/task:1"):
            value = tf.add(20, 22)
        with tf.Session(one.target, config=config) as made:
            assert made.run(value) == 42
            assert [d.name for d in made.list_devices()] == [
                f"/job:worker/replica:0/task:{i}/device:CPU:0" for i in (0, 1)
            ]


@pytest.mark.parametrize("use_resource", [False, True])
def test_variables_are_read_at_their_task(session, use_resource):
    """A worker's node that gets a variable itself, without a node that reads it, gets the value of its task."""
    with tf.device(PS0):
        variable = tf.Variable([1.0, 2.0], use_resource=use_resource)
    with tf.device(WORKER):
        doubled = tf.add(variable, variable)
        same = tf.identity(variable._variable if not use_resource else variable)
    made = session()
    made.run(variable.initializer)
    made.run(variable.assign_add([1.0, 1.0]))
    assert [value.tolist() for value in made.run([doubled, same])] == [[4.0, 6.0], [2.0, 3.0]]
    assert made.run([variable, doubled])[0].tolist() == [2.0, 3.0]


@pytest.mark.parametrize("sharded", [False, True])
@pytest.mark.parametrize("version", [tf.train.SaverDef.V1, tf.train.SaverDef.V2])
def test_checkpoints_of_several_servers(session, servers, tmp_path, sharded, version):
    with tf.device(tf.train.replica_device_setter(cluster=servers[0])):
        ones = tf.ones_initializer()
        made = [tf.get_variable(name, [3], use_resource=name == "c", initializer=ones) for name in "abc"]
        saver = tf.train.Saver(sharded=sharded, write_version=version)
    running = session()
    running.run(tf.global_variables_initializer())
    running.run([variable.assign_add([1.0, 2.0, 3.0]) for variable in made])
    path = saver.save(running, str(tmp_path / "model"))
    assert len(list(tmp_path.glob("model*00-of-00002"))) + len(list(tmp_path.glob("model*01-of-00002"))) == 2 * sharded
    running.run(tf.global_variables_initializer())
    saver.restore(running, path)
    assert [value.tolist() for value in running.run(made)] == [[2.0, 3.0, 4.0]] * 3


def test_a_supervisor_of_variables_elsewhere(session, servers, tmp_path):
    with tf.device(tf.train.replica_device_setter(cluster=servers[0])):
        step = tf.train.get_or_create_global_step()
        variable = tf.get_variable("variable", [], initializer=tf.zeros_initializer())
        train = tf.group(variable.assign_add(1.0), step.assign_add(1))
    supervisor = tf.train.Supervisor(logdir=str(tmp_path), save_model_secs=0)
    with supervisor.managed_session(servers[1]["worker", 0].target) as running:
        for _ in range(3):
            running.run(train)
        supervisor.saver.save(running, supervisor.save_path, global_step=step)
    assert tf.train.load_checkpoint(str(tmp_path)).get_tensor("variable") == 3.0


def test_shared_queues_of_elements_without_a_shape(session, servers):
    with tf.device(PS0):
        queue = tf.PaddingFIFOQueue(5, [tf.int32], [[None]], shared_name="padded")
        put, taken = queue.enqueue([[1, 2]]), queue.dequeue_many(2)
    session().run(put)
    with tf.Session(servers[1]["worker", 1].target) as other:
        other.run(put)
        assert other.run(taken).tolist() == [[1, 2], [1, 2]]


def test_a_recurrent_network_reads_its_weights_elsewhere(session, servers):
    with tf.device(tf.train.replica_device_setter(cluster=servers[0])):
        cell = tf.nn.rnn_cell.BasicLSTMCell(2)
        outputs, _ = tf.nn.dynamic_rnn(cell, tf.ones([1, 3, 2]), dtype=tf.float32)
        train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(outputs))
    made = session()
    made.run(tf.global_variables_initializer())
    before = made.run(cell.weights[0])
    made.run(train)
    assert not np.array_equal(before, made.run(cell.weights[0]))
