"""What sessions add to graphs is what the original adds."""

from ossia_testkit.golden import golden_tests

test_scaffolds = golden_tests(__file__, "scaffold_cases.py")
