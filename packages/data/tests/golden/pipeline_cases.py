"""Datasets whose elements are compared with those of TensorFlow 1.15: `python pipeline_cases.py` with it records them."""
import json
import os
import sqlite3
import sys
import tempfile

import numpy as np

STEPS = 40


def files(tf, folder):
    """The files that the cases read."""
    for name, data in {"a.txt": b"one\ntwo\r\n\nfour", "b.txt": b"five\n", "c.bin": b"hh" + bytes(range(12)) + b"f"}.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)
    features = tf.train
    with open(os.path.join(folder, "e.csv"), "w") as file:
        file.write('a,b,c\n1,2.5,x\n3,,"y, ""z\n z"\n-4,1e3,\n')
    with open(os.path.join(folder, "f.csv"), "w") as file:
        file.write("1,2\n3\n\n5,6\n7,eight\n")
    with sqlite3.connect(os.path.join(folder, "g.db")) as database:
        database.execute("CREATE TABLE people (name TEXT, age INTEGER, height REAL)")
        database.executemany("INSERT INTO people VALUES (?, ?, ?)", [("Ann", 30, 1.7), ("Bob", 300, 1.8), (None, 5, 0.9)])
    with tf.python_io.TFRecordWriter(os.path.join(folder, "d.rec")) as writer:
        for i in range(7):
            ints = features.Feature(int64_list=features.Int64List(value=[i]))
            floats = features.Feature(float_list=features.FloatList(value=[i, i + 0.5]))
            several = features.Feature(int64_list=features.Int64List(value=list(range(i))))
            example = features.Example(features=features.Features(feature={"x": floats, "y": ints, "v": several}))
            writer.write(example.SerializeToString())


