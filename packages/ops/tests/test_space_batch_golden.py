"""The original's graphs and values of space moved into batch or depth."""
from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "space_batch_cases.py")
