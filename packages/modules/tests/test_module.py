"""Modules, templates, and what is known of values: what TensorFlow 1.15 builds and computes."""
from ossia_testkit.golden import golden_tests

test_modules = golden_tests(__file__, "module_cases.py")
