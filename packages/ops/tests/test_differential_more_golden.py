"""Golden cases of what random calls and programs found."""
from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "differential_more_cases.py")
