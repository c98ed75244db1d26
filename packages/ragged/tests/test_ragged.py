"""Ragged tensors, as the original makes them."""

from ossia_testkit.golden import golden_tests

test_ragged = golden_tests(__file__, "ragged_cases.py")
test_items = golden_tests(__file__, "ragged_items_cases.py")
test_elementwise = golden_tests(__file__, "ragged_elementwise_cases.py")
test_arrays = golden_tests(__file__, "ragged_arrays_cases.py")
test_specs = golden_tests(__file__, "ragged_specs_cases.py")
