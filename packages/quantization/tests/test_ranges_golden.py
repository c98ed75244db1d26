"""Ranges that the original refuses, or takes in other shapes."""
from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "ranges_cases.py")
