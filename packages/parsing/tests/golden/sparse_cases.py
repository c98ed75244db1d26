"""Serialised sparse tensors."""

import numpy as np
from golden_case import Case, raises, says


def _sparse(tf, values=(1.5, 2.5, 3.5)):
    return tf.SparseTensor([[0, 1], [2, 0], [2, 3]], list(values), [4, 5])


def case_serialize(tf):
    x = _sparse(tf)
    return [tf.serialize_sparse(x), tf.io.serialize_sparse(_sparse(tf, ["a", "b", "c"]), name="named"), tf.serialize_many_sparse(x),
            tf.io.serialize_many_sparse(_sparse(tf, [1, 2, 3]), name="many"), tf.compat.v2.io.serialize_sparse(x, name="v2"),
            tf.compat.v2.io.serialize_many_sparse(x, name="v2_many")]


def case_round_trip(tf):
    x, y = _sparse(tf), tf.SparseTensor([[1, 6]], [9.0], [2, 7])
    both = tf.stack([tf.serialize_sparse(x), tf.serialize_sparse(y)])
    return [tf.deserialize_many_sparse(both, tf.float32), tf.io.deserialize_many_sparse(both, tf.float32, rank=3, name="named"),
            tf.deserialize_many_sparse(tf.serialize_many_sparse(x), tf.float32, rank=2),
            tf.raw_ops.DeserializeSparse(serialized_sparse=both, dtype=tf.float32),
            tf.raw_ops.DeserializeSparse(serialized_sparse=tf.serialize_sparse(x), dtype=tf.float32)]


def case_empty(tf):
    x = tf.SparseTensor(np.zeros([0, 2], np.int64), np.zeros([0], np.float32), [3, 4])
    many = tf.serialize_many_sparse(x)
    return [many, tf.deserialize_many_sparse(many, tf.float32)]


def case_value(tf):
    x = tf.SparseTensorValue(np.array([[0, 1]], np.int64), np.array([1.0], np.float32), np.array([2, 3], np.int64))
    return tf.serialize_sparse(x)


def case_refused(tf):
    return [raises(tf.serialize_sparse, tf.constant([1.0])), raises(tf.serialize_many_sparse, 3), raises(tf.deserialize_many_sparse, [["a"]], tf.float32),
            raises(tf.deserialize_many_sparse, ["a", "b", "c"], tf.float32)]


def _hostile(make):
    def case(tf):
        x = tf.placeholder(tf.string, [None, 3], name="x")
        t = lambda v, d: tf.make_tensor_proto(np.array(v, d)).SerializeToString()
        rows = make(t)
        return Case(tf.deserialize_many_sparse(x, tf.float32), feeds={x: rows}, graph=False)
    return case


I, F = np.int64, np.float32
case_good = _hostile(lambda t: [[t([[1]], I), t([2.0], F), t([3], I)], [t([[4]], I), t([2.5], F), t([6], I)]])
case_none = _hostile(lambda t: np.zeros([0, 3], object))
case_kind = _hostile(lambda t: [[t([[1]], I), t([2.0], np.float64), t([3], I)]])
case_ranks = _hostile(lambda t: [[t([[1]], I), t([2.0], F), t([3], I)], [t([[1, 1]], I), t([2.0], F), t([3, 3], I)]])
case_counts = _hostile(lambda t: [[t([[1], [2]], I), t([2.0], F), t([3], I)]])
case_columns = _hostile(lambda t: [[t([[1, 1]], I), t([2.0], F), t([3], I)]])
case_vector = _hostile(lambda t: [[t([1], I), t([2.0], F), t([3], I)]])
case_matrix = _hostile(lambda t: [[t([[1]], I), t([[2.0]], F), t([3], I)]])
case_shape_matrix = _hostile(lambda t: [[t([[1]], I), t([2.0], F), t([[3]], I)]])
case_outside = _hostile(lambda t: [[t([[7]], I), t([2.0], F), t([3], I)]])
case_junk = _hostile(lambda t: [[b"", t([2.0], F), t([3], I)]])


def case_variants(tf):
    x, word = _sparse(tf), tf.SparseTensor([[0, 1], [2, 0]], ["a", "b"], [4, 5])
    f, v = tf.raw_ops.DeserializeSparse, tf.variant
    return [f(serialized_sparse=tf.stack([tf.serialize_sparse(x, out_type=v)] * 2), dtype=tf.float32), f(serialized_sparse=tf.serialize_many_sparse(x, out_type=v), dtype=tf.float32),
            f(serialized_sparse=tf.serialize_sparse(word, out_type=v), dtype=tf.string)]


