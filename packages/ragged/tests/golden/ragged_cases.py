"""Ragged tensors: made, taken apart and converted."""

import numpy as np
from golden_case import Case, raises, says


def parts(ragged):
    """What a ragged tensor consists of, as fetches and facts."""
    return [ragged.flat_values, list(ragged.nested_row_splits), ragged.ragged_rank, str(ragged.shape), ragged.dtype.name]


def values(tf):
    return tf.constant([1.0, 2.0, 3.0, 4.0])


def made(tf, method, rows, **options):
    return parts(getattr(tf.RaggedTensor, method)(values(tf), rows, **options))


def case_row_splits(tf):
    return made(tf, "from_row_splits", [0, 1, 4])


def case_row_splits_unchecked(tf):
    return [made(tf, "from_row_splits", [0, 1, 4], validate=False), made(tf, "from_row_splits", np.array([0, 4], np.int32), validate=False)]


def case_row_splits_fed(tf):
    p = tf.placeholder(tf.int32, [None])
    return Case(made(tf, "from_row_splits", p, name="q"), feeds={p: [0, 2, 2, 4]})


def case_row_splits_bad_start(tf):
    p = tf.placeholder(tf.int64, [None])
    return Case(made(tf, "from_row_splits", p), feeds={p: [1, 2, 2, 4]})


def case_row_splits_falling(tf):
    p = tf.placeholder(tf.int64, [None])
    return Case(made(tf, "from_row_splits", p), feeds={p: [0, 3, 2, 4]})


def case_row_splits_bad_end(tf):
    p = tf.placeholder(tf.int64, [None])
    return Case(made(tf, "from_row_splits", p), feeds={p: [0, 3]})


def case_row_lengths(tf):
    return [made(tf, "from_row_lengths", [1, 3]), made(tf, "from_row_lengths", [0, 4, 0], validate=False)]


def case_row_lengths_negative(tf):
    p = tf.placeholder(tf.int64, [None])
    return Case(made(tf, "from_row_lengths", p), feeds={p: [5, -1]})


def case_row_starts(tf):
    return [made(tf, "from_row_starts", [0, 1]), made(tf, "from_row_starts", [0, 1], validate=False)]


def case_row_limits(tf):
    return [made(tf, "from_row_limits", [1, 4]), made(tf, "from_row_limits", [1, 4], validate=False)]


def case_value_rowids(tf):
    return [made(tf, "from_value_rowids", [0, 0, 2, 2]), made(tf, "from_value_rowids", [0, 0, 2, 2], nrows=5, validate=False)]


def case_value_rowids_fed(tf):
    p, n = tf.placeholder(tf.int64, [None]), tf.placeholder(tf.int64, [])
    return Case(made(tf, "from_value_rowids", p, nrows=n), feeds={p: [0, 0, 2, 2], n: 4})


def case_value_rowids_fed_alone(tf):
    p = tf.placeholder(tf.int64, [None])
    return Case(made(tf, "from_value_rowids", p, validate=False), feeds={p: [0, 0, 2, 2]})


def case_nested(tf):
    r, v = tf.RaggedTensor, values(tf)
    return [parts(r.from_nested_row_splits(v, [[0, 1, 1], [0, 4]], validate=False)),
            parts(r.from_nested_row_lengths(v, [[1, 0], [4]], validate=False)),
            parts(r.from_nested_value_rowids(v, [[0], [0, 0, 0, 0]], validate=False)),
            parts(r.from_nested_value_rowids(v, [[0], [0, 0, 0, 0]], [3, 1], name="n", validate=False))]


def case_nested_checked(tf):
    return parts(tf.RaggedTensor.from_nested_row_splits(values(tf), [[0, 1, 1], [0, 4]]))


def case_constants(tf):
    c = tf.ragged.constant
    return [parts(x) for x in (
        c([[1, 2], [3]]), c([[[1, 2], [3]], []]), c([[[1, 2]], [[3, 4], [5, 6]]], ragged_rank=1), c([["a"], [], ["b", "c"]]),
        c([[1.5], []], dtype=tf.float64, name="named"), c([[1], [2, 3]], row_splits_dtype=tf.int32), c([[], []]),
        c([[[1, 2], [3, 4]], []], inner_shape=(2,)), c([[], []], dtype=tf.string), c([[[]], []]), c([], ragged_rank=1),
        c([[], []], ragged_rank=2), c(((1, 2), (3,))))]


