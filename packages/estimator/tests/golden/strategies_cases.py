"""Estimators under distribution strategies: what they train, measure and predict."""
import tempfile

import numpy as np
from golden_case import says

X = np.arange(8, dtype="f").reshape(8, 1)


def model_fn(features, labels, mode):
    import sys

    tf = sys.modules.get("tensorflow") or sys.modules["ossia"]
    weight = tf.get_variable("weight", [], initializer=tf.zeros_initializer())
    predictions = features["x"] * weight
    if mode == "infer":
        return tf.estimator.EstimatorSpec(mode, predictions={"y": predictions})
    loss = tf.reduce_mean((predictions - labels) ** 2)
    train_op = tf.train.AdamOptimizer(0.1).minimize(loss, global_step=tf.train.get_global_step())
    metrics = {"mean": tf.metrics.mean(predictions), "error": tf.metrics.root_mean_squared_error(labels, predictions)}
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op, eval_metric_ops=metrics)


def batches(tf, size, repeated=False):
    dataset = tf.data.Dataset.from_tensor_slices(({"x": X}, 2 * X)).batch(size)
    return dataset.repeat() if repeated else dataset


def estimator(tf, strategy):
    tf.logging.set_verbosity("ERROR")
    config = tf.estimator.RunConfig(
        train_distribute=strategy, eval_distribute=strategy, model_dir=tempfile.mkdtemp(), tf_random_seed=1,
        session_config=tf.ConfigProto(device_count={"CPU": 2}))
    return tf.estimator.Estimator(model_fn, config=config)


def found(tf, model, size=4, **options):
    metrics = model.evaluate(lambda: batches(tf, size), **options)
    predictions = [["%.4f" % value for value in row["y"]] for row in model.predict(lambda: batches(tf, 8))]
    return [["%s %.3f" % item for item in sorted(metrics.items())], predictions, model.get_variable_names()]


def two(tf):
    return tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])


def case_one_device(tf):
    model = estimator(tf, tf.distribute.OneDeviceStrategy("/cpu:0"))
    return found(tf, model.train(lambda: batches(tf, 4, True), steps=5))


def case_one_replica(tf):
    model = estimator(tf, tf.distribute.MirroredStrategy(["/cpu:0"]))
    return found(tf, model.train(lambda: batches(tf, 4, True), steps=5))


def case_two_replicas(tf):
    model = estimator(tf, two(tf))
    return found(tf, model.train(lambda: batches(tf, 4, True), steps=5))


def case_parameter_servers_alone(tf):
    model = estimator(tf, tf.distribute.experimental.ParameterServerStrategy())
    return found(tf, model.train(lambda: batches(tf, 4, True), steps=5))


def case_batches_that_do_not_divide(tf):
    """Training drops the last step, which not all replicas have a batch for."""
    model = estimator(tf, two(tf)).train(lambda: batches(tf, 3))
    return ["%.4f" % model.get_variable_value(name) for name in ("weight", "global_step")]


def case_some_steps(tf):
    model = estimator(tf, two(tf))
    return found(tf, model.train(lambda: batches(tf, 2, True), max_steps=3), size=2, steps=1)


def case_context_of_input(tf):
    seen = []

    def input_fn(input_context):
        seen.append([input_context.num_replicas_in_sync, input_context.num_input_pipelines,
                     input_context.input_pipeline_id])
        return batches(tf, 4)

    estimator(tf, two(tf)).train(input_fn)
    return seen


def case_tensors(tf):
    def input_fn():
        return {"x": tf.constant(X)}, tf.constant(X)

    return says("Dataset", estimator(tf, two(tf)).train, input_fn, steps=1)
