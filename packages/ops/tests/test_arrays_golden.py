"""The original's graphs and values of slicing, stacking, gathering, scattering, padding, sorting and segments."""
from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "arrays_cases.py")
