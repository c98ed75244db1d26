"""Runs ops while another thread changes their indices, sizes and predicates: `index_storm.py SECONDS [OP ...]`.

Each op runs on reference variables that another thread assigns to, then on arrays that are fed and that another thread
writes to. Good values and bad ones take turns, so a run may fail with an error of the documented class; a process that
dies, another error or a run that does not end is a fault.
"""
from __future__ import annotations

import itertools
import sys
import threading
import time

import numpy as np

import ossia as tf

COUNT, ROWS, WIDE = 60_000, 50, 4
GOOD, BAD = 0, 2**29
ERRORS = (tf.errors.InvalidArgumentError, tf.errors.OutOfRangeError, tf.errors.ResourceExhaustedError)


def ones(*shape):
    return tf.ones(shape or [COUNT, WIDE])


def ones_like(i):
    return tf.cast(tf.zeros_like(i), tf.float32) + 1.0


def updated(op, variables, **args):
    def make(i, v):
        made = getattr(tf.raw_ops, op)(**dict(zip(variables, v)), **args, grad=ones(), indices=i)
        return made.op
    return make


def in_column(count):
    return tf.constant(np.stack([np.arange(count), np.zeros(count)], 1), tf.int64)


def pairs(i):
    return tf.stack([i, i], axis=1)


OPS = {
    "gather": lambda i, v: tf.gather(v[0], i) * 2.0 + 1.0,
    "gather_axis": lambda i, v: tf.gather(v[0], i[:100], axis=1) * 2.0,
    "gather_long": lambda i, v: tf.gather(v[0], tf.reshape(i, [-1, 2]))[0],
    "gather_nd": lambda i, v: tf.gather_nd(v[0], tf.reshape(i, [-1, 1])) * 2.0,
    "embedding": lambda i, v: tf.nn.embedding_lookup(v[0], i) * 2.0,
    "embedding_mod": lambda i, v: tf.nn.embedding_lookup([v[0], v[1]], i) * 2.0,
    "embedding_sparse": lambda i, v: tf.nn.embedding_lookup_sparse(
        v[0], tf.SparseTensor(in_column(COUNT), tf.cast(i, tf.int64), [COUNT, 1]), None),
    "scatter_add": lambda i, v: tf.scatter_add(v[0], i, ones()).op,
    "scatter_sub": lambda i, v: tf.scatter_sub(v[0], i, ones()).op,
    "scatter_update": lambda i, v: tf.scatter_update(v[0], i, ones()).op,
    "scatter_max": lambda i, v: tf.scatter_max(v[0], i, ones()).op,
    "scatter_nd": lambda i, v: tf.scatter_nd(tf.reshape(i, [-1, 1]), ones(), [ROWS, WIDE]),
    "scatter_nd_add": lambda i, v: tf.scatter_nd_add(v[0], tf.reshape(i, [-1, 1]), ones()).op,
    "tensor_scatter": lambda i, v: tf.tensor_scatter_add(v[0], tf.reshape(i, [-1, 1]), ones()),
    "sparse_momentum": updated("SparseApplyMomentum", ("var", "accum"), lr=0.1, momentum=0.5),
    "sparse_adagrad": updated("SparseApplyAdagrad", ("var", "accum"), lr=0.1),
    "sparse_ftrl": updated("SparseApplyFtrl", ("var", "accum", "linear"), lr=0.1, l1=0.0, l2=0.0, lr_power=-0.5),
    "segment_sum": lambda i, v: tf.segment_sum(ones(), i),
    "sparse_segment_sum": lambda i, v: tf.sparse_segment_sum(v[0], i, np.arange(COUNT, dtype="i4") // 2),
    "sparse_segment_ids": lambda i, v: tf.sparse_segment_mean(v[0], np.zeros(COUNT, "i4"), i),
    "unsorted_segment_sum": lambda i, v: tf.unsorted_segment_sum(ones() * 2.0, i, ROWS),
    "unsorted_segment_max": lambda i, v: tf.unsorted_segment_max(ones() * 2.0, i, ROWS),
    "unsorted_segment_prod": lambda i, v: tf.unsorted_segment_prod(ones() * 2.0, i, ROWS),
    "dynamic_stitch": lambda i, v: tf.dynamic_stitch([i, i], [ones(), ones()])[0],
    "dynamic_partition": lambda i, v: tf.dynamic_partition(ones(), i, 3),
    "boolean_mask": lambda i, v: tf.boolean_mask(ones(), tf.equal(i, 0)),
    "where": lambda i, v: tf.where(tf.equal(i, 0)),
    "one_hot": lambda i, v: tf.one_hot(i, 3),
    "unique": lambda i, v: tf.unique(i)[0],
    "unique_gradient": lambda i, v: tf.train.GradientDescentOptimizer(0.1).minimize(
        tf.reduce_sum(tf.gather(v[0], i)), var_list=[v[0]]),
    "bincount": lambda i, v: tf.bincount(tf.minimum(i, 1000), minlength=3),
    "raw_bincount": lambda i, v: tf.raw_ops.Bincount(arr=i, size=9, weights=tf.zeros([0])),
    "repeat": lambda i, v: tf.repeat(tf.range(COUNT), tf.minimum(i, 2)),
    "sequence_mask": lambda i, v: tf.sequence_mask(tf.minimum(i[:100], 9), 9),
    "reverse_sequence": lambda i, v: tf.reverse_sequence(ones(COUNT, 2), i, 1),
    "invert_permutation": lambda i, v: tf.invert_permutation(i),
    "sparse_to_dense": lambda i, v: tf.sparse_to_dense(i[:1], [ROWS], tf.ones([1])),
    "sparse_product": lambda i, v: tf.sparse_tensor_dense_matmul(
        tf.SparseTensor(tf.cast(pairs(i), tf.int64), ones(COUNT), [ROWS, ROWS]), v[0]),
    "sparse_reorder": lambda i, v: tf.sparse.reorder(
        tf.SparseTensor(tf.cast(pairs(i), tf.int64), ones(COUNT), [ROWS, ROWS])).values,
    "sparse_softmax_loss": lambda i, v: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=i, logits=ones()) * 2.0,
    "in_top_k": lambda i, v: tf.nn.in_top_k(ones(), i, 2),
    "floordiv": lambda i, v: tf.floordiv(tf.ones([COUNT], tf.int32) * 7, tf.identity(i)) + 1,
    "floormod": lambda i, v: tf.floormod(tf.ones([COUNT], tf.int32) * 7, tf.identity(i)) + 1,
    "array_gather": lambda i, v: tf.TensorArray(tf.float32, 2, clear_after_read=False).unstack(v[0][:2]).gather(
        i[:100]),
    "slice": lambda i, v: tf.slice(v[0], i[:2], [1, 1]),
    "strided_slice": lambda i, v: v[0][i[0] :],
    "split": lambda i, v: tf.split(v[0], tf.minimum(i[:2], ROWS) + [0, ROWS], 0, num=2),
    "fill": lambda i, v: tf.fill(tf.minimum(i[:2], 100), 1.0),
    "reshape": lambda i, v: tf.reshape(v[0], i[:2] + [-1, 1]),
    "tile": lambda i, v: tf.tile(v[0], tf.minimum(i[:2], 3)),
    "pad": lambda i, v: tf.pad(v[0], tf.minimum(tf.reshape(i[:4], [2, 2]), 3)),
    "cond": lambda i, v: tf.cond(tf.equal(i[0], 0), lambda: v[0] * 2.0, lambda: v[0] + 1.0),
    "histogram": lambda i, v: tf.histogram_fixed_width(i, [0, 10], 10),
    "ctc": lambda i, v: tf.nn.ctc_loss(
        tf.SparseTensor(in_column(50), tf.minimum(i[:50], 7), [50, 1]), tf.ones([20, 50, 5]), tf.fill([50], 20)),
    "ragged_splits": lambda i, v: tf.RaggedTensor.from_row_splits(
        ones(COUNT), tf.concat([[0], tf.minimum(i[:9], 99), [COUNT]], 0), validate=False).to_tensor(),
}  # fmt: skip


