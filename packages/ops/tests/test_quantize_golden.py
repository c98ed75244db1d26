"""The original's graphs and values of quantization and edit distances."""
from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "quantize_cases.py")
