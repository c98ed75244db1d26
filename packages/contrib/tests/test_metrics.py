"""Metrics agree with TensorFlow 1.15.5."""

from ossia_testkit.golden import golden_tests

test_curves = golden_tests(__file__, "curves_cases.py")
