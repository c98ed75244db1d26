"""The spread of values: the least, the mean and the most, one curve each."""

import re

import ossia as tf

STATISTICS = {"least": tf.reduce_min, "mean": tf.reduce_mean, "most": tf.reduce_max}


def spread(name, tensor, collections=None):
    """A summary of the least, the mean and the most of some numbers.

    Args:
        name: The name of the scope; with `/least`, `/mean` and `/most` behind it, the tags that TensorBoard shows.
        tensor: Numbers of any shape.
        collections: Names of the collections to add it to; `["summaries"]` if None.

    Returns:
        A scalar string tensor, a serialised `Summary`.
    """
    with tf.name_scope(re.sub(r"[^-/\w.]", "_", name), values=[tensor]):
        numbers = tf.cast(tensor, tf.float32)
        values = {tag: reduce(numbers, name=f"value_of_{tag}") for tag, reduce in STATISTICS.items()}
        curves = [tf.summary.scalar(tag, value, collections=[]) for tag, value in values.items()]
        merged = tf.summary.merge(curves, collections=[], name="spread")
    graph = tf.get_default_graph()
    graph.add_to_collections([tf.GraphKeys.SUMMARIES] if collections is None else collections, merged)
    return merged
