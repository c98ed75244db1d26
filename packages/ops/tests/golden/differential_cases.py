"""Calls in which Ossia once did something else than the original: found by comparing random calls of both."""
import numpy as np
from golden_case import Case, raises


def fed(tf, *values):
    """Placeholders of unknown shape, and what to feed."""
    feeds = {}
    for value in values:
        array = np.asarray(value)
        array = array.astype({"f": "f4", "i": "i4"}.get(array.dtype.kind, array.dtype)) if array.dtype.itemsize == 8 else array
        feeds[tf.placeholder(array.dtype)] = array
    return list(feeds), feeds


def case_sizes_of_zero(tf):
    shape = [[None, 0], [1, None], [0], [None], [2], [None, None]]
    tensors = [tf.placeholder(tf.float32, s) for s in shape]
    matrices = [tf.placeholder(tf.float32, s) for s in ([0, None], [None, 0], [2, None, 0], [None, 3])]
    return Case([x + y for x in tensors[:4] + tensors[5:] for y in tensors[:4]] + [tensors[4] + tensors[3]] + [tf.linalg.diag_part(m) for m in matrices]
                + [tf.qr(m) for m in matrices] + [tf.svd(m) for m in matrices], graph_only=True)


def case_windows_larger_than_the_input(tf):
    (x, w), feeds = fed(tf, np.ones([1, 3, 2, 1]), np.ones([1, 3, 1, 1]))
    y = [tf.nn.conv2d(x, w, [1, 1, 1, 1], "VALID"), tf.nn.conv2d(x, w, [1, 1, 2, 1], "VALID"),
         tf.nn.depthwise_conv2d(x, w, [1, 1, 1, 1], "VALID"), tf.nn.dilation2d(x, w[..., 0], [1, 1, 1, 1], [1, 1, 1, 1], "VALID"),
         tf.nn.max_pool(x, [1, 1, 3, 1], [1, 1, 1, 1], "VALID"), tf.nn.avg_pool(x, [1, 1, 3, 1], [1, 1, 2, 1], "VALID"),
         tf.nn.max_pool_with_argmax(x, [1, 1, 3, 1], [1, 1, 1, 1], "VALID")]
    return Case(y + [tf.gradients(y[4:6], x)], feeds)


def case_window_too_large(tf):
    (x,), feeds = fed(tf, np.ones([1, 3, 1, 1]))
    return Case(tf.nn.max_pool(x, [1, 1, 3, 1], [1, 1, 1, 1], "VALID"), feeds)


def case_dilation_shapes(tf):
    def call(x, w, padding="VALID", strides=(1, 1, 1, 1)):
        return tf.nn.dilation2d(tf.placeholder(tf.float32, x), tf.placeholder(tf.float32, w), list(strides), [1, 1, 1, 1], padding)
    return Case([call([None, 4, 3, 1], [2, 2, None]), call([None, 4, 3, None], [2, 2, 1]), call([1, 2, 2, 1], [3, 3, 1]),
                 call([1, 2, 2, 1], [4, 4, 1], strides=(1, 3, 3, 1)), call([2, 4, None, 1], [2, 2, 1], "SAME")], graph_only=True)


def case_segments(tf):
    data, ids = tf.constant([[1.0], [2.0], [4.0]]), tf.constant([0, 0, 2])
    (number,), feeds = fed(tf, 4)
    return Case([tf.math.unsorted_segment_sqrt_n(data, ids, tf.constant(4)), tf.math.unsorted_segment_mean(data, ids, number),
                 tf.math.unsorted_segment_mean(tf.constant([1.0, 2.0]), tf.constant([1, 1]), tf.constant(2))], feeds)


def case_clip_by_global_norm_double(tf):
    x = tf.constant([3.0, 4.0], tf.float64)
    return [tf.clip_by_global_norm([x, None], 1.0)[0][0], tf.clip_by_global_norm([x / 0.0], 1.0)[0][0]]


def case_singular_values_of_complex_matrices(tf):
    x = tf.constant([[1 + 1j, 2.0], [0.0, 1j], [1.0, 1.0]], tf.complex64)
    values = tf.svd(x, compute_uv=False)
    return [values, tf.svd(x)[0], tf.gradients(values, x)]


def case_half_matrices(tf):
    (x,), feeds = fed(tf, np.array([[2, 1], [1, 4]], "f2"))
    return Case([tf.linalg.inv(x), tf.linalg.cholesky(x), tf.svd(x, compute_uv=False), tf.self_adjoint_eigvals(x)], feeds)


