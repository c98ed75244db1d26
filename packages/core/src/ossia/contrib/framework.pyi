# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_contrib.framework.arg_scope import (
 add_arg_scope as add_arg_scope, arg_scope as arg_scope, arg_scoped_arguments as arg_scoped_arguments,
 current_arg_scope as current_arg_scope, has_arg_scope as has_arg_scope
)
from ossia_contrib.framework.conditions import (
 smart_case as smart_case, smart_cond as smart_cond, smart_constant_value as smart_constant_value
)
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
