"""What `tf.gradients` builds and computes, op by op for the common families, and its arguments."""
import numpy as np
from golden_case import Case, raises

A = np.array([[0.5, -1.25, 2.0], [1.5, 0.75, -0.5]])
B = np.array([[1.5, 0.5, -2.0], [0.25, 2.0, 1.0]])

UNARY = ["abs", "negative", "square", "sqrt", "rsqrt", "exp", "log", "log1p", "expm1", "sin", "cos", "tan", "tanh", "sigmoid", "asin", "acos",
         "atan", "sinh", "cosh", "asinh", "acosh", "atanh", "sign", "floor", "ceil", "round", "rint", "reciprocal", "erf", "erfc", "lgamma", "digamma",
         "identity", "stop_gradient", "zeros_like", "ones_like", "nn.relu", "nn.relu6", "nn.elu", "nn.selu", "nn.softplus", "nn.softsign",
         "nn.leaky_relu", "nn.softmax", "nn.log_softmax", "nn.l2_loss", "log_sigmoid", "real", "reduce_sum", "reduce_mean", "reduce_prod",
         "reduce_max", "reduce_min", "reduce_logsumexp", "transpose", "shape", "size", "rank", "norm", "nn.swish", "cumsum", "cumprod", "is_nan",
         "diag_part", "trace", "matrix_diag", "check"]


def resolve(tf, name):
    for part in name.split("."):
        tf = getattr(tf, part)
    return tf


for _name in UNARY:
    def _case(tf, name=_name):
        if name == "check":
            return tf.gradients(tf.check_numerics(tf.constant(A, tf.float32), "m"), [])
        value = np.abs(A) * 0.4 if name in ("asin", "acos", "atanh") else np.abs(A) + 1.0 if name in ("log", "sqrt", "rsqrt", "acosh", "lgamma", "digamma") else A
        x = tf.constant(value, tf.float32, name="x")
        y = resolve(tf, name)(x)
        return {"y": y, "dx": tf.gradients(y, x)}
    globals()["case_unary_" + _name.replace(".", "_")] = _case

    def _case(tf, name=_name):
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        y = resolve(tf, name)(x) if name != "check" else tf.check_numerics(x, "m")
        return Case({"y": y, "dx": tf.gradients(y, x)}, graph_only=True)
    globals()["case_unary_unknown_" + _name.replace(".", "_")] = _case

BINARY = ["add", "subtract", "multiply", "divide", "div", "truediv", "floordiv", "pow", "maximum", "minimum", "squared_difference", "mod", "atan2",
          "real_div", "div_no_nan", "igamma", "igammac", "zeta", "xdivy", "xlogy", "complex"]
SHAPES = {"same": ([2, 3], [2, 3]), "row": ([2, 3], [3]), "column": ([2, 3], [2, 1]), "scalar": ([], [2, 3]), "both": ([2, 1], [1, 3]),
          "unknown": (None, [3]), "partial": ([None, 3], [None, 3])}
for _name in BINARY:
    for _kind, (_left, _right) in SHAPES.items():
        def _case(tf, name=_name, left=_left, right=_right, kind=_kind):
            function = getattr(tf.math, name, None) or getattr(tf, name, None) or tf.raw_ops.RealDiv
            def value(table, shape):
                shape = [2, 3] if shape is None else [d or 2 for d in shape]
                shift = 1.0 if name in ("zeta", "igamma", "igammac") else 0.0
                return np.asarray(np.abs(np.resize(table, shape or [1]).reshape(shape)) + shift, np.float32)
            va, vb = value(A, left), value(B, right)
            if kind in ("unknown", "partial"):
                a, b = tf.placeholder(tf.float32, left, name="a"), tf.placeholder(tf.float32, right, name="b")
                feeds = {a: va, b: vb}
            else:
                a, b, feeds = tf.constant(va, name="a"), tf.constant(vb, name="b"), None
            y = function(a, b) if function is not getattr(tf.raw_ops, "RealDiv", None) else function(x=a, y=b)
            return Case({"y": y, "grads": tf.gradients(tf.abs(y) if name == "complex" else y, [a, b])}, feeds=feeds)
        globals()["case_binary_%s_%s" % (_name, _kind)] = _case

