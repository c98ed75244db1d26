"""Linear algebra, as the original builds and computes it."""
from ossia_testkit.golden import golden_tests

test_linalg = golden_tests(__file__, "linalg_cases.py")
