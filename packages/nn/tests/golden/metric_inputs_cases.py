"""Metrics of plain Python and NumPy values, of SparseTensorValues, in queues, of unknown shapes, and of names in scopes."""
import numpy as np
from golden_case import Case

SIMPLE = ["accuracy", "mean_absolute_error", "mean_squared_error", "root_mean_squared_error", "true_positives", "true_negatives", "false_positives", "false_negatives", "precision", "recall"]
EXTRA = {"auc": {"num_thresholds": 5}, "mean_cosine_distance": {"dim": 0}, "mean_iou": {"num_classes": 2}, "mean_per_class_accuracy": {"num_classes": 2}, "sensitivity_at_specificity": {"specificity": 0.5, "num_thresholds": 5},
         "specificity_at_sensitivity": {"sensitivity": 0.5, "num_thresholds": 5}, "mean_relative_error": {"normalizer": [1.0, 2.0, 4.0, 8.0]}, "true_positives_at_thresholds": {"thresholds": [0.5]}, "precision_at_thresholds": {"thresholds": [0.25, 0.5]}, "recall_at_thresholds": {"thresholds": [0.25, 0.5]}}
EXTRA.update({name: {} for name in SIMPLE})
FORMS = {"lists": ([1.0, 0.0, 1.0, 1.0], [1.0, 1.0, 0.0, 1.0]), "arrays": (np.array([1, 0, 1, 1]), np.array([1, 1, 0, 1])), "floats": (np.array([1.0, 0.0, 1.0, 1.0], np.float32), np.array([0.5, 0.25, 0.0, 1.0], np.float32)), "mixed": ([1, 0, 1, 1], np.array([1.0, 1.0, 0.0, 1.0]))}


def values(pair):
    return Case(None, runs=[pair[1], pair[0]])


for _name in sorted(EXTRA):
    for _form in FORMS:
        def _case(tf, name=_name, form=_form):
            labels, predictions = FORMS[form]
            return values(getattr(tf.metrics, name)(labels, predictions, **EXTRA[name]))
        globals()["case_%s_%s" % (_name, _form)] = _case

        def _case(tf, name=_name, form=_form):
            labels, predictions = FORMS[form]
            return values(getattr(tf.metrics, name)(tf.constant(labels), predictions, weights=[0.5, 1.0, 2.0, 0.0], **EXTRA[name]))
        globals()["case_%s_%s_weighted" % (_name, _form)] = _case


def sparse(labels):
    places = np.argwhere(np.array(labels) > 0)
    width = max(np.sum(np.array(labels) > 0, -1)) if len(places) else 0
    rows, counts = [], {}
    for place in places:
        key = tuple(place[:-1])
        rows.append(list(key) + [counts.get(key, 0)])
        counts[key] = counts.get(key, 0) + 1
    return np.array(rows, np.int64), np.array([p[-1] for p in places], np.int64), np.array(list(np.shape(labels)[:-1]) + [width], np.int64)


SCORES = np.array([[0.1, 0.3, 0.2, 0.4], [0.4, 0.3, 0.2, 0.1]])
LABELS = [[0, 0, 0, 1], [0, 0, 1, 0]]

for _name in ["recall_at_k", "precision_at_k", "average_precision_at_k"]:
    for _k in (1, 2, 4):
        def _case(tf, name=_name, k=_k):
            value = tf.SparseTensorValue(*sparse(LABELS))
            function = getattr(tf.metrics, name)
            pairs = [function(value, tf.constant(SCORES, tf.float32), k), function(labels=tf.SparseTensor.from_value(value), predictions=SCORES, k=k), function(np.array([[3], [2]]), SCORES.tolist(), k), function(np.array([3, 2]), SCORES, k, weights=[1.0, 3.0])]
            return Case(None, runs=[[p[1] for p in pairs], [p[0] for p in pairs]])
        globals()["case_%s_%d" % (_name, _k)] = _case


def case_top_k_of_values(tf):
    value = tf.SparseTensorValue(*sparse([[0, 1, 1, 0], [1, 0, 0, 1]]))
    best = np.array([[1, 3], [0, 3]])
    pairs = [tf.metrics.precision_at_top_k(value, tf.constant(best)), tf.metrics.recall_at_top_k(value, tf.constant(best), k=2), tf.metrics.precision_at_top_k(value, tf.constant(best), class_id=3), tf.metrics.recall_at_top_k(tf.constant([[1, 2], [0, 3]], tf.int64), tf.constant(best), weights=[0.5, 1.0])]
    return Case(None, runs=[[p[1] for p in pairs], [p[0] for p in pairs]])


