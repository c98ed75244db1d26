"""Batch normalization in all its versions: training and inference, formats, first and second gradients, moments, errors."""
import numpy as np
from golden_case import Case, raises

R = np.random.RandomState(12)
X = R.randn(3, 4, 5, 2).astype("f4") * 2 + 1
S, O = np.array([1.5, -0.5], "f4"), np.array([0.25, 2.0], "f4")
M, V = np.array([0.3, -1.0], "f4"), np.array([2.0, 0.7], "f4")


def _fused(tf, shape=(None, 4, 5, 2), feed=X, second=False, dtype="float32", tolerance=None, **kw):
    """A batch normalization and its gradients. What it gives for mean and variance at inference is no fixed value."""
    x, s, o = tf.placeholder(dtype, shape), tf.constant(S), tf.constant(O)
    y, mean, variance = tf.nn.fused_batch_norm(x, s, o, **kw)
    first = tf.gradients(y, [x, s, o], grad_ys=tf.cos(y))
    fetches = [y, first] + ([mean, variance] if kw.get("is_training", True) else [])
    if second:
        fetches.append(tf.gradients([first[0] * tf.sin(x), first[1]], [x, s]))
    return Case(fetches, feeds={x: feed}, tolerance=tolerance or 1e-4, graph=not second)


def case_training(tf):
    return _fused(tf)


def case_training_known(tf):
    return _fused(tf, (3, 4, 5, 2))


def case_training_unknown(tf):
    return _fused(tf, (None, None, None, 2))


def case_training_unknown_rank(tf):
    return _fused(tf, None)


def case_training_epsilon(tf):
    return _fused(tf, epsilon=0.5)


def case_training_small_epsilon(tf):
    return _fused(tf, epsilon=1e-9)


def case_inference(tf):
    return _fused(tf, mean=M, variance=V, is_training=False)


def case_inference_known(tf):
    return _fused(tf, (3, 4, 5, 2), mean=tf.constant(M), variance=tf.constant(V), is_training=False, epsilon=0.1)


def case_inference_unknown(tf):
    return _fused(tf, (None, None, None, None), mean=M, variance=V, is_training=False)


for _name, _options in {"training": {}, "epsilon": {"epsilon": 0.5}, "inference": {"mean": M, "variance": V, "is_training": False}}.items():
    for _shape in ((None, 4, 5, 2), (3, 4, 5, 2), (None, None, None, 2)):
        def _case(tf, shape=_shape, options=_options):
            return _fused(tf, shape, second=True, **options)
        globals()["case_second_%s_%s" % (_name, sum(d is not None for d in _shape))] = _case


def case_one_example(tf):
    return _fused(tf, feed=X[:1, :1, :1], shape=(None, None, None, 2))


def case_half(tf):
    return _fused(tf, dtype="float16", tolerance=3e-2)


def case_half_inference(tf):
    return _fused(tf, dtype="float16", mean=M, variance=V, is_training=False, tolerance=3e-2)


def case_names(tf):
    x = tf.constant(X)
    return Case([tf.nn.fused_batch_norm(x, S, O, name="b"), tf.nn.fused_batch_norm(x, S, O), tf.nn.fused_batch_norm(x, S, O, M, V, is_training=False, name="i")[0]], tolerance=1e-4)


def case_first(tf):
    x = tf.placeholder(tf.float32, [3, 2, 4, 5])
    y = [tf.nn.fused_batch_norm(x, S, O, data_format="NCHW")[0], tf.nn.fused_batch_norm(x, S, O, M, V, data_format="NCHW", is_training=False)[0]]
    return Case([y, tf.gradients(y, x)], graph_only=True)


def case_empty(tf):
    x = tf.zeros([0, 4, 5, 2])
    return [tf.nn.fused_batch_norm(x, S, O, M, V, is_training=False)[0], tf.nn.fused_batch_norm(x, S, O)]


def case_empty_gradient(tf):
    x = tf.zeros([0, 4, 5, 2])
    y = tf.nn.fused_batch_norm(x, S, O)[0]
    return tf.gradients(y, x)


def case_refused(tf):
    x, f = tf.constant(X), tf.nn.fused_batch_norm
    return Case([raises(f, x, S[:1], O), raises(f, x, S, O, is_training=False), raises(f, x, S, O, M, is_training=False), raises(f, x, S, O, M, V), raises(f, x[0], S, O), raises(f, x, S, O, data_format="NHCW"),
                 raises(f, tf.cast(x, tf.float64), S, O), raises(f, x, [S, S], O), raises(f, x, S, O, M[:1], V, is_training=False)], graph=False)


for _version in ("", "V2", "V3"):
    for _training in (True, False):
        def _case(tf, version=_version, training=_training):
            empty = np.zeros(0, "f4")
            x = tf.placeholder(tf.float32, [None, 4, 5, 2])
            out = getattr(tf.raw_ops, "FusedBatchNorm" + version)(x=x, scale=S, offset=O, mean=empty if training else M, variance=empty if training else V, is_training=training)
            return Case([out[:3] if training else out[0], tf.gradients(out[0], x, grad_ys=tf.cos(out[0]))], feeds={x: X}, tolerance=1e-4)
        globals()["case_raw%s_%s" % (_version.lower(), "training" if _training else "inference")] = _case


