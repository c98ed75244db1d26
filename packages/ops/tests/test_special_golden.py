"""The original's graphs and values of special functions."""
from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "special_cases.py")
