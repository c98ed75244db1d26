"""Changes of variables by rows and slices, compared with TensorFlow 1.15."""
from ossia_testkit.golden import golden_tests

test_state = golden_tests(__file__, "state_cases.py")