def case_variants_kind(tf):
    return list(tf.raw_ops.DeserializeSparse(serialized_sparse=tf.serialize_sparse(_sparse(tf), out_type=tf.variant), dtype=tf.int32))


def case_kinds(tf):
    out = []
    for kind in ("int8", "int32", "int64", "uint8", "float64", "bool", "complex64", "float16"):
        x = tf.SparseTensor([[0, 1], [2, 0]], tf.constant(np.array([1, 0]).astype(kind)), [4, 5])
        out += [tf.serialize_sparse(x), tf.deserialize_many_sparse(tf.serialize_many_sparse(x), kind)]
    return out


def case_unknown(tf):
    x = tf.sparse_placeholder(tf.float32)
    rows = tf.serialize_many_sparse(x)
    one = tf.serialize_sparse(x)
    back = tf.deserialize_many_sparse(rows, tf.float32, rank=1)
    return Case([rows, one, back, tf.deserialize_many_sparse(tf.expand_dims(one, 0), tf.float32)], feeds={x: ([[0, 1], [2, 0]], [1.0, 2.0], [4, 5])})


def case_many_vector(tf):
    x = tf.sparse_placeholder(tf.float32)
    return Case(tf.serialize_many_sparse(x), feeds={x: ([[0]], [1.0], [4])})


def case_many_outside(tf):
    x = tf.sparse_placeholder(tf.float32)
    return Case(tf.serialize_many_sparse(x), feeds={x: ([[4, 0]], [1.0], [4, 5])})


def case_many_unsorted(tf):
    x = tf.sparse_placeholder(tf.float32)
    return Case(tf.deserialize_many_sparse(tf.serialize_many_sparse(x), tf.float32), feeds={x: ([[2, 0], [0, 1]], [1.0, 2.0], [4, 5])}, values=False)


def case_wrong_rank(tf):
    x = tf.sparse_placeholder(tf.float32)
    return Case(tf.deserialize_many_sparse(tf.expand_dims(tf.serialize_sparse(x), 0), tf.float32, rank=3), feeds={x: ([[0, 0]], [1.0], [4, 5])})


def case_many_rows_of_all_dtypes(tf):
    indices = [[1, 0, 3], [1, 2, 0], [3, 1, 1], [6, 0, 0], [6, 0, 1], [6, 2, 3]]
    out = []
    for dtype in (tf.float32, tf.float64, tf.float16, tf.bfloat16, tf.int8, tf.uint16, tf.int64, tf.bool, tf.complex64):
        values = tf.cast(tf.constant([1, 0, 2, 3, 1, 5]), dtype)
        out.append(tf.io.serialize_many_sparse(tf.SparseTensor(indices, values, [8, 3, 4])))
    words = tf.constant(["a", "", "b" * 200, "c", "d", "e"])
    out.append(tf.io.serialize_many_sparse(tf.SparseTensor(indices, words, [7, 3, 4])))
    none = tf.SparseTensor(tf.zeros([0, 2], tf.int64), tf.zeros([0]), [2, 3])
    return [*out, tf.io.serialize_many_sparse(none)]


def case_serialised_outside_of_the_shape(tf):
    x = tf.SparseTensor([[0, 1], [2, 0]], [1.0, 2.0], [3, 1])
    return tf.io.serialize_many_sparse(x)


def case_words(tf):
    row = tf.serialize_sparse(_sparse(tf))
    swapped = tf.stack([row[1], row[1], row[2]])
    nested = tf.stack([row[0], row[0], row[2]])

    def attempt(serialized, dtype):
        with tf.Session() as session:
            session.run(tf.deserialize_many_sparse(tf.expand_dims(serialized, 0), dtype))

    return Case([
        says(r"Requested SparseTensor of type int32 but SparseTensor\[0\].values.dtype\(\) == float", attempt, row, tf.int32),
        says(r"Expected serialized_sparse\[0, 0\] to represent an index matrix but received shape \[3\]", attempt, swapped, tf.float32),
        says(r"Expected serialized_sparse\[0, 1\] to represent a values vector but received shape", attempt, nested, tf.float32),
        says(r"Could not parse serialized proto", attempt, tf.constant(["a", "b", "c"]), tf.float32),
    ])
