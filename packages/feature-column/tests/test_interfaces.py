"""Columns of third parties, layers and objects over columns, configurations: as the original's."""
from ossia_testkit.golden import golden_tests

test_graphs = golden_tests(__file__, "interfaces_cases.py")
