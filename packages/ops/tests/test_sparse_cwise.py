"""Arithmetic of sparse and dense tensors beside the original's."""
from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "sparse_cwise_cases.py")
