"""The ops of the package go through the checks of their samples."""

from ossia_testkit.op_table import op_table_tests

TestOps = op_table_tests("ossia_contrib")
