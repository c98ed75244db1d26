"""Writes the golden checkpoints beside this file. Run by hand with TensorFlow 1.15.5: `python make_golden.py`."""

import os
import shutil

import numpy as np
import tensorflow as tf
from golden_tensors import PARTITIONED, PARTS, tensors

HERE = os.path.dirname(os.path.abspath(__file__))


def run(make):
    with tf.Graph().as_default(), tf.Session() as session:
        return session.run(make())


def constants(arrays):
    return [tf.constant(a, tf.string) if a.dtype == object else tf.constant(a) for a in arrays]


def v2(prefix, items, slices=None):
    slices = slices or [""] * len(items)
    run(
        lambda: tf.raw_ops.SaveV2(
            prefix=prefix,
            tensor_names=[n for n, _ in items],
            shape_and_slices=slices,
            tensors=constants([a for _, a in items]),
        )
    )


def main():
    for name in os.listdir(HERE):
        if not name.endswith(".py") and name != "__pycache__":
            path = os.path.join(HERE, name)
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
    os.chdir(HERE)
    every = list(tensors().items())
    v2("v2", every)
    v2(
        "sliced",
        [("part", PARTITIONED[a:b]) for _, a, b in PARTS] + [("whole", np.float32([1, 2]))],
        [s for s, _, _ in PARTS] + [""],
    )
    v2("reversed", [("b", np.int32([1])), ("a", np.int32([2]))])
    run(
        lambda: tf.raw_ops.SaveV2(
            prefix="bfloat16",
            tensor_names=["x"],
            shape_and_slices=[""],
            tensors=[tf.cast(tf.constant([1.0, 2.5, -3.0]), tf.bfloat16)],
        )
    )
    run(
        lambda: tf.raw_ops.SaveV2(
            prefix="quantized",
            tensor_names=["q"],
            shape_and_slices=[""],
            tensors=[tf.bitcast(tf.constant(np.int8([1, -2])), tf.qint8)],
        )
    )
    v2("shard_0", [("b", np.float32([1, 2])), ("part", PARTITIONED[0:2])], ["", PARTS[0][0]])
    v2(
        "shard_1",
        [("a", np.float32([3])), ("part", PARTITIONED[2:4]), ("z", np.array([b"x"], object))],
        ["", PARTS[1][0], ""],
    )
    v2("shard_2", [("part", PARTITIONED[4:5])], [PARTS[2][0]])
    run(
        lambda: tf.raw_ops.MergeV2Checkpoints(
            checkpoint_prefixes=["shard_0", "shard_1", "shard_2"], destination_prefix="merged"
        )
    )
    v1_types = [(n, a) for n, a in every if n not in ("types/float16", "types/uint32", "types/uint64", "no_strings")]
    run(
        lambda: tf.raw_ops.Save(
            filename="v1", tensor_names=[n for n, _ in v1_types], data=constants([a for _, a in v1_types])
        )
    )
    run(
        lambda: tf.raw_ops.SaveSlices(
            filename="v1_sliced",
            tensor_names=["part"] * 3 + ["whole"],
            shapes_and_slices=[s for s, _, _ in PARTS] + [""],
            data=constants([PARTITIONED[a:b] for _, a, b in PARTS] + [np.float32([1, 2])]),
        )
    )
    train_state()
    warm_start()


def train_state():
    os.mkdir("train")
    with tf.Graph().as_default(), tf.Session() as session:
        step = tf.train.get_or_create_global_step()
        with tf.variable_scope("model", partitioner=tf.fixed_size_partitioner(2)):
            tf.get_variable("w", initializer=tf.reshape(tf.range(12, dtype=tf.float32), [6, 2]))
        session.run(tf.global_variables_initializer())
        saver = tf.train.Saver(max_to_keep=2, sharded=True)
        for i in (1, 2, 3):
            session.run(step.assign(i))
            saver.save(session, "train/model.ckpt", global_step=step, write_meta_graph=i == 3)
        tf.train.Saver(max_to_keep=2).save(
            session, "train/plain", write_meta_graph=False, latest_filename="plain_state"
        )


def warm_start():
    os.mkdir("warm")
    rows = np.arange(12, dtype=np.float32).reshape(4, 3) + 1
    v2(
        "warm/model",
        [
            ("old/w", np.float32([[1, 2], [3, 4]])),
            ("old/b", np.float32([5, 6])),
            ("old/deep/w", np.float32([[7, 8], [9, 10]])),
            ("top", np.float32(7)),
            ("count", np.int32([1, 2])),
            ("step", np.int64(9)),
            ("p", rows[:2]),
            ("p", rows[2:]),
            ("words", rows),
            ("out/kernel", rows.T.copy()),
            ("out/bias", np.float32([10, 20, 30, 40])),
        ],
        [""] * 6 + ["4 3 0,2:-", "4 3 2,2:-"] + [""] * 3,
    )
    tf.train.update_checkpoint_state("warm", "warm/model")
    for name, words in (("old.txt", "apple pear plum fig"), ("new.txt", "fig kiwi apple lime plum"), ("none.txt", "")):
        with open("warm/" + name, "w") as file:
            file.write("".join(word + "\n" for word in words.split()))


if __name__ == "__main__":
    main()
