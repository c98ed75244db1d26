"""Losses agree with TensorFlow 1.15.5: weights, reductions, collections, gradients, errors."""
from ossia_testkit.golden import golden_tests

test_losses = golden_tests(__file__, "losses_cases.py")
test_loss_weights = golden_tests(__file__, "loss_weights_cases.py")
test_loss_collections = golden_tests(__file__, "loss_collections_cases.py")
test_sampled_losses = golden_tests(__file__, "sampled_losses_cases.py")
test_sampled_options = golden_tests(__file__, "sampled_options_cases.py")
