"""Metrics agree with TensorFlow 1.15.5: local variables, values and updates over several batches."""
import pytest

import ossia as tf
from ossia_testkit.golden import golden_tests

test_metrics = golden_tests(__file__, "metrics_cases.py")
test_streams = golden_tests(__file__, "metric_streams_cases.py")
test_thresholds = golden_tests(__file__, "metric_thresholds_cases.py")
test_ranking = golden_tests(__file__, "ranking_cases.py")
test_inputs = golden_tests(__file__, "metric_inputs_cases.py")


def test_weights_that_do_not_fit():
    with tf.Graph().as_default(), pytest.raises(ValueError, match=r"dim 0. values.shape=\[2 3\] weights.shape=\[3 1\]"):
        tf.metrics.mean(tf.zeros([2, 3]), weights=tf.ones([3]))


def test_k_is_a_number():
    with tf.Graph().as_default() as graph:
        labels = tf.constant([[1]], tf.int64)
        for metric in (tf.metrics.precision_at_k, tf.metrics.recall_at_k, tf.metrics.average_precision_at_k):
            with pytest.raises(TypeError):
                metric(labels, [[0.1, 0.2]], "a")
        with pytest.raises(TypeError):
            tf.metrics.precision_at_top_k(labels, labels, "a")
        assert [op.type for op in graph.get_operations()] == ["Const"]
        assert tf.metrics.precision_at_top_k(labels, labels, 2.5)[0].op.name == "precision_at_2"
