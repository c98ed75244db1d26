"""Pipelines whose positions are compared with those of TensorFlow 1.15: `python position_cases.py` with it records them."""
import json
import os
import sys
import tempfile
import zipfile

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
TAKEN = (0, 1, 3, 25)
AFTER = 12


def datasets(tf):
    """Functions that make datasets, by name."""
    D, e = tf.data.Dataset, tf.data.experimental
    ten = D.range(10)
    return {
        "range": lambda: ten,
        "tensors": lambda: D.from_tensors((1, 2.0)),
        "slices": lambda: D.from_tensor_slices([1, 2, 3, 4]),
        "map": lambda: ten.map(lambda x: x + 1),
        "parallel_map": lambda: ten.map(lambda x: x + 1, num_parallel_calls=2),
        "take_skip": lambda: ten.skip(2).take(5),
        "repeat": lambda: ten.repeat(2),
        "forever": lambda: ten.repeat(),
        "shuffle": lambda: ten.shuffle(3, seed=1).batch(2),
        "shuffle_repeat": lambda: ten.shuffle(3, seed=1).repeat(2),
        "shuffle_once": lambda: ten.shuffle(3, seed=1, reshuffle_each_iteration=False),
        "padded": lambda: ten.padded_batch(2, []),
        "zip_concatenate": lambda: D.zip((ten, ten.concatenate(D.range(3)))),
        "shard": lambda: ten.shard(3, 1),
        "prefetch": lambda: ten.batch(2).prefetch(2),
        "filter": lambda: ten.filter(lambda x: x > 3),
        "flat_map": lambda: ten.flat_map(lambda x: D.range(3)),
        "interleave": lambda: ten.interleave(lambda x: D.range(3), 2, 1),
        "scan": lambda: ten.apply(e.scan(np.int64(0), lambda s, x: (s + x, s))),
    }


def plain(value):
    """A fetched value as JSON has it."""
    if isinstance(value, (tuple, list)):
        return [plain(part) for part in value]
    return value.tolist() if hasattr(value, "tolist") else value


def elements(tf, make, prefix, taken=None):
    """The next elements after `taken`, when the position is saved; or after the position was restored if that is None."""
    with tf.Graph().as_default():
        iterator = tf.data.make_initializable_iterator(make(tf))
        following = iterator.get_next()
        saver = tf.train.Saver([tf.data.experimental.make_saveable_from_iterator(iterator)])
        found = []
        with tf.Session() as session:
            session.run(iterator.initializer)
            if taken is None:
                saver.restore(session, prefix)
            else:
                for _ in range(taken):
                    try:
                        session.run(following)
                    except tf.errors.OutOfRangeError:
                        break
                saver.save(session, prefix, write_meta_graph=False, write_state=False)
            for _ in range(AFTER):
                try:
                    found.append(plain(session.run(following)))
                except tf.errors.OutOfRangeError:
                    found.append("the end")
                    break
        return found


def main():
    import tensorflow as tf

    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in datasets(tf):
            for taken in TAKEN:
                case = "%s_%d" % (name, taken)
                prefix = os.path.join(folder, case)
                found[case] = elements(tf, lambda tf, name=name: datasets(tf)[name](), prefix, taken)
        with zipfile.ZipFile(os.path.join(HERE, "positions.zip"), "w", zipfile.ZIP_DEFLATED) as packed:
            for name in sorted(os.listdir(folder)):
                packed.write(os.path.join(folder, name), name)
    with open(os.path.join(HERE, "positions.json"), "w") as file:
        file.write("{\n" + ",\n".join("%s: %s" % (json.dumps(k), json.dumps(v)) for k, v in found.items()) + "\n}\n")


if __name__ == "__main__":
    sys.exit(main())
