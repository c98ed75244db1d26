"""Every loss with weights of every rank, every reduction, static and unknown shapes, and its gradients."""
import numpy as np
from golden_case import Case, raises

P = (np.arange(12) * 37 % 23).reshape(2, 3, 2) / 23.0 + 0.02
L = np.array([[[0.0, 1.0], [1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]])
ELEMENTWISE = ["absolute_difference", "hinge_loss", "huber_loss", "log_loss", "mean_squared_error", "sigmoid_cross_entropy", "cosine_distance", "softmax_cross_entropy"]
REDUCTIONS = ["none", "weighted_sum", "weighted_mean", "weighted_sum_over_batch_size", "weighted_sum_by_nonzero_weights"]
WEIGHTS = {"zero": 0.0, "number": 2.5, "integer": 3, "scalar": np.float32(0.5), "column": np.array([[[1.0]], [[0.0]]]), "row": np.array([[[1.0], [0.0], [2.0]]]),
           "full": np.array([[[1.0, 0.5], [0.0, 2.0], [1.0, 1.0]], [[0.0, 0.0], [3.0, 0.0], [1.0, 0.25]]]), "zeros": np.zeros([2, 3, 2]), "integers": np.array([[[1]], [[3]]])}


def options(name):
    return {"axis": 2} if name == "cosine_distance" else {}


def shaped(name, weights):
    """The weights in the shape that the losses of `name` have."""
    weights = np.asarray(weights)
    if weights.ndim == 0 or name not in ("cosine_distance", "softmax_cross_entropy"):
        return weights
    return weights[:, :, :1] if name == "cosine_distance" else weights[:, :, 0]


for _name in ELEMENTWISE:
    for _kind in WEIGHTS:
        def _case(tf, name=_name, kind=_kind):
            weights = WEIGHTS[kind]
            weights = weights if np.ndim(weights) == 0 else shaped(name, weights)
            if np.ndim(weights):
                weights = tf.constant(weights, tf.int64 if kind == "integers" else tf.float32)
            labels, predictions = tf.constant(L, tf.float32), tf.placeholder(tf.float32, [2, 3, 2])
            y = getattr(tf.losses, name)(labels, predictions, weights=weights, **options(name))
            return Case([y, tf.gradients(y, predictions)], feeds={predictions: P})
        globals()["case_%s_%s" % (_name, _kind)] = _case

    for _reduction in REDUCTIONS:
        def _case(tf, name=_name, reduction=_reduction):
            labels, predictions, weights = tf.placeholder(tf.float32, [None, 3, 2]), tf.placeholder(tf.float32), tf.placeholder(tf.float32)
            if name == "softmax_cross_entropy":
                predictions = tf.placeholder(tf.float32, [2, None, 2])
            y = getattr(tf.losses, name)(labels, predictions, weights=weights, reduction=reduction, **options(name))
            return Case([y, tf.gradients(y, [predictions, weights])], feeds={labels: L, predictions: P, weights: shaped(name, WEIGHTS["full"])})
        globals()["case_%s_unknown_%s" % (_name, _reduction)] = _case

        def _case(tf, name=_name, reduction=_reduction):
            labels, predictions = tf.constant(L, tf.float32), tf.constant(P, tf.float32)
            function = getattr(tf.losses, name)
            return [function(labels, predictions, weights=tf.constant(shaped(name, WEIGHTS["column"]), tf.float32), reduction=reduction, scope="given", **options(name)),
                    function(labels, predictions, weights=tf.placeholder_with_default(shaped(name, WEIGHTS["full"]).astype("float32"), None), reduction=reduction, **options(name)),
                    function(labels, predictions, weights=0.0, reduction=reduction, **options(name))]
        globals()["case_%s_static_%s" % (_name, _reduction)] = _case

    def _case(tf, name=_name):
        labels, predictions = tf.placeholder(tf.float32, [None, 3, 2]), tf.placeholder(tf.float32, [None, 3, 2])
        y = getattr(tf.losses, name)(labels, predictions, **options(name))
        return Case([y, tf.gradients(y, predictions)], feeds={labels: L[:0], predictions: P[:0]})
    globals()["case_%s_empty" % _name] = _case

    def _case(tf, name=_name):
        labels, predictions = tf.constant(L, tf.float64), tf.constant(P, tf.float64)
        other = getattr(tf.losses, name)(tf.constant(L, tf.int32), tf.constant(P, tf.float32), **options(name))
        return [getattr(tf.losses, name)(labels, predictions, **options(name)), other]
    globals()["case_%s_dtypes" % _name] = _case

    def _case(tf, name=_name):
        labels, predictions, weights = tf.constant(L, tf.float32), tf.constant(P, tf.float32), tf.placeholder(tf.float32)
        y = getattr(tf.losses, name)(labels, predictions, weights=weights, **options(name))
        return Case(y, feeds={weights: [1.0, 2.0, 3.0, 4.0]})
    globals()["case_%s_weights_refused_in_run" % _name] = _case

    def _case(tf, name=_name):
        labels, predictions = tf.constant(L, tf.float32), tf.constant(P, tf.float32)
        function = getattr(tf.losses, name)
        more = options(name)
        refused = [np.ones([2]), np.ones([3, 2]), np.ones([2, 2, 2]), np.ones([4]), np.ones([2, 3, 2, 1]), np.ones([1, 1, 3]), np.ones([3])]
        return [raises(function, labels, predictions, weights=w, **more) for w in refused] + [
            raises(function, labels, predictions, weights=None, **more), raises(function, None, predictions, **more), raises(function, labels, None, **more),
            raises(function, None, None, **more), raises(function, labels, predictions, reduction="bad", **more), raises(function, labels, predictions, reduction=None, **more),
            raises(function, labels[:1, :2], predictions, **more), raises(function, labels[:, 0], predictions, **more)]
    globals()["case_%s_refused" % _name] = _case

for _smoothing in (0.0, 0.1, 0.5, 1.0):
    def _case(tf, smoothing=_smoothing):
        labels, logits = tf.placeholder(tf.float32, [None, 2]), tf.placeholder(tf.float32, [None, 2])
        y = [tf.losses.sigmoid_cross_entropy(labels, logits, label_smoothing=smoothing), tf.losses.softmax_cross_entropy(labels, logits, label_smoothing=smoothing)]
        z = [tf.losses.sigmoid_cross_entropy(tf.constant(L[0], tf.int32), logits, label_smoothing=smoothing), tf.losses.softmax_cross_entropy(tf.constant(L[0], tf.int64), logits, label_smoothing=smoothing)]
        return Case([y, z, tf.gradients(y, [logits, labels])], feeds={labels: L[0], logits: P[0] * 20 - 10})
    globals()["case_smoothing_%d" % (_smoothing * 10)] = _case


def case_smoothing_of_doubles(tf):
    return [tf.losses.softmax_cross_entropy(tf.constant(L[0], tf.float64), tf.constant(P[0], tf.float64), label_smoothing=0.2),
            tf.losses.sigmoid_cross_entropy(tf.constant(L[0], tf.float16), tf.constant(P[0], tf.float16), label_smoothing=0.2)]


def case_extreme_logits(tf):
    logits = tf.constant([[100.0, -100.0, -100.0], [-100.0, 100.0, -100.0], [-100.0, -100.0, 100.0]])
    right, wrong = np.eye(3, dtype=np.float32), np.roll(np.eye(3, dtype=np.float32), 1, 0)
    l = tf.losses
    return [l.softmax_cross_entropy(right, logits), l.softmax_cross_entropy(wrong, logits), l.sigmoid_cross_entropy(right, logits), l.sigmoid_cross_entropy(wrong, logits),
            l.sparse_softmax_cross_entropy([0, 1, 2], logits), l.sparse_softmax_cross_entropy([2, 0, 1], logits)]


def case_log_loss_epsilon(tf):
    p = tf.constant([0.0, 1.0, 0.5, 0.0])
    y = [tf.losses.log_loss([0.0, 1.0, 1.0, 1.0], p, epsilon=e) for e in (1e-7, 0.1)]
    return [y, tf.gradients(y, p)]


def case_huber_delta(tf):
    p = tf.constant([-3.0, -0.5, 0.0, 0.5, 3.0])
    y = [tf.losses.huber_loss(tf.zeros([5]), p, delta=d, reduction="none") for d in (0.5, 1, 2.0)]
    return [y, tf.gradients(y, p)]


def case_cosine_arguments(tf):
    a, b = tf.nn.l2_normalize(tf.constant(L[0] + 0.5, tf.float32), 1), tf.nn.l2_normalize(tf.constant(P[0], tf.float32), 1)
    c = tf.losses.cosine_distance
    return [c(a, b, axis=0), c(a, b, dim=1), c(a, b, 1), c(a, b, axis=-1), c(a, b, axis=1, weights=[[1.0], [0.0], [2.0]])]


def case_cosine_refused(tf):
    a, b = tf.constant(L[0], tf.float32), tf.constant(P[0], tf.float32)
    c = tf.losses.cosine_distance
    return [raises(c, a, b), raises(c, a, b, axis=1, dim=1), raises(c, a, b, axis=5), raises(c, a, b, axis=1, weights=[1.0, 2.0]), raises(c, a, b[:2], axis=1)]


for _kind in ["scalar", "zero", "column", "zeros", "unknown", "vector", "full"]:
    def _case(tf, kind=_kind):
        labels, predictions = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.float32, [2, 3])
        w = {"scalar": 1.5, "zero": 0.0, "column": tf.constant([[1.0], [2.0]]), "zeros": tf.zeros([2, 1]), "unknown": tf.placeholder(tf.float32), "vector": tf.placeholder(tf.float32, [None]), "full": tf.constant(P[:, :, 0], tf.float32)}[kind]
        y = tf.losses.mean_pairwise_squared_error(labels, predictions, weights=w, scope="q" if kind == "scalar" else None)
        feeds = {labels: L[:, :, 0], predictions: P[:, :, 0]}
        if kind in ("unknown", "vector"):
            feeds[w] = [[1.0], [0.0]] if kind == "unknown" else [1.0, 2.0]
        return Case([y, tf.gradients(y, predictions)], feeds=feeds)
    globals()["case_pairwise_" + _kind] = _case


