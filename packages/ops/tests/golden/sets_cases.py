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


def case_second_unordered(tf):
    """Only the first set has to be in order; the elements of a place of the second may come as they like, repeatedly."""
    a = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [3, 5, 4], [3, 4])
    b = tf.SparseTensor([[0, 2], [0, 0], [0, 0], [2, 3], [2, 1]], [5, 3, 1, 2, 7], [3, 4])
    return [f(a, b) for f in (tf.sets.difference, tf.sets.union, tf.sets.intersection)] + [
        tf.sets.difference(a, b, aminusb=False), tf.sets.union(a, b, validate_indices=False)]


def case_first_unordered(tf):
    a = tf.SparseTensor([[0, 1], [0, 0], [1, 0]], [3, 5, 4], [2, 3])
    b = tf.SparseTensor([[0, 0], [0, 1]], [3, 5], [2, 3])
    return tf.sets.union(a, b)


def case_mixed_unordered(tf):
    return tf.sets.union([[1, 2], [3, 4]], tf.SparseTensor([[0, 1], [0, 0], [1, 0]], [3, 5, 4], [2, 3]))


def case_second_places_unordered(tf):
    """Places of the second set out of order meet those of the first only where their turn comes at the same time."""
    a = tf.SparseTensor([[0, 0], [1, 1], [1, 2], [2, 0]], [3, 5, 4, 6], [4, 4])
    results = []
    for places in ([[2, 0], [2, 1], [0, 0], [1, 1]], [[1, 0], [0, 0], [3, 0], [2, 3]], [[3, 2], [2, 0], [1, 0], [0, 1]]):
        b = tf.SparseTensor(places, [6, 3, 5, 3], [4, 4])
        results += [tf.sets.difference(a, b), tf.sets.intersection(a, b, validate_indices=False)]
    return [*results, tf.sets.union(tf.SparseTensor([[3, 0]], [1], [4, 4]), tf.SparseTensor([[2, 0], [1, 0], [1, 1]], [6, 3, 4], [4, 4]))]
