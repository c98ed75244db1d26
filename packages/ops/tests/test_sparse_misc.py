"""What other functions make of sparse tensors and of slices, as in the original."""

from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "sparse_misc_cases.py")
