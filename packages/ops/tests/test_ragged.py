"""Ragged tensors, as the original makes them."""

from ossia_testkit.golden import golden_tests

test_ragged = golden_tests(__file__, "ragged_cases.py")
