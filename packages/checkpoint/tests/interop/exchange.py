"""Checkpoints travel both ways between Ossia and TensorFlow 1.15.

Run by hand, with a Python that has Ossia and the path of one that has TensorFlow:

    python packages/checkpoint/tests/interop/exchange.py --tensorflow /path/to/python3.7

Each side writes checkpoints of both formats, plain, partitioned and sharded, with meta graphs; the other one reads
every tensor, restores the variables in a session, and goes on from the meta graph. The same program, `side`, runs on
both.
"""

import argparse
import os
import subprocess
import sys
import tempfile

SAVERS = [
    ("v2", {}),
    ("sharded", {"sharded": True}),
    ("v1", {"write_version": 1}),
    ("v1_sharded", {"write_version": 1, "sharded": True}),
]


def expected(np):
    made = {
        "v": np.float32([1.5, -2]),
        "step": np.int64(7),
        "text": np.array([b"a", b"", b"\x00\xff"], object),
        "flag": np.array([True, False]),
    }
    made["m/w"] = np.arange(20, dtype=np.float32).reshape(5, 4)
    made["r"] = np.arange(6.0).reshape(2, 3)
    made["c"] = np.array([1 + 2j], np.complex64)
    return made


def model(tf, np, zero=False):
    values = expected(np)

    def initial(name):
        value = values[name]
        return (np.full(value.shape, b"", object) if value.dtype == object else np.zeros_like(value)) if zero else value

    for name in ("v", "text", "flag", "c"):
        tf.Variable(tf.constant(initial(name), tf.string if values[name].dtype == object else None), name=name)
    tf.Variable(tf.constant(initial("step"), tf.int64), name="step", trainable=False)
    tf.get_variable("r", initializer=tf.constant(initial("r")), use_resource=True)
    start = [0]

    def part(shape, **_):
        rows = initial("m/w")[start[0] : start[0] + shape[0]]
        start[0] += shape[0]
        return tf.constant(rows)

    with tf.variable_scope("m", partitioner=tf.fixed_size_partitioner(2)):
        tf.get_variable("w", shape=[5, 4], initializer=part)
    tf.add_to_collection("doubled", tf.add(tf.global_variables()[0], tf.global_variables()[0], name="doubled"))


def write(tf, np, folder):
    for name, options in SAVERS:
        with tf.Graph().as_default(), tf.Session() as session:
            model(tf, np)
            session.run(tf.global_variables_initializer())
            os.mkdir(folder + "/" + name)
            tf.train.Saver(**options).save(session, folder + "/" + name + "/m", global_step=3)


def read(tf, np, folder):
    values = expected(np)
    for name, options in SAVERS:
        directory = folder + "/" + name
        prefix = tf.train.latest_checkpoint(directory)
        pattern = prefix if prefix is not None else directory + "/m-3-?????-of-?????"
        reader = tf.train.NewCheckpointReader(pattern)
        assert set(reader.get_variable_to_shape_map()) == set(values), name
        for key, value in values.items():
            try:
                found = reader.get_tensor(key)
            except tf.errors.UnimplementedError:  # TensorFlow's reader does not give all types of format V1
                continue
            assert np.array_equal(found, value), (name, key)
        with tf.Graph().as_default(), tf.Session() as session:
            model(tf, np, zero=True)
            tf.train.Saver(**options).restore(session, pattern)
            compare(session, tf, np, values)
        with tf.Graph().as_default(), tf.Session() as session:
            tf.train.import_meta_graph(directory + "/m-3.meta").restore(session, pattern)
            compare(session, tf, np, values)
            assert np.array_equal(session.run(tf.get_collection("doubled")[0]), values["v"] * 2)
        print("read", name)


def compare(session, tf, np, values):
    for variable in tf.global_variables():
        value = session.run(variable)
        name = variable.name.split(":")[0]
        wanted = (
            values[name] if name in values else values["m/w"][slice(0, 3) if name.endswith("part_0") else slice(3, 5)]
        )
        assert np.array_equal(value, wanted), name


def side(action, folder):
    import numpy as np

    try:
        import ossia as tf
    except ImportError:
        import tensorflow as tf

        tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR)
    (write if action == "write" else read)(tf, np, folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tensorflow", help="a Python with TensorFlow 1.15")
    parser.add_argument("side", nargs="*", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.side:
        return side(*arguments.side)
    pythons = {"Ossia": sys.executable, "TensorFlow": arguments.tensorflow}
    for writer, reader in (("Ossia", "TensorFlow"), ("TensorFlow", "Ossia"), ("Ossia", "Ossia")):
        with tempfile.TemporaryDirectory() as folder:
            for action, who in (("write", writer), ("read", reader)):
                subprocess.run(
                    [pythons[who], "-W", "ignore", os.path.abspath(__file__), action, folder],
                    check=True,
                    env=dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3"),
                )
        print(reader, "reads what", writer, "writes")


if __name__ == "__main__":
    main()
