"""Golden cases from the comparison of random calls with TensorFlow 1.15."""
from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "differential_cases.py")
