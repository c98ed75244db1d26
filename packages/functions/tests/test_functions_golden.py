"""Functions, lists and optionals: what TensorFlow 1.15 builds and computes."""
from ossia_testkit.golden import golden_tests

test_functions = golden_tests(__file__, "functions_cases.py")
test_lists = golden_tests(__file__, "lists_cases.py")
test_optionals = golden_tests(__file__, "optional_cases.py")
test_variables_in_functions = golden_tests(__file__, "function_variables_cases.py")
