"""Strings joined by segment, and split, as the original does it."""

from ossia_testkit.golden import golden_tests

test_string_segments = golden_tests(__file__, "string_segments_cases.py")