def datasets(tf, folder):
    """Functions that make datasets, by name."""
    D, e = tf.data.Dataset, tf.data.experimental
    tens = np.arange(10)
    text = [os.path.join(folder, name) for name in ("a.txt", "b.txt")]
    rows = os.path.join(folder, "e.csv")
    features = {
        "x": tf.FixedLenFeature([2], tf.float32), "y": tf.FixedLenFeature([], tf.int64), "v": tf.VarLenFeature(tf.int64),
    }
    fixed, record = (os.path.join(folder, name) for name in ("c.bin", "d.rec"))

    def lengths(count):
        return D.range(count).map(lambda x: tf.fill([tf.cast(x, tf.int32)], x))

    def nested(x):
        return D.range(x).map(lambda y: y * 10 + x)

    def reciprocal(x):
        return tf.check_numerics(1.0 / tf.cast(x - 2, tf.float32), "no number")

    def parsed(r):
        found = tf.parse_single_example(r, {"x": tf.FixedLenFeature([2], tf.float32), "y": tf.FixedLenFeature([], tf.int64)})
        return found["x"], found["y"]

    def sparse(r):
        return tf.parse_single_example(r, {"v": tf.VarLenFeature(tf.int64), "y": tf.FixedLenFeature([], tf.int64)})

    def pairs():
        for i in range(3):
            yield i, [i] * i

    def variable():
        number = tf.get_variable("number", initializer=3, use_resource=True)
        return D.from_tensor_slices([1, 2]).map(lambda x: x + number)

    def table():
        words = tf.lookup.StaticHashTable(
            tf.lookup.KeyValueTensorInitializer(["a", "b"], tf.constant([0, 1], tf.int64)), -1
        )
        return D.from_tensor_slices(["b", "a", "c"]).map(words.lookup)

    return {
        "slices": lambda: D.from_tensor_slices(tens),
        "structure": lambda: D.from_tensor_slices((tens, {"a": tens * 2.0})).map(
            lambda x, d: {"s": x + 1, "t": d["a"]}).batch(4),
        "tensors": lambda: D.from_tensors((tens, "x")).repeat(2),
        "sparse slices": lambda: D.from_tensor_slices(tf.SparseTensor([[0, 0], [1, 2]], [1, 2], [2, 3])),
        "shuffle": lambda: D.range(10).shuffle(4, seed=3),
        "shuffle repeat": lambda: D.range(6).shuffle(4, seed=3).repeat(3),
        "repeat shuffle": lambda: D.range(6).repeat(3).shuffle(100, seed=3),
        "one order": lambda: D.range(6).shuffle(4, seed=3, reshuffle_each_iteration=False).repeat(3),
        "shuffle batch repeat": lambda: D.range(6).shuffle(4, seed=3).batch(2).repeat(3),
        "shuffle twice": lambda: D.range(6).shuffle(4, seed=3).map(lambda x: x * 2).repeat(2).shuffle(3, seed=9),
        "graph seed": lambda: (tf.set_random_seed(7), D.range(6).shuffle(4).repeat(2))[1],
        "filter": lambda: D.range(10).filter(lambda x: tf.equal(x % 3, 0)).enumerate(),
        "flat_map": lambda: D.range(4).flat_map(D.range),
        "interleave": lambda: D.range(5).interleave(nested, 3, 2),
        "parallel interleave": lambda: D.range(5).interleave(nested, 3, 2, 2),
        "padded": lambda: D.range(5).map(lambda x: (tf.fill([tf.cast(x, tf.int32)], x), tf.as_string(x))).padded_batch(
            2, ([None], [])),
        "padded more": lambda: lengths(5).padded_batch(2, [6], tf.constant(-1, tf.int64), drop_remainder=True),
        "padded too small": lambda: lengths(5).padded_batch(2, [2]),
        "zip": lambda: D.zip((D.range(3), {"q": D.range(5)})).concatenate(D.zip((D.range(1), {"q": D.range(1)}))),
        "skip": lambda: D.range(10).skip(3).take(4).shard(2, 1).prefetch(1).cache().repeat(2),
        "generator": lambda: D.from_generator(pairs, (tf.int32, tf.float32), ([], [None])).repeat(2),
        "generator of strings": lambda: D.from_generator(lambda: iter([b"a", b"bc"]), tf.string),
        "generator of args": lambda: D.from_generator(range, tf.int64, [], args=(tf.constant(3),)).batch(2),
        "window": lambda: D.range(10).window(3, 2).flat_map(lambda w: w.batch(3)),
        "window apart": lambda: D.range(10).window(3, 1, 2, True).flat_map(lambda w: w.batch(3)),
        "unbatch": lambda: D.from_tensor_slices(tens.reshape(5, 2)).apply(e.unbatch()),
        "drop": lambda: D.range(7).batch(3, drop_remainder=True),
        "unlike": lambda: lengths(3).batch(2),
        "failing": lambda: D.range(4).map(reciprocal),
        "random": lambda: D.range(3).map(lambda x: tf.random_uniform([], seed=4)).repeat(2),
        "lines": lambda: tf.data.TextLineDataset(text).map(tf.identity),
        "lines of files": lambda: D.from_tensor_slices(text).interleave(tf.data.TextLineDataset, 2).skip(1),
        "fixed": lambda: tf.data.FixedLengthRecordDataset(fixed, 4, 2, 1).map(lambda r: tf.decode_raw(r, tf.uint8)),
        "fixed, not whole": lambda: tf.data.FixedLengthRecordDataset(fixed, 5, 2, 1).map(tf.identity),
        "records": lambda: tf.data.TFRecordDataset(record).map(parsed, 4).shuffle(3, seed=1).repeat(2).batch(4).prefetch(2),
        "sparse records": lambda: tf.data.TFRecordDataset([record]).map(sparse).batch(3),
        "dense records": lambda: tf.data.TFRecordDataset([record]).map(sparse).map(lambda d: tf.sparse.to_dense(d["v"])),
        "records parsed in batches": lambda: tf.data.TFRecordDataset([record]).batch(3).map(
            lambda r: tf.parse_example(r, {"y": tf.FixedLenFeature([], tf.int64)})),
        "table": table,
        "variable": variable,
        "py_func": lambda: D.range(3).map(lambda x: tf.py_func(lambda v: v * 2, [x], tf.int64)),
        "empty": lambda: D.range(0).repeat(),
        "cond": lambda: D.range(4).map(lambda x: tf.cond(x > 1, lambda: x * 2, lambda: x - 1)),
        "while": lambda: D.range(3).map(lambda x: tf.while_loop(lambda i: i < 5, lambda i: i + x + 1, [x])),
        "map_and_batch": lambda: D.range(10).apply(e.map_and_batch(lambda x: {"a": x * 2}, 4, drop_remainder=True)),
        "shuffle_and_repeat": lambda: D.range(5).apply(e.shuffle_and_repeat(3, 2, seed=1)),
        "parallel_interleave": lambda: D.range(6).apply(e.parallel_interleave(nested, 3)),
        "parallel_interleave blocks": lambda: D.range(6).apply(e.parallel_interleave(nested, 2, 2)),
        "buckets": lambda: lengths(10).apply(
            e.bucket_by_sequence_length(lambda v: tf.shape(v)[0], [3, 6], [2, 2, 3])),
        "bounded buckets": lambda: lengths(6).apply(e.bucket_by_sequence_length(
            lambda v: tf.shape(v)[0], [3, 6], [2, 2, 3], padded_shapes=[None], pad_to_bucket_boundary=True)),
        "unique": lambda: D.from_tensor_slices(["a", "b", "a"]).apply(e.unique()),
        "ignore_errors": lambda: D.range(4).map(reciprocal).apply(e.ignore_errors()),
        "Counter": lambda: e.Counter(3, 2).take(4),
        "sample": lambda: e.sample_from_datasets([D.range(10), D.range(100, 105)], seed=3),
        "sample weighted": lambda: e.sample_from_datasets([D.range(10), D.range(100, 120)], weights=[0.2, 0.8], seed=3),
        "choose": lambda: e.choose_from_datasets(
            [D.range(10), D.range(100, 105)], D.from_tensor_slices(np.array([0, 1, 1, 0], np.int64))),
        "group_by_window": lambda: D.range(10).apply(
            e.group_by_window(lambda x: x % 3, lambda key, d: d.batch(4), window_size=4)),
        "scan": lambda: D.range(10).apply(e.scan(np.int64(0), lambda s, x: (s + x, s * 2))),
        "take_while": lambda: D.range(10).apply(e.take_while(lambda x: x < 3)),
        "RandomDataset": lambda: e.RandomDataset(seed=4).take(3),
        "csv": lambda: e.CsvDataset(rows, [tf.int32, 7.0, "none"], header=True),
        "csv of columns": lambda: e.CsvDataset([rows, rows], [tf.string], header=True, select_cols=[2]),
        "csv with faults": lambda: e.CsvDataset(os.path.join(folder, "f.csv"), [0, 0]),
        "make_csv": lambda: e.make_csv_dataset(
            rows, 2, label_name="c", num_epochs=1, shuffle=False, column_defaults=[0, 0.5, "d"]),
        "make_csv shuffled": lambda: e.make_csv_dataset(rows, 2, num_epochs=2, shuffle_seed=4),
        "sql": lambda: e.SqlDataset(
            "sqlite", os.path.join(folder, "g.db"), "SELECT * FROM people ORDER BY age",
            (tf.string, tf.int32, tf.float64)),
        "sql narrow": lambda: e.SqlDataset(
            "sqlite", os.path.join(folder, "g.db"), "SELECT age, height, age FROM people", (tf.int8, tf.string, tf.bool)),
        "features": lambda: e.make_batched_features_dataset(record, 3, features, num_epochs=2, shuffle_seed=3),
        "features labelled": lambda: e.make_batched_features_dataset(
            record, 3, features, label_key="y", num_epochs=1, shuffle=False, drop_final_batch=True),
        "parse_example_dataset": lambda: tf.data.TFRecordDataset(record).batch(4).apply(
            e.parse_example_dataset(features, 2)),
        "group_by_reducer": lambda: D.range(7).apply(e.group_by_reducer(lambda x: x % 3, e.Reducer(
            lambda key: np.int64(0), lambda s, x: s + x, lambda s: (s, s * 2)))),
        "group_by_reducer growing": lambda: D.range(5).apply(e.group_by_reducer(lambda x: x % 2, e.Reducer(
            lambda key: tf.constant([0], tf.int64), lambda s, x: tf.concat([s, [x]], 0), lambda s: s))),
        "scan growing": lambda: D.range(3).apply(e.scan([0], lambda s, x: (tf.concat([s, s], 0), s))),
        "rejection_resample": lambda: D.range(40).apply(e.rejection_resample(
            lambda x: tf.cast(x % 2, tf.int32), [0.5, 0.5], [0.5, 0.5], seed=3)),
        "dense_to_sparse_batch": lambda: lengths(5).apply(e.dense_to_sparse_batch(2, [6])),
        "dense_to_sparse_batch open": lambda: lengths(5).apply(e.dense_to_sparse_batch(2, [None])),
        "dense_to_sparse_batch small": lambda: lengths(5).apply(e.dense_to_sparse_batch(2, [2])),
        "sample weights": lambda: e.sample_from_datasets(
            [D.range(10), D.range(100, 120)], weights=D.from_tensor_slices([[0.2, 0.8], [1.0, 0.0]]).repeat(), seed=3),
        "slices of a sparse tensor": lambda: D.from_sparse_tensor_slices(
            tf.SparseTensor([[0, 0], [0, 2], [2, 1]], [1, 2, 3], [4, 3])),
        "sparse unbatch": lambda: D.from_tensors(tf.SparseTensor([[0, 0], [1, 2]], [1, 2], [2, 3])).apply(e.unbatch()),
        "ragged": lambda: D.from_tensors(tf.ragged.constant([[1], [2, 3], []])).map(lambda r: (r * 2).to_tensor()),
        "window shift": lambda: D.range(7).window(3, 1, 2).flat_map(lambda w: w.batch(3)),
        "window pairs": lambda: D.zip((D.range(6), D.range(6))).window(2, drop_remainder=True).flat_map(
            lambda a, b: D.zip((a.batch(2), b.batch(2)))),
        "map then batch": lambda: D.from_tensor_slices(np.arange(10.0)).map(lambda x: tf.exp(x) * 2 - x).batch(3),
        "map then batch of pairs": lambda: D.from_tensor_slices((np.ones([4, 2]), np.arange(4.0))).map(
            lambda a, b: (a + b, tf.cast(b, tf.int32))).batch(3),
        "division in a batch": lambda: D.range(-2, 4).map(lambda x: 6 // x).batch(2),
        "failures in a batch": lambda: D.range(6).map(lambda x: tf.reduce_sum(6 // (x - [2, 3]))).batch(2),
        "two options": lambda: D.range(3).with_options(tf.data.Options()).prefetch(e.AUTOTUNE),
        "sliding": lambda: D.range(9).apply(tf.contrib.data.sliding_window_batch(3, 2)),
        "cached file": lambda: D.range(4).map(lambda x: (x, tf.as_string(x))).cache(os.path.join(folder, "h")).repeat(2),
        "enumerate_dataset": lambda: D.range(3, 5).apply(e.enumerate_dataset(5)),
    }


def plain(value):
    """A fetched value as JSON has it."""
    if isinstance(value, dict):
        return {key: plain(value[key]) for key in sorted(value)}
    if isinstance(value, (tuple, list)):
        return [plain(part) for part in value]
    if isinstance(value, bytes):
        return value.decode()
    return plain(value.tolist()) if isinstance(value, (np.ndarray, np.generic)) else value


def outcome(tf, make):
    """What a dataset is, and its elements in two passes; errors by their classes."""
    with tf.Graph().as_default():
        dataset = make()
        iterator = tf.data.make_initializable_iterator(dataset)
        following = iterator.get_next()
        found = []
        with tf.Session() as session:
            session.run([tf.tables_initializer(), tf.global_variables_initializer()])
            for _ in range(2):
                session.run(iterator.initializer)
                for _ in range(STEPS):
                    try:
                        found.append(plain(session.run(following)))
                    except tf.errors.OutOfRangeError:
                        found.append("the end")
                        break
                    except tf.errors.OpError as error:
                        found.append(type(error).__name__)
        return [repr(dataset), found]


def main():
    import tensorflow as tf

    with tempfile.TemporaryDirectory() as folder:
        files(tf, folder)
        found = {name: outcome(tf, make) for name, make in datasets(tf, folder).items()}
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "pipelines.json"), "w") as file:
        file.write("{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in found.items()) + "\n}\n")


if __name__ == "__main__":
    sys.exit(main())
