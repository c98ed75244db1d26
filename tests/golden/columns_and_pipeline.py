"""An estimator on feature columns, fed by a pipeline: prints what it evaluates to and predicts, as JSON.

`columns_and_pipeline.json` is what it prints with TensorFlow 1.15.
"""

import json
import tempfile

import numpy as np
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)

def input_fn():
    people = {"age": np.arange(20, dtype=np.float32), "job": np.array([b"a", b"b"] * 10)}
    data = tf.data.Dataset.from_tensor_slices((people, np.array([0, 1] * 10, np.float32)))
    return data.shuffle(20, seed=1).repeat().batch(4)


def model_fn(features, labels, mode, params):
    net = tf.feature_column.input_layer(features, params["columns"])
    net = tf.contrib.layers.fully_connected(
        net, 4, activation_fn=tf.nn.relu, weights_initializer=tf.constant_initializer(0.1)
    )
    logits = tf.layers.dense(net, 1, kernel_initializer=tf.constant_initializer(0.2))[:, 0]
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"p": tf.sigmoid(logits)})
    loss = tf.losses.sigmoid_cross_entropy(labels, logits)
    if mode == tf.estimator.ModeKeys.EVAL:
        accuracy = tf.metrics.accuracy(labels, tf.round(tf.sigmoid(logits)))
        return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops={"accuracy": accuracy})
    step = tf.contrib.layers.optimize_loss(loss, tf.train.get_global_step(), 0.1, "Adam", summaries=[])
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=step)


columns = [
    tf.feature_column.numeric_column("age", normalizer_fn=lambda age: age / 20.0),
    tf.feature_column.indicator_column(tf.feature_column.categorical_column_with_vocabulary_list("job", ["a", "b"])),
]
estimator = tf.estimator.Estimator(
    model_fn, tempfile.mkdtemp(), params={"columns": columns}, config=tf.estimator.RunConfig(tf_random_seed=3)
)
estimator.train(input_fn, steps=50)
evaluated = {name: round(float(value), 4) for name, value in estimator.evaluate(input_fn, steps=5).items()}
predictions = estimator.predict(input_fn)
predicted = [round(float(next(predictions)["p"]), 3) for _ in range(4)]
print(json.dumps([evaluated, predicted, sorted(estimator.get_variable_names())], sort_keys=True))
