"""The original's graphs and values of quantization, and what it refuses."""
from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "quantize_cases.py")
test_edges = golden_tests(__file__, "quantize_edges_cases.py")
