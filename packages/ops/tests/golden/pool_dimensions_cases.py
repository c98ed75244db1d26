"""Pools over all numbers of dimensions, dilated pools, places of maxima, second gradients, raw gradient ops, errors."""
import numpy as np
from golden_case import Case, raises

R = np.random.RandomState(6)
X1, X2, X3 = R.randn(2, 9, 3).astype("f4"), R.randn(2, 6, 7, 3).astype("f4"), R.randn(2, 4, 5, 6, 2).astype("f4")
XS = {1: X1, 2: X2, 3: X3}
FORMS = {1: "NWC", 2: "NHWC", 3: "NDHWC"}


def _pool(tf, n, window, kind, padding, shape="known", **kw):
    feed = XS[n]
    dims = {"known": list(feed.shape), "batch": [None] + list(feed.shape[1:]), "unknown": [None] * feed.ndim}[shape]
    x = tf.placeholder(tf.float32, dims)
    y = tf.nn.pool(x, window, kind, padding, **kw)
    return Case([y, tf.gradients(y, x, grad_ys=tf.cos(y))], feeds={x: feed})


for _n, _window in ((1, [3]), (2, [2, 3]), (3, [2, 1, 3])):
    for _kind in ("MAX", "AVG"):
        for _padding in ("SAME", "VALID"):
            def _plain(tf, n=_n, window=_window, kind=_kind, padding=_padding):
                return _pool(tf, n, window, kind, padding)
            globals()["case_pool_%d_%s_%s" % (_n, _kind.lower(), _padding.lower())] = _plain

            def _strided(tf, n=_n, window=_window, kind=_kind, padding=_padding):
                return _pool(tf, n, window, kind, padding, "batch", strides=[2, 1, 2][:n], name="p")
            globals()["case_pool_%d_%s_%s_strides" % (_n, _kind.lower(), _padding.lower())] = _strided

            def _dilated(tf, n=_n, window=_window, kind=_kind, padding=_padding):
                return _pool(tf, n, window, kind, padding, dilation_rate=[2, 1, 2][:n])
            globals()["case_pool_%d_%s_%s_dilated" % (_n, _kind.lower(), _padding.lower())] = _dilated


def case_pool_dilated_unknown(tf):
    return _pool(tf, 2, [2, 2], "MAX", "VALID", "unknown", dilation_rate=[2, 2])


def case_pool_dilated_same_unknown(tf):
    return _pool(tf, 2, [2, 2], "AVG", "SAME", "unknown", dilation_rate=[2, 3])


def case_pool_first(tf):
    x = tf.placeholder(tf.float32, [2, 3, 6, 7])
    return Case([tf.nn.pool(x, [2, 2], "MAX", "SAME", data_format="NCHW"), tf.nn.pool(x, [2, 2], "AVG", "VALID", data_format="NCHW", dilation_rate=[2, 2])], graph_only=True)


def case_pool_refused(tf):
    x = tf.constant(X2)
    return Case([raises(tf.nn.pool, x, [2, 2], "SUM", "SAME"), raises(tf.nn.pool, x, [2], "MAX", "SAME"), raises(tf.nn.pool, x, [2, 2], "MAX", "OTHER"), raises(tf.nn.pool, tf.zeros([2, 3]), [2], "MAX", "SAME"),
                 raises(tf.nn.pool, x, [2, 2], "MAX", "SAME", strides=[2, 2], dilation_rate=[2, 2]), raises(tf.nn.pool, x, [2, 2], "MAX", "SAME", strides=[2]), raises(tf.nn.pool, x, [2, 2], "MAX", "SAME", strides=[0, 1]),
                 raises(tf.nn.pool, x, [2, 2], "MAX", "SAME", dilation_rate=[0, 1]), raises(tf.nn.pool, x, [2, 2], "MAX", "SAME", data_format="NDHWC"), raises(tf.nn.pool, tf.placeholder(tf.float32), [2, 2], "MAX", "SAME"),
                 raises(tf.nn.pool, tf.zeros([1] * 6), [2] * 4, "MAX", "SAME"), raises(tf.nn.pool, x, [9, 9], "MAX", "VALID")], graph=False)