def case_dense_constants(tf):
    c = tf.ragged.constant
    return [c(3), c([1, 2]), c([[1, 2], [3, 4]], ragged_rank=0), c("a"), c([]), c([[1, 2]], inner_shape=(2,))]


def case_constant_refused(tf):
    c = tf.ragged.constant
    return [raises(c, [[1], 2]), raises(c, [1, [2]]), raises(c, [[1, 2]], ragged_rank=2), raises(c, 3, ragged_rank=1),
            raises(c, [[1]], ragged_rank=-1), raises(c, [[[1, 2], [3]]], ragged_rank=1), raises(c, [["a"], [1]]),
            raises(c, 3, inner_shape=(2,))]


def value_facts(value):
    if not hasattr(value, "to_list"):
        return [str(value.tolist()), value.dtype.name]
    return [str(value.to_list()), value.ragged_rank, value.flat_values, list(value.nested_row_splits), value.dtype.name,
            str(value.shape)]


def case_constant_values(tf):
    c = tf.ragged.constant_value
    return [value_facts(x) for x in (c([[1, 2], [3]]), c([[[1, 2], [3]], []]), c([[[1, 2]], [[3, 4]]], ragged_rank=1),
                                     c([[1.5], []], dtype=np.float32), c([[1], []], row_splits_dtype="int32"))]


def case_fetched(tf):
    with tf.Session() as s:
        out = s.run([tf.ragged.constant([[1, 2], [3]]), tf.ragged.constant([[["a"]], []])])
    return Case([value_facts(x) for x in out])


def case_placeholder_fed(tf):
    p = tf.ragged.placeholder(tf.int32, 2)
    q = tf.ragged.placeholder(tf.float32, 1, [2], name="q")
    return Case([parts(p), parts(q), tf.ragged.placeholder(tf.int32, 0, [3]).shape.as_list()],
                feeds={p: tf.ragged.constant_value([[[1], [2, 3]], []], dtype=np.int32),
                       q: tf.ragged.constant_value([[[1, 2]], []], dtype=np.float32, ragged_rank=1)})


def case_to_tensor(tf):
    c = tf.ragged.constant
    return [c([[1, 2], [3], []]).to_tensor(), c([[[1, 2], [3]], []]).to_tensor(default_value=7, name="t"),
            c([["a"], []]).to_tensor("x"), c([[[1, 2]], []], ragged_rank=1).to_tensor(),
            c([[[1, 2]], []], ragged_rank=1).to_tensor([8, 9]), c([[1], [2, 3]], row_splits_dtype=tf.int32).to_tensor()]


def case_to_tensor_empty(tf):
    return [tf.ragged.constant([[], []], dtype=tf.int32).to_tensor(), tf.ragged.constant([], ragged_rank=1, dtype=tf.int32).to_tensor()]


def case_to_sparse(tf):
    c = tf.ragged.constant
    return [c([[1, 2], [3], []]).to_sparse(), c([[[1, 2], [3]], []]).to_sparse(name="s"), c([[[1, 2]], []], ragged_rank=1).to_sparse(),
            c([[], []], dtype=tf.int32).to_sparse(), c([["a"], []]).to_sparse()]


def case_to_sparse_gradient(tf):
    x = tf.constant([1.0, 2.0, 3.0])
    sparse = tf.RaggedTensor.from_row_splits(x, [0, 1, 3], validate=False).to_sparse()
    return tf.gradients(sparse.values * 2.0, x)


def case_from_tensor(tf):
    r, p = tf.RaggedTensor, tf.placeholder(tf.int32, [None, None, 2])
    return Case([parts(r.from_tensor([[1, 2], [3, 4]])), parts(r.from_tensor([[[1, 2], [3, 4]]], ragged_rank=2)),
                 parts(r.from_tensor(p)), parts(r.from_tensor([["a"]], row_splits_dtype=tf.int32, name="n"))], feeds={p: [[[1, 2]]]})


def case_from_tensor_lengths(tf):
    return [parts(tf.RaggedTensor.from_tensor([[1, 2], [3, 4]], lengths=[1, 2])),
            parts(tf.RaggedTensor.from_tensor([[[1, 2], [3, 4]]], lengths=tf.constant([5], tf.int64)))]