REDUCTIONS = {"sum": "reduce_sum", "mean": "reduce_mean", "prod": "reduce_prod", "max": "reduce_max", "min": "reduce_min", "logsumexp": "reduce_logsumexp",
              "std": "math.reduce_std", "variance": "math.reduce_variance", "euclidean": "math.reduce_euclidean_norm"}
AXES = {"all": dict(), "first": dict(axis=0), "last": dict(axis=-1), "two": dict(axis=[0, 1]), "keep": dict(axis=1, keepdims=True), "none": dict(axis=[]),
        "keep_all": dict(keepdims=True)}
for _name, _function in REDUCTIONS.items():
    for _kind, _options in AXES.items():
        def _case(tf, function=_function, options=_options):
            x = tf.constant(A, tf.float32)
            y = resolve(tf, function)(x, **options)
            return {"y": y, "dx": tf.gradients(y, x)}
        globals()["case_reduce_%s_%s" % (_name, _kind)] = _case

        def _case(tf, function=_function, options=_options):
            x = tf.placeholder(tf.float32, [None, 3])
            y = resolve(tf, function)(x, **options)
            return Case({"y": y, "dx": tf.gradients(y, x)}, feeds={x: A})
        globals()["case_reduce_unknown_%s_%s" % (_name, _kind)] = _case