def _three(tf, kind, padding, ksize, strides, dtype=np.float32):
    x = tf.placeholder(dtype, [None, 4, 5, 6, 2])
    y = getattr(tf.nn, kind)(x, ksize, strides, padding)
    g = tf.gradients(y, x, grad_ys=y * y)[0]
    return Case([y, g, tf.gradients(g * g, x)], feeds={x: X3})


for _kind in ("max_pool3d", "avg_pool3d"):
    for _padding in ("SAME", "VALID"):
        for _name, _ksize, _strides in (("even", 2, 2), ("overlap", [3, 2, 3], [1, 2, 1]), ("full", [1, 2, 2, 2, 1], [1, 1, 2, 3, 1])):
            def _case(tf, kind=_kind, padding=_padding, ksize=_ksize, strides=_strides):
                return _three(tf, kind, padding, ksize, strides)
            globals()["case_%s_%s_%s" % (_kind, _padding.lower(), _name)] = _case


def case_three_double(tf):
    return _three(tf, "avg_pool3d", "SAME", 2, 2, np.float64)


def case_three_ties(tf):
    x = tf.placeholder(tf.float32, [None, 4, 5, 6, 2])
    y = [tf.nn.max_pool3d(x, 2, 2, "SAME"), tf.nn.max_pool3d(x, [2, 3, 2], 1, "VALID")]
    return Case([tf.gradients(v, x, grad_ys=tf.cos(v)) for v in y], feeds={x: np.floor(X3 * 2)})


def case_three_first(tf):
    x = tf.placeholder(tf.float32, [2, 2, 4, 5, 6])
    y = [tf.nn.max_pool3d(x, 2, 2, "SAME", data_format="NCDHW"), tf.nn.avg_pool3d(x, [1, 2, 1], 1, "VALID", "NCDHW", "a")]
    return Case([y, tf.gradients(y, x)], graph_only=True)


def case_three_static(tf):
    x = [tf.placeholder(tf.float32, s) for s in (None, [None] * 5, [None, None, 5, None, 2])]
    return Case([[tf.nn.max_pool3d(v, 2, 2, p), tf.nn.avg_pool3d(v, 3, 1, p)] for v in x for p in ("SAME", "VALID")], graph_only=True)


def case_three_empty(tf):
    x = tf.zeros([0, 4, 4, 4, 1])
    y = [tf.nn.max_pool3d(x, 2, 2, "SAME"), tf.nn.avg_pool3d(x, 2, 2, "SAME")]
    return [y, tf.gradients(y, x)]


def case_three_refused(tf):
    x = tf.constant(X3)
    return Case([raises(tf.nn.max_pool3d, x, 9, 1, "VALID"), raises(tf.nn.max_pool3d, tf.zeros([1, 2, 2, 2]), 2, 1, "VALID"), raises(tf.nn.max_pool3d, x, [1, 2], 1, "VALID"), raises(tf.nn.avg_pool3d, x, 2, 1, "FOO"),
                 raises(tf.nn.avg_pool3d, x, 2, 1, "SAME", data_format="NHWC"), raises(tf.nn.avg_pool3d, tf.zeros([1, 2, 2, 2, 1], tf.int32), 2, 1, "SAME"), raises(tf.nn.max_pool3d, tf.zeros([1, 2, 2, 2, 1], tf.float64), 2, 1, "SAME"),
                 raises(tf.nn.max_pool3d, x, 0, 1, "SAME"), raises(tf.nn.max_pool3d, x, 2, 0, "SAME")], graph=False)


def case_three_batch_refused(tf):
    return tf.nn.max_pool3d(tf.constant(X3), [2, 1, 1, 1, 1], [2, 1, 1, 1, 1], "SAME")


def case_one_gradients(tf):
    x = tf.placeholder(tf.float32, [None, None, 3])
    y = [tf.nn.max_pool1d(x, 3, 2, "VALID"), tf.nn.avg_pool1d(x, [2], [1], "SAME")]
    return Case([y, tf.gradients(y, x)], feeds={x: X1})


def case_one_names(tf):
    x = tf.constant(X1)
    return [tf.nn.max_pool1d(x, [1, 3, 1], [1, 2, 1], "SAME", name="m"), tf.nn.avg_pool1d(x, 3, 2, "SAME"), tf.nn.avg_pool1d(x, 3, 2, "SAME", data_format="NWC")]


