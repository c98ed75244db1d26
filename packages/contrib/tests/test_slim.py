"""Data, summaries and networks of slim agree with TensorFlow 1.15.5."""

from ossia_testkit.golden import golden_tests

test_slim = golden_tests(__file__, "slim_cases.py")
