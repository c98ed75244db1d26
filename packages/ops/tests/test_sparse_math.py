"""Sparse tensors added, compared, masked and normalised, as the original builds and computes them."""

from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "sparse_math_cases.py")
