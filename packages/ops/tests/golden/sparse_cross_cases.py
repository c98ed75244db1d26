"""Crosses of features, as text and as hashes."""

import numpy as np
from golden_case import Case, raises


def rows(tf, lists, dtype=None):
    """A sparse matrix with these rows."""
    at = [[i, j] for i, row in enumerate(lists) for j in range(len(row))]
    values = [v for row in lists for v in row]
    kind = dtype or ("int64" if values and not isinstance(values[0], str) else "string")
    return tf.SparseTensor(np.reshape(np.array(at, np.int64), (len(at), 2)), tf.constant(values, kind, shape=[len(values)]), [len(lists), max([len(row) for row in lists] + [0])])


def both(tf, inputs):
    return [tf.sparse.cross(inputs), tf.sparse.cross_hashed(inputs), tf.sparse.cross_hashed(inputs, num_buckets=100), tf.sparse.cross_hashed(inputs, num_buckets=1000, hash_key=99)]


def case_texts(tf):
    a, b, c = rows(tf, [["batch1-FC1-F1"], ["batch2-FC1-F1", "batch2-FC1-F2"]]), rows(tf, [["batch1-FC2-F1"], ["batch2-FC2-F1", "batch2-FC2-F2"]]), rows(tf, [["", "y" * 200], ["z"]])
    return [both(tf, [a]), both(tf, [a, b]), both(tf, [a, b, c]), both(tf, [c, a])]


def case_numbers(tf):
    a, b = rows(tf, [[333337, -5], [55555]], "int64"), rows(tf, [[999999], [888888, 7]], "int32")
    return [both(tf, [a, b]), both(tf, [b])]


def case_mixed(tf):
    a, b = rows(tf, [["one"], ["two", "three"]]), rows(tf, [[1, 2], [-3]])
    return [both(tf, [a, b]), both(tf, [b, a])]


def case_dense(tf):
    a, d, n = rows(tf, [["one"], ["two", "three"]]), tf.constant([["u", "v"], ["w", ""]]), tf.constant([[4], [5]])
    return [both(tf, [d]), both(tf, [d, a]), both(tf, [a, n, d]), both(tf, [n, n]), both(tf, [tf.constant([[1], [2]], tf.uint8)])]


def case_lengths(tf):
    words = ["x" * n for n in (0, 1, 3, 4, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 48, 63, 64, 65, 100, 127, 128, 129, 191, 192, 193, 300)]
    a = rows(tf, [words])
    return [tf.sparse.cross_hashed([a]), tf.sparse.cross_hashed([a], hash_key=1), tf.sparse.cross_hashed([a, rows(tf, [[-1, 0, 1, 2 ** 62]])], num_buckets=2 ** 40)]


def case_keys(tf):
    a = rows(tf, [["a"], ["b"]])
    return [tf.sparse.cross_hashed([a], hash_key=key) for key in (0, 1, -1, 2 ** 62, None)] + [tf.sparse.cross_hashed([a], 1), tf.sparse.cross_hashed([a], 10, 3, "named"), tf.sparse.cross([a], "texts")]


def case_empty_rows(tf):
    a, b = rows(tf, [["a"], [], ["b", "c"]]), rows(tf, [["x"], ["y"], []])
    return [both(tf, [a, b]), both(tf, [a]), both(tf, [rows(tf, [[], []])]), both(tf, [rows(tf, [[], []]), rows(tf, [["a"], ["b"]])])]


def case_three(tf):
    a, b, c = rows(tf, [["a", "b"], ["c"]]), rows(tf, [[1, 2, 3], [4]]), rows(tf, [["x", "y"], ["z", "w"]])
    return both(tf, [a, b, c])


def case_no_rows(tf):
    return both(tf, [rows(tf, [])])


def case_no_columns(tf):
    return both(tf, [tf.constant([], tf.string, [2, 0])])


def case_unknown(tf):
    a, b, d = tf.sparse_placeholder(tf.string, name="a"), tf.sparse_placeholder(tf.int64, name="b"), tf.placeholder(tf.string)
    at = [[0, 0], [1, 0], [1, 1]]
    return Case(both(tf, [a, b, d]), feeds={a: (at, ["a", "b", "c"], [2, 2]), b: (at, [1, 2, 3], [2, 2]), d: [["x"], ["y"]]})


def case_wide_batches(tf):
    a, b = tf.sparse_placeholder(tf.string), tf.sparse_placeholder(tf.string)
    at = [[i, j] for i in range(40) for j in range(i % 5)]
    words = np.array(["w%d" % i for i in range(len(at))], object)
    return Case(both(tf, [a, b]), feeds={a: (at, words, [40, 5]), b: (at, words[::-1], [40, 5])})


def case_refused(tf):
    a = rows(tf, [["a"]])
    f, g = tf.sparse.cross, tf.sparse.cross_hashed
    return [raises(f, a), raises(f, (a, a)), raises(f, [a, "x"]), raises(f, [a, [["x"]]]), raises(f, [a, np.array([["x"]])]), raises(f, None), raises(g, [a], -1), raises(g, [a], "x"), raises(g, [a], 10, "x"), raises(g, [a], 1.5),
            raises(f, [tf.constant([[1.5]])]), raises(f, [tf.SparseTensor([[0, 0]], [True], [1, 1])])]


def case_nothing(tf):
    return [raises(tf.sparse.cross, []), raises(tf.sparse.cross_hashed, [])]


def case_batches_differ(tf):
    a, d = tf.sparse_placeholder(tf.string), tf.placeholder(tf.string)
    return Case(tf.sparse.cross([a, d]), feeds={a: ([[0, 0]], ["a"], [2, 1]), d: [["x"], ["y"], ["z"]]})


def case_sparse_batches_differ(tf):
    a, b = tf.sparse_placeholder(tf.string), tf.sparse_placeholder(tf.string)
    return Case(tf.sparse.cross_hashed([a, b]), feeds={a: ([[0, 0]], ["a"], [2, 1]), b: ([[0, 0]], ["a"], [3, 1])})


def case_sparse_cube(tf):
    a = tf.sparse_placeholder(tf.string)
    return Case(tf.sparse.cross([a]), feeds={a: ([[0, 0, 0]], ["a"], [2, 1, 1])})


def case_wrong_count(tf):
    a = tf.sparse_placeholder(tf.string)
    return Case(tf.sparse.cross([a]), feeds={a: ([[0, 0]], ["a", "b"], [2, 1])})


def case_unsorted(tf):
    a = tf.sparse_placeholder(tf.string)
    return Case(tf.sparse.cross([a]), feeds={a: ([[1, 0], [0, 0]], ["a", "b"], [2, 1])})


def case_outside(tf):
    a = tf.sparse_placeholder(tf.string)
    return Case(tf.sparse.cross([a]), feeds={a: ([[0, 0], [5, 0]], ["a", "b"], [2, 1])})


def case_unsorted_later(tf):
    a, at = tf.sparse_placeholder(tf.string), [[0, 0], [2, 0], [1, 0], [3, 0], [3, 1]]
    return Case(both(tf, [a]), feeds={a: (at, ["a", "b", "c", "d", "e"], [4, 1])})


def case_negative(tf):
    a = tf.sparse_placeholder(tf.string)
    return Case(tf.sparse.cross([a]), feeds={a: ([[-1, 0], [0, 0]], ["a", "b"], [2, 1])})


def case_gradient(tf):
    a = tf.constant([[1.0]])
    return raises(tf.gradients, tf.sparse.cross_hashed([tf.cast(a, tf.int64)]).values, a)
