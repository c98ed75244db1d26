"""The first names of tables and of input functions of arrays agree with TensorFlow 1.15.5."""

from ossia_testkit.golden import golden_tests

test_strings = golden_tests(__file__, "strings_cases.py")
