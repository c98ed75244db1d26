"""Staging areas of contrib agree with TensorFlow 1.15.5."""

from ossia_testkit.golden import golden_tests

test_staging = golden_tests(__file__, "staging_cases.py")
