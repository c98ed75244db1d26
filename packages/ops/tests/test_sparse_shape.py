"""Sparse tensors joined, cut, turned and filled, as the original builds and computes them."""

from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "sparse_shape_cases.py")
