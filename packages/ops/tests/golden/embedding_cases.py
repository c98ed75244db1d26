"""Rows of tables chosen by ids, whole and in shards, and combined under sparse ids."""

import numpy as np
from golden_case import Case, raises

TABLE = np.arange(12.0).reshape(6, 2).astype("f4")


def case_one_table(tf):
    v = tf.get_variable("v", initializer=tf.constant(TABLE))
    r = tf.get_variable("r", initializer=tf.constant(TABLE), use_resource=True)
    ids = tf.constant([[0, 5], [2, 2]], tf.int64)
    look = tf.nn.embedding_lookup
    return Case([look(TABLE, [0, 1]), look([v], ids, name="named"), look(r, ids), look(v, 3), look(r, [1], max_norm=1.0), tf.gradients(look(v, ids) * 2.0, v),
                 tf.gradients(look(r, ids, max_norm=3.0), r)], init=True)


def case_clipped(tf):
    x, i = tf.placeholder(tf.float32, name="x"), tf.placeholder(tf.int32, name="i")
    return Case([tf.nn.embedding_lookup(x, i, max_norm=2.0), tf.nn.embedding_lookup(tf.constant(TABLE), [[1], [2]], max_norm=tf.constant(1.5))],
                feeds={x: TABLE, i: [[1, 0], [3, 5]]})


def case_clipped_one(tf):
    return Case([tf.nn.embedding_lookup(tf.constant(TABLE), 3, max_norm=2.0)])


def case_shards(tf):
    a, b = tf.get_variable("a", initializer=tf.constant(TABLE[:3])), tf.get_variable("b", initializer=tf.constant(TABLE[3:]))
    look = tf.nn.embedding_lookup
    out = [look([a, b], [0, 1, 5]), look([a, b], [[4], [2]], partition_strategy="div"), look([a, b], tf.constant([3, 4], tf.int64), name="n", max_norm=3.0),
           look([a, b], tf.constant([3, 4], tf.int64), partition_strategy="div", max_norm=3.0)]
    return Case(out + tf.gradients(out[0] * 3.0, [a, b]) + tf.gradients(out[1], [a, b]), init=True)


def case_shards_of_resources(tf):
    shards = [tf.get_variable("r%d" % i, initializer=tf.constant(TABLE[i::2]), use_resource=True) for i in range(2)]
    y = tf.nn.embedding_lookup(shards, [0, 1, 5])
    return Case([y, tf.gradients(y, shards)], init=True)


def case_partitioned(tf):
    p = tf.get_variable("p", [5, 2], partitioner=tf.fixed_size_partitioner(2), initializer=tf.constant_initializer(2.0))
    return Case([tf.nn.embedding_lookup(p, [0, 4], partition_strategy="div"), tf.nn.embedding_lookup(p, [0, 2])], init=True)


def case_shards_of_unknown_shape(tf):
    x, y, i = tf.placeholder(tf.float32, name="x"), tf.placeholder(tf.float32, [None, 2], name="y"), tf.placeholder(tf.int64, name="i")
    look = tf.nn.embedding_lookup
    return Case([look([x, x], i, partition_strategy="div", max_norm=2), look([y, TABLE[:3]], i, partition_strategy="div"), look([x, y], i)],
                feeds={x: TABLE[:3], y: TABLE[3:], i: [[5, 0], [3, 1]]})


def case_sparse(tf):
    v = tf.get_variable("v", initializer=tf.constant(TABLE))
    i, w = tf.sparse_placeholder(tf.int64, name="i"), tf.sparse_placeholder(tf.float32, name="w")
    look, out = tf.nn.embedding_lookup_sparse, []
    for combiner in ("mean", "sum", "sqrtn"):
        out += [look(v, i, None, combiner=combiner), look([v], i, w, combiner=combiner, name="w_" + combiner)]
    out += [look([v, v], i, None, max_norm=2.0, combiner="sum"), tf.gradients(look(v, i, w, combiner="mean"), w.values)]
    at = [[0, 0], [0, 1], [1, 0], [2, 1]]
    return Case(out, feeds={i: (at, [1, 3, 1, 0], [3, 2]), w: (at, [1.0, 0.5, 2.0, 3.0], [3, 2])}, init=True)


def case_safe(tf):
    v = tf.get_variable("v", initializer=tf.constant(TABLE))
    i, w = tf.sparse_placeholder(tf.int64, name="i"), tf.sparse_placeholder(tf.float32, name="w")
    i, w = (tf.SparseTensor(x.indices, x.values, tf.placeholder_with_default(np.array([4, 2], "i8"), [2])) for x in (i, w))
    look = tf.nn.safe_embedding_lookup_sparse
    out = [look(v, i), look([v, v], i, default_id=3, name="d"), look([v], i, w, combiner="sum"), look(v, i, w, combiner="sqrtn", default_id=0), look(v, i, w, max_norm=3.0)]
    out.append(tf.gradients(out[0], v))
    at = np.array([[0, 0], [0, 1], [1, 0], [3, 1]])
    return Case(out, feeds={i.indices: at, i.values: [1, 3, -1, 0], w.indices: at, w.values: [1.0, 0.5, 2.0, -3.0]}, init=True)


def case_number_of_a_row(tf):
    return [tf.nn.embedding_lookup([[1.0, 2.0], [3.0, 4.0]], 2, max_norm=2.0), tf.nn.embedding_lookup(TABLE, 2, max_norm=1.0)]


def case_refused(tf):
    look, x = tf.nn.embedding_lookup, tf.SparseTensor([[0, 0]], tf.constant([1], tf.int64), [1, 1])
    sparse = tf.nn.embedding_lookup_sparse
    return [raises(look, None, [0]), raises(look, [], [0]), raises(look, [TABLE, TABLE], [0], partition_strategy="other"), raises(sparse, TABLE, x, None, combiner="max"),
            raises(sparse, TABLE, [0], None), raises(sparse, TABLE, x, [1.0])]


def case_out_of_range(tf):
    return tf.nn.embedding_lookup(tf.constant(TABLE), [1, 6])