OPS = {
    "matmul": (lambda tf, x, y: tf.matmul(x, y, transpose_b=True), [2, 3], [4, 3]),
    "matmul_ta": (lambda tf, x, y: tf.matmul(x, y, transpose_a=True), [3, 2], [3, 4]),
    "matmul_tab": (lambda tf, x, y: tf.matmul(x, y, transpose_a=True, transpose_b=True), [3, 2], [4, 3]),
    "matmul_plain": (lambda tf, x, y: tf.matmul(x, y), [2, 3], [3, 4]),
    "batch_matmul": (lambda tf, x, y: tf.matmul(x, y), [2, 2, 3], [2, 3, 2]),
    "batch_matmul_broadcast": (lambda tf, x, y: tf.matmul(x, y), [2, 2, 3], [3, 2]),
    "batch_matmul_adjoint": (lambda tf, x, y: tf.matmul(x, y, adjoint_a=True), [2, 3, 2], [2, 3, 2]),
    "tensordot": (lambda tf, x, y: tf.tensordot(x, y, [[1], [0]]), [2, 3], [3, 2, 2]),
    "einsum": (lambda tf, x, y: tf.einsum("ij,jk->ik", x, y), [2, 3], [3, 2]),
    "bias_add": (lambda tf, x, y: tf.nn.bias_add(x, y), [2, 4, 3], [3]),
    "bias_add_nchw": (lambda tf, x, y: tf.nn.bias_add(x, y, data_format="NCHW"), [2, 3, 4, 4], [3]),
    "conv2d": (lambda tf, x, y: tf.nn.conv2d(x, y, [1, 1, 1, 1], "SAME"), [1, 4, 4, 2], [3, 3, 2, 2]),
    "conv2d_strided": (lambda tf, x, y: tf.nn.conv2d(x, y, [1, 2, 2, 1], "VALID"), [1, 5, 5, 2], [3, 2, 2, 1]),
    "conv2d_dilated": (lambda tf, x, y: tf.nn.conv2d(x, y, [1, 1, 1, 1], "VALID", dilations=[1, 2, 2, 1]), [1, 5, 5, 1], [2, 2, 1, 1]),
    "conv1d": (lambda tf, x, y: tf.nn.conv1d(x, y, 1, "SAME"), [1, 5, 2], [3, 2, 2]),
    "conv3d": (lambda tf, x, y: tf.nn.conv3d(x, y, [1, 1, 1, 1, 1], "SAME"), [1, 2, 3, 3, 1], [2, 2, 2, 1, 1]),
    "conv2d_transpose": (lambda tf, x, y: tf.nn.conv2d_transpose(x, y, [1, 4, 4, 1], [1, 2, 2, 1]), [1, 2, 2, 2], [3, 3, 1, 2]),
    "depthwise": (lambda tf, x, y: tf.nn.depthwise_conv2d(x, y, [1, 1, 1, 1], "SAME"), [1, 3, 3, 2], [2, 2, 2, 2]),
    "atrous": (lambda tf, x, y: tf.nn.atrous_conv2d(x, y, 2, "SAME"), [1, 4, 4, 1], [2, 2, 1, 1]),
    "softmax_xent": (lambda tf, x, y: tf.nn.softmax_cross_entropy_with_logits(labels=tf.nn.softmax(y), logits=x), [2, 3], [2, 3]),
    "softmax_xent_v2": (lambda tf, x, y: tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=x), [2, 3], [2, 3]),
    "sparse_xent": (lambda tf, x, y: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[0, 2], logits=x * y), [2, 3], [2, 3]),
    "sigmoid_xent": (lambda tf, x, y: tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.sigmoid(y), logits=x), [2, 3], [2, 3]),
    "weighted_xent": (lambda tf, x, y: tf.nn.weighted_cross_entropy_with_logits(labels=tf.sigmoid(y), logits=x, pos_weight=2.0), [2, 3], [2, 3]),
    "concat": (lambda tf, x, y: tf.concat([x, y], 1), [2, 3], [2, 1]), "concat_0": (lambda tf, x, y: tf.concat([x, y, x], 0), [2, 3], [1, 3]),
    "stack": (lambda tf, x, y: tf.stack([x, y], 1), [2, 3], [2, 3]), "add_n": (lambda tf, x, y: tf.add_n([x, y, x]), [2, 3], [2, 3]),
    "where": (lambda tf, x, y: tf.where(x > y, x, y), [2, 3], [2, 3]), "where_rows": (lambda tf, x, y: tf.where([True, False], x, y), [2, 3], [2, 3]),
    "batch_norm": (lambda tf, x, y: tf.nn.batch_normalization(x, tf.reduce_mean(x, 0), tf.math.reduce_variance(x, 0), y, y, 1e-3), [4, 3], [3]),
    "fused_batch_norm": (lambda tf, x, y: tf.nn.fused_batch_norm(x, y, y)[0], [2, 2, 2, 3], [3]),
    "prelu": (lambda tf, x, y: tf.nn.relu(x) + y * tf.minimum(x, 0.0), [2, 3], [3]), "dist": (lambda tf, x, y: tf.norm(x - y, axis=1), [2, 3], [2, 3]),
    "cross": (lambda tf, x, y: tf.cross(x, y), [2, 3], [2, 3]), "moments": (lambda tf, x, y: tf.nn.moments(x * y, [0]), [2, 3], [2, 3]),
    "clip_by_value": (lambda tf, x, y: tf.clip_by_value(x, -0.5, 1.0) * y, [2, 3], [2, 3]), "clip_by_norm": (lambda tf, x, y: tf.clip_by_norm(x * y, 1.0), [2, 3], [2, 3]),
    "global_norm": (lambda tf, x, y: tf.clip_by_global_norm([x, y], 1.0)[0], [2, 3], [2, 3]), "l2_normalize": (lambda tf, x, y: tf.nn.l2_normalize(x * y, 1), [2, 3], [2, 3]),
    "segment_sum": (lambda tf, x, y: tf.segment_sum(x * y, [0, 1]), [2, 3], [2, 3]), "unsorted": (lambda tf, x, y: tf.unsorted_segment_sum(x * y, [1, 1], 3), [2, 3], [2, 3]),
    "matrix_ops": (lambda tf, x, y: tf.matmul(tf.matrix_inverse(x), y), [2, 2], [2, 2]), "dropout_like": (lambda tf, x, y: tf.nn.dropout(x, 0.5, seed=1) * y, [2, 3], [2, 3]),
    "bilinear": (lambda tf, x, y: tf.reduce_sum(tf.matmul(x, y) * tf.matmul(x, y)), [2, 3], [3, 2]), "addv2": (lambda tf, x, y: x + y, [2, 3], [1]),
}
for _name, (_build, _left, _right) in OPS.items():
    def _values(left, right):
        return (np.resize(A, left).astype(np.float32), np.resize(B * 0.7, right).astype(np.float32))

    def _case(tf, build=_build, left=_left, right=_right, values=_values, name=_name):
        a, b = values(left, right)
        x, y = tf.constant(a, name="x"), tf.constant(b, name="y")
        z = build(tf, x, y)
        return Case({"z": z, "grads": tf.gradients(z, [x, y])}, graph_only=name == "conv2d_dilated")
    globals()["case_op_" + _name] = _case

    def _case(tf, build=_build, left=_left, right=_right, values=_values, name=_name):
        a, b = values(left, right)
        x, y = tf.placeholder(tf.float32, [None] + left[1:], name="x"), tf.placeholder(tf.float32, right, name="y")
        z = build(tf, x, y)
        return Case({"z": z, "grads": tf.gradients(z, [x, y])}, feeds={x: a, y: b}, graph_only=name == "conv2d_dilated")
    globals()["case_op_unknown_" + _name] = _case

