"""Sessions of clusters whose tasks are servers of one process: values, errors, partitions, placement."""
import functools
import os
import re
import socket
import tempfile

from golden_case import raises

PS0, PS1, WORKER, OTHER = "/job:ps/task:0", "/job:ps/task:1", "/job:worker/task:0", "/job:worker/task:1"
_made = {}


def _servers(tf):
    """The cluster and the target of its first worker, made once in a process."""
    if not _made:
        held = [socket.socket() for _ in range(4)]
        for each in held:
            each.bind(("", 0))
        addresses = ["localhost:%d" % each.getsockname()[1] for each in held]
        for each in held:
            each.close()
        spec = tf.train.ClusterSpec({"ps": addresses[:2], "worker": addresses[2:]})
        servers = [tf.train.Server(spec, job, i) for job in ("ps", "worker") for i in (0, 1)]
        _made.update(spec=spec, servers=servers, target=servers[2].target, other=servers[3].target)
    return _made


def _in_cluster(function):
    """A case with a graph of its own, and nothing left at the servers by others."""
    @functools.wraps(function)
    def case(tf):
        servers = _servers(tf)
        tf.Session.reset(servers["target"])
        config = tf.ConfigProto(operation_timeout_in_ms=20000)
        with tf.Graph().as_default():
            return _plain(function(tf, lambda who="target": tf.Session(servers[who], config=config), servers["spec"]))
    return case


def _plain(value):
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if hasattr(value, "tolist"):
        value = value.tolist()
        return _plain(value) if isinstance(value, list) else value
    return value.decode() if isinstance(value, bytes) else value


def _said(tf, session, fetch):
    """Class, op and message of what a run raises, without where the node was made."""
    try:
        session.run(fetch)
    except tf.errors.OpError as error:
        return [type(error).__name__, error.op and error.op.name, error.message.split("\n\t [[")[0]]
    return "nothing"


def _partitions(tf, session, fetch, feed=None):
    """Of each device: the nodes of the program, and what comes and goes."""
    metadata = tf.RunMetadata()
    session.run(fetch, feed, options=tf.RunOptions(output_partition_graphs=True), run_metadata=metadata)
    found = []
    for graph in metadata.partition_graphs:
        nodes, edges = [], []
        for node in graph.node:
            if node.op in ("_Send", "_Recv"):
                if not node.attr["client_terminated"].b:
                    name = re.sub(r"edge_\d+_", "", node.attr["tensor_name"].s.decode())
                    name = re.sub(r"^_(?:arg|recv)_(.+?)(?:_0)+$", r"\1", name)  # fed: the original's servers receive it
                    edges.append([node.op, name, node.attr["send_device"].s.decode(),
                                  node.attr["recv_device"].s.decode()])
            elif node.op not in ("_Arg", "_Retval"):
                nodes.append([node.name, node.op])
        found.append([graph.node[0].device, sorted(nodes), sorted(edges)])
    return sorted(found)


@_in_cluster
def case_partitions(tf, session, spec):
    with tf.device(tf.train.replica_device_setter(cluster=spec)):
        first, second = [tf.get_variable(name, [3], initializer=tf.ones_initializer()) for name in "ab"]
        given = tf.placeholder(tf.float32, [3], name="given")
        total = tf.add(first * given, second, name="total")
    with session() as run:
        run.run(tf.global_variables_initializer())
        return [_partitions(tf, run, total, {given: [1.0, 2.0, 3.0]}), run.run(total, {given: [1.0, 2.0, 3.0]})]


@_in_cluster
def case_partitions_through_three_tasks(tf, session, spec):
    given = tf.placeholder(tf.float32, [2], name="given")
    with tf.device(PS0):
        one = tf.square(given, name="one")
    with tf.device(PS1):
        two = tf.sin(one, name="two")
    with tf.device(OTHER):
        three = tf.add(one, two, name="three")
    with tf.device(PS0):
        four = tf.multiply(three, two, name="four")
    with session() as run:
        return _partitions(tf, run, four, {given: [1.0, 2.0]})


