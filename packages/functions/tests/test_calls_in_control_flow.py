"""Calls of functions in branches and loops, as recorded with TensorFlow 1.15."""
from ossia_testkit.golden import golden_tests

test_calls = golden_tests(__file__, "calls_in_control_flow_cases.py")
