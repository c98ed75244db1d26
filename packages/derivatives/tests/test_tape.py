"""Tapes: what TensorFlow 1.15 builds and computes, over functions too."""
from ossia_testkit.golden import golden_tests

test_tapes = golden_tests(__file__, "tape_cases.py")
test_tapes_over_functions = golden_tests(__file__, "tape_functions_cases.py")
