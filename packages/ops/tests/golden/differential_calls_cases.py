"""What random calls of single functions found."""
import numpy as np
from golden_case import Case, raises

INF, NAN = np.inf, np.nan


def case_constants_of_nothing(tf):
    made = [tf.constant([], dtype, [2]) for dtype in (tf.float32, tf.bool, tf.complex64, tf.int64)]
    return made + [tf.constant([[]], shape=[2, 1]), tf.constant(np.zeros((0, 2)), shape=[]), tf.constant_initializer([])([2])]


def case_strings_of_nothing(tf):
    return Case(tf.constant([[]], tf.string, [2]), graph=False)


def case_constants_of_nothing_verified(tf):
    return [raises(tf.constant, [], shape=[2], verify_shape=True), raises(tf.constant_initializer([], verify_shape=True), [2])]


def case_grid_of_nothing(tf):
    return [raises(tf.meshgrid), raises(tf.meshgrid, indexing="ij")]


def case_softmax_along_what_is_no_axis(tf):
    x = np.ones([2, 3, 1], np.float32)
    return [raises(tf.nn.softmax, x, axis=axis) for axis in ((2,), [1], "a", 3, tf.constant(5))]


def case_softmax_along_axes_of_other_types(tf):
    x = np.arange(6, dtype=np.float32).reshape(2, 3, 1)
    return [tf.nn.softmax(x, axis=axis) for axis in (2.0, True, np.uint8(1), np.int32(1), np.int8(-2), np.array(2))]


def case_means_of_no_complex_numbers(tf):
    x = tf.zeros([2, 0], tf.complex64)
    return [tf.reduce_mean(x), tf.reduce_mean(x, -1), tf.math.reduce_variance(x, -1)]


def case_gamma_functions_by_a_pole(tf):
    x = tf.constant([-1e-20, -1e-10, -1e-5, 1e-20, -3.0000001, -2.5], tf.float64)
    return Case([tf.math.lgamma(x), tf.math.digamma(x)], tolerance=1e-6)


def case_bounds_of_slices_that_are_not_there(tf):
    x = tf.placeholder(tf.float32, [2, 3])
    return [tf.slice(x, begin, size).shape for begin in ([-1, 1], [-1, -1]) for size in ([-1, 1], [-1, -1], [1, 1])] + [
        raises(tf.slice, x, [-2, 0], [1, 1])]


def case_equality_of_shapes_that_may_not_fit(tf):
    def shape(a, b):
        x, y = (tf.placeholder(tf.float32, dims) for dims in (a, b))
        return tf.raw_ops.Equal(x=x, y=y, incompatible_shape_error=False).shape

    known = (None, [None], [3], [2], [], [1], [None, 2], [2, None], [2, 3], [0])
    return [shape(a, b) for a in known for b in (None, [None], [], [2], [3, 1])]


def case_sparse_sets_out_of_order(tf):
    def size(indices, validate):
        return tf.raw_ops.SetSize(set_indices=indices, set_values=[1, 2, 3], set_shape=[3, 2, 3], validate_indices=validate)

    session = tf.Session()
    rows = [[[0, 1, 2], [0, 0, 1], [2, 0, 0]], [[0, 0, 1], [0, 0, 1], [2, 0, 0]], [[0, 0, 0], [1, 1, 0], [3, 0, 0]]]
    return [raises(session.run, size(indices, validate)) for indices in rows for validate in (True, False)]


def case_sparse_ranks(tf):
    p, r = tf.placeholder, tf.raw_ops

    def reorder(shape):
        return r.SparseReorder(input_indices=p(tf.int64, [None, 2]), input_values=p(tf.float32, [3]), input_shape=p(tf.int64, shape))

    def smaller(*shapes):
        kinds = (tf.int64, tf.float32, tf.int64) * 2
        names = ("a_indices", "a_values", "a_shape", "b_indices", "b_values", "b_shape")
        return r.SparseSparseMinimum(**{name: p(kind, shape) for name, kind, shape in zip(names, kinds, shapes)})

    lone = [[None] * i + [[3, 2, 1]] + [None] * (5 - i) for i in range(6)]
    return [raises(reorder, []), raises(reorder, [2, 2])] + [raises(smaller, *shapes) for shapes in lone]