def case_plain(tf):
    x = tf.placeholder(tf.float32, [None, 4, 5, 2])
    f = tf.nn.batch_normalization
    made = [f(x, M, V, O, S, 1e-3), f(x, M, V, None, S, 1e-3), f(x, M, V, O, None, 1e-3), f(x, M, V, None, None, 1e-3, name="n"), f(tf.cast(x, tf.float64), M.astype("f8"), V.astype("f8"), O.astype("f8"), S.astype("f8"), 1e-3)]
    return Case([made, tf.gradients(made[0], x)], feeds={x: X})


def case_plain_half(tf):
    x = tf.placeholder(tf.float16, [None, 2])
    return Case([tf.nn.batch_normalization(x, M.astype("f2"), V.astype("f2"), O.astype("f2"), S.astype("f2"), 1e-3)], feeds={x: X[0, 0]}, tolerance=1e-2)


def case_moments(tf):
    x = tf.placeholder(tf.float32, [None, 4, 5, 2])
    m = tf.nn.moments
    found = [m(x, [0, 1, 2]), m(x, [1], keep_dims=True), m(x, -1), m(x, [0, 3], name="s"), m(tf.cast(x, tf.float16), [1, 2]), m(tf.cast(x, tf.float64), [0]), m(x, [])]
    return Case([found, tf.gradients(found[0][1], x), tf.gradients(found[1], x)], feeds={x: X}, tolerance=1e-3)


def case_moments_unknown(tf):
    x = tf.placeholder(tf.float32)
    return Case([tf.nn.moments(x, [0]), tf.nn.moments(x, [0, 1], keep_dims=True)], feeds={x: X[0, 0]})


def case_moments_shift(tf):
    x = tf.constant(X)
    return [tf.nn.moments(x, [0], shift=tf.constant(1.0)), tf.nn.sufficient_statistics(x, [0, 1], shift=tf.constant([1.0, 2.0])), tf.nn.sufficient_statistics(x, [0, 1], keep_dims=True, name="q")[:3],
            tf.nn.normalize_moments(tf.constant(4.0), tf.constant([2.0]), tf.constant([5.0]), tf.constant(0.5)), tf.nn.normalize_moments(tf.constant(4.0), tf.constant([2.0]), tf.constant([5.0]), None)]


def case_moments_unknown_statistics(tf):
    x = tf.placeholder(tf.float32, [None, None, 2])
    return Case([tf.nn.sufficient_statistics(x, [0, 1])[:3], tf.nn.sufficient_statistics(x, [1])[:3]], feeds={x: X[0]})


def case_moments_integers(tf):
    return Case([raises(tf.nn.moments, tf.constant([1, 2]), [0]), raises(tf.nn.moments, tf.constant([1.0, 2.0]), [1]), raises(tf.nn.moments, tf.constant([1.0]), [0], keep_dims=True, keepdims=False)], graph=False)


def case_weighted(tf):
    x, w = tf.placeholder(tf.float32, [None, 4, 5, 2]), tf.placeholder(tf.float32, [None, 1, 5, 1])
    m = tf.nn.weighted_moments
    found = [m(x, [0, 1, 2], w), m(x, [1], w, keep_dims=True), m(x, [0], 1.0, name="n"), m(tf.cast(x, tf.float16), [1], w), m(x, [2], tf.ones([5, 1])), m(tf.cast(x, tf.float64), [1], w)]
    return Case([found, tf.gradients(found[0], [x, w])], feeds={x: X, w: np.abs(X[:, :1, :, :1])}, tolerance=1e-3)


def case_global(tf):
    x = tf.placeholder(tf.float32, [None, 4, 5, 2])
    f = tf.nn.batch_norm_with_global_normalization
    return Case([f(x, M, V, O, S, 1e-3, True), f(x, M, V, O, S, 1e-3, False, name="g"), f(input=x, mean=M, variance=V, beta=O, gamma=S, variance_epsilon=1e-3, scale_after_normalization=True)], feeds={x: X})


def case_global_refused(tf):
    f = tf.nn.batch_norm_with_global_normalization
    return Case([raises(f, X, M, V, O, S, 1e-3, True, input=X), raises(f, X, M, V, O, S, 1e-3, True, mean=M), raises(f, X, M, V, O, S)], graph=False)


def case_lrn(tf):
    x = tf.placeholder(tf.float32, [None, 2, 3, 7])
    found = []
    for radius, bias, alpha, beta in ((5, 1.0, 1.0, 0.5), (2, 2.0, 0.3, 0.75), (1, 1.0, 1e-4, 1.0), (0, 1.0, 0.5, 0.5), (20, 1.5, 2.0, 2.0)):
        y = tf.nn.lrn(x, radius, bias, alpha, beta)
        found.append([y, tf.gradients(y, x, grad_ys=tf.cos(y))])
    return Case(found, feeds={x: np.arange(84).reshape(2, 2, 3, 7) % 11 / 5.0 - 1}, tolerance=1e-4)


def case_lrn_more(tf):
    x = tf.placeholder(tf.float16, [1, 1, 2, 7])
    return Case([tf.nn.lrn(x, name="l"), raises(tf.nn.lrn, tf.zeros([2, 3])), raises(tf.nn.lrn, tf.zeros([1, 2, 3, 4], tf.float64)), tf.nn.local_response_normalization(x, depth_radius=3)], feeds={x: np.arange(14).reshape(1, 1, 2, 7) / 7}, graph=False, tolerance=1e-2)