def case_pairwise_shapes(tf):
    m = tf.losses.mean_pairwise_squared_error
    x = tf.placeholder(tf.float32)
    return Case([m(tf.constant(L), tf.constant(P)), m(x, tf.constant(P, tf.float32)), m(tf.constant([[1, 2, 3]]), tf.constant([[4, 5, 7]])), m(tf.zeros([2, 1]), tf.ones([2, 1])),
                 m(tf.zeros([0, 3]), tf.zeros([0, 3])), m(tf.zeros([3]), tf.ones([3]))], feeds={x: L})


def case_pairwise_refused(tf):
    m = tf.losses.mean_pairwise_squared_error
    x = tf.zeros([2, 3])
    return [raises(m, x, tf.zeros([2, 4])), raises(m, None, x), raises(m, x, None), raises(m, x, x, weights=None), raises(m, x, x, weights=[1.0, 2.0, 3.0]), raises(m, x, x, weights=tf.ones([3, 1]))]


SPARSE_WEIGHTS = {"scalar": ([], 2.0), "vector": ([4], [1.0, 0.0, 2.0, 1.0]), "column": ([4, 1], [[1.0], [0.0], [2.0], [1.0]]), "dynamic": (None, [1.0, 0.0, 2.0, 1.0]),
                  "dynamic_column": (None, [[1.0], [0.0], [2.0], [1.0]]), "dynamic_scalar": (None, 3.0), "open": ([None, 1], [[1.0], [0.0], [2.0], [1.0]]), "open_vector": ([None], [1.0, 0.0, 2.0, 1.0])}
