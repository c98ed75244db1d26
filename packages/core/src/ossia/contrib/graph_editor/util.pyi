# Written by tools/api_stubs.py; do not edit.
from ossia.contrib.graph_editor import (
 ControlOutputs as ControlOutputs, get_consuming_ops as get_consuming_ops, get_generating_ops as get_generating_ops,
 get_tensors as get_tensors, make_list_of_op as make_list_of_op, make_list_of_t as make_list_of_t,
 make_placeholder_from_dtype_and_shape as make_placeholder_from_dtype_and_shape,
 make_placeholder_from_tensor as make_placeholder_from_tensor, placeholder_name as placeholder_name
)
