# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.older_names import make_ndarray as make_ndarray, make_tensor_proto as make_tensor_proto
from ossia_contrib.util import (
 constant_value as constant_value, ops_used_by_graph_def as ops_used_by_graph_def,
 stripped_op_list_for_graph as stripped_op_list_for_graph
)
