# Written by tools/api_stubs.py; do not edit.
from . import nest as nest
from ossia_contrib.framework.arg_scope import (
 add_arg_scope as add_arg_scope, arg_scope as arg_scope, arg_scoped_arguments as arg_scoped_arguments,
 current_arg_scope as current_arg_scope, has_arg_scope as has_arg_scope
)
from ossia_contrib.framework.checks import (
 assert_scalar_int as assert_scalar_int, get_placeholders as get_placeholders, py_func as py_func,
 reduce_sum_n as reduce_sum_n, with_same_shape as with_same_shape, with_shape as with_shape,
 zero_initializer as zero_initializer
)
from ossia_contrib.framework.conditions import (
 smart_case as smart_case, smart_cond as smart_cond, smart_constant_value as smart_constant_value
)
from ossia_contrib.framework.elsewhere import (
 BoundedTensorSpec as BoundedTensorSpec, TensorSpec as TensorSpec, argsort as argsort,
 assert_same_float_dtype as assert_same_float_dtype, assert_scalar as assert_scalar,
 convert_to_tensor_or_sparse_tensor as convert_to_tensor_or_sparse_tensor, deprecated as deprecated,
 deprecated_arg_values as deprecated_arg_values, deprecated_args as deprecated_args,
 get_graph_from_inputs as get_graph_from_inputs, get_name_scope as get_name_scope, is_tensor as is_tensor,
 load_and_remap_matrix_initializer as load_and_remap_matrix_initializer,
 load_embedding_initializer as load_embedding_initializer, prepend_name_scope as prepend_name_scope,
 remove_squeezable_dimensions as remove_squeezable_dimensions, sort as sort, strip_name_scope as strip_name_scope
)
from ossia_contrib.framework.placement import VariableDeviceChooser as VariableDeviceChooser
from ossia_contrib.framework.restoring import (
 assign_from_checkpoint as assign_from_checkpoint, assign_from_checkpoint_fn as assign_from_checkpoint_fn,
 assign_from_values_fn as assign_from_values_fn, init_from_checkpoint as init_from_checkpoint,
 list_variables as list_variables, load_checkpoint as load_checkpoint, load_variable as load_variable
)
from ossia_contrib.framework.variables import (
 add_model_variable as add_model_variable, assert_global_step as assert_global_step,
 assert_or_get_global_step as assert_or_get_global_step, assign_from_values as assign_from_values,
 create_global_step as create_global_step, filter_variables as filter_variables, get_global_step as get_global_step,
 get_local_variables as get_local_variables, get_model_variables as get_model_variables,
 get_or_create_global_step as get_or_create_global_step, get_trainable_variables as get_trainable_variables,
 get_unique_variable as get_unique_variable, get_variable_full_name as get_variable_full_name,
 get_variables as get_variables, get_variables_by_name as get_variables_by_name,
 get_variables_by_suffix as get_variables_by_suffix, get_variables_to_restore as get_variables_to_restore,
 global_variable as global_variable, local_variable as local_variable, model_variable as model_variable,
 variable as variable
)