def case_infinite_determinants(tf):
    x = [[[INF]], [[-INF]], [[NAN]], [[0.0]], [[-2.0]]]
    return [tf.linalg.slogdet(np.array(x, kind)) for kind in (np.float32, np.complex64)]


def case_one_piece(tf):
    def pieces(value, sizes, axis):
        default = tf.placeholder_with_default
        return tf.raw_ops.SplitV(value=default(value, None), size_splits=default(np.int64(sizes), None),
                                 axis=default(np.int32(axis), None), num_split=1)

    return pieces([1.0, 2.0], [5], 0) + pieces([1.0, 2.0], [1, 2], 7)


def case_names_that_no_scope_has(tf):
    names = ("_bad", "sp ace", "/a")
    return [raises(tf.strings.lower, 3, name=name) for name in names] + [raises(tf.nn.relu, [1.0], name=name) for name in names] + [
        raises(tf.is_nan, 3, name=""), raises(tf.is_nan, 3.0, name="")]


def case_names_in_a_scope(tf):
    with tf.name_scope("outer"):
        return [tf.nn.relu([1.0], name="_inner"), tf.nn.relu([1.0], name="/inner")]


def case_sparse_identity_of_a_boolean(tf):
    return tf.sparse.eye(True), tf.sparse.eye(3, True)


def case_scan_from_the_last_slice(tf):
    return [tf.scan(lambda a, x: a - x, tf.constant([1.0, 4.0, 9.0]), reverse=True),
            tf.scan(lambda a, x: (a[0] + x[0], x[1]), (tf.constant([1.0, 2.0]), tf.constant([3, 4])), reverse=True)]


def case_loops_that_change_a_dtype(tf):
    loops = [tf.while_loop(lambda i, x: i < 2, lambda i, x: (i + 1, tf.cast(x, tf.float32)), [0, 1]),
             tf.foldl(lambda a, x: x, tf.constant([1.0, 2.0]), initializer=1)]
    return [raises(tf.Session().run, loop) for loop in loops]


def case_shares_that_fall_just_short_of_one(tf):
    return [tf.nn.fixed_unigram_candidate_sampler([[0], [1]], 1, 60, False, len(weights), unigrams=weights, seed=3)
            for weights in ([1.0, 2.0, 0.5, 1.0, 3.0], [1.5, 0.5, 0.7, 4.0, 1.5, 3.0])]


def case_embeddings_of_unknown_rank(tf):
    ids = tf.SparseTensor(*[tf.placeholder(kind) for kind in (tf.int64, tf.int64, tf.int64)])
    return Case(tf.nn.safe_embedding_lookup_sparse([tf.ones([4, 2])], ids), graph_only=True)


def case_slopes_that_are_not_wanted(tf):
    (x,) = points = [tf.placeholder(tf.float32, [4])]
    feeds = {x: [0.0, 4.0, 0.0, -1.0]}
    return Case([tf.gradients(f(x), points, [0.0, 1.0, 0.0, 0.0]) for f in (tf.sqrt, tf.rsqrt, tf.reciprocal)], feeds)


def case_bounds_that_are_no_scalars(tf):
    p, r, session = tf.placeholder_with_default, tf.raw_ops, tf.Session()
    bounds = [p(0.0, None), p(1.0, None), p(3, None)]
    wide = [p([0.0], None), p([1.0, 2.0], None), p([3], None)]
    calls = [r.LinSpace(**dict(zip(("start", "stop", "num"), bounds[:i] + wide[i:i + 1] + bounds[i + 1:]))) for i in range(3)]
    return [raises(session.run, call) for call in calls] + [
        raises(r.ParallelConcat, values=[[[1, 2, 3]], [[4, 5, 6]]], shape=[2, 2])]


