"""Canned estimators over some steps, recorded with TensorFlow 1.15 and repeated by the tests.

`/path/to/python-with-tensorflow-1.15 canned.py` writes `canned_golden.json` beside it.
"""
import glob
import hashlib
import json
import os
import sys
import tempfile

import numpy as np

STEPS = 30


def columns(tf):
    """Columns for linear models, and for networks."""
    fc = tf.feature_column
    number, word = fc.numeric_column("x", shape=(3,)), fc.categorical_column_with_hash_bucket("c", 10)
    letter = fc.categorical_column_with_vocabulary_list("v", ["a", "b", "c"])
    buckets = fc.bucketized_column(fc.numeric_column("y"), [0.3, 0.6])
    linear = [number, word, letter, buckets, fc.crossed_column(["c", "v"], 7)]
    return linear, [number, fc.indicator_column(letter), fc.embedding_column(word, 4)]


def data(kind):
    random = np.random.RandomState(0)
    n = 64
    features = {
        "x": random.rand(n, 3).astype("f"), "y": random.rand(n, 1).astype("f"),
        "c": random.choice(["p", "q", "r", "s"], (n, 1)).astype("S"),
        "v": random.choice(["a", "b", "c", "z"], (n, 1)).astype("S"), "w": (random.rand(n, 1) + 0.5).astype("f"),
    }
    labels = {
        "two": (features["x"].sum(1, keepdims=True) > 1.5).astype("i4"), "three": random.randint(0, 3, (n, 1)),
        "words": random.choice(["no", "yes"], (n, 1)).astype("S"), "number": features["x"].sum(1, keepdims=True),
        "pair": features["x"][:, :2] * 2,
    }
    return features, labels[kind]


def _decaying(tf):
    rate = tf.train.exponential_decay(0.1, tf.train.get_global_step(), 10, 0.9)
    return tf.train.FtrlOptimizer(rate, l1_regularization_strength=0.01)


CASES = {
    "LinearClassifier": ("two", lambda tf, l, d: dict(feature_columns=l)),
    "LinearClassifier three": ("three", lambda tf, l, d: dict(
        feature_columns=l, n_classes=3, weight_column="w", optimizer="Adagrad", sparse_combiner="mean",
        loss_reduction=tf.losses.Reduction.SUM_OVER_BATCH_SIZE)),
    "LinearRegressor": ("pair", lambda tf, l, d: dict(
        feature_columns=l, label_dimension=2, optimizer=lambda: _decaying(tf))),
    "DNNClassifier": ("two", lambda tf, l, d: dict(hidden_units=[8, 4], feature_columns=d)),
    "DNNClassifier words": ("words", lambda tf, l, d: dict(
        hidden_units=[8], feature_columns=d, label_vocabulary=["no", "yes"], optimizer="Adam", dropout=0.3,
        batch_norm=True, weight_column="w")),
    "DNNRegressor": ("number", lambda tf, l, d: dict(
        hidden_units=[8], feature_columns=d, activation_fn=tf.tanh, optimizer=lambda: _decaying(tf))),
    "DNNLinearCombinedClassifier": ("two", lambda tf, l, d: dict(
        linear_feature_columns=l, dnn_feature_columns=d, dnn_hidden_units=[8, 4])),
    "DNNLinearCombinedRegressor": ("number", lambda tf, l, d: dict(
        linear_feature_columns=l, linear_optimizer="Ftrl", dnn_feature_columns=d, dnn_optimizer="RMSProp",
        dnn_hidden_units=[8])),
    "BaselineClassifier": ("three", lambda tf, l, d: dict(n_classes=3)),
    "BaselineRegressor": ("pair", lambda tf, l, d: dict(label_dimension=2, optimizer=lambda: _decaying(tf))),
}


def plain(value):
    array = np.asarray(value)
    return array.tolist() if array.dtype.kind in "fiub" else str(array.tolist())


def graph_hook(tf, graphs, name):
    class Graphs(tf.train.SessionRunHook):
        def after_create_session(self, session, coord):
            lines = [
                "%s %s %s %s" % (op.type, op.name, [t.name for t in op.inputs], sorted(c.name for c in op.control_inputs))
                for op in session.graph.get_operations()
            ]
            graphs[name] = [len(lines), hashlib.sha256("\n".join(lines).encode()).hexdigest()]

    return Graphs()


def events(tf, directory):
    found = {}
    for path in sorted(glob.glob(os.path.join(directory, "*tfevents*"))):
        for event in tf.train.summary_iterator(path):
            for value in event.summary.value:
                if "queue" not in value.tag and "sec" not in value.tag:
                    number = value.simple_value if value.HasField("simple_value") else value.histo.num
                    found.setdefault(value.tag, []).append([event.step, number])
    return found


def run(tf, name, directory):
    kind, options = CASES[name]
    features, labels = data(kind)
    linear, dense = columns(tf)

    def inputs(epochs, labels=labels):
        return tf.estimator.inputs.numpy_input_fn(features, labels, batch_size=16, num_epochs=epochs, shuffle=False)

    config = tf.estimator.RunConfig(directory, tf_random_seed=3, save_summary_steps=10)
    estimator = getattr(tf.estimator, name.split()[0])(config=config, **options(tf, linear, dense))
    graphs = {}
    estimator.train(inputs(None), steps=STEPS, hooks=[graph_hook(tf, graphs, "train")])
    metrics = estimator.evaluate(inputs(1), hooks=[graph_hook(tf, graphs, "eval")])
    predictions = estimator.predict(inputs(1, None), hooks=[graph_hook(tf, graphs, "infer")])
    first = next(predictions)
    predictions.close()  # it would leave its graph whenever it is collected, in the midst of another one
    return {
        "graphs": graphs, "metrics": {key: float(value) for key, value in metrics.items()},
        "prediction": {key: plain(value) for key, value in first.items()}, "events": events(tf, directory),
        "variables": {key: plain(estimator.get_variable_value(key)) for key in estimator.get_variable_names()},
    }


if __name__ == "__main__":
    import tensorflow

    result = {name: run(tensorflow, name, tempfile.mkdtemp()) for name in sorted(CASES)}
    with open(os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), "canned_golden.json"), "w") as target:
        json.dump(result, target, sort_keys=True)
