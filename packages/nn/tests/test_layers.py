"""Layers, losses and metrics agree with TensorFlow 1.15.5: graphs, names, values, updates."""
from ossia_testkit.golden import golden_tests

test_layers = golden_tests(__file__, "layers_cases.py")
test_losses = golden_tests(__file__, "losses_cases.py")
test_metrics = golden_tests(__file__, "metrics_cases.py")