def storm(session, fetched, feed, change, seconds):
    """Run while a thread changes what is read; how many runs went well, and how many were refused."""
    done, failures, counts = threading.Event(), [], [0, 0]

    def changing():
        try:
            while not done.is_set():
                for bad in (True, False, False):
                    change(bad)
        except BaseException as error:  # seen by the main thread
            failures.append(error)

    thread = threading.Thread(target=changing)
    thread.start()
    end = time.monotonic() + seconds
    try:
        while time.monotonic() < end or not sum(counts):
            try:
                session.run(fetched, feed)
                counts[0] += 1
            except ERRORS:
                counts[1] += 1
    finally:
        done.set()
        thread.join()
    if failures:
        raise failures[0]
    return counts


def run(name, seconds, dtype, fed):
    """One op, on variables or on feeds."""
    with tf.Graph().as_default(), tf.Session() as session:
        variables = [tf.Variable(np.ones((ROWS, WIDE), "f"), use_resource=False) for _ in range(3)]
        start = np.zeros(COUNT, dtype.as_numpy_dtype)
        if fed:
            i = tf.placeholder(dtype, [COUNT])
            feed = {i: start}
        else:
            i = tf.Variable(start, use_resource=False)
            feed = {}
            values = [tf.assign(i, tf.fill([COUNT], tf.constant(n, dtype))).op for n in (GOOD, BAD)]

        def change(bad):
            if fed:
                start.fill(BAD if bad else GOOD)
            else:
                session.run(values[bad])

        try:
            fetched = OPS[name](i, variables)
        except (TypeError, ValueError):
            if dtype is tf.int64:
                return  # takes int32 alone
            raise
        session.run(tf.global_variables_initializer())
        counts = storm(session, fetched, feed, change, seconds)
        print(name, dtype.name, "fed" if fed else "assigned", *counts, flush=True)


if __name__ == "__main__":
    for chosen in sys.argv[2:] or OPS:
        for dtype, fed in itertools.product((tf.int32, tf.int64), (False, True)):
            run(chosen, float(sys.argv[1]), dtype, fed)
