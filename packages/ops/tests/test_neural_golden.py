"""The original's graphs, values and gradients of the ops that neural networks are made of."""
from ossia_testkit.golden import golden_tests

test_activation = golden_tests(__file__, "activation_cases.py")
test_bias = golden_tests(__file__, "bias_cases.py")
test_conv = golden_tests(__file__, "conv_cases.py")
test_convolution = golden_tests(__file__, "convolution_cases.py")
test_cross_entropy = golden_tests(__file__, "cross_entropy_cases.py")
test_normalization = golden_tests(__file__, "normalization_cases.py")
test_pool = golden_tests(__file__, "pool_cases.py")
test_batch_norm = golden_tests(__file__, "batch_norm_cases.py")
test_conv_options = golden_tests(__file__, "conv_options_cases.py")
test_network_refusals = golden_tests(__file__, "network_refusals_cases.py")
test_pool_dimensions = golden_tests(__file__, "pool_dimensions_cases.py")
test_sets = golden_tests(__file__, "sets_cases.py")
test_softmax = golden_tests(__file__, "softmax_cases.py")
