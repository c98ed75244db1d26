"""Resampling, the next of a list, scaled losses agree with TensorFlow 1.15.5; memory is measured."""

import ossia as tf
from ossia_testkit.golden import golden_tests

test_sampling = golden_tests(__file__, "sampling_cases.py")


def test_memory():
    stats = tf.contrib.memory_stats
    with tf.Session() as session:
        now, most, limit = session.run([stats.BytesInUse(), stats.MaxBytesInUse(), stats.BytesLimit()])
    assert 0 < now <= limit and 0 < most <= limit
