"""Losses of a replica agree with TensorFlow 1.15.5."""
from ossia_testkit.golden import golden_tests

test_average_losses = golden_tests(__file__, "average_losses_cases.py")