@_in_cluster
def case_variable_placement(tf, session, spec):
    with tf.device(tf.train.replica_device_setter(cluster=spec)):
        parts = tf.get_variable("parts", [5, 2], partitioner=tf.fixed_size_partitioner(3),
                                initializer=tf.ones_initializer())
        rows = tf.nn.embedding_lookup(parts, [0, 4, 4])
        train = tf.train.AdamOptimizer(0.1).minimize(tf.reduce_sum(rows))
        saver = tf.train.Saver(sharded=True)
    nodes = [[op.name, op.device] for op in tf.get_default_graph().get_operations() if op.device]
    with session() as run:
        run.run(tf.global_variables_initializer())
        run.run(train)
        return [nodes, saver.as_saver_def().sharded, run.run(rows)]


@_in_cluster
def case_checkpoints(tf, session, spec):
    found = []
    for version in (1, 2):
        for sharded in (False, True):
            folder = tempfile.mkdtemp()
            with tf.Graph().as_default(), tf.device(tf.train.replica_device_setter(cluster=spec)):
                made = [tf.get_variable(name, [3], use_resource=name == "c", initializer=tf.ones_initializer())
                        for name in "abc"]
                saver = tf.train.Saver(sharded=sharded, write_version=version)
                changed = [variable.assign_add([1.0, 2.0, 3.0]) for variable in made]
                initial = tf.global_variables_initializer()
                with session() as run:
                    run.run(initial)
                    run.run(changed)
                    path = saver.save(run, os.path.join(folder, "model"))
                    run.run(initial)
                    saver.restore(run, path)
                    found.append([os.path.basename(path), sorted(os.listdir(folder)), run.run(made)])
    return found


@_in_cluster
def case_tables(tf, session, spec):
    with tf.device(PS1):
        pairs = tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2], tf.string, tf.int64)
        table = tf.lookup.StaticHashTable(pairs, -1)
        found = table.lookup(tf.constant(["b", "c"]))
    with tf.device(WORKER):
        more = found + 1
    with session() as run:
        before = _said(tf, run, more)
        run.run(tf.tables_initializer())
        return [before, run.run(more)]


@_in_cluster
def case_queues(tf, session, spec):
    with tf.device(PS0):
        queue = tf.FIFOQueue(4, [tf.float32, tf.string], shapes=[[2], []], shared_name="shared")
    with tf.device(WORKER):
        put = queue.enqueue_many([tf.ones([3, 2]), tf.constant(["a", "b", "c"])])
    with tf.device(OTHER):
        taken = queue.dequeue_many(2)
    close, rest, one = queue.close(), queue.dequeue_up_to(5), queue.dequeue()
    with session() as run, session("other") as other:
        run.run(put)
        found = [other.run(taken), run.run(queue.size())]
        other.run(close)
        return [found, run.run(rest), _said(tf, run, one)[:2], _said(tf, run, put)[:2]]


@_in_cluster
def case_other_queues(tf, session, spec):
    with tf.device(PS1):
        shuffled = tf.RandomShuffleQueue(10, 0, tf.int32, shapes=[[]], shared_name="shuffled")
        padded = tf.PaddingFIFOQueue(10, [tf.int32], shapes=[[None]], shared_name="padded")
        ordered = tf.PriorityQueue(10, [tf.string], shapes=[[]], shared_name="ordered")
    with tf.device(WORKER):
        puts = [shuffled.enqueue_many([tf.range(5)]), padded.enqueue([[1]]), padded.enqueue([[1, 2]]),
                ordered.enqueue([tf.constant(5, tf.int64), "x"]), ordered.enqueue([tf.constant(2, tf.int64), "y"])]
        taken = [shuffled.dequeue_many(5), padded.dequeue_many(2), ordered.dequeue()]
    with session() as run:
        for put in puts:
            run.run(put)
        found = run.run(taken)
        return [sorted(found[0].tolist()), found[1], found[2]]


@_in_cluster
def case_accumulators(tf, session, spec):
    with tf.device(PS0):
        dense = tf.ConditionalAccumulator(tf.float32, [2], shared_name="dense")
        sparse = tf.SparseConditionalAccumulator(tf.float32, [4, 2], shared_name="sparse")
    with tf.device(WORKER):
        give = dense.apply_grad(tf.constant([1.0, 2.0]), tf.constant(0, tf.int64))
        some = sparse.apply_grad([1, 2], tf.ones([2, 2]), local_step=0)
    count, mean, rows = dense.num_accumulated(), dense.take_grad(2), sparse.take_grad(1)
    with session() as run, session("other") as other:
        run.run(give)
        other.run([give, some])
        return [run.run(count), run.run(mean), list(run.run(rows))[:2]]


