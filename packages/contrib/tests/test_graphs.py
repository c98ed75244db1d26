"""Graphs copied, looked into, and used as functions agree with TensorFlow 1.15.5."""

from ossia_testkit.golden import golden_tests

test_graphs = golden_tests(__file__, "graphs_cases.py")
