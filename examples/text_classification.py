"""Tell which package of Python's library a sentence of its documentation is from: words as embeddings, a deep network.

Written for TensorFlow 1. The sentences are the docstrings of the Python that runs it, so there is nothing to download:

    python text_classification.py --model_dir=text_model --steps=600
"""
import ast
import os
import re

import numpy as np
import tensorflow as tf

flags = tf.app.flags
flags.DEFINE_string("model_dir", "text_model", "where checkpoints, summaries and the exported model go")
flags.DEFINE_integer("steps", 600, "train until this global step")
flags.DEFINE_integer("batch_size", 64, "sentences per step")
FLAGS = flags.FLAGS

PACKAGES = ["asyncio", "email", "multiprocessing", "unittest", "xml"]
MOST_WORDS = 30
VOCABULARY = 2000


def docstrings(package):
    """The docstrings of a package, read from its source."""
    folder = os.path.join(os.path.dirname(os.__file__), package)
    for base, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if not name.endswith(".py") or "test" in base[len(folder):]:
                continue
            with open(os.path.join(base, name), encoding="utf-8") as stream:
                tree = ast.parse(stream.read())
            for node in ast.walk(tree):
                if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
                    yield ast.get_docstring(node) or ""


def load_sentences():
    """Words of sentences, a row for each, padded with empty words, and their labels: a fifth is to test with."""
    rows, labels = [], []
    for label, package in enumerate(PACKAGES):
        for text in docstrings(package):
            for sentence in re.split(r"[.:]\s|\n\n", text):
                words = re.findall(r"[a-z]{2,}", sentence.lower())[:MOST_WORDS]
                if len(words) >= 4:
                    rows.append(words + [""] * (MOST_WORDS - len(words)))
                    labels.append(label)
    words, labels = np.array(rows, dtype="S"), np.array(labels)
    order = np.random.RandomState(0).permutation(len(labels))
    words, labels = words[order], labels[order]
    split = len(labels) * 4 // 5
    return (words[:split], labels[:split]), (words[split:], labels[split:])


def main(_):
    train, test = load_sentences()
    found, counts = np.unique(train[0][train[0] != b""], return_counts=True)
    vocabulary = [word.decode() for word in found[np.argsort(-counts, kind="stable")][:VOCABULARY]]
    words = tf.feature_column.categorical_column_with_vocabulary_list("words", vocabulary, num_oov_buckets=1)
    embedding = tf.feature_column.embedding_column(words, 16, combiner="mean")

    def inputs(data, epochs, shuffle):
        return tf.estimator.inputs.numpy_input_fn(
            {"words": data[0]}, data[1], batch_size=FLAGS.batch_size, num_epochs=epochs, shuffle=shuffle
        )

    config = tf.estimator.RunConfig(FLAGS.model_dir, tf_random_seed=1, save_checkpoints_steps=300)
    classifier = tf.estimator.DNNClassifier([32], [embedding], n_classes=len(PACKAGES), optimizer="Adam", config=config)
    spec = tf.feature_column.make_parse_example_spec([embedding])
    exporter = tf.estimator.FinalExporter(
        "words", tf.estimator.export.build_parsing_serving_input_receiver_fn(spec)
    )
    tf.estimator.train_and_evaluate(
        classifier,
        tf.estimator.TrainSpec(inputs(train, None, True), max_steps=FLAGS.steps),
        tf.estimator.EvalSpec(inputs(test, 1, False), steps=None, exporters=[exporter], throttle_secs=0),
    )
    metrics = classifier.evaluate(inputs(test, 1, False))
    common = np.bincount(test[1]).max() / float(len(test[1]))
    print("%d sentences to train on, %d to test with" % (len(train[1]), len(test[1])))
    print("accuracy %.3f; the commonest package has %.3f" % (metrics["accuracy"], common))


if __name__ == "__main__":
    tf.app.run()
