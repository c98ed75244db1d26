"""Losses of sequences, training ops and hyperparameters agree with TensorFlow 1.15.5."""

from ossia_testkit.golden import golden_tests

test_sequences = golden_tests(__file__, "sequences_cases.py")
