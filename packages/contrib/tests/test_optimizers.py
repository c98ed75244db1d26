"""Optimizers of `tf.contrib.opt` agree with TensorFlow 1.15.5."""

from ossia_testkit.golden import golden_tests

test_optimizers = golden_tests(__file__, "optimizers_cases.py")
