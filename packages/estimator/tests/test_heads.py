"""Heads: graphs, values and refusals as the original's."""
from ossia_testkit.golden import golden_tests

test_heads = golden_tests(__file__, "heads_cases.py")
