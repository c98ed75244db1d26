"""Assertions and checks, as the original builds and computes them."""

from ossia_testkit.golden import golden_tests

test_checks = golden_tests(__file__, "check_cases.py")
