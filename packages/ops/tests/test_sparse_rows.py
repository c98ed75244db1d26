"""Segments, sets and embeddings at the edges, as the original builds and computes them."""

from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "sparse_rows_cases.py")
