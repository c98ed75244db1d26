"""Golden cases of what random calls of single functions found."""
from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "differential_calls_cases.py")