def case_queues(tf):
    queue = tf.FIFOQueue(4, dtypes=tf.float32, shapes=(1, 2))
    steps = [queue.enqueue(tf.constant([v])) for v in ([0.0, 1.0], [-4.2, 9.1], [6.5, 0.0], [-3.2, 4.0])]
    value, update = tf.metrics.mean(queue.dequeue())
    return Case(None, runs=steps + [update, value, update, value, update, update, value])


def case_binary_queues(tf):
    predictions, labels, weights = [tf.FIFOQueue(4, dtypes=kind, shapes=(1, 1)) for kind in (tf.int32, tf.int64, tf.float32)]
    steps = [[predictions.enqueue(tf.constant([[p]])), labels.enqueue(tf.constant([[l]], tf.int64)), weights.enqueue(tf.constant([[w]]))] for p, l, w in ((0, 0, 1.0), (1, 1, 0.5), (2, 1, 0.0), (1, 2, 2.0))]
    l, p, w = labels.dequeue(), predictions.dequeue(), weights.dequeue()
    pairs = [tf.metrics.accuracy(l, p, w), tf.metrics.mean_iou(l, p, 3, w), tf.metrics.mean_per_class_accuracy(l, p, 3, w), tf.metrics.recall(l, p, w)]
    return Case(None, runs=steps + [[x[1] for x in pairs]] * 4 + [[x[0] for x in pairs]])


def case_one_after_the_other(tf):
    names = []
    for _ in range(2):
        for name in ("accuracy", "mean_squared_error", "precision", "auc"):
            getattr(tf.metrics, name)(tf.constant([1.0, 0.0]), tf.constant([1.0, 0.5]))
    with tf.variable_scope("a"), tf.variable_scope("b"):
        tf.metrics.mean([1.0])
        tf.metrics.mean([1.0], name="mean")
    with tf.name_scope("n"):
        tf.metrics.mean([1.0])
        tf.metrics.mean([1.0], name="given")
    with tf.variable_scope("a", reuse=True):
        tf.metrics.mean([1.0])
    names += [v.name for v in tf.local_variables()]
    return [names, len(tf.get_collection("metric_variables")), [v.trainable for v in tf.local_variables()][:2]]


def case_same_name_twice(tf):
    a, b = tf.metrics.mean([1.0], name="m"), tf.metrics.mean([3.0], name="m")
    return Case(None, runs=[[a[1], b[1]], [a[0], b[0], [v.name for v in tf.local_variables()]]])


def case_on_a_device(tf):
    with tf.device("/cpu:0"):
        value, update = tf.metrics.mean([1.0, 2.0])
    return Case(None, runs=[update, value])


def case_before_any_update(tf):
    m = tf.metrics
    x, l = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.int64, [None])
    pairs = [m.mean(x), m.accuracy(l, l), m.precision(l, l), m.recall(l, l), m.auc(l, x), m.mean_iou(l, l, 2), m.mean_per_class_accuracy(l, l, 2), m.root_mean_squared_error(x, x), m.percentage_below(x, 0.5), m.true_positives(l, l), m.recall_at_k(l, tf.placeholder(tf.float32, [None, 3]), 1), m.average_precision_at_k(l, tf.placeholder(tf.float32, [None, 3]), 1)]
    return Case([p[0] for p in pairs])


def case_uninitialized(tf):
    value, update = tf.metrics.mean([1.0])
    return Case(update, init=False)


def case_in_a_condition(tf):
    p = tf.placeholder(tf.bool, [])
    value, update = tf.metrics.mean([1.0, 3.0])
    step = tf.cond(p, lambda: tf.identity(update), lambda: tf.identity(value))
    return Case(None, runs=[(step, {p: False}), (step, {p: True}), (step, {p: False})])


def case_gradient_through_a_metric(tf):
    x = tf.constant([1.0, 2.0])
    value, update = tf.metrics.mean(x)
    return [tf.gradients(update, x), tf.gradients(value, x)]