for _kind in SPARSE_WEIGHTS:
    for _labels in ["vector", "column", "unknown"]:
        def _case(tf, kind=_kind, form=_labels):
            shape, value = SPARSE_WEIGHTS[kind]
            logits, weights = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.float32, shape)
            labels = tf.placeholder(tf.int64, {"vector": [None], "column": [None, 1], "unknown": None}[form])
            y = tf.losses.sparse_softmax_cross_entropy(labels, logits, weights=weights)
            given = np.array([2, 0, 1, 1])
            return Case([y, tf.gradients(y, logits)], feeds={logits: P.reshape(4, 3), weights: value, labels: given[:, None] if form == "column" else given})
        globals()["case_sparse_softmax_%s_%s" % (_kind, _labels)] = _case


def case_sparse_softmax_higher_rank(tf):
    logits, weights = tf.constant(P, tf.float32), tf.constant([[1.0, 0.0, 2.0], [1.0, 1.0, 0.0]])
    s = tf.losses.sparse_softmax_cross_entropy
    labels = tf.constant([[0, 1, 1], [1, 0, 0]])
    return [s(labels, logits), s(labels[..., None], logits), s(labels, logits, weights), s(labels, logits, weights[..., None]), s(labels, logits, reduction="none"), s(labels, tf.cast(logits, tf.float64), weights=2)]


def case_sparse_softmax_out_of_range(tf):
    labels = tf.placeholder(tf.int32, [None])
    return Case(tf.losses.sparse_softmax_cross_entropy(labels, tf.constant(P.reshape(4, 3), tf.float32)), feeds={labels: [0, 1, 5, 0]})


def case_sparse_softmax_refused(tf):
    logits = tf.constant(P.reshape(4, 3), tf.float32)
    s = tf.losses.sparse_softmax_cross_entropy
    return [raises(s, None, logits), raises(s, [1, 2, 0, 0], None), raises(s, [1, 2, 0, 0], logits, weights=None), raises(s, [1, 2, 0], logits), raises(s, [1, 2, 0, 0], logits, weights=[1.0, 2.0]),
            raises(s, [[1, 2], [0, 0]], logits), raises(s, [1, 2, 0, 0], logits, weights=[[1.0, 2.0]]), raises(s, [1.0, 2.0, 0.0, 0.0], logits), raises(s, 1, logits)]


def case_softmax_weights_unknown(tf):
    weights = tf.placeholder(tf.float32)
    y = tf.losses.softmax_cross_entropy(tf.constant(L[0], tf.float32), tf.constant(P[0], tf.float32), weights=weights)
    return Case(None, runs=[(y, {weights: 2.0}), (y, {weights: [1.0, 0.0, 0.5]}), (y, {weights: [1.0]}), (y, {weights: [[1.0, 2.0, 3.0]]})])
