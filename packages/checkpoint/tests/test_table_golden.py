"""Lookup tables in checkpoints, as the original writes and reads them."""

from ossia_testkit.golden import golden_tests

test_tables = golden_tests(__file__, "table_cases.py")