@_in_cluster
def case_functions_of_python(tf, session, spec):
    with tf.device(tf.train.replica_device_setter(cluster=spec)):
        variable = tf.get_variable("variable", [2], initializer=tf.ones_initializer())
        doubled = tf.py_func(lambda value: value * 2, [variable], tf.float32)
        changed = variable.assign_add(doubled)
    with session() as run:
        run.run(variable.initializer)
        return run.run(changed)


@_in_cluster
def case_uninitialized(tf, session, spec):
    with tf.device(PS0):
        first = tf.get_variable("first", [], initializer=tf.ones_initializer())
    with tf.device(PS1):
        second = tf.get_variable("second", [], initializer=tf.ones_initializer(), use_resource=True)
    with tf.device(WORKER):
        total = tf.identity(first)
    with session() as run:
        names = run.run(tf.report_uninitialized_variables([first, second]))
        return [names, _said(tf, run, first), _said(tf, run, total)]


@_in_cluster
def case_failures(tf, session, spec):
    with tf.device(PS0):
        given = tf.placeholder_with_default(tf.ones([2, 2]), None)
        product = tf.matmul(given, tf.ones([3, 2]), name="product")
        check = tf.Assert(tf.constant(False), ["said", 1], name="check")
    with tf.device(WORKER), tf.control_dependencies([check]):
        after = tf.identity(1.0, name="after")
    with session() as run:
        return [_said(tf, run, product), _said(tf, run, after)]


@_in_cluster
def case_refused_devices(tf, session, spec):
    found = []
    for device in ("/job:none", "/job:ps/task:7", "/job:worker/task:1/device:GPU:0"):
        with tf.device(device):
            value = tf.constant(1, name="value")
        with session() as run:
            found.append(raises(lambda run=run, value=value: run.run(value), pattern="Cannot assign a device"))
    return found


@_in_cluster
def case_deadline(tf, session, spec):
    with tf.device(PS1):
        taken = tf.FIFOQueue(1, tf.int32).dequeue()
    with session() as run:
        try:
            run.run(taken, options=tf.RunOptions(timeout_in_ms=300))
        except tf.errors.OpError as error:
            return type(error).__name__
    return "nothing"


@_in_cluster
def case_conditionals(tf, session, spec):
    with tf.device(PS0):
        first = tf.get_variable("first", [], initializer=tf.ones_initializer())
        second = tf.get_variable("second", [], initializer=tf.zeros_initializer())
    with tf.device(WORKER):
        choice = tf.placeholder(tf.bool, [])
        changed = tf.cond(choice, lambda: first.assign_add(1.0) + 0.0, lambda: second.assign_add(5.0) + 0.0)
    with session() as run:
        run.run(tf.global_variables_initializer())
        return [run.run(changed, {choice: True}), run.run(changed, {choice: False}), run.run([first, second])]


@_in_cluster
def case_recurrent_network(tf, session, spec):
    with tf.device(tf.train.replica_device_setter(cluster=spec)):
        cell = tf.nn.rnn_cell.BasicLSTMCell(2)
        with tf.variable_scope("net", initializer=tf.constant_initializer(0.5)):
            outputs, _ = tf.nn.dynamic_rnn(cell, tf.ones([1, 3, 2]), dtype=tf.float32)
        train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(outputs))
    with session() as run:
        run.run(tf.global_variables_initializer())
        run.run(train)
        return [[round(value, 4) for value in row] for row in run.run(cell.weights[0]).tolist()]


@_in_cluster
def case_datasets(tf, session, spec):
    with tf.device(tf.train.replica_device_setter(cluster=spec)):
        iterator = tf.data.Dataset.range(4).map(lambda x: x * 2).batch(2).make_initializable_iterator()
        taken = iterator.get_next()
    with session() as run:
        run.run(iterator.initializer)
        return [run.run(taken), run.run(taken), _said(tf, run, taken)]
