"""Conditional random fields agree with TensorFlow 1.15.5."""

from ossia_testkit.golden import golden_tests

test_crf = golden_tests(__file__, "crf_cases.py")