def case_one_refused(tf):
    return Case([raises(tf.nn.max_pool1d, tf.constant(X2), 2, 1, "SAME"), raises(tf.nn.max_pool1d, tf.constant(X1), 20, 1, "VALID"), raises(tf.nn.avg_pool1d, tf.constant(X1), 2, 0, "SAME"), raises(tf.nn.avg_pool1d, tf.constant(X1), 2, 1, "SAME", "NHWC")], graph=False)


def _argmax(tf, feed, padding, batch, kind=None, ksize=(1, 2, 3, 1), strides=(1, 2, 1, 1)):
    x = tf.placeholder(tf.float32, [None, 6, 7, 3])
    y, i = tf.nn.max_pool_with_argmax(x, list(ksize), list(strides), padding, include_batch_in_index=batch, **({"output_dtype": kind} if kind else {}))
    return Case([y, i, tf.gradients(y, x, grad_ys=tf.cos(y))], feeds={x: feed})


def case_argmax_same(tf):
    return _argmax(tf, X2, "SAME", False)


def case_argmax_valid(tf):
    return _argmax(tf, X2, "VALID", True, tf.int64)


def case_argmax_overlap(tf):
    return _argmax(tf, X2, "SAME", True, ksize=(1, 3, 3, 1), strides=(1, 1, 2, 1))


def case_argmax_ties(tf):
    return _argmax(tf, np.floor(X2), "VALID", False, ksize=(1, 3, 3, 1), strides=(1, 1, 1, 1))


def case_argmax_dtypes(tf):
    return [tf.nn.max_pool_with_argmax(tf.constant(np.floor(X2 * 5), kind), [1, 2, 2, 1], [1, 2, 2, 1], "SAME") for kind in (tf.int32, tf.int64, tf.float16, tf.float64)]


def case_argmax_static(tf):
    x = [tf.placeholder(tf.float32, s) for s in (None, [None] * 4, [None, 6, None, 3])]
    return Case([tf.nn.max_pool_with_argmax(v, [1, 2, 2, 1], [1, 2, 2, 1], p) for v in x for p in ("SAME", "VALID")], graph_only=True)


def case_raw_argmax(tf):
    x = tf.constant(X2)
    y, i = tf.nn.max_pool_with_argmax(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
    a = {"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "padding": "SAME"}
    return [tf.raw_ops.MaxPoolGradWithArgmax(input=x, grad=y * y, argmax=i, **a)]


def case_raw_grads(tf):
    x = tf.constant(X2)
    a = {"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "padding": "SAME"}
    y = tf.nn.max_pool(x, **a)
    r = tf.raw_ops
    return [r.MaxPoolGrad(orig_input=x, orig_output=y, grad=y * 2, **a), r.MaxPoolGradGrad(orig_input=x, orig_output=y, grad=x * 2, **a), r.MaxPoolGradV2(orig_input=x, orig_output=y, grad=y * 2, **a),
            r.MaxPoolGradGradV2(orig_input=x, orig_output=y, grad=x * 2, **a), r.AvgPoolGrad(orig_input_shape=[2, 6, 7, 3], grad=y, **a)]


def case_raw_three(tf):
    x = tf.constant(X3)
    a = {"ksize": [1, 2, 2, 2, 1], "strides": [1, 2, 2, 2, 1], "padding": "SAME"}
    y = tf.nn.max_pool3d(x, **a)
    r = tf.raw_ops
    return [r.MaxPool3DGrad(orig_input=x, orig_output=y, grad=y * 2, **a), r.MaxPool3DGradGrad(orig_input=x, orig_output=y, grad=x * 2, **a), r.AvgPool3DGrad(orig_input_shape=[2, 4, 5, 6, 2], grad=y, **a)]


def case_nan(tf):
    feed = X2.copy()
    feed[0, 1, 1] = np.nan
    feed[1, 2] = -np.inf
    x = tf.placeholder(tf.float32, [None, 6, 7, 3])
    y = tf.nn.avg_pool(x, 2, 2, "SAME")
    return Case([y, tf.gradients(y, x)], feeds={x: feed})
