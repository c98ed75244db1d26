"""Every sample of this package's ops beside what the original makes of it: values, static shapes, gradients."""
from ossia_testkit.op_golden import op_golden_tests

test_op_golden = op_golden_tests(__file__, "ossia_functions")
