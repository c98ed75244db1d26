"""Sparse updates of empty rows, as the original refuses them."""
from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "empty_rows_cases.py")
