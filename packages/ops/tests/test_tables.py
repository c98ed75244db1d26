"""Lookup tables of all kinds, as the original keeps them."""

from ossia_testkit.golden import golden_tests

test_tables = golden_tests(__file__, "tables_cases.py")
