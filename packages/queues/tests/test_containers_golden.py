"""Names of containers and large shapes, as the original takes or refuses them."""
from ossia_testkit.golden import golden_tests

test_golden = golden_tests(__file__, "containers_cases.py")
