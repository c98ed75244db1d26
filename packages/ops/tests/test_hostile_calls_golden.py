"""How the original refuses calls that no program means."""
from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "hostile_calls_cases.py")
