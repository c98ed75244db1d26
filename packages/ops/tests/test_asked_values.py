"""What refusals say of values and shapes that rules asked for, compared with recordings."""

from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "asked_values_cases.py")
