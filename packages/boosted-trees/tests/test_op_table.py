"""Every op of this package: its definition beside the original's."""
from ossia_testkit.op_definitions import op_definition_tests

test_definitions = op_definition_tests("ossia_boosted_trees")