def case_largest_of_what_is_no_number(tf):
    x = np.array([1, NAN, NAN, NAN, -INF, -INF, 3, 2], np.float32).reshape(1, 2, 4, 1)
    return Case(tf.nn.fractional_max_pool(x, [1, 1.5, 1.5, 1], deterministic=True, seed=3, seed2=4)[0], graph=False)


def case_names_of_what_is_left_of_a_loop(tf):
    def slope(dims, body):
        x = tf.placeholder(tf.float32, dims)
        invariants = [tf.TensorShape([]), tf.TensorShape(dims)]
        return tf.gradients(tf.while_loop(lambda i, y: i < 2, body, [0, x], shape_invariants=invariants)[1], x)

    return Case([slope([3], lambda i, y: (i + 1, tf.floor(y))), slope([None], lambda i, y: (i + 1, tf.zeros([3]))),
                 slope(None, lambda i, y: (i + 1, tf.stop_gradient(y)))], graph_only=True)


def case_static_values_of_what_is_no_tensor(tf):
    variables = [tf.Variable([1.0, 2.0], use_resource=kind) for kind in (True, False)]
    return [tf.get_static_value(item) for item in (*variables, [1, 2], 5, "a", None, np.ones(2))]


def case_softmax_along_an_axis_of_an_array(tf):
    x = tf.placeholder(tf.float32, [None, None, 3])
    return Case([tf.nn.softmax(x, axis=np.array(1)), tf.nn.log_softmax(x, axis=np.array(-2))], {x: np.ones([2, 2, 3])})


def case_broadcast_to_nothing(tf):
    p = tf.placeholder_with_default
    return [tf.broadcast_to(p([1.0, 2.0], None), p(dims, None)) for dims in ([0, 0], [0], [3, 0])]


def case_variables_of_nothing(tf):
    made = [tf.Variable(np.ones(dims, np.float32), use_resource=kind, collections=["mine"]) for kind in (True, False) for dims in ([2, 0], [2])]
    empty = made[2]
    return [tf.is_variable_initialized(v) for v in made] + [tf.identity(empty), tf.assign_add(empty, np.ones([2, 0], np.float32)),
                                                            tf.report_uninitialized_variables(made)]


def case_cross_products_of_other_shapes(tf):
    p, session = tf.placeholder_with_default, tf.Session()
    pairs = [([1.0, 2.0], [1.0, 2.0]), ([1.0, 2.0, 3.0], [1.0, 2.0]), (1.0, 2.0), ([[1.0, 2.0, 3.0]], [1.0, 2.0, 3.0])]
    return [raises(session.run, tf.linalg.cross(p(a, None), p(b, None))) for a, b in pairs]


def case_batch_dimensions_of_other_types(tf):
    def chosen(dims):
        return tf.gather_nd([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[0], [2]], batch_dims=dims)

    return [chosen(dims) for dims in (np.int32(1), 1.0, True, tf.Dimension(1), tf.constant(1))]


def case_batch_dimensions_that_are_not_known(tf):
    return [raises(tf.gather_nd, [[1.0]], [[0]], batch_dims=dims) for dims in (None, "a", tf.placeholder(tf.int32, []))]


def case_slopes_of_strings(tf):
    return tf.raw_ops.StridedSliceGrad(shape=[2, 2], begin=[0], end=[1], strides=[1], dy=[["a", "b"]])


def case_distances_of_vectors(tf):
    parts = {f"{name}_{part}": value for name in ("hypothesis", "truth") for part, value in
             (("indices", [[0]]), ("values", [1.0]), ("shape", [2]))}
    p = tf.placeholder_with_default
    call = tf.raw_ops.EditDistance(**{key: p(np.array(value, None if "values" in key else np.int64), None) for key, value in parts.items()})
    return raises(tf.Session().run, call)


def case_means_of_no_small_numbers(tf):
    return [tf.cast(tf.reduce_mean(tf.cast(tf.zeros([0, 2]), kind), 0), tf.float32) for kind in (tf.bfloat16, tf.float16, tf.float32)]


