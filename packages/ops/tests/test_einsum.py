"""The Einsum op beside the original."""

from ossia_testkit.golden import golden_tests

test_einsum_op = golden_tests(__file__, "einsum_op_cases.py")
