"""K-means agrees with TensorFlow 1.15.5."""

from ossia_testkit.golden import golden_tests

test_factorization = golden_tests(__file__, "factorization_cases.py")
