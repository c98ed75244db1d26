"""replica_device_setter: the devices of variables, tables and all else, for every option."""
from golden_case import raises

CLUSTER = {"ps": ["a:1", "b:1"], "worker": ["c:1", "d:1"]}


def _graph(tf, **options):
    """A graph of what parameter servers keep, and of other things, with inner devices."""
    with tf.device(tf.train.replica_device_setter(**options)):
        v = tf.Variable([1.0], name="v")
        tf.get_variable("w", [2])
        tf.get_variable("r", [2], use_resource=True)
        tf.add(v, 1.0, name="a")
        tf.assign_add(v, [1.0])
        tf.raw_ops.MutableHashTableV2(key_dtype=tf.int64, value_dtype=tf.float32)
        tf.FIFOQueue(1, tf.float32)
        with tf.device("/cpu:0"):
            tf.identity(tf.get_variable("x", [1]), name="y")
        with tf.device("/job:other"):
            tf.get_variable("z", [1])
        with tf.device("/task:7"):
            tf.get_variable("t", [1])
            tf.no_op(name="n")
        tf.nn.embedding_lookup(v, [0])
    return {}


def case_none(tf):
    return _graph(tf)


def case_tasks(tf):
    return _graph(tf, ps_tasks=3)


def case_negative_tasks(tf):
    return _graph(tf, ps_tasks=-1)


def case_cluster(tf):
    return _graph(tf, cluster=CLUSTER)


def case_cluster_spec(tf):
    return _graph(tf, cluster=tf.train.ClusterSpec(CLUSTER), ps_tasks=7)


def case_cluster_def(tf):
    return _graph(tf, cluster=tf.train.ClusterSpec(CLUSTER).as_cluster_def())


def case_no_such_job(tf):
    return _graph(tf, cluster={"worker": ["c:1"]})


def case_no_tasks(tf):
    return _graph(tf, cluster={"ps": [], "worker": ["c:1"]})


def case_ps_device(tf):
    return _graph(tf, cluster=CLUSTER, ps_device="/job:worker/task:1/cpu:0")


def case_ps_device_empty(tf):
    return _graph(tf, ps_tasks=2, ps_device="")


def case_ps_device_none(tf):
    return _graph(tf, cluster=CLUSTER, ps_device=None)


def case_ps_device_without_job(tf):
    return _graph(tf, ps_tasks=2, ps_device="/cpu:0")


def case_worker_device(tf):
    return _graph(tf, cluster=CLUSTER, worker_device="/job:worker/task:1/cpu:0")


def case_worker_device_none(tf):
    return _graph(tf, cluster=CLUSTER, worker_device=None)


def case_not_merged(tf):
    return _graph(tf, cluster=CLUSTER, merge_devices=False)


def case_ps_ops(tf):
    return _graph(tf, cluster=CLUSTER, ps_ops=["AddV2", "VarHandleOp"])


def case_no_ps_ops(tf):
    return _graph(tf, cluster=CLUSTER, ps_ops=[])


def case_strategy(tf):
    return _graph(tf, cluster=CLUSTER, ps_strategy=lambda op: len(op.name) % 2)


def case_strategy_float(tf):
    return _graph(tf, cluster=CLUSTER, ps_strategy=lambda op: 1.7)


def case_strategy_none(tf):
    return _graph(tf, cluster=CLUSTER, ps_strategy=lambda op: None)


def case_node_defs(tf):
    place = tf.train.replica_device_setter(2, worker_device="/job:w/cpu:0")
    kinds = """
        Variable VariableV2 TemporaryVariable VarHandleOp HashTable HashTableV2 MutableHashTable MutableHashTableV2
        MutableHashTableOfTensors MutableHashTableOfTensorsV2 MutableDenseHashTable MutableDenseHashTableV2 FIFOQueue
        ConditionalAccumulator ResourceConditionalAccumulator SparseConditionalAccumulator Barrier Stack TensorArrayV3
        BoostedTreesEnsembleResourceHandleOp BoostedTreesQuantileStreamResourceHandleOp MutexV2 Assign Const NoSuchOp
        """
    return [f"{kind} {place(tf.NodeDef(op=kind, name='n', device='/replica:1'))}" for kind in kinds.split()]


def case_training(tf):
    with tf.device(tf.train.replica_device_setter(cluster=CLUSTER, worker_device="/job:worker/task:0")):
        x = tf.placeholder(tf.float32, [None, 3])
        loss = tf.reduce_mean(tf.square(tf.layers.dense(x, 2)))
        step = tf.train.get_or_create_global_step()
        tf.train.AdamOptimizer().minimize(loss, step)
    return {}


def case_refused(tf):
    setter = tf.train.replica_device_setter
    return [
        raises(lambda: setter(cluster=3)),
        raises(lambda: setter(cluster=CLUSTER, ps_strategy=3)),
        raises(lambda: _graph(tf, ps_tasks=2, ps_strategy=lambda op: "a")),
        raises(lambda: _graph(tf, ps_tasks="a")),
        raises(lambda: _graph(tf, cluster=CLUSTER, ps_ops=3)),
        raises(lambda: _graph(tf, ps_tasks=1, worker_device="no device")),
        raises(lambda: _graph(tf, ps_tasks=1, ps_device="no device")),
        raises(lambda: setter(cluster=CLUSTER, ps_device="no device")),
    ]
