"""Inputs that columns cannot take: the same errors and values as the original's."""
from ossia_testkit.golden import golden_tests

test_hostile = golden_tests(__file__, "hostile_cases.py")
