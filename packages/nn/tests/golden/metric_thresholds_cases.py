"""Metrics of probabilities: curves, summation methods, given thresholds, extremes, and errors."""
import numpy as np
from golden_case import Case, raises

LABELS = np.array([0, 1, 1, 0, 1, 0, 0, 1])
SCORES = np.array([0.1, 0.9, 0.35, 0.4, 0.8, 0.65, 0.0, 1.0])
MORE = np.array([0.5, 0.2, 0.75, 0.1, 0.6, 0.3, 0.9, 0.05])

for _curve in ["ROC", "PR"]:
    for _method in ["trapezoidal", "careful_interpolation", "minoring", "majoring"]:
        for _form in ["default", "few", "given", "weighted"]:
            def _case(tf, curve=_curve, method=_method, form=_form):
                labels, scores = tf.placeholder(tf.bool, [None]), tf.placeholder(tf.float32, [None])
                more = {"default": {}, "few": {"num_thresholds": 3}, "given": {"thresholds": [0.7, 0.2, 0.5]}, "weighted": {"weights": tf.constant([1.0, 0.5, 0.0, 2.0, 1.0, 1.0, 3.0, 0.25]), "num_thresholds": 20}}[form]
                value, update = tf.metrics.auc(labels, scores, curve=curve, summation_method=method, **more)
                return Case(None, runs=[(value, {}), (update, {labels: LABELS, scores: SCORES}), (value, {}), (update, {labels: LABELS, scores: MORE}), (value, {})])
            globals()["case_auc_%s_%s_%s" % (_curve.lower(), _method, _form)] = _case

    def _case(tf, curve=_curve):
        right, wrong = tf.metrics.auc([0, 1, 1], [0.1, 0.9, 1.0], curve=curve, name="right"), tf.metrics.auc([0, 1, 1], [0.9, 0.1, 0.0], curve=curve, name="wrong")
        ones, zeros = tf.metrics.auc([1, 1], [1.0, 0.5], curve=curve, name="ones"), tf.metrics.auc([0, 0], [1.0, 0.5], curve=curve, name="zeros")
        pairs = [right, wrong, ones, zeros]
        return Case(None, runs=[[p[1] for p in pairs], [p[0] for p in pairs]])
    globals()["case_auc_extremes_" + _curve.lower()] = _case


def case_auc_kinds(tf):
    pairs = [tf.metrics.auc(tf.constant(LABELS, kind), tf.constant(SCORES, score), num_thresholds=5) for kind in ("int32", "int64", "float32") for score in ("float32", "float64")]
    return Case(None, runs=[[p[1] for p in pairs], [p[0] for p in pairs]])


def case_auc_ranks(tf):
    labels, scores = tf.placeholder(tf.int32), tf.placeholder(tf.float32, [2, None])
    value, update = tf.metrics.auc(labels, scores, num_thresholds=5)
    column = tf.metrics.auc(tf.constant(LABELS[:, None]), tf.constant(SCORES), num_thresholds=5)
    return Case(None, runs=[([update, column[1]], {labels: LABELS.reshape(2, 4), scores: SCORES.reshape(2, 4)}), ([value, column[0]], {})])


def case_auc_refused(tf):
    a = tf.metrics.auc
    return [raises(a, [True], [0.5], curve="roc"), raises(a, [True], [0.5], summation_method="sum"), raises(a, [True, False], [0.5]), raises(a, [True], [0.5], num_thresholds=1), raises(a, [True], [1]), raises(a, [True], [0.5], weights=[1.0, 2.0, 3.0]),
            raises(a, [True], ["a"]), raises(a, tf.constant([True]), tf.constant([0.5]), summation_method="interpolate", curve="PR")]


for _i, _scores in enumerate([[0.5, 1.5], [-0.1, 0.5], [np.nan, 0.5]]):
    def _case(tf, scores=_scores):
        fed = tf.placeholder(tf.float32, [None])
        pairs = [tf.metrics.auc([True, False], fed, num_thresholds=5)]
        return Case(pairs[0][1], feeds={fed: scores})
    globals()["case_out_of_range_%d" % _i] = _case

for _name in ["true_positives", "true_negatives", "false_positives", "false_negatives", "precision", "recall"]:
    def _case(tf, name=_name):
        function = getattr(tf.metrics, name + "_at_thresholds")
        labels, scores, weights = tf.placeholder(tf.int32, [None, 2]), tf.placeholder(tf.float32, [None, 2]), tf.placeholder(tf.float32, [None, 2])
        pairs = [function(labels, scores, [0.5]), function(labels, scores, (0.9, 0.1, 0.4)), function(labels, scores, [-1.0, 2.0], weights), function(labels, scores, [0.25], 0.5, name="n"), function(labels, scores, [0.4, 0.6], weights[:, :1])]
        feeds = {labels: LABELS.reshape(4, 2), scores: SCORES.reshape(4, 2), weights: MORE.reshape(4, 2)}
        return Case(None, runs=[([p[1] for p in pairs], feeds), ([p[1] for p in pairs], feeds), ([p[0] for p in pairs], {})])
    globals()["case_%s" % _name] = _case

    def _case(tf, name=_name):
        function = getattr(tf.metrics, name + "_at_thresholds")
        return [raises(function, [1], [0.5], None), raises(function, [1], [0.5], []), raises(function, [1], [0.5, 0.2], [0.5]), raises(function, [1], [0.5], 0.5), raises(function, [1], [0.5], [0.5], tf.ones([3])), raises(function, [1], [0.5], ["a"])]
    globals()["case_%s_refused" % _name] = _case

for _point in [0.0, 0.3, 0.5, 0.8, 1.0]:
    def _case(tf, point=_point):
        labels, scores = tf.placeholder(tf.bool, [None]), tf.placeholder(tf.float32, [None])
        pairs = [tf.metrics.sensitivity_at_specificity(labels, scores, point), tf.metrics.specificity_at_sensitivity(labels, scores, point), tf.metrics.sensitivity_at_specificity(labels, scores, point, weights=tf.constant([1.0, 2.0, 0.0, 1.0, 3.0, 1.0, 0.5, 1.0]), num_thresholds=4),
                 tf.metrics.specificity_at_sensitivity(labels, scores, point, weights=2.0, num_thresholds=5, name="q")]
        return Case(None, runs=[([p[1] for p in pairs], {labels: LABELS, scores: SCORES}), ([p[0] for p in pairs], {}), ([p[1] for p in pairs], {labels: LABELS, scores: MORE}), ([p[0] for p in pairs], {})])
    globals()["case_operating_point_%d" % (_point * 10)] = _case


def case_operating_points_refused(tf):
    m = tf.metrics
    return [raises(m.sensitivity_at_specificity, [True], [0.5], -0.1), raises(m.sensitivity_at_specificity, [True], [0.5], 1.1), raises(m.specificity_at_sensitivity, [True], [0.5], -0.1), raises(m.specificity_at_sensitivity, [True], [0.5], 2)]


def case_perfect_points(tf):
    m = tf.metrics
    pairs = [m.sensitivity_at_specificity([0, 1], [0.1, 0.9], 0.7), m.specificity_at_sensitivity([0, 1], [0.1, 0.9], 0.7), m.sensitivity_at_specificity([1, 1], [0.1, 0.9], 0.7, name="only_ones"), m.specificity_at_sensitivity([0, 0], [0.1, 0.9], 0.7, name="only_zeros")]
    return Case(None, runs=[[p[1] for p in pairs], [p[0] for p in pairs]])
