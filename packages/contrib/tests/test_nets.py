"""Networks of slim are those of TensorFlow 1.15.5."""

from ossia_tensorflow_paths import finder
from ossia_testkit.golden import golden_tests

finder.install()
test_nets = golden_tests(__file__, "nets_cases.py")
