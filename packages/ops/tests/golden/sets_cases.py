"""Operations on sets of dense and sparse tensors."""

from golden_case import Case, raises


def sparse(tf):
    return tf.SparseTensor(tf.constant([[0, 0], [0, 1], [2, 0]], tf.int64), tf.constant([5, 4, 4]), tf.constant([3, 2], tf.int64))


def case_dense(tf):
    a, b = tf.constant([[3, 1, 1, 2], [9, 9, 1, 1]]), tf.placeholder(tf.int32, [None, 2])
    return Case([f(a, b) for f in (tf.sets.difference, tf.sets.union, tf.sets.intersection)] + [tf.sets.difference(a, b, aminusb=False)], feeds={b: [[1, 5], [1, 1]]})


def case_mixed(tf):
    s, d = sparse(tf), tf.constant([[1], [2], [4]])
    return [f(a, b) for f in (tf.sets.difference, tf.sets.union, tf.sets.intersection) for a, b in ((s, d), (d, s), (s, s))] + [tf.sets.size(s), tf.sets.difference(s, d, aminusb=False)]


def case_strings(tf):
    return [tf.sets.union([["b", "a"]], [["c", "a"]]), tf.sets.size(tf.SparseTensor([[0, 1], [0, 2]], ["x", "x"], [2, 3]))]


def case_ranks(tf):
    a, b = tf.constant([[[3, 1, 1, 2], [9, 9, 1, 1]]]), tf.placeholder(tf.int32)
    return Case(tf.sets.difference(a, b), feeds={b: [[[1, 5], [1, 1]]]})


def case_nothing_left(tf):
    return tf.sets.difference([[1, 2]], [[2, 1]])


def case_mismatch(tf):
    b = tf.placeholder(tf.int32)
    return Case(tf.sets.union(b, [[1], [2]]), feeds={b: [[1]]})


def case_out_of_order(tf):
    return tf.sets.size(tf.SparseTensor([[0, 1], [0, 0], [2, 0]], [5, 4, 4], [3, 2]))


def case_refused(tf):
    return [raises(tf.sets.union, [[1, 2]], [[1.0]]), raises(tf.sets.size, tf.constant([[1]])), raises(tf.sets.union, [1], [2]), raises(tf.sets.union, tf.zeros([2, 2], tf.int32), tf.zeros([3, 2], tf.int32))]
