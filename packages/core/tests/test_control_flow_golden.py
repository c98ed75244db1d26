"""Loops and branches against records of TensorFlow 1.15: their gradients, structures and scopes."""
from ossia_testkit.golden import golden_tests

test_loops_in_depth = golden_tests(__file__, "loops_in_depth_cases.py")
test_loops_and_scopes = golden_tests(__file__, "loops_and_scopes_cases.py")
