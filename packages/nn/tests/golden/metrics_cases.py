"""Metrics: graphs, local variables, collections, and values over several batches."""
import numpy as np
from golden_case import Case, raises, says

L = [np.array([1, 0, 1, 1]), np.array([0, 0, 1, 0])]
P = [np.array([0.9, 0.2, 0.4, 0.7]), np.array([0.1, 0.6, 0.8, 0.3])]
W = [np.array([1.0, 2.0, 0.5, 0.0]), np.array([1.0, 1.0, 3.0, 1.0])]
SCORES = [np.array([[0.1, 0.4, 0.3, 0.2], [0.7, 0.1, 0.15, 0.05]]), np.array([[0.3, 0.1, 0.2, 0.4], [0.2, 0.3, 0.4, 0.1]])]
ITEMS = [np.array([[1, 2], [3, 0]]), np.array([[3, 0], [1, 1]])]


def batches(tf, function, label_type, prediction_type="float32", labels=L, predictions=P, weights=None, shape=(None,)):
    """Update twice, read the result before, between and after."""
    l, p = tf.placeholder(label_type, shape), tf.placeholder(prediction_type, shape if np.ndim(predictions[0]) == len(shape) else list(shape) + [4])
    w = tf.placeholder(tf.float32, [None] if weights else None)
    value, update = function(l, p, w) if weights else function(l, p)
    runs = [(value, {})]
    for i in range(2):
        feeds = {l: labels[i], p: predictions[i]}
        if weights:
            feeds[w] = weights[i]
        runs += [(update, feeds), (value, {})]
    return Case(None, runs=runs)


ERRORS = ["mean_absolute_error", "mean_squared_error", "root_mean_squared_error"]
COUNTS = ["true_positives", "true_negatives", "false_positives", "false_negatives", "precision", "recall"]
for _name in ERRORS + COUNTS:
    def _case(tf, name=_name):
        kind = "float32" if name in ERRORS else "bool"
        return batches(tf, lambda l, p: getattr(tf.metrics, name)(l, p), kind, "float32" if name in ERRORS else "int32", predictions=P if name in ERRORS else [p > 0.5 for p in P])
    globals()["case_" + _name] = _case

    def _case(tf, name=_name):
        kind = "float32" if name in ERRORS else "int64"
        return batches(tf, lambda l, p, w: getattr(tf.metrics, name)(l, p, weights=w, name="given"), kind, kind, predictions=P if name in ERRORS else [p > 0.5 for p in P], weights=W)
    globals()["case_weighted_" + _name] = _case

for _name in ["true_positives", "true_negatives", "false_positives", "false_negatives", "precision", "recall"]:
    def _case(tf, name=_name):
        return batches(tf, lambda l, p: getattr(tf.metrics, name + "_at_thresholds")(l, p, [0.15, 0.5, 0.75]), "bool")
    globals()["case_%s_at_thresholds" % _name] = _case

    def _case(tf, name=_name):
        return batches(tf, lambda l, p, w: getattr(tf.metrics, name + "_at_thresholds")(l, p, [0.15, 0.5], weights=w), "int32", weights=W)
    globals()["case_weighted_%s_at_thresholds" % _name] = _case

for _curve in ["ROC", "PR"]:
    for _method in ["trapezoidal", "careful_interpolation", "minoring", "majoring"]:
        def _case(tf, curve=_curve, method=_method):
            return batches(tf, lambda l, p: tf.metrics.auc(l, p, num_thresholds=11, curve=curve, summation_method=method), "bool")
        globals()["case_auc_%s_%s" % (_curve.lower(), _method)] = _case


def case_auc_thresholds(tf):
    return batches(tf, lambda l, p, w: tf.metrics.auc(l, p, w, thresholds=[0.5, 0.25]), "int32", weights=W)


def case_sensitivity(tf):
    return batches(tf, lambda l, p: tf.metrics.sensitivity_at_specificity(l, p, 0.7, num_thresholds=11), "bool")


