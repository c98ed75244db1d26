"""Columns in layers: graphs, variables and values as the original's."""
from ossia_testkit.golden import golden_tests

test_graphs = golden_tests(__file__, "layers_cases.py")
