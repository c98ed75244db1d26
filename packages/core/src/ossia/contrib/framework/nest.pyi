# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.framework.elsewhere import (
 assert_same_structure as assert_same_structure, assert_shallow_structure as assert_shallow_structure,
 flatten as flatten, flatten_dict_items as flatten_dict_items, flatten_up_to as flatten_up_to,
 flatten_with_joined_string_paths as flatten_with_joined_string_paths,
 flatten_with_tuple_paths as flatten_with_tuple_paths, flatten_with_tuple_paths_up_to as flatten_with_tuple_paths_up_to,
 get_traverse_shallow_structure as get_traverse_shallow_structure, is_nested as is_nested, is_sequence as is_sequence,
 is_sequence_or_composite as is_sequence_or_composite, map_structure as map_structure,
 map_structure_up_to as map_structure_up_to, map_structure_with_paths as map_structure_with_paths,
 map_structure_with_tuple_paths as map_structure_with_tuple_paths,
 map_structure_with_tuple_paths_up_to as map_structure_with_tuple_paths_up_to, pack_sequence_as as pack_sequence_as,
 yield_flat_paths as yield_flat_paths
)
