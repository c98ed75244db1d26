"""Metrics of curves and of agreement in `tf.contrib.metrics`: graphs, and what the first batch gives."""
import numpy as np

LABELS = np.array([True, False, True, True, False, False])
SCORES = np.array([0.9, 0.6, 0.4, 0.8, 0.3, 0.1], np.float32)


def fetched(value, update):
    return [value.name, str(value.shape), update.name]


def case_f1(tf):
    return fetched(*tf.contrib.metrics.f1_score(tf.constant(LABELS), tf.constant(SCORES), num_thresholds=5))


def case_f1_update(tf):
    return [tf.contrib.metrics.f1_score(tf.constant(LABELS), tf.constant(SCORES), weights=tf.constant(SCORES), num_thresholds=7)[1]]


def case_precision_at_recall(tf):
    return [tf.contrib.metrics.precision_at_recall(tf.constant(LABELS), tf.constant(SCORES), 0.6, num_thresholds=9)[1]]


def case_recall_at_precision(tf):
    return [tf.contrib.metrics.recall_at_precision(tf.constant(LABELS), tf.constant(SCORES), 0.7, weights=tf.constant(SCORES), num_thresholds=9)[1]]


def case_recall_at_precision_strictly(tf):
    return [tf.contrib.metrics.recall_at_precision(tf.constant(LABELS), tf.constant(SCORES), 0.7, num_thresholds=9, strict_mode=True)[1]]


def case_curve_points(tf):
    return fetched(*tf.contrib.metrics.streaming_curve_points(tf.constant(LABELS), tf.constant(SCORES), num_thresholds=4))


def case_curve_points_of_precision(tf):
    return fetched(*tf.contrib.metrics.streaming_curve_points(tf.constant(LABELS), tf.constant(SCORES), weights=tf.constant(SCORES), num_thresholds=4, curve="PR"))


def case_equal_thresholds(tf):
    data, update = tf.contrib.metrics.precision_recall_at_equal_thresholds(tf.constant(LABELS), tf.constant(SCORES), num_thresholds=5)
    return [list(data._fields), [each.name for each in data], update.name]


def case_equal_thresholds_weighted(tf):
    data, update = tf.contrib.metrics.precision_recall_at_equal_thresholds(tf.constant(LABELS), tf.constant(SCORES), weights=tf.constant(SCORES), use_locking=False, name="here")
    return [[each.name for each in data], update.name]


def case_kappa(tf):
    return [tf.contrib.metrics.cohen_kappa(tf.constant([0, 1, 2, 1]), tf.constant([0, 1, 1, 1]), 3)[1]]


def case_kappa_weighted(tf):
    return [tf.contrib.metrics.cohen_kappa(tf.constant([[0], [1], [2], [1]]), tf.constant([0, 1, 1, 1]), 3, weights=tf.constant([1.0, 2.0, 0.5, 1.0]))[1]]


def case_average_precision(tf):
    return [tf.contrib.metrics.streaming_sparse_average_precision_at_top_k(tf.constant([[1, 2], [0, 3]], tf.int64), tf.constant([[1], [3]], tf.int64))[1]]


def case_recall_out_of_range(tf):
    return tf.contrib.metrics.precision_at_recall(tf.constant(LABELS), tf.constant(SCORES), 1.5)


def case_unknown_curve(tf):
    return tf.contrib.metrics.streaming_curve_points(tf.constant(LABELS), tf.constant(SCORES), curve="XY")
