"""An estimator of probabilities of `tf.contrib.learn`."""

import tempfile

import numpy as np

X = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 1.0], [0.0, 2.0]], np.float32)
Y = np.array([[0], [1], [1], [0]])


def case_logistic(tf):
    def model_fn(features, labels, mode):
        predictions = tf.sigmoid(tf.layers.dense(features["x"], 1))
        return predictions, tf.reduce_mean(predictions), tf.no_op()

    estimator = tf.contrib.learn.LogisticRegressor(model_fn, thresholds=[0.2], model_dir=tempfile.mkdtemp())
    tf.contrib.framework.create_global_step()
    call = getattr(estimator, "_call_model_fn", None) or estimator._model_ops
    ops = call({"x": tf.constant(X)}, tf.constant(Y), tf.contrib.learn.ModeKeys.EVAL)
    return [ops.predictions.name, sorted(ops.eval_metric_ops)]
