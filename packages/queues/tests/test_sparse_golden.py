"""Sparse tensors kept in tables, and gradients of rows added up, as in the original."""

from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "sparse_cases.py")
