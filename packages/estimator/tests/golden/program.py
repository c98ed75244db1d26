"""A small model through all that an estimator does, recorded with TensorFlow 1.15 and repeated by the tests.

`/path/to/python-with-tensorflow-1.15 program.py` writes `program_golden.json` beside it.
"""
import glob
import json
import logging
import os
import re
import sys
import tempfile

import numpy as np


def make_model_fn(tf):
    def model_fn(features, labels, mode, params):
        hidden = tf.layers.dense(features["x"], 4, activation=tf.nn.relu, name="h")
        logits = tf.layers.dense(hidden, 3, name="o")
        predictions = {"classes": tf.argmax(logits, 1), "probabilities": tf.nn.softmax(logits, name="p")}
        if mode == tf.estimator.ModeKeys.PREDICT:
            export = tf.estimator.export
            outputs = {
                "serving_default": export.PredictOutput(predictions),
                "classify": export.ClassificationOutput(scores=predictions["probabilities"]),
            }
            return tf.estimator.EstimatorSpec(mode, predictions=predictions, export_outputs=outputs)
        loss = tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits)
        if mode == tf.estimator.ModeKeys.TRAIN:
            tf.summary.scalar("twice", loss * 2)
            optimizer = tf.train.GradientDescentOptimizer(params["rate"])
            return tf.estimator.EstimatorSpec(
                mode, loss=loss, train_op=optimizer.minimize(loss, global_step=tf.train.get_global_step())
            )
        metrics = {"accuracy": tf.metrics.accuracy(labels, predictions["classes"])}
        return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops=metrics)

    return model_fn


def data():
    random = np.random.RandomState(0)
    x = random.rand(40, 5).astype("f")
    return x, ((x.sum(1) > 2.5).astype("i4") + (x[:, 0] > 0.8)).astype("i4")