def case_solutions_of_unknown_rank(tf):
    x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float32, [3, 2, 2])
    return Case([tf.linalg.solve(y, x), tf.linalg.solve(x, y), tf.linalg.triangular_solve(y, x), tf.linalg.lstsq(y, x),
                 tf.raw_ops.MatrixSolveLs(matrix=y, rhs=x, l2_regularizer=0.0), tf.raw_ops.BatchMatMul(x=y, y=x),
                 tf.raw_ops.BatchMatMul(x=x, y=y)], graph_only=True)


def case_least_squares_of_partly_known_size(tf):
    return Case(tf.linalg.lstsq(tf.placeholder(tf.float32, [4, None]), tf.placeholder(tf.float32, [None, 2])), graph_only=True)


def case_softmax_losses_of_low_precision(tf):
    y = []
    for kind in (tf.float16, tf.bfloat16):
        x = tf.cast(tf.constant([[[1.0, 2.0, 3.0], [0.0, 1.0, 0.0]]]), kind)
        y += [tf.nn.softmax_cross_entropy_with_logits(labels=x, logits=x), tf.nn.softmax_cross_entropy_with_logits_v2(x, x),
              tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.constant([[2, 0]]), logits=x)]
    return Case(y, values=False)


def case_sequence_mask_of_unknown_rank(tf):
    (x,), feeds = fed(tf, [[1, 3], [0, 2]])
    return Case([tf.sequence_mask(x), tf.sequence_mask(x, 2)], feeds)


def case_upper_and_lower_end_at_nul(tf):
    x = tf.constant([b"AB\0Cd", b"\0x", b"a\xffB"])
    return [tf.strings.lower(x, encoding="utf-8"), tf.strings.upper(x, encoding="utf-8"), tf.strings.lower(x), tf.strings.upper(x)]


def case_fill_empty_rows_shapes(tf):
    def call(indices, values, shape):
        return tf.raw_ops.SparseFillEmptyRows(indices=tf.placeholder(tf.int64, indices), values=tf.placeholder(tf.float32, values),
                                              dense_shape=tf.placeholder(tf.int64, shape), default_value=1.0)
    return Case([call([None, None], [1], [2]), call(None, [1], [2]), call([3, 2], [3], None), call([3, 2], None, None),
                 raises(call, [3, None], [2], None), raises(call, [3, 3], [3], [2])], graph_only=True)


def case_complex_as_text(tf):
    (x, y), feeds = fed(tf, np.array(1 + 2j, "c8"), np.array([[1 + 2j, 3], [1, 2]], "c8"))
    return Case([tf.strings.format("{}", z, summarize=n) for z in (x, y) for n in (1, 3, -1)], feeds)


def case_leaky_relu_double(tf):
    x = tf.constant([-1.0, 1.0], tf.float64)
    return [tf.nn.leaky_relu(x), tf.raw_ops.LeakyRelu(features=x), tf.raw_ops.LeakyReluGrad(gradients=x, features=x)]


def case_bias_gradient_of_integers(tf):
    x = tf.constant([[[1, 2, 3], [4, 5, 6]]], tf.int8)
    return [tf.raw_ops.BiasAddGrad(out_backprop=tf.cast(x, kind), data_format=form) for kind in (tf.int8, tf.uint8, tf.int32)
            for form in ("NHWC", "NCHW")]


def case_bias_of_another_size(tf):
    (x, b), feeds = fed(tf, [[[1.0, 2.0]]], [1.0])
    return Case(tf.raw_ops.BiasAddV1(value=x, bias=b), feeds)


def case_tile_with_nothing(tf):
    return Case([tf.tile(tf.placeholder(tf.float32), [0, 2, 2]), tf.tile(tf.placeholder(tf.float32, [None, 0, 2]), [0, 2, 2])],
                graph_only=True)


def case_transpose(tf):
    (x,), feeds = fed(tf, [[1, 2], [3, 4]])
    return Case([tf.transpose(tf.constant(2)), tf.transpose([[1, 2]], [1, 0]), tf.transpose([[1, 2]]), tf.transpose(x)], feeds)


def case_expand_dims_at_unknown_axis(tf):
    (x, axis), feeds = fed(tf, [1, 2], 0)
    return Case([tf.expand_dims(x, axis), tf.expand_dims(tf.constant(1), axis), tf.expand_dims(tf.constant([1]), axis)], feeds)