ARRAYS = {
    "reshape": lambda tf, x: tf.reshape(x, [3, 2]), "expand": lambda tf, x: tf.expand_dims(x, 1), "squeeze": lambda tf, x: tf.squeeze(x[:1]), "transpose": lambda tf, x: tf.transpose(x, [1, 0]),
    "tile": lambda tf, x: tf.tile(x, [2, 3]), "pad": lambda tf, x: tf.pad(x, [[1, 0], [2, 1]]), "pad_mirror": lambda tf, x: tf.pad(x, [[1, 0], [1, 1]], "REFLECT"),
    "pad_value": lambda tf, x: tf.pad(x, [[1, 0], [2, 1]], constant_values=2.0), "slice": lambda tf, x: tf.slice(x, [0, 1], [2, 1]), "strided": lambda tf, x: x[::-1, 1:], "split": lambda tf, x: tf.split(x, 3, 1)[1],
    "split_all": lambda tf, x: tf.split(x, [1, 2], 1), "unstack": lambda tf, x: tf.unstack(x, 2)[0], "gather": lambda tf, x: tf.gather(x, [1, 1, 0]), "gather_axis": lambda tf, x: tf.gather(x, [2, 0, 0], axis=1),
    "gather_nd": lambda tf, x: tf.gather_nd(x, [[0, 1], [1, 2]]), "embedding": lambda tf, x: tf.nn.embedding_lookup(x, [[0, 1], [1, 1]]), "reverse": lambda tf, x: tf.reverse(x, [0]),
    "scatter_nd": lambda tf, x: tf.scatter_nd([[3], [1]], x, [4, 3]), "cast": lambda tf, x: tf.cast(x, tf.float64), "cast_int": lambda tf, x: tf.cast(x, tf.int32), "top_k": lambda tf, x: tf.nn.top_k(x, 2).values,
    "dynamic_partition": lambda tf, x: tf.dynamic_partition(x, [1, 0], 2), "dynamic_stitch": lambda tf, x: tf.dynamic_stitch([[0, 2], [1]], [x, x[:1] * 2.0]), "reverse_sequence": lambda tf, x: tf.reverse_sequence(x, [1, 2], seq_axis=1),
    "cumsum_options": lambda tf, x: tf.cumsum(x, 1, exclusive=True, reverse=True), "diag": lambda tf, x: tf.matrix_diag(x), "set_diag": lambda tf, x: tf.matrix_set_diag(tf.matmul(x, x, transpose_b=True), x[:, 0]),
    "band_part": lambda tf, x: tf.matrix_band_part(x, 0, 1), "broadcast_to": lambda tf, x: tf.broadcast_to(x, [2, 2, 3]), "boolean_mask": lambda tf, x: tf.boolean_mask(x, [True, False]), "identity_n": lambda tf, x: tf.identity_n([x, x]),
    "max_pool": lambda tf, x: tf.nn.max_pool(tf.reshape(tf.tile(x, [2, 3]), [1, 6, 6, 1]), [1, 2, 2, 1], [1, 2, 2, 1], "VALID"), "print": lambda tf, x: tf.Print(x, [x], "message"),
    "max_pool_same": lambda tf, x: tf.nn.max_pool(tf.reshape(x, [1, 2, 3, 1]), [1, 2, 2, 1], [1, 1, 1, 1], "SAME"), "avg_pool": lambda tf, x: tf.nn.avg_pool(tf.reshape(x, [1, 2, 3, 1]), [1, 2, 2, 1], [1, 1, 1, 1], "SAME"),
    "max_pool3d": lambda tf, x: tf.nn.max_pool3d(tf.reshape(x, [1, 1, 2, 3, 1]), [1, 1, 2, 2, 1], [1, 1, 1, 1, 1], "VALID"), "avg_pool3d": lambda tf, x: tf.nn.avg_pool3d(tf.reshape(x, [1, 1, 2, 3, 1]), [1, 1, 2, 2, 1], [1, 1, 1, 1, 1], "VALID"),
    "lrn": lambda tf, x: tf.nn.lrn(tf.reshape(x, [1, 1, 2, 3]), 1), "space_to_depth": lambda tf, x: tf.space_to_depth(tf.reshape(x[:, :2], [1, 2, 2, 1]), 2), "depth_to_space": lambda tf, x: tf.depth_to_space(tf.reshape(tf.tile(x[:, :2], [1, 1]), [1, 1, 1, 4]), 2),
    "space_to_batch": lambda tf, x: tf.space_to_batch_nd(tf.reshape(x[:, :2], [1, 2, 2, 1]), [2, 2], [[0, 0], [0, 0]]), "patches": lambda tf, x: tf.extract_image_patches(tf.reshape(x, [1, 2, 3, 1]), [1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], "VALID"),
    "one_minus": lambda tf, x: 1.0 - x, "polynomial": lambda tf, x: x ** 3 - 2.0 * x ** 2 + x, "mean_square": lambda tf, x: tf.reduce_mean(tf.square(x - 1.0)), "logsumexp": lambda tf, x: tf.log(tf.reduce_sum(tf.exp(x), 1)),
    "softmax_axis": lambda tf, x: tf.nn.softmax(x, axis=0), "fft": lambda tf, x: tf.abs(tf.fft(tf.cast(x, tf.complex64))), "segment_mean": lambda tf, x: tf.segment_mean(x, [0, 0]), "segment_max": lambda tf, x: tf.segment_max(x, [0, 0]),
    "sparse_segment": lambda tf, x: tf.sparse_segment_sum(x, [0, 1, 1], [0, 0, 1]), "sparse_segment_mean": lambda tf, x: tf.sparse_segment_mean(x, [0, 1, 1], [0, 0, 1]), "unsorted_mean": lambda tf, x: tf.unsorted_segment_mean(x, [0, 0], 2),
    "sparse_dense": lambda tf, x: tf.sparse_tensor_dense_matmul(tf.SparseTensor([[0, 1], [1, 0]], [1.0, 2.0], [2, 2]), x), "reciprocal_no_nan": lambda tf, x: tf.math.reciprocal_no_nan(x), "cholesky": lambda tf, x: tf.cholesky(tf.matmul(x, x, transpose_b=True)),
    "determinant": lambda tf, x: tf.matrix_determinant(tf.matmul(x, x, transpose_b=True)), "in_top": lambda tf, x: tf.nn.in_top_k(x, [0, 1], 1), "sort": lambda tf, x: tf.sort(x), "roll": lambda tf, x: tf.roll(x, 1, 1), "accumulate": lambda tf, x: tf.accumulate_n([x, x]),
    "gelu_like": lambda tf, x: 0.5 * x * (1.0 + tf.tanh(0.8 * (x + 0.04 * tf.pow(x, 3)))), "fake_quant": lambda tf, x: tf.fake_quant_with_min_max_args(x, -1.0, 1.0), "ensure_shape": lambda tf, x: tf.ensure_shape(x, [None, 3]),
}
for _name, _build in ARRAYS.items():
    def _case(tf, build=_build):
        x = tf.constant(A, tf.float32, name="x")
        y = build(tf, x)
        return {"y": y, "dx": tf.gradients(y, x)}
    globals()["case_array_" + _name] = _case

    def _case(tf, build=_build):
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        y = build(tf, x)
        return Case({"y": y, "dx": tf.gradients(y, x)}, feeds={x: A})
    globals()["case_array_unknown_" + _name] = _case


