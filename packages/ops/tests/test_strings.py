"""Strings, as the original cuts, joins and reads them."""

from ossia_testkit.golden import golden_tests

test_strings = golden_tests(__file__, "strings_cases.py")
