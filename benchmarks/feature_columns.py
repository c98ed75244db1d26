"""Speed of estimators over many feature columns: Ossia beside TensorFlow 1.15, by turns.

    python benchmarks/feature_columns.py [--rounds N] [--steps N] INTERPRETER_WITH_TENSORFLOW

Each measurement is a process of its own: it trains a linear or a deep model on batches of 128 with 100 columns (numbers, buckets, vocabularies, hashed
words, crosses), and tells the seconds from `train()` to the end of the first step, and the steps a second after it. The table shows medians. Runs
on Python 3.7.
"""
from __future__ import annotations

import tempfile

import numpy as np
from estimators import BATCH, main_for, timed

OF_EACH_KIND = 20
MODELS = ("linear", "deep")


def features_and_labels():
    """Features by name, and labels."""
    random = np.random.RandomState(0)
    rows = 40 * BATCH
    features = {}
    for i in range(OF_EACH_KIND):
        features["number%d" % i] = random.randn(rows, 1).astype("f")
        features["code%d" % i] = random.randint(0, 300, (rows, 1)).astype("S")
        features["letter%d" % i] = random.choice(list("abcde"), (rows, 1)).astype("S")
    return features, (features["number0"] + features["number1"] > 0).astype("i4")


def columns(fc, deep):
    """A hundred columns, dense ones for a deep model."""
    found = []
    for i in range(OF_EACH_KIND):
        number = fc.numeric_column("number%d" % i)
        buckets = fc.bucketized_column(number, [-1.0, 0.0, 1.0])
        code = fc.categorical_column_with_hash_bucket("code%d" % i, 1000)
        letter = fc.categorical_column_with_vocabulary_list("letter%d" % i, list("abcde"))
        crossed = fc.crossed_column([buckets, "letter%d" % i], 50)
        if deep:
            code, crossed, letter = fc.embedding_column(code, 8), fc.embedding_column(crossed, 4), fc.indicator_column(letter)
        found += [number, buckets, code, letter, crossed]
    return found


def measure(tf, model, steps):
    """Seconds to the first step, and steps a second."""
    chosen = columns(tf.feature_column, model == "deep")
    if model == "deep":
        estimator = tf.estimator.DNNClassifier([128, 64], chosen, tempfile.mkdtemp())
    else:
        estimator = tf.estimator.LinearClassifier(chosen, tempfile.mkdtemp())
    return timed(tf, estimator, *features_and_labels(), steps)


if __name__ == "__main__":
    main_for(__file__, MODELS, measure)
