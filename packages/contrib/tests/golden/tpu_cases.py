"""Programs for TPUs that run elsewhere, and resolvers of clusters."""
import tempfile

import numpy as np
from golden_case import raises

X = np.arange(32, dtype=np.float32).reshape(16, 2) / 10
Y = np.arange(16, dtype=np.float32).reshape(16, 1)


def estimator_of(tf, seen, **options):
    tpu = tf.contrib.tpu

    def model_fn(features, labels, mode, params):
        seen.append((mode, sorted(params.items()), features["x"].shape.as_list(), len(tf.get_default_graph().get_operations())))
        w = tf.get_variable("w", [2, 1], initializer=tf.random_uniform_initializer())
        p = tf.matmul(features["x"], w)
        if mode == tf.estimator.ModeKeys.PREDICT:
            return tpu.TPUEstimatorSpec(mode, predictions={"p": p})
        loss = tf.losses.mean_squared_error(labels, p)
        train = tf.train.GradientDescentOptimizer(0.01).minimize(loss, tf.train.get_global_step())
        metrics = lambda l, q: {"mean": tf.metrics.mean(q), "mse": tf.metrics.mean_squared_error(l, q)}
        return tpu.TPUEstimatorSpec(mode, loss=loss, train_op=train, eval_metrics=(metrics, [labels, p]), scaffold_fn=tf.train.Scaffold)

    config = tpu.RunConfig(model_dir=tempfile.mkdtemp(), tf_random_seed=3, tpu_config=tpu.TPUConfig(iterations_per_loop=2, num_shards=8))
    sizes = {"train_batch_size": 16, "eval_batch_size": 8, "predict_batch_size": 4}
    return tpu.TPUEstimator(model_fn=model_fn, config=config, use_tpu=False, params={"a": 1}, **dict(sizes, **options))


def case_estimator(tf):
    seen = []
    estimator = estimator_of(tf, seen)
    input_fn = lambda params: tf.data.Dataset.from_tensor_slices(({"x": X}, Y)).repeat().batch(params["batch_size"], drop_remainder=True)
    estimator.train(input_fn, max_steps=4)
    scores = estimator.evaluate(input_fn, steps=2)
    rows = [round(float(row["p"][0]), 3) for row in estimator.predict(lambda params: tf.data.Dataset.from_tensor_slices({"x": X}).batch(params["batch_size"]))]
    return [seen, sorted((name, round(float(value), 3)) for name, value in scores.items()), rows, estimator.get_variable_names()]


def case_reserved_parameter(tf):
    tf.contrib.tpu.TPUEstimator(model_fn=len, config=tf.contrib.tpu.RunConfig(), use_tpu=False, params={"batch_size": 1})


def case_other_configuration(tf):
    tf.contrib.tpu.TPUEstimator(model_fn=len, config=tf.estimator.RunConfig(), use_tpu=False)


def case_configurations(tf):
    tpu = tf.contrib.tpu
    config = tpu.RunConfig(master="m", tpu_config=tpu.TPUConfig(per_host_input_for_training=tpu.InputPipelineConfig.PER_HOST_V2))
    refused = [raises(lambda options=options: tpu.TPUConfig(**options)) for options in ({"iterations_per_loop": 0}, {"num_shards": -1}, {"num_cores_per_replica": 3}, {"input_partition_dims": [{}]})]
    return [tuple(config.tpu_config), config.master, config.evaluation_master, tuple(config.replace(tpu_config=tpu.TPUConfig()).tpu_config), refused,
            raises(lambda: tpu.RunConfig(cluster=1, master="a"))]


def case_specs_refused(tf):
    spec, loss = tf.contrib.tpu.TPUEstimatorSpec, tf.constant(1.0)
    return [raises(lambda: spec("eval")), raises(lambda: spec("train", loss=loss)), raises(lambda: spec("eval", loss=loss, eval_metrics=3)),
            raises(lambda: spec("eval", loss=loss, eval_metrics=(1, [])))]


def case_bfloat16_scope(tf):
    with tf.contrib.tpu.bfloat16_scope():
        return [tf.get_variable("v", [2], tf.bfloat16, tf.ones_initializer()), tf.get_variable("w", [2], tf.float32, tf.ones_initializer())]


def case_simple_cluster(tf):
    resolvers = tf.contrib.cluster_resolver
    first = resolvers.SimpleClusterResolver(tf.train.ClusterSpec({"worker": ["a:1", "b:2"], "ps": ["c:3"]}), task_type="worker", task_id=1, rpc_layer="grpc")
    other = resolvers.SimpleClusterResolver(tf.train.ClusterSpec({"worker": ["d:1"]}))
    union = resolvers.UnionClusterResolver(first, other)
    tpu = resolvers.TPUClusterResolver("grpc://1.2.3.4:8470")
    return [first.master(), first.cluster_spec().as_dict(), first.task_type, first.task_id, first.environment, first.rpc_layer, first.master("ps", 0),
            first.master("ps", 0, "http"), union.cluster_spec().as_dict(), union.task_type, tpu.master(), tpu.cluster_spec().as_dict(), tpu.get_job_name(),
            raises(lambda: resolvers.SimpleClusterResolver(3)), raises(resolvers.UnionClusterResolver), raises(lambda: resolvers.UnionClusterResolver(1))]
