"""Sessions refuse graphs whose nodes cannot be where they should be."""
from ossia_testkit.golden import golden_tests

test_placement = golden_tests(__file__, "placement_cases.py")
