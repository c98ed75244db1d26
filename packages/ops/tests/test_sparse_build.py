"""Sparse tensors made, split, expanded and turned into indicators, as the original builds and computes them."""

from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "sparse_build_cases.py")