def case_grad_ys(tf):
    x = tf.constant([1.0, 2.0])
    y = x * 3.0
    return [tf.gradients(y, x, [tf.constant([10.0, 20.0])]), tf.gradients([y, x * x], x, grad_ys=[None, tf.constant([1.0, 0.0])]),
            tf.gradients(y, x, grad_ys=[[1.0, 5.0]])]


def case_grad_ys_refused(tf):
    x = tf.constant([1.0, 2.0])
    y = x * 3.0
    return [raises(tf.gradients, y, x, [tf.constant([1, 2])]), raises(tf.gradients, y, x, [1.0, 2.0]), raises(tf.gradients, tf.constant([1]) * 2, x),
            raises(tf.gradients, [y], [x], [tf.constant([1.0]), tf.constant([1.0])]), raises(tf.gradients, y, "x"), raises(tf.gradients, tf.cast(x, tf.complex64), x)]


def case_unconnected(tf):
    x, y = tf.constant([1.0, 2.0]), tf.constant(3.0)
    z = y * 2.0
    return {"none": tf.gradients(z, x)[0] is None, "zero": tf.gradients(z, x, unconnected_gradients="zero"),
            "enum": tf.gradients(z, x, unconnected_gradients=tf.UnconnectedGradients.ZERO), "bad": tf.UnconnectedGradients.NONE.value}


