"""What variables and ops say of values that are no tensors."""
from ossia_testkit.golden import golden_tests

test_refusals = golden_tests(__file__, "conversion_refusals_cases.py")