def case_from_sparse(tf):
    return parts(tf.RaggedTensor.from_sparse(tf.SparseTensor([[0, 0], [0, 1], [2, 0]], [1, 2, 3], [4, 3])))


def case_from_sparse_gap(tf):
    return parts(tf.RaggedTensor.from_sparse(tf.SparseTensor([[0, 0], [0, 2]], [1, 2], [4, 3])))


def case_rows(tf):
    r, r2 = tf.ragged.constant([[1, 2], [3], []]), tf.ragged.constant([[[1, 2], [3]], []])
    return [r.nrows(), r.nrows(out_type=tf.int32), r.row_starts(), r.row_limits(), r.row_lengths(name="l"), parts(r2.row_lengths(axis=2)),
            list(r2.nested_row_lengths()), r2.bounding_shape(), r2.bounding_shape(axis=0), r2.bounding_shape(axis=1),
            r2.bounding_shape(axis=2), r2.bounding_shape(axis=0, out_type=tf.int32), raises(r2.bounding_shape, out_type=tf.int32)]


def case_value_rows(tf):
    r2 = tf.ragged.constant([[[1, 2], [3]], []])
    return [r2.value_rowids(), list(r2.nested_value_rowids()), tf.ragged.row_splits_to_segment_ids([0, 2, 2, 3]),
            tf.ragged.segment_ids_to_row_splits([0, 0, 2]), tf.ragged.segment_ids_to_row_splits([0, 0, 2], 5, tf.int32)]


def case_with(tf):
    r = tf.ragged.constant([[[1, 2], [3]], []])
    return [parts(r.with_flat_values(tf.zeros([3]))), parts(r.with_row_splits_dtype(tf.int32)), parts(r.with_values(tf.constant([1, 2])))]


def case_range(tf):
    f = tf.ragged.range
    return [parts(x) for x in (f([3, 5, 2]), f([0, 5, 8], [3, 3, 12]), f([0, 5, 8], [3, 3, 12], 2), f(18), f([0, 5], 3.0, 1.5),
                               f([5, 0], [0, 5], [-2, 2], name="n"), f([1], row_splits_dtype=tf.int32), f([0.0, 1.0], 2.0, dtype=tf.float64))]


def case_range_zero_delta(tf):
    return parts(tf.ragged.range([1], [3], [0]))


def case_raw_range(tf):
    p = tf.placeholder(tf.int32)
    return Case(list(tf.raw_ops.RaggedRange(starts=p, limits=[3, 4], deltas=1)), feeds={p: [0, 9]})


def case_raw_gather(tf):
    splits, vals = [0, 2, 2, 5], [10, 20, 30, 40, 50]
    g = tf.raw_ops.RaggedGather
    return [g(params_nested_splits=[splits], params_dense_values=vals, indices=[2, 0, 1, 2], OUTPUT_RAGGED_RANK=1),
            g(params_nested_splits=[splits], params_dense_values=vals, indices=[[2, 0], [1, 2]], OUTPUT_RAGGED_RANK=2),
            g(params_nested_splits=[[0, 1, 3], splits], params_dense_values=vals, indices=[1, 1], OUTPUT_RAGGED_RANK=2)]


def case_raw_gather_beyond(tf):
    return tf.raw_ops.RaggedGather(params_nested_splits=[[0, 2]], params_dense_values=[1, 2], indices=[1], OUTPUT_RAGGED_RANK=1)


def case_map_flat_values(tf):
    r = tf.ragged.constant([[1, 2], [3]])
    return [parts(tf.ragged.map_flat_values(tf.add, r, 1)), parts(tf.ragged.map_flat_values(tf.add, r, y=r)),
            tf.ragged.map_flat_values(tf.add, 1, 2), parts(tf.ragged.map_flat_values(tf.cast, r, dtype=tf.float32))]


def case_item(tf):
    r, r2 = tf.ragged.constant([[1, 2], [3]]), tf.ragged.constant([[[1, 2], [3]], [[4]]])
    return [r[0], r[1, 0], parts(r2[0]), r2[0, 1], parts(r[:]), parts(r[0:1]), parts(r2[1:]), parts(r[2:]), r[tf.constant(1)]]


def case_item_negative(tf):
    return tf.ragged.constant([[1, 2], [3]])[-1]