def case_unconnected_bad(tf):
    x = tf.constant(1.0)
    return raises(tf.gradients, x, x, unconnected_gradients="nonsense")


def case_stop_gradients(tf):
    a = tf.constant(2.0)
    b = a * 2.0
    c = a + b
    return {"without": tf.gradients(c, [a, b]), "with": tf.gradients(c, [a, b], stop_gradients=[a, b]), "b": tf.gradients(c * b, [a, b], stop_gradients=[b])}


def case_stop_gradient_op(tf):
    x = tf.constant(3.0)
    return tf.gradients(x * tf.stop_gradient(x * x), x)


def case_same_x_twice(tf):
    x = tf.constant(3.0)
    return tf.gradients(x * x, [x, x])


def case_y_is_x(tf):
    x = tf.constant(3.0)
    return tf.gradients(x, x), tf.gradients([x, x], x)


def case_many_ys(tf):
    x = tf.constant([1.0, 2.0])
    return tf.gradients([x * 2.0, x * x, tf.reduce_sum(x)], x), tf.gradients([x * 2.0, [x]][0], [x])


def case_second_order(tf):
    x = tf.constant(2.0)
    first = tf.gradients(x ** 3, x)[0]
    second = tf.gradients(first, x)[0]
    return [first, second, tf.gradients(second, x)[0]]


def case_hessians(tf):
    x = tf.constant([1.0, 2.0])
    return tf.hessians(tf.reduce_sum(x ** 3) + x[0] * x[1], x)


def case_names(tf):
    x = tf.constant(2.0)
    return [tf.gradients(x * x, x, name="mine"), tf.gradients(x * x, x), tf.gradients(x * x, x, name="mine")]


def case_names_in_scope(tf):
    with tf.name_scope("model"):
        x = tf.constant(2.0)
        y = tf.tanh(x)
        with tf.name_scope("deep"):
            z = tf.square(y)
    with tf.name_scope("train"):
        return tf.gradients(z, x)


AGGREGATION = ["ADD_N", "DEFAULT", "EXPERIMENTAL_TREE", "EXPERIMENTAL_ACCUMULATE_N"]
for _name in AGGREGATION:
    def _case(tf, name=_name):
        x = tf.constant([1.0, 2.0])
        y = tf.sin(x) + tf.cos(x) + tf.tanh(x) + x * x + tf.exp(x)
        return tf.gradients(y, x, aggregation_method=getattr(tf.AggregationMethod, name))
    globals()["case_aggregation_" + _name.lower()] = _case


def case_aggregation_bad(tf):
    x = tf.constant(1.0)
    return raises(tf.gradients, x * x, x, aggregation_method=77)


def case_gate_gradients(tf):
    x, y = tf.constant(1.0), tf.constant(2.0)
    return tf.gradients(x * y, [x, y], gate_gradients=True)


def case_colocate(tf):
    x = tf.constant([1.0, 2.0], name="x")
    with tf.name_scope("s"):
        y = tf.tanh(x) * x
    return tf.gradients(y, x, colocate_gradients_with_ops=True)


