"""Sparse tensors kept in tables, and gradients of rows added up, at the edges."""

import numpy as np
from golden_case import Case, raises, says

X = ([[0, 1], [1, 0], [1, 2], [3, 3]], [1.0, 2.0, 3.0, 4.0], [4, 5])


def made(tf, parts=X):
    return tf.SparseTensor(np.reshape(np.array(parts[0], np.int64), (len(parts[1]), len(parts[2]))), tf.constant(np.array(parts[1], np.float32)), parts[2])


# -- tables ---------------------------------------------------------------------------------------------

def add_many(tf, x, **kwargs):
    return tf.raw_ops.AddManySparseToTensorsMap(sparse_indices=x.indices, sparse_values=x.values, sparse_shape=x.dense_shape, **kwargs)


def take(tf, handles, kind=None, **kwargs):
    return tf.SparseTensor(*tf.raw_ops.TakeManySparseFromTensorsMap(sparse_handles=handles, dtype=kind or tf.float32, **kwargs))


def case_map(tf):
    x = made(tf)
    one = tf.raw_ops.AddSparseToTensorsMap(sparse_indices=x.indices, sparse_values=x.values, sparse_shape=x.dense_shape, shared_name="one", name="add")
    many = add_many(tf, x, shared_name="many", container="c")
    return [take(tf, tf.expand_dims(one, 0), shared_name="one", name="take"), take(tf, many, shared_name="many", container="c"), tf.shape(many)]


def case_map_kinds(tf):
    out = []
    for kind in ("int32", "int64", "float64", "bool", "complex64"):
        x = tf.SparseTensor([[0, 1], [2, 0]], tf.constant([1, 0], kind if kind != "bool" else "int32"), [3, 2])
        if kind == "bool":
            x = tf.SparseTensor(x.indices, x.values > 0, x.dense_shape)
        out.append(take(tf, add_many(tf, x, shared_name=kind), kind, shared_name=kind))
    return out


def case_map_words(tf):
    x = tf.SparseTensor([[0, 1], [2, 0]], ["a", "b"], [3, 2])
    return take(tf, add_many(tf, x, shared_name="s"), tf.string, shared_name="s")


def case_map_shuffled(tf):
    handles = add_many(tf, made(tf), shared_name="t")
    return take(tf, tf.reverse(handles, [0]), shared_name="t")


def case_map_empty(tf):
    x = tf.SparseTensor(np.zeros((0, 2), np.int64), np.zeros(0, np.float32), [2, 3])
    return take(tf, add_many(tf, x, shared_name="t"), shared_name="t")


def case_map_grows(tf):
    a, b = made(tf, ([[0, 4]], [1.0], [1, 5])), made(tf, ([[0, 0], [1, 8]], [2.0, 3.0], [2, 9]))
    both = tf.concat([add_many(tf, a, shared_name="t"), add_many(tf, b, shared_name="t")], 0)
    return take(tf, both, shared_name="t")


def case_map_unknown_handle(tf):
    return take(tf, np.array([17]), shared_name="t")


def case_map_taken_twice(tf):
    handles = add_many(tf, made(tf), shared_name="t")
    return take(tf, tf.concat([handles, handles], 0), shared_name="t")


def case_map_wrong_kind(tf):
    return take(tf, add_many(tf, made(tf), shared_name="t"), tf.int32, shared_name="t")


def case_map_no_handles(tf):
    return take(tf, np.zeros(0, np.int64), shared_name="t")


def case_map_ranks_differ(tf):
    a, b = made(tf), made(tf, ([[0, 0, 1]], [2.0], [1, 2, 3]))
    return take(tf, tf.concat([add_many(tf, a, shared_name="t"), add_many(tf, b, shared_name="t")], 0), shared_name="t")


def case_map_vector(tf):
    x = tf.sparse_placeholder(tf.float32)
    return Case(add_many(tf, x, shared_name="t"), feeds={x: ([[0]], [1.0], [2])})


def case_map_row_outside(tf):
    x = tf.sparse_placeholder(tf.float32)
    return Case(add_many(tf, x, shared_name="t"), feeds={x: ([[2, 0]], [1.0], [2, 2])})


def case_map_counts(tf):
    x = tf.sparse_placeholder(tf.float32)
    return Case(add_many(tf, x, shared_name="t"), feeds={x: ([[0, 0]], [1.0, 2.0], [2, 2])})


# -- accumulators ---------------------------------------------------------------------------------------

def slices(tf, indices, values, shape=None):
    return tf.IndexedSlices(tf.constant(np.array(values, np.float32)), tf.constant(indices, tf.int64), None if shape is None else tf.constant(shape, tf.int64))


def session_facts(tf, steps):
    """What each step gives, run one after the other."""
    with tf.Session() as session:
        out = []
        for step in steps:
            try:
                value = session.run(step)
                out.append([list(np.ravel(v)) for v in value] if isinstance(value, tuple) else str(value))
            except tf.errors.OpError as error:
                out.append(type(error).__name__)
        return Case([out], graph=False)


