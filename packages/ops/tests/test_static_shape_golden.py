"""Golden cases of static shapes and of what is refused where the graph is built."""
from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "static_shape_cases.py")
