"""tf.initializers and tf.keras.initializers."""
from ossia_testkit.golden import golden_tests

test_initializers = golden_tests(__file__, "initializers_cases.py")
test_options = golden_tests(__file__, "initializer_options_cases.py")
test_convolution_orthogonal = golden_tests(__file__, "convolution_orthogonal_cases.py")
