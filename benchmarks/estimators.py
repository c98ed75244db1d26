"""Speed of canned estimators: Ossia beside TensorFlow 1.15, by turns.

    python benchmarks/estimators.py [--rounds N] [--steps N] INTERPRETER_WITH_TENSORFLOW

Each measurement is a process of its own: it trains a LinearClassifier or a DNNClassifier on batches of 128, and tells the seconds from `train()`
to the end of the first step, and the steps a second after it. The table shows medians. Runs on Python 3.7.
"""
from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

BATCH = 128
MODELS = ("LinearClassifier", "DNNClassifier")
WARM_UP = 20  # steps that are not timed


def measure(tf, model, steps):
    """Seconds to the first step, and steps a second."""
    fc = tf.feature_column
    random = np.random.RandomState(0)
    rows = 40 * BATCH
    features = {
        "x": random.rand(rows, 20).astype("f"), "word": random.randint(0, 500, (rows, 1)).astype("S"),
        "letter": random.choice(["a", "b", "c"], (rows, 1)).astype("S"),
    }
    labels = (features["x"].sum(1, keepdims=True) > 10).astype("i4")
    number = fc.numeric_column("x", shape=(20,))
    word = fc.categorical_column_with_hash_bucket("word", 1000)
    letter = fc.categorical_column_with_vocabulary_list("letter", ["a", "b", "c"])
    if model == "LinearClassifier":
        estimator = tf.estimator.LinearClassifier([number, word, letter], tempfile.mkdtemp())
    else:
        columns = [number, fc.embedding_column(word, 16), fc.indicator_column(letter)]
        estimator = tf.estimator.DNNClassifier([128, 64], columns, tempfile.mkdtemp())
    return timed(tf, estimator, features, labels, steps)


def timed(tf, estimator, features, labels, steps):
    """Seconds to the first step of training, and steps a second."""
    inputs = tf.estimator.inputs.numpy_input_fn(features, labels, batch_size=BATCH, num_epochs=None, shuffle=True)
    ends = []

    class Clock(tf.train.SessionRunHook):
        def after_run(self, run_context, run_values):
            ends.append(time.perf_counter())

    start = time.perf_counter()
    estimator.train(inputs, steps=steps, hooks=[Clock()])
    return ends[0] - start, (steps - WARM_UP) / (ends[-1] - ends[WARM_UP - 1])


def child(which, model, steps, measure):
    if which == "ossia":
        import ossia as tf
    else:
        import tensorflow as tf
    tf.logging.set_verbosity(tf.logging.ERROR)
    print(json.dumps(measure(tf, model, steps)))


def main_for(path, models, measure):
    """The program of a benchmark at `path`, which is called again for each measurement."""
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2], sys.argv[3], int(sys.argv[4]), measure)
        return
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("tensorflow", help="a Python interpreter with TensorFlow 1.15")
    options = parser.parse_args()
    found = {}
    for _ in range(options.rounds):
        for model in models:
            for which, python in (("ossia", sys.executable), ("tensorflow", options.tensorflow)):
                command = [python, os.path.abspath(path), "--child", which, model, str(options.steps)]
                done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
                found.setdefault((model, which), []).append(json.loads(done.stdout.decode().splitlines()[-1]))
    print("| model | | Ossia | TensorFlow 1.15 | ratio |\n|---|---|---|---|---|")
    for model in models:
        ours, theirs = ([statistics.median(c) for c in zip(*found[model, w])] for w in ("ossia", "tensorflow"))
        print(f"| {model} | first step, s | {ours[0]:.2f} | {theirs[0]:.2f} | {theirs[0] / ours[0]:.1f} |")
        print(f"| {model} | steps a second | {ours[1]:.0f} | {theirs[1]:.0f} | {ours[1] / theirs[1]:.1f} |")


if __name__ == "__main__":
    main_for(__file__, MODELS, measure)