def case_colocate_variable(tf):
    v = tf.Variable([[1.0, 2.0]], name="v")
    y = tf.matmul(v, v, transpose_b=True)
    return tf.gradients(y, v, colocate_gradients_with_ops=True)


def case_devices(tf):
    with tf.device("/cpu:0"):
        x = tf.constant(1.0)
        y = x * 2.0
    with tf.device("/gpu:0"):
        z = tf.tanh(y)
    return Case([tf.gradients(z, x), tf.gradients(z, x, colocate_gradients_with_ops=True)], graph_only=True)


def case_variables(tf):
    v, w = tf.Variable([1.0, 2.0], name="v"), tf.Variable([3.0, 4.0], name="w", use_resource=True)
    return tf.gradients(tf.reduce_sum(v * w), [v, w])


def case_variable_used_twice(tf):
    v = tf.Variable([1.0, 2.0], name="v")
    w = tf.Variable([1.0, 2.0], name="w", use_resource=True)
    return tf.gradients(tf.reduce_sum(v * v + w * tf.tanh(w)) + w[0], [v, w])


def case_read_value(tf):
    w = tf.Variable([1.0, 2.0], name="w", use_resource=True)
    return tf.gradients(w.read_value() * w.value(), w)


def case_indexed_slices(tf):
    v = tf.Variable(np.ones([4, 2], np.float32), name="v")
    g = tf.gradients(tf.reduce_sum(tf.gather(v, [1, 1, 3])), v)[0]
    return {"type": type(g).__name__, "g": g}


def case_indexed_slices_sum(tf):
    v = tf.Variable(np.ones([4, 2], np.float32), name="v")
    w = tf.Variable(np.ones([4, 2], np.float32), name="w", use_resource=True)
    y = tf.reduce_sum(tf.gather(v, [1]) * 2.0) + tf.reduce_sum(tf.gather(v, [0, 1])) + tf.reduce_sum(tf.gather(w, [2, 2])) + tf.reduce_sum(tf.nn.embedding_lookup(w, [0]))
    return tf.gradients(y, [v, w])


def case_indexed_slices_and_dense(tf):
    v = tf.Variable(np.ones([4, 2], np.float32), name="v")
    return tf.gradients(tf.reduce_sum(tf.gather(v, [1, 1])) + tf.reduce_sum(v), v)


def case_embedding_partitioned(tf):
    parts = [tf.Variable(np.full([2, 2], i, np.float32), name="p%d" % i) for i in range(3)]
    y = tf.nn.embedding_lookup(parts, [0, 5, 2, 2], partition_strategy="mod")
    return {"y": y, "g": tf.gradients(y, parts)}


def case_indexed_slices_through_ops(tf):
    x = tf.constant(np.ones([4, 2], np.float32))
    y = tf.gather(tf.tanh(x), [1, 2])
    return tf.gradients(y, x)


def case_integer_path(tf):
    x = tf.constant([1.5, 2.5])
    return {"cast": tf.gradients(tf.cast(tf.cast(x, tf.int32), tf.float32), x)[0] is None, "argmax": tf.gradients(tf.cast(tf.argmax(x), tf.float32), x)[0] is None,
            "int": tf.gradients(tf.constant([1.0]) * 2.0, tf.constant(1))[0] is None}


def case_no_gradient(tf):
    x = tf.constant([1.5, 2.5])
    return raises(tf.gradients, tf.nn.top_k(tf.unique(x)[0], 1)[0], x), raises(tf.gradients, tf.cast(tf.bitcast(x, tf.int32), tf.float32), x)


def case_py_func_no_gradient(tf):
    x = tf.constant(1.5)
    return raises(tf.gradients, tf.py_func(lambda v: v * v, [x], tf.float32), x)


def case_custom_gradient(tf):
    @tf.custom_gradient
    def clip(x):
        def grad(dy):
            return tf.clip_by_value(dy, -0.1, 0.1)
        return tf.square(x), grad
    x = tf.constant(3.0)
    y = clip(x)
    return {"y": y, "g": tf.gradients(y, x)}


def case_custom_gradient_two(tf):
    @tf.custom_gradient
    def mix(x, y):
        def grad(dx, dy):
            return dx * 2.0, dy * 3.0
        return (x + y, x * y), grad
    x, y = tf.constant(3.0), tf.constant(4.0)
    return tf.gradients(mix(x, y), [x, y])