def case_constants_of_the_shape_of_a_tensor(tf):
    return [raises(tf.constant, 0.0, shape=tf.constant([2])), raises(tf.constant_initializer([0.0, 1.0]), tf.constant([2]))]


def case_swish_of_lists(tf):
    x = tf.placeholder_with_default(2.0, [])
    return Case([tf.nn.swish([x, 1.0]), tf.gradients(tf.nn.swish([x, np.float32(3.0)]), x), tf.nn.swish(np.ones(2, np.float32))])


def case_tiles_of_nothing(tf):
    p = tf.placeholder
    return [tf.tile(p(tf.float32, dims), p(tf.int32, [None])).shape for dims in ([None, 0], [0], [2, 0, None])]


def case_axes_of_norms_in_other_types(tf):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    axes = (np.array(0), np.int64(0), np.array([0, 1]), [np.int32(0), 1], 1.0)
    return [raises(tf.norm, x, axis=axis) for axis in axes] + [tf.norm(x, axis=True), tf.linalg.normalize(x, axis=[0, 1])[1]]


def case_transposed_atrous_convolution_of_a_partly_known_filter(tf):
    x = tf.placeholder_with_default(np.ones((2, 3, 5, 1), np.float32), [2, None, None, 1])
    filters = tf.placeholder_with_default(np.ones((2, 2, 1, 1), np.float32), [2, None, 1, 1])
    return tf.nn.atrous_conv2d_transpose(x, filters, [2, 3, 5, 1], 2, "SAME")


def case_numbers_out_of_the_range_of_uint32(tf):
    return [tf.cast(tf.constant([value] * 9, dtype), tf.uint32)
            for value in (-3e9, 5e9, -1.5) for dtype in (tf.float32, tf.float64, tf.bfloat16)]


def case_text_of_bfloat16(tf):
    return [tf.strings.format("{}", tf.zeros(shape, tf.bfloat16)) for shape in ([], [2], [2, 2], [7], [2, 0])]


def case_repeats_of_unknown_rank(tf):
    x = tf.placeholder_with_default(np.arange(8.0).reshape(2, 2, 2), None)
    counts = tf.placeholder_with_default(np.array([1, 2]), None)
    return [tf.repeat(x, tf.constant(3), axis=1), tf.repeat(x, counts, axis=0), tf.repeat(x, counts, axis=2),
            tf.repeat(tf.constant(5), 3, axis=0), raises(tf.repeat, x, 3, axis=-1)]


def case_gradients_of_py_function_through_arrays(tf):
    x = tf.constant([0.5, 1.5])
    through = tf.py_function(lambda x: x * 3 if x[0] < 1 else x, [x], tf.float32)
    around = tf.py_function(lambda x: np.sin(x), [x], tf.float32)
    return Case([through, around, tf.gradients(through, x), tf.gradients(around, x)], graph=False)


def case_bounds_that_are_crossed(tf):
    def clipped(dtype):
        return tf.raw_ops.ClipByValue(t=tf.cast([1, 5, 120], dtype), clip_value_min=tf.cast(100, dtype), clip_value_max=tf.cast(2, dtype))

    return [clipped(dtype) for dtype in (tf.uint64, tf.bfloat16, tf.uint8, tf.int32, tf.float32)]


def case_one_hot_axis_of_unknown_rank(tf):
    return raises(tf.one_hot, tf.placeholder(tf.int32), 3, axis=-2)


def case_integers_saturated_as_floats(tf):
    x = tf.placeholder_with_default(np.array([2**63 - 1, 0, -70000]), None)
    return [tf.saturate_cast(x, tf.float16), tf.saturate_cast(x, tf.float32), tf.saturate_cast(x, tf.int8)]


def case_depthwise_convolution_to_nothing(tf):
    x, filters = tf.ones([2, 4, 5, 2]), tf.zeros([2, 2, 2, 0])
    y = tf.nn.depthwise_conv2d(x, filters, [1, 1, 1, 1], "SAME")
    return Case([y, tf.shape(tf.gradients(y, x)[0])], graph=False)
