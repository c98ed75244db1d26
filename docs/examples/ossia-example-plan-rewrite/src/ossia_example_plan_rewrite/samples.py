"""What the test kit tries."""

import numpy as np

import ossia as tf

HIDDEN = np.array([1e8, 1.0, -1e8, 0.5], np.float32)  # in single precision, the small numbers vanish


def build():
    """A sum and a mean; each is read by another node."""
    values = tf.placeholder_with_default(HIDDEN, [4])
    return [tf.negative(tf.reduce_sum(values)), tf.identity(tf.reduce_mean(values)) * 2.0]


def kept():
    """A sum that is fetched: it keeps its dtype."""
    return tf.reduce_sum(tf.placeholder_with_default(HIDDEN, [4]))


EXACT_SUMS = {
    "hidden": {"build": build, "values": [np.float32(-1.5), np.float32(0.75)], "made": ["Cast"]},
    "kept": {"build": kept},
}
