"""Strategies: replicas, variables, input and reductions. The numbers are those of TensorFlow 1.15.5."""
import json

import numpy as np
import pytest

import ossia as tf

TWO = ["/cpu:0", "/cpu:1"]
STRATEGIES = {
    "mirrored": (lambda: tf.distribute.MirroredStrategy(TWO), 2),
    "one device": (lambda: tf.distribute.OneDeviceStrategy("/cpu:0"), 1),
    "central storage": (lambda: tf.distribute.experimental.CentralStorageStrategy(TWO, "/cpu:0"), 2),
    "parameter server": (lambda: tf.distribute.experimental.ParameterServerStrategy(), 1),
}
# Mean losses of two steps, and the weights after them, by the number of replicas.
EXPECTED = {1: ([41.5, 11915.04], [[241.23999], [261.58002]]), 2: ([41.5, 55757.664], [[1051.56], [1142.12]])}


def two_devices():
    return tf.Session(config=tf.ConfigProto(device_count={"CPU": 2}))


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


@pytest.mark.parametrize("name", STRATEGIES)
def test_training(name):
    make, replicas = STRATEGIES[name]
    strategy = make()
    assert strategy.num_replicas_in_sync == replicas
    x, y = np.arange(16, dtype="f").reshape(8, 2), np.arange(8, dtype="f").reshape(8, 1)
    with strategy.scope():
        step = tf.train.get_or_create_global_step()
        weight = tf.get_variable("w", [2, 1], initializer=tf.ones_initializer())
        optimizer = tf.train.GradientDescentOptimizer(0.1)
        dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(4).repeat()
        iterator = strategy.make_dataset_iterator(dataset)

        def train(batch):
            features, labels = batch
            bias = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
            loss = tf.losses.mean_squared_error(labels, tf.matmul(features, weight) + bias)
            with tf.control_dependencies([optimizer.minimize(loss, step)]):
                return tf.identity(loss)

        losses = strategy.experimental_run(train, iterator)
        mean = strategy.reduce(tf.distribute.ReduceOp.MEAN, losses)
    assert len(strategy.experimental_local_results(losses)) == replicas
    assert [variable.name for variable in tf.global_variables()] == ["global_step:0", "w:0", "b:0"]
    with two_devices() as session:
        session.run([iterator.initialize(), tf.global_variables_initializer()])
        found = [session.run(mean) for _ in range(2)]
        np.testing.assert_allclose(found, EXPECTED[replicas][0], rtol=1e-5)
        np.testing.assert_allclose(session.run(weight), EXPECTED[replicas][1], rtol=1e-5)
        assert session.run(step) == 2


def test_contexts():
    strategy = tf.distribute.MirroredStrategy(TWO)
    assert not tf.distribute.has_strategy() and not tf.distribute.in_cross_replica_context()
    assert tf.distribute.get_strategy().num_replicas_in_sync == 1
    seen = []

    def replica():
        context = tf.distribute.get_replica_context()
        seen.append((context.num_replicas_in_sync, tf.distribute.in_cross_replica_context(), context.devices))
        merged = context.merge_call(lambda strategy, value: strategy.extended.reduce_to("SUM", value),
                                    args=(context.replica_id_in_sync_group + 1,))
        return merged, context.all_reduce(tf.distribute.ReduceOp.MEAN, tf.constant(4.0))

    with strategy.scope():
        assert tf.distribute.has_strategy() and tf.distribute.in_cross_replica_context()
        assert tf.distribute.get_strategy() is strategy and tf.distribute.get_replica_context() is None
        total, mean = strategy.experimental_run_v2(replica)
    assert seen == [(2, False, (f"/replica:0/task:0/device:CPU:{i}",)) for i in (0, 1)]
    with two_devices() as session:
        assert session.run([total, mean.values[0] if hasattr(mean, "values") else mean]) == [3, 4.0]


