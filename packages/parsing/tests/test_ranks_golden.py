"""Inputs of other ranks, as the original refuses them."""
from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "ranks_cases.py")
