"""Input pipelines, elements and batches a second: `python benchmarks/data.py [PYTHON ...]`.

Each interpreter given has a TensorFlow (1.15, or 2.x by its `compat.v1` names); they and Ossia take turns in one run.
"""
from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time

SECONDS = 0.6  # a case and a turn
TURNS = 3


def files(tf, folder):
    """The files that the cases read."""
    import numpy as np
    os.chdir(folder)
    random = np.random.RandomState(1)
    feature, features, example = tf.train.Feature, tf.train.Features, tf.train.Example
    with tf.io.TFRecordWriter("examples.rec") as writer:
        for i in range(20000):
            writer.write(example(features=features(feature={
                "x": feature(float_list=tf.train.FloatList(value=random.rand(8))),
                "y": feature(int64_list=tf.train.Int64List(value=[i])),
            })).SerializeToString())
    with open("table.csv", "w") as file:
        for row in random.rand(20000, 20):
            file.write(",".join(f"{value:.5f}" for value in row) + "\n")
    with open("text.txt", "w") as file:
        for _ in range(20000):
            file.write(" ".join(f"w{n}" for n in random.randint(0, 5000, random.randint(3, 20))) + "\n")


def cases(tf):
    """Functions that make datasets, by name, each with the number of elements in one of its elements."""
    import numpy as np
    D, e = tf.data.Dataset, tf.data.experimental
    array = np.random.RandomState(2).rand(50000, 16).astype(np.float32)
    spec = {"x": tf.io.FixedLenFeature([8], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}

    def ten(x):
        for _ in range(5):
            x = tf.nn.relu(x * 1.5 - 0.5)
        return x

    def ids(line):
        return tf.strings.to_hash_bucket_fast(tf.strings.split([line]).values, 1000)

    def numbers():
        yield from range(10**9)

    return {
        "empty pipeline": (lambda: D.from_tensors(0).repeat(), 1),
        "records, parsed alone, 32": (lambda: tf.data.TFRecordDataset("examples.rec").repeat().map(
            lambda r: tf.io.parse_single_example(r, spec)).batch(32), 32),
        "records, parsed together, 1024": (lambda: tf.data.TFRecordDataset("examples.rec").repeat().batch(1024).map(
            lambda r: tf.io.parse_example(r, spec)), 1024),
        "table of 20 columns, 32": (lambda: e.CsvDataset("table.csv", [0.0] * 20).repeat().batch(32), 32),
        "slices, shuffled, 128": (lambda: D.from_tensor_slices(array).shuffle(10000).repeat().batch(128), 128),
        "generator": (lambda: D.from_generator(numbers, tf.int64, []), 1),
        "lines to ids, padded, 32": (lambda: tf.data.TextLineDataset("text.txt").repeat().map(ids).padded_batch(
            32, [None]), 32),
        "ten elementwise, 32": (lambda: D.from_tensor_slices(array).repeat().map(ten).batch(32), 32),
        "ten elementwise, prefetched, 32": (lambda: D.from_tensor_slices(array).repeat().map(
            ten, num_parallel_calls=2).batch(32).prefetch(2), 32),
    }


def measure(tf, folder, only):
    """Microseconds an element of each case."""
    os.chdir(folder)
    found = {}
    for name, (make, size) in cases(tf).items():
        if only and not any(word in name for word in only):
            continue
        with tf.Graph().as_default():
            iterator = tf.data.make_initializable_iterator(make())
            following = iterator.get_next()
            with tf.Session() as session:
                session.run(iterator.initializer)
                run = session.make_callable(following)
                for _ in range(5):
                    run()
                count, begin = 0, time.perf_counter()
                while time.perf_counter() - begin < SECONDS:
                    run()
                    count += 1
                found[name] = (time.perf_counter() - begin) / count / size * 1e6
    return found


def worker(folder, only):
    try:
        import ossia as tf
    except ImportError:
        import tensorflow.compat.v1 as tf
        tf.disable_eager_execution()
        tf.logging.set_verbosity("ERROR")
    if not os.path.exists(os.path.join(folder, "text.txt")):
        files(tf, folder)
    print(json.dumps(measure(tf, folder, only)))


def main():
    arguments = sys.argv[1:]
    pythons = [argument for argument in arguments if os.path.exists(argument)]
    only = [argument for argument in arguments if argument not in pythons]
    best = {}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(TURNS):
            for python in [sys.executable, *pythons]:
                environment = dict(os.environ)
                if python != sys.executable:
                    environment.pop("PYTHONPATH", None)
                output = subprocess.run(
                    [python, os.path.abspath(__file__), "--worker", folder, *only], env=environment, check=True,
                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                ).stdout
                for name, value in json.loads(output.decode().splitlines()[-1]).items():
                    of_name = best.setdefault(name, {})
                    of_name[python] = min(value, of_name.get(python, value))
    for name, values in best.items():
        print(f"{name:34}" + "  ".join(f"{values[python]:9.2f} us" for python in [sys.executable, *pythons]))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        worker(sys.argv[2], sys.argv[3:])
    else:
        main()
