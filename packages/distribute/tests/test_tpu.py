"""Programs for TPUs on local devices."""
import numpy as np
import pytest

import ossia as tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


def evaluated(fetches):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(fetches)


@pytest.mark.parametrize("shards", [1, 2, 4])
def test_training_does_not_depend_on_the_number_of_shards(shards):
    def train(x):
        weight = tf.get_variable("w", [2, 1], initializer=tf.ones_initializer())
        loss = tf.reduce_mean(tf.square(tf.matmul(x, weight)))
        update = tf.tpu.CrossShardOptimizer(tf.train.AdamOptimizer(0.1)).minimize(
            loss, tf.train.get_or_create_global_step())
        with tf.control_dependencies([update]):
            return tf.reshape(loss, [1])

    losses = tf.tpu.shard(train, [tf.constant(np.arange(8, dtype="f").reshape(4, 2))], num_shards=shards)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        first = session.run(losses)
        assert first.shape == (shards,) and np.mean(first) == 69.0
        np.testing.assert_allclose(np.mean(session.run(losses)), 55.89, rtol=1e-6)
        assert session.run(tf.train.get_global_step()) == 2


def test_outputs():
    x = tf.constant([[1.0], [2.0], [3.0], [4.0]])
    whole = tf.tpu.batch_parallel(lambda x: x + 1, [x], num_shards=2)
    first = tf.tpu.shard(lambda x: x + 1, [x], num_shards=2, outputs_from_all_shards=False)
    assert (whole.name, first.name) == ("concat:0", "output_0_shard_0_1:0")
    assert [value.ravel().tolist() for value in evaluated([whole, first])] == [[2.0, 3.0, 4.0, 5.0], [2.0, 3.0]]


def test_replicas():
    made = tf.tpu.replicate(lambda x: (x + 1, tf.tpu.cross_replica_sum(x)), [[tf.constant(3.0)], [tf.constant(4.0)]])
    assert evaluated(made) == [[4.0, 7.0], [5.0, 7.0]]
    assert evaluated(tf.tpu.rewrite(lambda x: x * 2, [tf.constant(3.0)])) == [6.0]
    assert isinstance(tf.tpu.rewrite(lambda: tf.no_op()), tf.Operation)
    assert evaluated(tf.tpu.cross_replica_sum(tf.constant(1.0))) == 1.0


def test_groups_of_replicas():
    made = tf.tpu.replicate(
        lambda x: tf.tpu.cross_replica_sum(x, [[0, 2], [1, 3]]), [[tf.constant(float(i))] for i in range(4)])
    assert [value for value, in evaluated(made)] == [2.0, 4.0, 2.0, 4.0]


def test_bfloat16():
    with tf.tpu.bfloat16_scope():
        value = tf.get_variable("v", [2], dtype=tf.bfloat16)
    assert value.dtype == tf.bfloat16 and tf.global_variables()[0].dtype.base_dtype == tf.float32


def test_names():
    assert tf.tpu.core(3) == "device:TPU_REPLICATED_CORE:3"
    assert tf.tpu.XLAOptions().use_spmd_for_xla_partitioning is True
    assert evaluated([tf.tpu.initialize_system(), tf.tpu.shutdown_system()]) == [b"", None]


@pytest.mark.parametrize(
    ("call", "error"),
    [(lambda: tf.tpu.shard(lambda: None, num_shards=0), ValueError),
     (lambda: tf.tpu.shard(lambda x: x, [tf.constant([1.0])], input_shard_axes=[0, 0]), ValueError),
     (lambda: tf.tpu.shard(lambda x: x, [tf.constant([1.0])], output_shard_axes=[0, 0]), ValueError),
     (lambda: tf.tpu.replicate(lambda x: x, 3), TypeError),
     (lambda: tf.tpu.replicate(lambda x: x, [[1.0], [1.0, 2.0]]), ValueError),
     (lambda: tf.tpu.replicate(lambda: None, [[]], infeed_queue=3), NotImplementedError),
     (lambda: tf.tpu.CrossShardOptimizer(tf.train.AdamOptimizer(), reduction="max"), ValueError)],
)
def test_refused(call, error):
    with pytest.raises(error):
        call()
