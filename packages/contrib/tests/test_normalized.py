"""Divisive normalization and cells of cuDNN agree with TensorFlow 1.15.5."""

from ossia_testkit.golden import golden_tests

test_normalized = golden_tests(__file__, "normalized_cases.py")
