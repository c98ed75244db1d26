"""What random calls and programs found: values that are refused, static shapes, names and feeds."""
import numpy as np
from golden_case import Case, raises

NAN, INF = float("nan"), float("inf")


def fed(tf, *values):
    feeds = {}
    for value in values:
        value = np.asarray(value)
        feeds[tf.placeholder({"f": "float32", "i": "int32"}.get(value.dtype.kind, value.dtype))] = value
    return list(feeds), feeds


def case_empty_names(tf):
    return [raises(f, name="") for f in (
        tf.no_op, lambda name: tf.identity(1.0, name=name), lambda name: tf.placeholder(tf.float32, name=name),
        lambda name: tf.add(1.0, 2.0, name=name), lambda name: tf.zeros([2], name=name), lambda name: tf.group(name=name),
        lambda name: tf.reduce_sum([1.0], name=name), lambda name: tf.placeholder_with_default(1.0, [], name=name),
        lambda name: tf.convert_to_tensor(np.zeros(2), name=name), lambda name: tf.convert_to_tensor([tf.constant(1.0)], name=name),
        lambda name: tf.convert_to_tensor(tf.TensorShape([2]), name=name), lambda name: tf.cast(1, tf.float32, name=name))]


def case_extremes_of_scalars(tf):
    (x,), feeds = fed(tf, 2.0)
    return Case(tf.argmax(x, axis=0), feeds)


def case_extremes_along_no_axis(tf):
    x = tf.placeholder(tf.float32, [2])
    return Case(tf.argmin(x, axis=1), {x: [1.0, 2.0]})


def case_softmax_of_scalars(tf):
    x = tf.placeholder(tf.float32, [])
    return [raises(f, x, axis=axis) for f in (tf.nn.softmax, tf.nn.log_softmax) for axis in (0, -1, -2, None)]


def case_folds_read_variables_again(tf):
    v = tf.Variable([1.0, 2.0, 3.0], use_resource=True)
    w = tf.get_variable("w", initializer=[4.0, 5.0], use_resource=False)
    return [tf.foldl(tf.multiply, v), tf.foldr(tf.subtract, v), tf.foldl(tf.add, w), tf.foldl(tf.add, np.array([1.0, 2.0])),
            tf.scan(tf.add, v), tf.map_fn(tf.square, v)]


def case_tuple_waits_for_the_variable(tf):
    v = tf.get_variable("v", initializer=[1.0], use_resource=False)
    r = tf.get_variable("r", initializer=[1.0], use_resource=True)
    return tf.tuple([v, tf.constant(2.0), None, r])


def case_transposed_without_a_rank(tf):
    x = tf.placeholder(tf.float32)
    return Case([tf.transpose(x, [0]), tf.transpose(x, tf.placeholder_with_default([0], [1]))], {x: [1.0, 2.0]})


def case_transposed_scalars(tf):
    return [tf.transpose(tf.placeholder_with_default(1.0, [])), tf.transpose(tf.constant(1.0))]


def case_counted_by_rank_and_size(tf):
    x = tf.placeholder_with_default([[1.0, 2.0]], [1, 2])
    return [tf.range(tf.raw_ops.Rank(input=x)), tf.range(tf.raw_ops.Size(input=x)), tf.range(tf.raw_ops.Shape(input=x)[1]),
            tf.range(tf.raw_ops.Rank(input=tf.ones([2, 2]))), tf.range(tf.rank(x)), tf.zeros(tf.raw_ops.Shape(input=x))]


def case_norms_of_one_element(tf):
    (x,), feeds = fed(tf, [[-1.5, 2.0]])
    return Case([tf.math.reduce_euclidean_norm(x, 0), tf.math.reduce_euclidean_norm(x, [0], keepdims=True),
                 tf.math.reduce_euclidean_norm(x), tf.raw_ops.EuclideanNorm(input=[[-1.5], [2.0]], axis=[1])], feeds)


def case_spaces_to_infinity(tf):
    return [tf.linspace(1.0, INF, 3), tf.linspace(-INF, 2.0, 3), tf.linspace(INF, 2.0, 1)]


def case_quantized_arrays_are_integers(tf):
    (x, b), feeds = fed(tf, [1.0, 300.0, -1.0], np.array([1, 2], np.int8))
    bits = tf.bitcast(tf.constant([1, 200], tf.uint8), tf.quint8)
    q = tf.placeholder(tf.qint8)
    feeds[q] = np.array([3, 4], np.int8).astype(tf.qint8.as_numpy_dtype)
    return Case([tf.cast(x, tf.quint8), tf.cast(x, tf.qint32), tf.cast(b, tf.qint8), tf.cast(tf.cast(b, tf.qint8), tf.float32), bits,
                 tf.fill([2], bits[1]), tf.cast(bits, tf.bool), tf.concat([bits, bits], 0), tf.identity(q), q[0]], feeds)