def case_specificity(tf):
    return batches(tf, lambda l, p: tf.metrics.specificity_at_sensitivity(l, p, 0.7, num_thresholds=11), "bool")


def case_accuracy(tf):
    return batches(tf, lambda l, p: tf.metrics.accuracy(l, p), "int64", "int32", predictions=[p > 0.5 for p in P])


def case_accuracy_weighted(tf):
    l, p, w = tf.placeholder(tf.int64, [None, 1]), tf.placeholder(tf.int64, [None]), tf.placeholder(tf.float32, [None])
    value, update = tf.metrics.accuracy(l, p, weights=w, metrics_collections="m", updates_collections=["u", "v"])
    return Case(None, runs=[(update, {l: L[0][:, None], p: L[1], w: W[0]}), ([value, tf.get_collection("m"), tf.get_collection("u")], {l: L[0][:, None], p: L[1], w: W[1]})])


def case_mean(tf):
    x, w = tf.placeholder(tf.float32, [None, 2]), tf.placeholder(tf.float32, [None])
    a, b, c = tf.metrics.mean(x), tf.metrics.mean(x, w), tf.metrics.mean([1, 2], name="q")
    feeds = {x: P[0].reshape(2, 2), w: [1.0, 0.5]}
    names = [[v.name for v in v] for v in (tf.local_variables(), tf.global_variables(), tf.get_collection("metric_variables"))]
    return Case(None, runs=[([a, b, c], feeds), ([a[0], b[0], c[0], names], feeds)])


def case_mean_unknown(tf):
    x, w = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
    a = tf.metrics.mean(x, w)
    return Case(None, runs=[(a[1], {x: P[0].reshape(2, 2), w: [1.0, 0.5]}), (a[1], {x: P[1], w: W[1]}), (a[0], {}), (a[1], {x: P[1], w: 2.0})])


def case_mean_tensor(tf):
    x = tf.placeholder(tf.float32, [2, 2])
    a, b = tf.metrics.mean_tensor(x), tf.metrics.mean_tensor(x, [[1.0], [0.0]], name="w")
    return Case(None, runs=[([a[1], b[1]], {x: P[0].reshape(2, 2)}), ([a[1], b[1]], {x: P[1].reshape(2, 2)}), ([a[0], b[0]], {})])


def case_cosine(tf):
    l, p = tf.placeholder(tf.float32, [None, 2]), tf.placeholder(tf.float32, [None, 2])
    a, b = tf.metrics.mean_cosine_distance(l, p, 1), tf.metrics.mean_cosine_distance(l, p, 1, weights=[[1.0], [0.5]])
    return Case(None, runs=[([a[1], b[1]], {l: P[0].reshape(2, 2), p: P[1].reshape(2, 2)}), ([a[0], b[0]], {})])


def case_relative(tf):
    l, p, n = (tf.placeholder(tf.float32, [None]) for _ in range(3))
    a, b = tf.metrics.mean_relative_error(l, p, n), tf.metrics.percentage_below(p, 0.5)
    return Case(None, runs=[([a[1], b[1]], {l: P[0], p: P[1], n: W[0]}), ([a[0], b[0]], {})])


def case_iou(tf):
    return batches(tf, lambda l, p: tf.metrics.mean_iou(l, p, 3), "int32", "int32", predictions=[np.array([1, 1, 0, 1]), np.array([2, 0, 2, 0])])


def case_iou_weighted(tf):
    return batches(tf, lambda l, p, w: tf.metrics.mean_iou(l, p, 3, w), "int64", "int64", predictions=[np.array([1, 1, 0, 1]), np.array([2, 0, 2, 0])], weights=W)


def case_class_accuracy(tf):
    return batches(tf, lambda l, p: tf.metrics.mean_per_class_accuracy(l, p, 3), "int32", "int32", predictions=[np.array([1, 1, 0, 1]), np.array([2, 0, 2, 0])])


