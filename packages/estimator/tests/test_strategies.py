"""Strategies of RunConfig: training, evaluation and input as the original's."""
from ossia_testkit.golden import golden_tests

test_strategies = golden_tests(__file__, "strategies_cases.py")
