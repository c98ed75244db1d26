"""Summaries that ops write agree with TensorFlow 1.15.5."""

from ossia_testkit.golden import golden_tests

test_summary = golden_tests(__file__, "summary_cases.py")