def case_class_accuracy_weighted(tf):
    return batches(tf, lambda l, p, w: tf.metrics.mean_per_class_accuracy(l, p, 3, w), "int64", "int64", predictions=[np.array([1, 1, 0, 1]), np.array([2, 0, 2, 0])], weights=W)


for _name in ["recall_at_k", "precision_at_k", "average_precision_at_k", "sparse_precision_at_k", "sparse_average_precision_at_k"]:
    def _case(tf, name=_name):
        l, p, w = tf.placeholder(tf.int64, [None, 2]), tf.placeholder(tf.float32, [None, 4]), tf.placeholder(tf.float32, [None])
        a, b = getattr(tf.metrics, name)(l, p, 2), getattr(tf.metrics, name)(l, p, 3, weights=w, name="w")
        runs = [([a[1], b[1]], {l: ITEMS[i], p: SCORES[i], w: W[i][:2]}) for i in range(2)]
        return Case(None, runs=runs + [([a[0], b[0]], {})])
    globals()["case_" + _name] = _case

    def _case(tf, name=_name):
        l, p = tf.sparse_placeholder(tf.int64), tf.placeholder(tf.float32, [None, 4])
        options = {} if "average" in name else {"class_id": 1}
        a = getattr(tf.metrics, name)(l, p, 2, **options)
        labels = tf.SparseTensorValue(np.array([[0, 0], [0, 1], [1, 0]]), np.array([1, 2, 3]), np.array([2, 2]))
        return Case(None, runs=[(a[1], {l: labels, p: SCORES[0]}), (a[0], {})])
    globals()["case_of_sparse_" + _name] = _case


def case_one_label(tf):
    l, p = tf.placeholder(tf.int64, [None]), tf.placeholder(tf.float32, [None, 4])
    a, b = tf.metrics.recall_at_k(l, p, 2, class_id=1), tf.metrics.precision_at_k(l, p, 1)
    return Case(None, runs=[([a[1], b[1]], {l: [1, 0], p: SCORES[0]}), ([a[0], b[0]], {})])


def case_top_k(tf):
    l, p = tf.placeholder(tf.int64, [None, 2]), tf.placeholder(tf.int64, [None, 2])
    a, b = tf.metrics.recall_at_top_k(l, p, 2), tf.metrics.precision_at_top_k(l, p)
    return Case(None, runs=[([a[1], b[1]], {l: ITEMS[0], p: ITEMS[1]}), ([a[0], b[0]], {})])


def case_probabilities_refused(tf):
    return tf.metrics.auc(tf.constant([True, False]), tf.constant([0.5, 1.5]))


def case_refused(tf):
    m = tf.metrics
    x = tf.zeros([2, 3])
    return [raises(m.accuracy, x, tf.zeros([2, 2])), raises(m.auc, [True], [0.5], curve="X"), raises(m.sensitivity_at_specificity, [True], [0.5], 2.0),
            raises(m.specificity_at_sensitivity, [True], [0.5], -1.0), raises(m.average_precision_at_k, tf.zeros([2], tf.int64), x, 0), raises(m.mean_tensor, tf.placeholder(tf.float32, [None, 2])),
            raises(m.mean, x, tf.zeros([4])), raises(m.auc, tf.constant([True]), tf.constant([0.5]), summation_method="x"), raises(m.recall_at_k, tf.zeros([2, 2, 2], tf.int64), tf.zeros([2, 3]), 1)]


def case_superfluous_dimensions_that_are_not_one(tf):
    zeros = lambda *shape: tf.zeros(list(shape))
    message = "Can not squeeze dim"
    return [says(message, tf.metrics.accuracy, zeros(2, 2), zeros(2)), says(message, tf.metrics.accuracy, zeros(2), zeros(2, 2)),
            says(message, tf.metrics.accuracy, zeros(2, 1), zeros(2)),
            says(message, tf.losses.sparse_softmax_cross_entropy, tf.zeros([2, 2], tf.int32), zeros(2, 2))]
