"""Writes the SavedModels of these tests: `python make_saved_models.py` with TensorFlow 1.15, then with TensorFlow 2."""

import os
import shutil
import tempfile

import tensorflow as tf

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "saved_models")


def vocabulary(folder):
    path = os.path.join(folder, "words.txt")
    with open(path, "w") as file:
        file.write("a\nb\n")
    return path


def of_version_1(path, words):
    graph = tf.Graph()
    with graph.as_default(), tf.Session(graph=graph) as session:
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        w = tf.get_variable("w", initializer=[[1.0], [2.0]])
        y = tf.matmul(x, w, name="y")
        asset = tf.constant(words, name="asset")
        first = tf.get_variable("first", [], tf.string, tf.zeros_initializer(), collections=["local_variables"])
        read = tf.assign(first, tf.read_file(asset)).op
        session.run(tf.global_variables_initializer())
        builder = tf.saved_model.Builder(path)
        builder.add_meta_graph_and_variables(
            session, [tf.saved_model.SERVING],
            {"serving_default": tf.saved_model.predict_signature_def({"x": x}, {"y": y})},
            assets_collection=[asset], main_op=read, strip_default_attrs=True,
        )
        builder.save()


def of_version_2(path, words):
    class Model(tf.Module):
        def __init__(self):
            self.w = tf.Variable([[1.0], [2.0]], name="w")
            lines = tf.lookup.TextFileIndex
            initializer = tf.lookup.TextFileInitializer(
                words, tf.string, lines.WHOLE_LINE, tf.int64, lines.LINE_NUMBER
            )
            self.words = tf.lookup.StaticVocabularyTable(initializer, 1)

        @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
        def f(self, x):
            y = tf.matmul(x, self.w)
            y = tf.cond(tf.reduce_sum(y) > 0, lambda: y * 2, lambda: y)
            for _ in tf.range(3):
                y += 1.0
            return {"y": y}

        @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
        def ids(self, x):
            return {"ids": self.words.lookup(x)}

    model = Model()
    tf.saved_model.save(model, path, signatures={"f": model.f, "ids": model.ids})


if __name__ == "__main__":
    number = tf.__version__.partition(".")[0]
    target = os.path.join(HERE, "version_" + number)
    shutil.rmtree(target, ignore_errors=True)
    words = vocabulary(tempfile.mkdtemp())
    (of_version_1 if number == "1" else of_version_2)(target, words)
    os.remove(words)