def case_custom_gradient_variable(tf):
    @tf.custom_gradient
    def layer(x):
        w = tf.get_variable("w", [], initializer=tf.ones_initializer(), use_resource=True)
        y = x * w

        def grad(dy, variables=None):
            return dy * w, [dy * x * 10.0]
        return y, grad
    x = tf.constant(3.0)
    with tf.variable_scope("s", use_resource=True):
        y = layer(x)
    return tf.gradients(y, [x] + tf.trainable_variables())


def case_recompute_grad(tf):
    x = tf.constant(3.0)

    def f(x):
        return tf.sin(x) * x
    with tf.variable_scope("s", use_resource=True):
        y = tf.recompute_grad(f)(x)
    # The original records the second pass on a tape, whose gradient ops have other names.
    return Case({"y": y, "g": tf.gradients(y, x)}, graph=False)


def case_override_map_relu(tf):
    @tf.RegisterGradient("GoldenGuided")
    def _guided(op, grad):
        return tf.where(grad > 0.0, grad, tf.zeros_like(grad))
    x = tf.constant([-1.0, 2.0])
    with tf.get_default_graph().gradient_override_map({"Relu": "GoldenGuided"}):
        y = tf.nn.relu(x)
    return tf.gradients(-y, x)


def case_gradient_of_py_func_override(tf):
    @tf.RegisterGradient("GoldenPy")
    def _grad(op, grad):
        return grad * 2.0 * op.inputs[0]
    x = tf.constant(3.0)
    with tf.get_default_graph().gradient_override_map({"PyFunc": "GoldenPy"}):
        y = tf.py_func(lambda v: v * v, [x], tf.float32)
    return tf.gradients(y, x)


def case_wrong_gradient_count(tf):
    @tf.RegisterGradient("GoldenWrong")
    def _grad(op, grad):
        return [grad, grad]
    x = tf.constant(3.0)
    with tf.get_default_graph().gradient_override_map({"Tanh": "GoldenWrong"}):
        y = tf.tanh(x)
    return raises(tf.gradients, y, x)


def case_wrong_gradient_shape(tf):
    @tf.RegisterGradient("GoldenShape")
    def _grad(op, grad):
        return tf.zeros([7])
    x = tf.constant([3.0])
    with tf.get_default_graph().gradient_override_map({"Tanh": "GoldenShape"}):
        y = tf.tanh(x)
    return raises(tf.gradients, y, x)


def case_dtype_families(tf):
    results = []
    for dtype in (tf.float16, tf.float64, tf.bfloat16):
        x = tf.cast(tf.constant([0.5, 1.5]), dtype)
        results.append(tf.gradients(x * x + 2.0 * x, x))
    z = tf.constant([1 + 2j, 0.5 - 1j], tf.complex64)
    return results + [tf.gradients(tf.abs(z * z), z), tf.gradients(tf.real(z) * tf.imag(z), z), tf.gradients(tf.angle(z), z), tf.gradients(tf.real(tf.conj(z) * z), z)]


def case_deep_chain(tf):
    x = tf.constant(0.5)
    y = x
    for _ in range(50):
        y = tf.sin(y) + x
    return tf.gradients(y, x)


def case_diamond(tf):
    x = tf.constant([1.0, 2.0])
    a = tf.tanh(x)
    b, c = a * 2.0, a + x
    return tf.gradients(b * c, [x, a, b])


def case_partial_outputs(tf):
    x = tf.constant(np.arange(6.0, dtype=np.float32).reshape(2, 3))
    a, b, c = tf.split(x, 3, 1)
    mean, variance = tf.nn.moments(x, [0])
    return tf.gradients(b * 2.0, x), tf.gradients(variance, x), tf.gradients(tf.unstack(x, axis=1)[2], x)


def case_from_operation_inputs(tf):
    x = tf.constant([1.0])
    y = tf.multiply(x, 3.0)
    return tf.gradients(y, [y.op.inputs[0], y.op.inputs[1], y])


def case_grad_with_control(tf):
    x = tf.constant(1.0)
    with tf.control_dependencies([tf.no_op("before")]):
        y = tf.tanh(x)
        g = tf.gradients(y, x)
    return g
