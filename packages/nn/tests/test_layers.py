"""Layers agree with TensorFlow 1.15.5: graphs, names, variables, values, updates."""
from ossia_testkit.golden import golden_tests

test_layers = golden_tests(__file__, "layers_cases.py")
test_layer_objects = golden_tests(__file__, "layer_objects_cases.py")
test_layer_variables = golden_tests(__file__, "layer_variables_cases.py")
test_core_layers = golden_tests(__file__, "core_layers_cases.py")
test_spatial_layers = golden_tests(__file__, "spatial_layers_cases.py")
test_programs = golden_tests(__file__, "layer_programs_cases.py")
test_layer_use = golden_tests(__file__, "layer_use_cases.py")
test_keras_style = golden_tests(__file__, "keras_style_cases.py")
test_layer_forms = golden_tests(__file__, "layer_forms_cases.py")
