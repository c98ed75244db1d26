"""Embedding lookups, as the original builds and computes them."""
from ossia_testkit.golden import golden_tests

test_embedding = golden_tests(__file__, "embedding_cases.py")
