"""Functional control flow in the graph itself against records of TensorFlow 1.15."""
from ossia_testkit.golden import golden_tests

test_functional_control = golden_tests(__file__, "functional_control_cases.py")
test_functional_forms = golden_tests(__file__, "functional_forms_cases.py")
