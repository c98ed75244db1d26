"""Argument scopes and variables agree with TensorFlow 1.15.5."""

from ossia_testkit.golden import golden_tests

test_framework = golden_tests(__file__, "framework_cases.py")
test_checks = golden_tests(__file__, "checks_cases.py")
