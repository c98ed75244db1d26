"""Functional ops, functions, tapes, modules, lists and optionals: what TensorFlow 1.15 builds and computes."""
from ossia_testkit.golden import golden_tests

test_functions = golden_tests(__file__, "functions_cases.py")
test_tapes = golden_tests(__file__, "tape_cases.py")
test_tapes_over_functions = golden_tests(__file__, "tape_functions_cases.py")
test_critical_sections = golden_tests(__file__, "critical_section_cases.py")
test_modules = golden_tests(__file__, "module_cases.py")
test_lists = golden_tests(__file__, "lists_cases.py")
test_optionals = golden_tests(__file__, "optional_cases.py")
test_variables_in_functions = golden_tests(__file__, "function_variables_cases.py")
