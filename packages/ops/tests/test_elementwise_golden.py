"""The original's graphs and values of elementwise arithmetic, comparison, selection, shapes, fills and casts."""
from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "elementwise_cases.py")
