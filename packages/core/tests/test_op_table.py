"""The ops of core, one table."""
from ossia_testkit.op_definitions import op_definition_tests
from ossia_testkit.op_table import op_table_tests

test_definitions = op_definition_tests("ossia_core")
TestOps = op_table_tests("ossia_core")
