"""Lookup tables in checkpoints."""

import os
import tempfile

from golden_case import Case


def i64(tf, *values):
    return tf.constant(values, tf.int64)


def case_dense_table_saver(tf):
    t = tf.lookup.experimental.DenseHashTable(tf.string, tf.int64, -1, "", "$", initial_num_buckets=4, name="t")
    saver = tf.train.Saver()
    k = tf.constant(["a", "b"])
    insert, other, found = t.insert(k, i64(tf, 1, 2)), t.insert(["a", "c"], i64(tf, 7, 8)), t.lookup(tf.constant(["a", "b", "c"]))
    with tf.Session() as s:
        s.run(insert)
        where = saver.save(s, os.path.join(tempfile.mkdtemp(), "m"))
        s.run(other)
        before = s.run(found).tolist()
        saver.restore(s, where)
        return Case([before, s.run(found).tolist(), s.run(t.size()).item()], graph=True, collections=False)


def case_without_checkpoint(tf):
    tf.lookup.experimental.DenseHashTable(tf.string, tf.int64, -1, "", "$", checkpoint=False)
    tf.Variable(1.0)
    return Case([tf.train.Saver().saver_def.restore_op_name], collections=False)


def case_vectors(tf):
    t = tf.lookup.experimental.DenseHashTable(tf.int64, tf.float32, [0.0, 0.0], [0, 0], [-1, -1], initial_num_buckets=8, name="v")
    saver = tf.train.Saver()
    k = tf.constant([[1, 2], [3, 4]], tf.int64)
    insert, erase, found = t.insert(k, [[1.0, 2.0], [3.0, 4.0]]), t.erase(k), t.lookup(k)
    with tf.Session() as s:
        s.run(insert)
        where = saver.save(s, os.path.join(tempfile.mkdtemp(), "m"))
        s.run(erase)
        before = s.run(found).tolist()
        saver.restore(s, where)
        return Case([before, s.run(found).tolist(), s.run(t.size()).item()], collections=False)