def case_trained_with_an_estimate(tf):
    return tf.raw_ops.FusedBatchNormV3(x=tf.ones([1, 2, 2, 3]), scale=[1.0] * 3, offset=[0.0] * 3, mean=[0.0] * 3, variance=[])[0]


def case_least_squares_of_complex128(tf):
    a, b = tf.ones([3, 2], tf.complex128), tf.ones([3, 1], tf.complex128)
    return [raises(tf.linalg.lstsq, a, b, l2_regularizer=w, fast=fast) for w in (0.1, 1) for fast in (True, False)] + [
        raises(tf.linalg.lstsq, a, b, l2_regularizer=0.0)]


def case_solved_from_nan(tf):
    return tf.linalg.solve([[NAN, 1.0], [2.0, 3.0]], [[1.0], [2.0]])


def case_inverted_from_nan(tf):
    return tf.linalg.inv([[NAN, 1.0], [2.0, 3.0]])


def case_decoded_from_nan(tf):
    decoded, score = tf.nn.ctc_beam_search_decoder(tf.constant([[[1.0, NAN, 2.0]], [[1.0, 2.0, 3.0]]]), [2], beam_width=2)
    return [decoded[0], score]


def case_segments_of_bfloat16_with_nan(tf):
    x = tf.cast(tf.constant([NAN, 1.0, 1.0, NAN]), tf.bfloat16)
    return tf.cast(tf.math.unsorted_segment_max(x, [0, 0, 1, 1], 2), tf.float32)


def case_more_refused_at_build(tf):
    p, r = tf.placeholder, tf.raw_ops
    generator = tf.Variable([1, 2, 3], use_resource=True, dtype=tf.int64).handle
    return [
        raises(r.Conv2D, input=p(tf.float32, [2, 4, 5, 2]), filter=p(tf.float32, [1, 1, 2, 1]), strides=[1, 1, 1, 1], padding="EXPLICIT"),
        raises(r.ComputeAccidentalHits, true_classes=p(tf.int64, [2, 2]), sampled_candidates=p(tf.int64, [2]), num_true=1),
        raises(r.StridedSlice, input=[[1, 2]], begin=[0], end=[1], strides=[1], ellipsis_mask=6),
        raises(r.Reverse, tensor=[[1.0]], dims=[False]),
        raises(r.StatelessMultinomial, logits=[[1.0, 2.0]], num_samples=2, seed=[1]),
        raises(r.StatefulUniform, resource=generator, algorithm=1, shape=tf.constant([2], tf.uint8)),
    ]


