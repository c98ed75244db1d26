"""Static shapes that do not fit, compared with recordings."""

from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "static_refusal_cases.py")
