"""Operations made by hand, and what graphs and operations hold, are those of the original."""
from ossia_testkit.golden import golden_tests

test_operations = golden_tests(__file__, "operations_cases.py")
