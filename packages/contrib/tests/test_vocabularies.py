"""Vocabularies agree with TensorFlow 1.15.5."""

from ossia_testkit.golden import golden_tests

test_vocabularies = golden_tests(__file__, "vocabularies_cases.py")