def case_refused(tf):
    r = tf.RaggedTensor
    ragged = tf.ragged.constant([[1, 2], [3]])
    return [raises(r, [1], [0, 1]), raises(r.from_row_splits, [1], []), raises(r.from_row_splits, 3, [0, 1], validate=False),
            raises(r.from_row_splits, [1], [[0, 1]], validate=False), raises(r.from_row_splits, [1], tf.constant([0.0])),
            raises(r.from_value_rowids, [1], [3], nrows=2), raises(r.from_value_rowids, [1], [0], nrows=-1),
            raises(r.from_tensor, [1, 2]), raises(r.from_tensor, [[1]], ragged_rank=0),
            raises(r.from_tensor, [[1]], lengths=[1], padding=0), raises(ragged.to_list), raises(bool, ragged), raises(r.from_sparse, 3),
            raises(ragged.with_values, tf.constant([1, 2])), raises(ragged.with_row_splits_dtype, tf.float32), raises(tf.convert_to_tensor, ragged),
            raises(r.from_nested_row_splits, [1], tf.constant([0, 1])), raises(ragged.to_tensor, [[1, 2]]), raises(ragged.to_tensor, "a")]


def case_stack_partitions(tf):
    f = tf.ragged.stack_dynamic_partitions
    return [parts(f(["a", "b", "c", "d", "e"], [3, 0, 2, 2, 3], 5)), parts(f([[1, 2], [3, 4]], [1, 0], tf.constant(2), name="n"))]


def case_stack_partitions_beyond(tf):
    p = tf.placeholder(tf.int32, [None])
    return Case([tf.reduce_sum(tf.ragged.stack_dynamic_partitions([1, 2], p, 2).row_splits)], feeds={p: [0, 2]}, graph=False)


def case_from_tensor_padding(tf):
    x, c = tf.constant([[1, 2, 0], [3, 0, 0], [0, 0, 0], [0, 4, 0]]), tf.constant([[[1, 2], [0, 0]], [[0, 0], [0, 0]]])
    f = tf.RaggedTensor.from_tensor
    p = tf.placeholder(tf.string, [None, None])
    return Case([parts(f(x, padding=0)), parts(f(c, padding=[0, 0])), parts(f(c, padding=0, ragged_rank=2)), parts(f(p, padding=""))],
                feeds={p: [["a", ""], ["", ""]]})


def case_from_tensor_nested_lengths(tf):
    c = tf.constant([[[1, 2], [0, 0]], [[0, 0], [0, 0]]])
    f = tf.RaggedTensor.from_tensor
    return [parts(f(c, lengths=([1, 2], [2, 1, 0]))), parts(f(c, lengths=[[1, 2], [2, 1, 0]], name="n"))]


def case_from_tensor_refused(tf):
    x, c = tf.constant([[1, 2, 0]]), tf.constant([[[1, 2], [0, 0]]])
    f = tf.RaggedTensor.from_tensor
    return [raises(f, c, padding=0), raises(f, x, padding=[0, 0]), raises(f, x, padding="a"), raises(f, x, lengths=[1.5]),
            raises(f, x, lengths=[[1]], ragged_rank=2), raises(f, x, ragged_rank=1.5), raises(f, x, lengths=1),
            raises(f, c, lengths=[1, 2], ragged_rank=2), raises(f, tf.constant(3)), raises(f, x, row_splits_dtype=tf.float32)]


def case_cached_rows(tf):
    r = tf.RaggedTensor
    v = values(tf)
    a = r.from_row_lengths(v, [1, 3], validate=False)
    b = r.from_value_rowids(v, [0, 0, 2, 2], nrows=5, validate=False)
    return [a.row_lengths(), a.nrows(), a.value_rowids(), b.value_rowids(), b.nrows(), b.nrows(out_type=tf.int32), b.row_lengths(),
            a.with_values(tf.zeros([4])).row_lengths(), b.with_row_splits_dtype(tf.int32).value_rowids(),
            a.with_row_splits_dtype(tf.int32).row_lengths(), list(a.nested_row_lengths()), (a + 1.0).row_lengths(),
            b.with_row_splits_dtype(tf.int32).nrows()]


