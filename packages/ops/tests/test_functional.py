"""`map_fn`, `foldl`, `foldr` and `scan` beside the original's."""
from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "functional_cases.py")