def plain(value):
    """The value as JSON has it."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in sorted(value.items())}
    return np.asarray(value).tolist()


def graph_hook(tf, graphs, name):
    class Graphs(tf.train.SessionRunHook):
        def after_create_session(self, session, coord):
            graph = session.graph
            operations = [
                [op.type, op.name, [t.name for t in op.inputs], [c.name for c in op.control_inputs], op.device]
                for op in graph.get_operations()
            ]
            items = {
                key: [getattr(item, "name", "") for item in graph.get_collection(key)]
                for key in graph.get_all_collection_keys()
            }
            graphs[name] = [operations, items]

    return Graphs()


class Lines(logging.Handler):
    """Keeps what is logged, without what differs from run to run."""

    def __init__(self, directory):
        logging.Handler.__init__(self, logging.INFO)
        self.directory = directory
        self.lines = []

    def emit(self, record):
        if record.levelno == logging.INFO:
            line = record.getMessage().replace(self.directory, "DIR")
            line = re.sub(r" at \d{4}-.*|at 0x\w+| \([\d.]+ sec\)|/sec: .*|-b'\d+'", "", line)
            # Floats may differ in their last digits; their values are compared elsewhere.
            self.lines.append(re.sub(r"\d+\.\d+(e-\d+)?", "F", line))


def events(tf, directory):
    found = []
    for path in sorted(glob.glob(os.path.join(directory, "*tfevents*"))):
        for event in tf.train.summary_iterator(path):
            if event.WhichOneof("what") == "summary":
                values = [
                    [v.tag, v.simple_value if v.HasField("simple_value") and v.tag != "global_step/sec" else None]
                    for v in event.summary.value
                ]
                found.append([event.step, values])
            else:
                found.append([event.step, event.WhichOneof("what")])
    return found


def files(directory):
    found = []
    for folder, _, names in os.walk(directory):
        found += [os.path.relpath(os.path.join(folder, name), directory) for name in names if "tfevents" not in name]
    return sorted(re.sub(r"/\d{9,}/", "/TIME/", path) for path in found)


def run(tf, directory):
    x, y = data()
    estimators, inputs = tf.estimator, tf.estimator.inputs.numpy_input_fn
    handler = Lines(directory)
    logger = logging.getLogger("tensorflow")
    logger.addHandler(handler)
    verbosity = tf.logging.get_verbosity()
    tf.logging.set_verbosity(tf.logging.INFO)
    out, graphs = {}, {}
    try:
        config = estimators.RunConfig(tf_random_seed=3, save_summary_steps=2, log_step_count_steps=2)
        first = os.path.join(directory, "first")
        estimator = estimators.Estimator(make_model_fn(tf), first, config, params={"rate": 0.1})
        train = inputs({"x": x}, y, batch_size=8, num_epochs=None, shuffle=False)
        test = inputs({"x": x}, y, batch_size=16, num_epochs=1, shuffle=False)
        asked = inputs({"x": x}, batch_size=16, num_epochs=1, shuffle=False)
        estimator.train(train, steps=6, hooks=[graph_hook(tf, graphs, "train")])
        estimator.train(test, steps=10)
        estimator.train(train, max_steps=3)
        out["evaluate"] = plain(estimator.evaluate(test, hooks=[graph_hook(tf, graphs, "eval")]))
        out["evaluate 2"] = plain(estimator.evaluate(test, steps=2, name="two"))
        out["predict"] = plain(list(estimator.predict(asked, hooks=[graph_hook(tf, graphs, "infer")]))[7])
        batches = list(estimator.predict(asked, predict_keys=["classes"], yield_single_examples=False))
        out["batches"] = [plain(batch) for batch in batches]
        out["variables"] = {name: plain(estimator.get_variable_value(name)) for name in estimator.get_variable_names()}
        parse = estimators.export.build_parsing_serving_input_receiver_fn({"x": tf.FixedLenFeature([5], tf.float32)})
        estimator.export_saved_model(os.path.join(directory, "parsed"), parse)
        with tf.Graph().as_default():
            raw = estimators.export.build_raw_serving_input_receiver_fn(
                {"x": tf.placeholder(tf.float32, [None, 5], name="raw")}
            )
        second = os.path.join(directory, "second")
        config = estimators.RunConfig(tf_random_seed=3, save_checkpoints_steps=5, save_summary_steps=5)
        estimator = estimators.Estimator(
            make_model_fn(tf), second, config, params={"rate": 0.1}, warm_start_from=first
        )
        stop = estimators.experimental.stop_if_lower_hook(
            estimator, "loss", 0.5, run_every_secs=None, run_every_steps=5
        )
        exporters = [estimators.LatestExporter("latest", raw), estimators.FinalExporter("final", raw)]
        metrics, exports = estimators.train_and_evaluate(
            estimator,
            estimators.TrainSpec(train, max_steps=10, hooks=[stop]),
            estimators.EvalSpec(test, steps=None, throttle_secs=0, start_delay_secs=0, exporters=exporters),
        )
        out["train_and_evaluate"] = plain(metrics)
        out["exports"] = [os.path.basename(os.path.dirname(path.decode())) for path in exports]
        out["events"] = {name: events(tf, os.path.join(directory, name)) for name in
                         ("first", "first/eval", "first/eval_two", "second", "second/eval")}
        out["files"] = files(directory)
        with open(os.path.join(first, "checkpoint")) as stream:
            out["checkpoint"] = stream.read()
    finally:
        logger.removeHandler(handler)
        tf.logging.set_verbosity(verbosity)
    out["graphs"] = graphs
    # What a queue holds when a summary is taken is a matter of time, as are lines of the speed.
    out["lines"] = [line for line in handler.lines
                    if not line.startswith(("Using config", "Warm-start", "global_step", "Signatures EXCL", "'classify"))]
    return out


if __name__ == "__main__":
    import tensorflow

    result = run(tensorflow, tempfile.mkdtemp())
    with open(os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), "program_golden.json"), "w") as target:
        json.dump(result, target, sort_keys=True)
