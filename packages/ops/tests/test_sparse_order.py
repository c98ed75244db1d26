"""Sparse tensors in order and merged, as the original builds and computes them."""

from ossia_testkit.golden import golden_tests

test_sparse_order = golden_tests(__file__, "sparse_order_cases.py")
