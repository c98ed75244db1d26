# Written by tools/api_stubs.py; do not edit.
from ossia_checkpoint.graph_util import (
 convert_variables_to_constants as convert_variables_to_constants, extract_sub_graph as extract_sub_graph,
 must_run_on_cpu as must_run_on_cpu, remove_training_nodes as remove_training_nodes,
 tensor_shape_from_node_def_name as tensor_shape_from_node_def_name
)
from ossia_core.graph.import_graph import import_graph_def as import_graph_def
from ossia_core.graph.scopes import colocate_with as colocate_with
