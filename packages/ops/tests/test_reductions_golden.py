"""The original's graphs and values of reductions, cumulative ops, matrix products and clipping."""
from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "reductions_cases.py")
