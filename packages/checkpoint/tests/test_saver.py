"""Savers build the original's nodes, write its bytes, and raise its errors."""

from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "saver_cases.py")
