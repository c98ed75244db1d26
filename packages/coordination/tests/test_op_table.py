"""The ops of the package, one table."""
from ossia_testkit.op_definitions import op_definition_tests
from ossia_testkit.op_table import op_table_tests

test_definitions = op_definition_tests("ossia_coordination")
TestOps = op_table_tests("ossia_coordination")
