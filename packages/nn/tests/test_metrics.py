"""Metrics agree with TensorFlow 1.15.5: local variables, values and updates over several batches."""
from ossia_testkit.golden import golden_tests

test_metrics = golden_tests(__file__, "metrics_cases.py")
test_streams = golden_tests(__file__, "metric_streams_cases.py")
test_thresholds = golden_tests(__file__, "metric_thresholds_cases.py")
test_ranking = golden_tests(__file__, "ranking_cases.py")
test_inputs = golden_tests(__file__, "metric_inputs_cases.py")