def test_replicas_that_merge_differently():
    strategy = tf.distribute.MirroredStrategy(TWO)
    calls = []

    def replica():
        calls.append(1)
        if len(calls) == 1:
            tf.distribute.get_replica_context().merge_call(lambda strategy: None)

    with strategy.scope(), pytest.raises(RuntimeError, match="merge_call"):
        strategy.experimental_run_v2(replica)


def test_an_error_in_a_replica():
    def replica():
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        tf.distribute.MirroredStrategy(TWO).experimental_run_v2(replica)


def test_reductions():
    strategy = tf.distribute.MirroredStrategy(TWO)
    values = strategy.experimental_run_v2(lambda: tf.cast(
        [1, 2], tf.float32) * (1.0 + tf.cast(tf.distribute.get_replica_context().replica_id_in_sync_group, tf.float32)))
    with two_devices() as session:
        kinds = tf.distribute.ReduceOp
        assert session.run(strategy.reduce(kinds.SUM, values, axis=0)) == 9.0
        assert session.run(strategy.reduce(kinds.MEAN, values, axis=0)) == 2.25
        assert session.run(strategy.reduce(kinds.MEAN, values)).tolist() == [1.5, 3.0]
        assert [v.tolist() for v in session.run(values)] == [[1.0, 2.0], [2.0, 4.0]]


def test_input_functions():
    strategy = tf.distribute.MirroredStrategy(TWO)
    contexts = []

    def dataset(context):
        contexts.append((context.num_input_pipelines, context.input_pipeline_id, context.num_replicas_in_sync))
        assert context.get_per_replica_batch_size(8) == 4
        with pytest.raises(ValueError, match="not divisible"):
            context.get_per_replica_batch_size(3)
        return tf.data.Dataset.range(10).batch(2)

    iterator = strategy.make_input_fn_iterator(dataset)
    values = iterator.get_next()
    assert contexts == [(1, 0, 2)]
    with two_devices() as session:
        session.run(iterator.initialize())
        assert [v.tolist() for v in session.run(values)] == [[0, 1], [2, 3]]


def test_parameter_servers_of_a_cluster(monkeypatch):
    cluster = {"ps": ["localhost:1", "localhost:2"], "worker": ["localhost:3", "localhost:4"]}
    monkeypatch.setenv("TF_CONFIG", json.dumps({"cluster": cluster, "task": {"type": "worker", "index": 1}}))
    strategy = tf.distribute.experimental.ParameterServerStrategy()
    with strategy.scope():
        placed = [tf.get_variable(name, []).device for name in "abc"]
    assert placed == ["/job:ps/task:0", "/job:ps/task:1", "/job:ps/task:0"]
    config = strategy.update_config_proto(tf.ConfigProto())
    assert list(config.device_filters) == ["/job:worker/task:1", "/job:ps"]
    resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
    assert (resolver.task_type, resolver.task_id, resolver.master()) == ("worker", 1, "localhost:4")
    assert not strategy.extended.should_checkpoint


@pytest.mark.parametrize(
    ("make", "error"),
    [(lambda: tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:0"]), ValueError),
     (lambda: tf.distribute.experimental.TPUStrategy(), NotImplementedError),
     (lambda: tf.distribute.HierarchicalCopyAllReduce(-1), ValueError),
     (lambda: tf.distribute.cluster_resolver.SimpleClusterResolver({}), TypeError),
     (lambda: tf.distribute.cluster_resolver.UnionResolver(), ValueError)],
)
def test_refused(make, error):
    with pytest.raises(error):
        make()


def test_resolvers():
    resolvers = tf.distribute.cluster_resolver
    one = resolvers.SimpleClusterResolver(tf.train.ClusterSpec({"worker": ["a:1"]}), master="m:1", rpc_layer="grpc")
    two = resolvers.SimpleClusterResolver(tf.train.ClusterSpec({"worker": ["b:1"], "ps": ["c:1"]}))
    both = resolvers.UnionResolver(one, two)
    assert both.cluster_spec().as_dict() == {"worker": ["a:1", "b:1"], "ps": ["c:1"]}
    assert (both.master(), both.master("worker", 1)) == ("grpc://m:1", "grpc://b:1")
