"""Meta graphs hold what the original's hold, and programs go on from them."""

from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "meta_graph_cases.py")