def case_static_shapes(tf):
    p, r = tf.placeholder, tf.raw_ops
    made = [r.GatherV2(params=p(tf.float32, [2, 3, 4]), indices=p(tf.int32, [2, 2]), axis=p(tf.int32, []), batch_dims=1),
            r.MaxPoolGradGrad(orig_input=p(tf.float32, [None, 5, None, 2]), orig_output=p(tf.float32, [None, 3, 3, 2]),
                              grad=p(tf.float32, [None, 5, 5, 2]), ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME"),
            r.Reverse(tensor=p(tf.float32), dims=[True, False])]
    made += r.SparseConcat(indices=[p(tf.int64, [None, None])] * 2, values=[p(tf.float32, [None])] * 2, shapes=[p(tf.int64, [2])] * 2,
                           concat_dim=1)
    return Case(made, graph_only=True)


def case_axis_is_a_vector(tf):
    x = tf.raw_ops.UniqueV2(x=[[1, 2], [1, 2]], axis=0)[0]
    return raises(tf.Session().run, x)


def case_integers_that_no_element_holds(tf):
    fetched = {kind: tf.identity(tf.placeholder(kind)) for kind in ("bool", "float16", "float32", "complex64", "int8", "string")}
    session = tf.Session()
    return [raises(session.run, fetch, {fetch.op.inputs[0]: number}) for fetch in fetched.values() for number in (1, 2, 300, 2**24 + 1, True)]


def case_strings_fed_for_complex_numbers(tf):
    x = tf.placeholder(tf.complex64)
    session, y = tf.Session(), tf.identity(x)
    return [raises(session.run, y, {x: value}) for value in ("1", b"1", ["1"], np.array(["1"]), np.array([b"1"], object), [1j], None)]


def case_strings_stacked(tf):
    a, b = tf.constant("abc"), tf.constant(b"d")
    (x, y), feeds = fed(tf, np.array(b"x", object), np.array(b"yz", object))
    stacked = tf.stack([a, b])
    return Case([stacked, tf.stack([x, y], axis=-1), tf.unstack(stacked), tf.stack([a]), tf.string_join(tf.unstack(tf.stack([x, y]), num=2)),
                 tf.strings.length(tf.stack([x, b, y]))], feeds)


def case_extremes_along_vectors(tf):
    return [raises(tf.argmax, tf.ones([2]), axis=[0]), raises(tf.argmin, tf.placeholder(tf.float32), axis=[0, 1])]


def case_names_in_bytes(tf):
    return [tf.identity(1.0, name=b"raw"), tf.squeeze(np.ones([1, 2]), name=b"raw")]


def case_repeated_by_a_vector_of_one(tf):
    return [raises(tf.repeat, [[1, 2]], [2], axis=1), tf.repeat([[1, 2]], [2], axis=0), tf.repeat(3, [2]),
            tf.repeat([[-2]], (0,)), tf.repeat([[1, 2]], 2, axis=1)]


def case_seeds_of_numpy(tf):
    return [tf.random.shuffle([1.0, 2.0, 3.0], seed=np.uint8(1)), tf.random.uniform([2], seed=np.int8(-3))]


def case_least_squares_of_a_list(tf):
    return tf.linalg.lstsq([[1.0, 2.0], [0.0, 1.0]], [[3.0], [1.0]])


def case_softmax_along_an_axis_of_numpy(tf):
    x = tf.placeholder(tf.float32, [2, 3, 1])
    return Case([tf.nn.log_softmax(x, axis=np.int64(1)), tf.nn.softmax(x, axis=np.int64(0))], {x: np.ones([2, 3, 1])})


def case_cross_entropies_of_partly_known_shapes(tf):
    def loss(labels, logits, **options):
        return tf.nn.softmax_cross_entropy_with_logits_v2(tf.placeholder(tf.float32, labels), tf.placeholder(tf.float32, logits), **options)

    return Case([loss([4, 2, None], [None, 2, 2]), loss([1, 2], [None, None]), loss([2, None], [None, 2]), loss([4, 2, None], [None, 2, 2], axis=1)],
                graph_only=True)


def case_slices_and_splits_without_a_rank(tf):
    p = tf.placeholder
    made = [tf.slice(p(tf.float32), [0, 0], p(tf.int32)), tf.slice(p(tf.float32), p(tf.int32, [2]), p(tf.int32)),
            tf.slice(p(tf.float32), p(tf.int32), p(tf.int32, [3]))]
    return Case(made + tf.split(p(tf.float32, [4]), [1, 3], p(tf.int32, [])), graph_only=True)


def case_signs_of_complex_numbers(tf):
    x = tf.placeholder(tf.complex64)
    return Case(tf.sign(x), {x: np.array([complex(INF), complex(NAN), 0j, 1e30 + 1e30j, complex(0, INF), -2j], np.complex64)})


def case_diagonal_of_a_scalar(tf):
    (x,), feeds = fed(tf, 1.0)
    return Case(tf.linalg.tensor_diag(x), feeds)


def case_gradients_have_the_shape_of_the_value(tf):
    p, r = tf.placeholder, tf.raw_ops
    y, dy = (p(tf.float32, shape) for shape in ([None], [2]))
    return Case([r.SqrtGrad(y=y, dy=dy), r.RsqrtGrad(y=y, dy=dy), r.TanhGrad(y=y, dy=dy), r.SigmoidGrad(y=y, dy=dy),
                 r.ReciprocalGrad(y=y, dy=dy)], graph_only=True)


def case_sets_without_a_rank(tf):
    p = tf.placeholder
    return Case(list(tf.raw_ops.DenseToSparseSetOperation(set1=p(tf.int32), set2_indices=p(tf.int64, [None, 2]), set2_values=p(tf.int32, [None]),
                                                          set2_shape=p(tf.int64, [None]), set_operation="union")), graph_only=True)


def case_strings_are_no_numbers(tf):
    (x,), feeds = fed(tf, np.array(["a"], object))
    session, y = tf.Session(), tf.identity(x)
    return [raises(session.run, y, {x: value}) for value in ([1], 1.5, [None], np.int64(3), [b"a"], "a")]
