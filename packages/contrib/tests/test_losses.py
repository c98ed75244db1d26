"""Losses and metrics agree with TensorFlow 1.15.5: graphs, names, collections, values."""

from ossia_testkit.golden import golden_tests

test_losses = golden_tests(__file__, "losses_cases.py")