def case_unique_with_counts_of_a_matrix(tf):
    return tf.unique_with_counts(tf.placeholder_with_default([[1, 2]], [None, None]))


def case_arguments_of_raw_ops(tf):
    x, r = tf.constant([[True, False], [True, True]]), tf.raw_ops
    y = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    return [r.All(input=x, axis=0), r.Any(input=x, axis=[1]), r.EuclideanNorm(input=y, axis=0), r.Max(input=y, axis=0),
            r.Mean(input=y, axis=0, keep_dims=True), r.Min(input=y, axis=1), r.Prod(input=y, axis=1), r.Sum(input=y, axis=[0, 1]),
            r.ExpandDims(input=y, axis=0), r.Select(condition=x, x=y, y=-y), r.Split(axis=0, value=y, num_split=2),
            r.SplitV(value=y, size_splits=[1, 1], axis=1, num_split=2), r.Squeeze(input=y[:1], axis=[0]), r.Where(condition=x),
            raises(r.All, input=x, reduction_indices=0), raises(r.Split, split_dim=0, value=y, num_split=2)]


def case_refused_at_build(tf):
    p, r = tf.placeholder, tf.raw_ops
    return [
        raises(r.PrintV2, input=p(tf.string, [2])),
        raises(r.ParallelConcat, values=[p(tf.float32, [1, 2])] * 2, shape=[None, 2]),
        raises(r.ParallelConcat, values=[p(tf.float32, [1, 2]), p(tf.float32, [2, 2])], shape=[2, 2]),
        raises(r.Split, axis=[0, 0], value=p(tf.float32, [2, 2]), num_split=2),
        raises(r.HistogramFixedWidth, values=p(tf.float32, [3]), value_range=p(tf.float32, []), nbins=3),
        raises(r.HistogramFixedWidth, values=p(tf.float32, [3]), value_range=p(tf.float32, [3]), nbins=3),
        raises(r.HistogramFixedWidth, values=p(tf.float32, [3]), value_range=p(tf.float32, [2]), nbins=[3]),
        raises(r.OneHot, indices=[0, 1], depth=[2], on_value=1.0, off_value=0.0),
        raises(r.Transpose, x=p(tf.float32, [5, None]), perm=p(tf.int32, [3])),
    ]


def case_one_hot_values_are_scalars(tf):
    (on,), feeds = fed(tf, [5.0])
    return Case(tf.one_hot([0, 1], 2, on_value=on, off_value=tf.constant(0.0)), feeds)


def case_sparse_softmax_loss_of_scalars(tf):
    return tf.losses.sparse_softmax_cross_entropy(tf.constant(1), tf.constant(2.0))


def case_parsed_tensor_of_a_vector(tf):
    return tf.io.parse_tensor(tf.constant([b"a"]), tf.float32)


def case_sort_along_a_negative_axis_of_unknown_rank(tf):
    (x,), feeds = fed(tf, [[2.0, 1.0], [0.0, 3.0]])
    return Case([f(x, axis=axis) for f in (tf.sort, tf.argsort) for axis in (-2, 0)], feeds)


def case_truncated_values_of_many_rows(tf):
    rows = np.arange(1, 41, dtype="f4")
    made = [tf.raw_ops.ParameterizedTruncatedNormal(shape=[40, n], means=0 * rows, stdevs=rows, minvals=low * rows, maxvals=rows, seed=3)
            for n in (1, 3, 7) for low in (-1.0, -9.0, 0.99)]
    return made + [tf.raw_ops.ParameterizedTruncatedNormal(shape=[40, 2], means=np.zeros(40), stdevs=np.ones(40),
                                                           minvals=np.linspace(-3, 2, 40), maxvals=np.full(40, 4.0), seed=3)]


def case_repeat(tf):
    (x, n, several), feeds = fed(tf, [[1, 2], [3, 4]], 2, [2, 1])
    known = tf.placeholder_with_default([[1, 2], [3, 4]], [2, 2])
    return Case([tf.repeat(x, n), tf.repeat(known, n, axis=1), tf.repeat(known, [2, 1], axis=1), tf.repeat(known, several, axis=1),
                 tf.repeat(known, several, axis=0), tf.repeat(known, [0, 3], axis=0), tf.repeat(tf.ones([2, 2, 3]), [1, 0, 2], axis=-1)], feeds)
