"""Strings joined by segment, and split into sparse tensors."""

import numpy as np
from golden_case import Case, raises


def case_string_split_many(tf):
    texts = ["", " ", "a", " a", "  a  b  ", "a,b,,c,", ",a;", "a;b,c d"]
    return [tf.string_split(texts, s, e) for s in (" ", ",", ",;", "") for e in (True, False)]


def case_segment_join(tf):
    f = tf.strings.unsorted_segment_join
    w = [["Y", "q", "c"], ["Y", "6", "6"], ["p", "G", "a"]]
    return [f(w, [1, 0, 1], 2), f(w, [1, 0, 1], 2, separator=":"), f(w, [[0, 1, 2], [0, 0, 2], [3, 1, 4]], 5, ",", name="n"), f(["a", "b"], [2, 2], 3),
            f(["a", "b"], tf.constant([0, 0], tf.int64), tf.constant(1, tf.int64)), f(np.zeros((0,), "S1"), np.zeros(0, np.int32), 2), f([["a", "b"]], [1], 2)]


def case_segment_join_shapes(tf):
    x, i, n = tf.placeholder(tf.string), tf.placeholder(tf.int32, [None]), tf.placeholder(tf.int32)
    y = tf.placeholder(tf.string, [None, 3])
    f = tf.strings.unsorted_segment_join
    return Case([f(x, i, 2), f(y, i, n), f(y, i, 4), f(x, [0], n)], feeds={x: ["a"], i: [0], n: 2, y: [["a", "b", "c"]]})


def case_segment_join_beyond(tf):
    return tf.strings.unsorted_segment_join(["a", "b"], [0, 2], 2)


def case_segment_join_negative(tf):
    return tf.strings.unsorted_segment_join(["a", "b"], [0, -1], 2)


def case_segment_join_refused(tf):
    f = tf.strings.unsorted_segment_join
    return [raises(f, ["a", "b"], [0], 2), raises(f, [["a"]], [[0, 1]], 2), raises(f, ["a"], [0], [1]), raises(f, [1], [0], 1),
            raises(f, ["a"], [0.5], 1), raises(f, ["a"], [[0]], 1)]


def case_segment_join_misfit(tf):
    i = tf.placeholder(tf.int32)
    return Case([tf.strings.unsorted_segment_join(["a", "b"], i, 2)], feeds={i: [0, 1, 1]})
