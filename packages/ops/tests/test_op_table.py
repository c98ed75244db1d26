"""Every op of this package: its definition beside the original's, and the checks of its samples."""
from ossia_testkit.op_definitions import op_definition_tests
from ossia_testkit.op_table import op_table_tests

test_definitions = op_definition_tests("ossia_ops")
TestOps = op_table_tests("ossia_ops")