def case_accumulate(tf):
    for_each = []
    for kind in ("MEAN", "SUM"):
        q = tf.SparseConditionalAccumulator(tf.float32, shape=[4, 2], name="q" + kind, reduction_type=kind)
        a = q.apply_indexed_slices_grad(slices(tf, [0, 2], [[1, 2], [3, 4]], [4, 2]))
        b = q.apply_grad([2, 3], np.float32([[5, 6], [7, 8]]), [4, 2])
        for_each.append(session_facts(tf, [q.num_accumulated(), a, b, q.num_accumulated(), q.take_grad(2), q.num_accumulated(), a, q.num_accumulated()]).fetches)
    return Case(for_each, graph=False)


def case_accumulate_graph(tf):
    q = tf.SparseConditionalAccumulator(tf.float32, shape=tf.TensorShape([None, 2]), shared_name="s", name="q")
    a = q.apply_grad([0], np.float32([[1, 2]]), local_step=3, name="apply")
    b = q.apply_indexed_slices_grad(slices(tf, [0], [[1, 2]]), name="applied")
    t = q.take_grad(2, name="take")
    u = q.take_indexed_slices_grad(1)
    return Case([a, b, list(t), u, q.num_accumulated(name="n"), q.set_global_step(5, name="set"), q.name, q.dtype.name, q.accumulator_ref.dtype.name], graph_only=True)


def case_accumulate_steps(tf):
    q = tf.SparseConditionalAccumulator(tf.float32, shape=[4, 1], name="q")
    late = q.apply_grad([0], np.float32([[9]]), local_step=1)
    good = q.apply_grad([1], np.float32([[2]]), local_step=7)
    return session_facts(tf, [q.set_global_step(5), late, q.num_accumulated(), good, q.num_accumulated(), q.take_grad(1), q.apply_grad([1], np.float32([[2]]), local_step=5), q.num_accumulated(), q.set_global_step(2)])


def case_accumulate_orders(tf):
    q = tf.SparseConditionalAccumulator(tf.float32, name="q")
    steps = [q.apply_grad([2, 0], np.float32([[1], [2]])), q.apply_grad([0, 2, 3], np.float32([[1], [2], [3]])), q.num_accumulated(), q.take_grad(1)]
    repeated = tf.SparseConditionalAccumulator(tf.float32, name="r", reduction_type="SUM")
    steps += [repeated.apply_grad([1, 1], np.float32([[1], [2]])), repeated.take_grad(1)]
    return session_facts(tf, steps)


def case_accumulate_shapes(tf):
    q = tf.SparseConditionalAccumulator(tf.float32, shape=[4, 2], name="q")
    bad = [q.apply_grad([0], np.float32([[1, 2, 3]])), q.apply_grad([0], np.float32([[1, 2]]), [5, 2]), q.apply_grad([0, 1], np.float32([[1, 2]])), q.apply_grad([4], np.float32([[1, 2]])), q.apply_grad([-1], np.float32([[1, 2]])),
           q.apply_grad([0], np.float32([1, 2]), [4, 2]), q.apply_grad([0], np.float32([[1, 2]]), [4, 2]), q.apply_grad(np.zeros(0, np.int64), np.zeros((0, 2), np.float32)), q.num_accumulated(), q.take_grad(1)]
    return session_facts(tf, bad)


def case_accumulate_values(tf):
    out = []
    for kind in ("float16", "float32", "float64"):
        q = tf.SparseConditionalAccumulator(kind, name="q" + kind)
        out.append(session_facts(tf, [q.apply_grad([0, 5], np.array([[1, 2], [3, 4]], kind)), q.apply_grad([5], np.array([[1, 1]], kind)), q.take_grad(1)]).fetches)
    return Case(out, graph=False)


def case_accumulate_refused(tf):
    f = tf.SparseConditionalAccumulator
    q = f(tf.float32, shape=[2, 2])
    return [raises(f, tf.float32, reduction_type="MAX"), raises(f, "nonsense"), raises(q.apply_grad, [[0]], [[1.0]]), raises(q.apply_grad, [0.5], [[1.0]]), raises(q.apply_grad, [0], ["a"]), raises(q.take_grad, "a"),
            raises(q.apply_indexed_slices_grad, tf.constant([1.0])), raises(q.apply_grad, [0], [[1.0]], [[2]]), raises(q.set_global_step, "a")]


def case_accumulator_class(tf):
    return [tf.sparse.SparseConditionalAccumulator is tf.SparseConditionalAccumulator, issubclass(tf.SparseConditionalAccumulator, tf.ConditionalAccumulatorBase)]


def case_slices_beyond_the_shape(tf):
    def applied(indices):
        with tf.Graph().as_default(), tf.Session() as session:
            q = tf.SparseConditionalAccumulator(tf.float32, shape=[2, 1])
            session.run(q.apply_grad(indices, [[1.0]] * len(indices)))

    return [says("index of slice 1 exceeded limits of shape; index is 5 exceeded 2", applied, [1, 5]), raises(applied, [0])]
