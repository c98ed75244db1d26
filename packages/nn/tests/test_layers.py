"""Layers agree with TensorFlow 1.15.5: graphs, names, variables, values, updates."""
from ossia_testkit.golden import golden_tests

test_layers = golden_tests(__file__, "layers_cases.py")
test_layer_objects = golden_tests(__file__, "layer_objects_cases.py")
