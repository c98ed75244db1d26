"""Sparse tensors, as the original builds and computes them."""
from ossia_testkit.golden import golden_tests

test_sparse = golden_tests(__file__, "sparse_cases.py")
