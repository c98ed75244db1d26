# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.copy_graph import (
 copy_op_to_graph as copy_op_to_graph, copy_variable_to_graph as copy_variable_to_graph, get_copied_op as get_copied_op
)