def case_bounding_shapes(tf):
    r = tf.ragged.constant([[[1, 2], [3]], [], [[4]]])
    return [r.bounding_shape(), r.bounding_shape(axis=[0, 2]), r.bounding_shape(axis=1, name="b"), r.bounding_shape(out_type=tf.int32),
            tf.ragged.constant([[[1, 2]]], ragged_rank=1).bounding_shape(), r.bounding_shape(tf.constant(1))]


def case_row_lengths_inner(tf):
    r = tf.ragged.constant([[[1, 2], [3]], [], [[4]]])
    d = tf.ragged.constant([[[1, 2]], [[3, 4], [5, 6]]], ragged_rank=1)
    return [parts(r.row_lengths(2)), parts(d.row_lengths(axis=2)), raises(r.row_lengths, 5), r.row_lengths(0)]


def case_texts(tf):
    r = tf.ragged.constant([[1, 2], [3]])
    value = tf.ragged.constant_value([[1, 2], [3]])
    return [str(r), repr(r), str(value), repr(value), value.to_list(), str(value.shape), value.ragged_rank]


def case_values_refused(tf):
    v = tf.ragged.RaggedTensorValue
    ints = np.array([0, 1])
    return [raises(v, [1], ints), raises(v, np.array([1]), [0, 1]), raises(v, np.array([1]), np.array([0.0, 1.0])),
            raises(v, v(np.array([1]), ints), ints.astype(np.int32)), v(np.array([[1, 2]]), ints).to_list()]


def case_ragged_in_control_flow(tf):
    r, p = tf.ragged.constant([[1, 2], [3]]), tf.placeholder(tf.bool, [])
    chosen = tf.cond(p, lambda: r + 1, lambda: r * 10)
    looped = tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * 2), [0, r])
    return Case([parts(chosen), parts(looped[1])], feeds={p: False})


def case_map_flat_values_more(tf):
    r = tf.ragged.constant([[1, 2], [3]])
    f = tf.ragged.map_flat_values
    return [parts(f(lambda x: x * 2, r)), parts(f(lambda x, y: x + y, r, y=r)), raises(f, tf.add, r, tf.ragged.constant([[[1]]])),
            raises(f, tf.reduce_sum, r), parts(f(tf.strings.join, [tf.as_string(r), "x"]))]


def case_map_flat_values_differ(tf):
    r, q = tf.ragged.placeholder(tf.int32, 1), tf.ragged.constant([[1], [2, 3]])
    return Case([parts(tf.ragged.map_flat_values(tf.add, r, q))], feeds={r: tf.ragged.constant_value([[1, 2], [3]], dtype="int32")})


def case_concatenated_gradient_of_sparse(tf):
    r = tf.RaggedTensor.from_sparse(tf.SparseTensor([[0, 0], [0, 1], [2, 0]], [1.0, 2.0, 3.0], [4, 3]), name="f", row_splits_dtype=tf.int32)
    return [parts(r), r.to_sparse(), r.to_tensor()]


def case_loops(tf):
    r = tf.ragged.constant([[1, 2], [3]])
    s = tf.ragged.constant([[[1, 2], [3]], [[4]]])

    def loop(body, value, **options):
        return parts(tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, body(x)), [0, value], **options)[1])
    return [loop(lambda x: tf.concat([x, x], 1), r), loop(lambda x: x + 1, s), loop(
        lambda x: tf.concat([x, x], 0), r, shape_invariants=[tf.TensorShape([]), tf.TensorShape([None, None])])]


def case_loops_refused(tf):
    r = tf.ragged.constant([[1, 2], [3]])

    def loop(body, invariant=None):
        given = None if invariant is None else [tf.TensorShape([]), tf.TensorShape(invariant)]
        return raises(tf.while_loop, lambda i, x: i < 3, lambda i, x: (i + 1, body(x)), [0, r], given)
    return Case([loop(lambda x: tf.concat([x, x], 0)), loop(lambda x: x, [None]), loop(lambda x: x, [3, None])], collections=False)


def case_branches_of_known_axes(tf):
    x = tf.zeros([3, 4])
    y, z = tf.range(1, tf.rank(x)), tf.range(2, tf.rank(x))
    p, q, r = tf.greater(tf.rank(x), 2), tf.greater(tf.rank(x), 1), tf.placeholder(tf.bool, [])
    return Case([tf.cond(c, lambda a=a: tf.reduce_sum(x, axis=a), lambda: tf.zeros([3])) for c in (p, q, r) for a in (y, z) if c is q or a is y],
                feeds={r: True})


