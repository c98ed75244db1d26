"""The original's graphs and values of contractions, diagonals, bits and bins."""
from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "composites_cases.py")
