"""Whole behaviours of the foundation, compared with what TensorFlow 1.15 builds and computes."""
from ossia_testkit.golden import golden_tests

test_names = golden_tests(__file__, "names_cases.py")
test_tensors = golden_tests(__file__, "tensors_cases.py")
test_gradients = golden_tests(__file__, "gradients_cases.py")
test_control_flow = golden_tests(__file__, "control_flow_cases.py")
test_while_loop = golden_tests(__file__, "while_loop_cases.py")
test_tensor_array = golden_tests(__file__, "tensor_array_cases.py")
test_variables = golden_tests(__file__, "variables_cases.py")
test_optimizers = golden_tests(__file__, "optimizers_cases.py")
test_import = golden_tests(__file__, "import_cases.py")
test_random = golden_tests(__file__, "random_cases.py")
test_no_seed = golden_tests(__file__, "no_seed_cases.py")
test_session = golden_tests(__file__, "session_cases.py")
test_assertion = golden_tests(__file__, "assertion_cases.py")
test_custom_gradient = golden_tests(__file__, "custom_gradient_cases.py")
test_graph_util = golden_tests(__file__, "graph_util_cases.py")
test_programs = golden_tests(__file__, "programs_cases.py")
