"""Messages of refusals, compared with recordings."""

from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "message_cases.py")
