"""Metrics agree with TensorFlow 1.15.5: local variables, values and updates over several batches."""
from ossia_testkit.golden import golden_tests

test_metrics = golden_tests(__file__, "metrics_cases.py")
