# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.absent import (
 EagerVariableStore as EagerVariableStore, Iterator as Iterator, Network as Network, Saver as Saver,
 Sequential as Sequential, Variable as Variable, gradients_function as gradients_function,
 implicit_gradients as implicit_gradients, implicit_value_and_gradients as implicit_value_and_gradients,
 list_devices as list_devices, num_gpus as num_gpus, restore_network_checkpoint as restore_network_checkpoint,
 restore_variables_on_create as restore_variables_on_create, run as run,
 run_all_tests_in_graph_and_eager_modes as run_all_tests_in_graph_and_eager_modes,
 save_network_checkpoint as save_network_checkpoint, value_and_gradients_function as value_and_gradients_function
)
from ossia_contrib.older_names import (
 Checkpoint as Checkpoint, GradientTape as GradientTape, TensorSpec as TensorSpec, custom_gradient as custom_gradient,
 defun as defun, enable_eager_execution as enable_eager_execution, executing_eagerly as executing_eagerly,
 function as function, in_eager_mode as in_eager_mode, make_template as make_template, py_func as py_func
)