def case_map_flat_values_of_lists(tf):
    r = tf.ragged.constant([[1, 2], [3]])
    return parts(tf.ragged.map_flat_values(lambda xs: xs[0] + xs[1], [r, r]))


def case_rows_that_do_not_fit(tf):
    make = tf.RaggedTensor
    return [
        raises(make.from_value_rowids, [1, 2], [0]), raises(make.from_value_rowids, [[1], [2]], [0, 0, 1]),
        raises(make.from_value_rowids, tf.placeholder(tf.int32, [None]), [0]),
        raises(make.from_value_rowids, tf.placeholder(tf.int32), [0]),
        raises(make.from_row_splits, [1], [0.0, 1.0]), raises(make.from_row_lengths, [1], [1.0]),
        raises(make.from_value_rowids, [1], [1.0]), raises(make.from_row_starts, [1], [0.0]),
        raises(make.from_row_limits, [1], [1.0]), raises(make.from_row_splits, [1], ["a"]),
        raises(make.from_row_splits, [1], None), raises(make.from_row_splits, [1], [[0, 1]])]


def case_splits_of_the_type_of_their_segments(tf):
    f = tf.ragged.segment_ids_to_row_splits
    return [f(tf.constant([0, 0, 2])), f(tf.constant([0, 0, 2], tf.int64)), f([0, 0, 2], tf.constant(4)),
            f(tf.constant([0, 2]), tf.constant(4, tf.int64)), f(np.array([0, 2], np.int32)), f(tf.constant([0, 2]), out_type=tf.int64)]


def case_segments_that_are_no_integers(tf):
    p, f = tf.placeholder, tf.ragged.segment_ids_to_row_splits
    return [raises(f, [0.0, 1.0]), raises(f, p(tf.bool, [3])), raises(f, p(tf.int32, [2, 2])), raises(f, [0, 1], num_segments=2.0),
            raises(f, [0, 1], num_segments=[2])]


def case_segments_of_splits_of_unknown_rank(tf):
    return Case(tf.ragged.row_splits_to_segment_ids(tf.placeholder(tf.int64)), graph_only=True)


def case_splits_of_known_numbers(tf):
    p, f = tf.placeholder, tf.ragged.segment_ids_to_row_splits
    return Case([f(p(tf.int32, [None]), 4), f(p(tf.int64, [3]), tf.constant(4)), f(p(tf.int64, [3]), p(tf.int32, []))], graph_only=True)


def case_row_splits_of_counted_rows(tf):
    f = tf.ragged.segment_ids_to_row_splits
    return [f(tf.constant([0, 0, 2]), num_segments=count) for count in (4, np.int64(4), np.array(4), tf.constant(4))]


ARRAYS = ([np.array([1, 2]), np.array([3])], [np.array([1, 2]), [3]], [[np.array([1, 2])], []], [np.array([]), np.array([1.5])],
          [np.array([[1, 2]]), np.zeros([0, 2], int)])


def case_constant_of_arrays(tf):
    return [parts(tf.ragged.constant(rows)) for rows in ARRAYS] + parts(tf.ragged.constant(ARRAYS[0], dtype=tf.float64))


def case_value_of_arrays(tf):
    def facts(*args, **options):
        value = tf.ragged.constant_value(*args, **options)
        return [value.to_list(), str(value.values.dtype), str(value.row_splits.dtype)]

    return Case([*map(facts, ARRAYS), facts([[1], [2, 3]], dtype=tf.float32), facts([[True]], dtype=tf.bool), facts([["a"]], dtype=tf.string)])


def case_constant_said(tf):
    return Case([
        says("pylist has scalar values depth 2, but ragged_rank=2 requires scalar value depth greater than 2", tf.ragged.constant, [[1]], ragged_rank=2),
        says("row_splits must have dtype int32 or int64", tf.ragged.constant, [[1]], row_splits_dtype=tf.float32),
        says("row_splits must be a 1D int32 or int64 numpy array", tf.compat.v1.ragged.RaggedTensorValue, np.array([1]), np.array([[0]])),
        says("row_splits must be a 1D int32 or int64 numpy array", tf.compat.v1.ragged.RaggedTensorValue, np.array([1]), np.int64(1)),
    ])
