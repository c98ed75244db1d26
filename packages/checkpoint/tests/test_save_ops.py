"""The save and restore ops agree with the original's."""

from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "save_ops_cases.py")
