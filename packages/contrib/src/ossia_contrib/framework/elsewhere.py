"""Functions that other parts of the API have, under their names in `contrib.framework`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ossia as tf
from ossia_core.graph import composites
from ossia_core.names import nest
from ossia_core.plugins.api_table import public_value
from ossia_ops.math import histogram
from ossia_tensorflow_paths.python.framework import ops, tensor_spec
from ossia_tensorflow_paths.python.training import checkpoint_ops
from ossia_tensorflow_paths.python.util import deprecation

_FOUND = {
    **{name: getattr(tf, name) for name in ("TensorSpec", "is_tensor", "sort", "argsort")},
    **{
        name: getattr(tf.debugging, name)
        for name in ("assert_same_float_dtype", "assert_scalar")
    },
    **{
        name: getattr(ops, name) for name in ("get_name_scope", "prepend_name_scope", "strip_name_scope")
    },
    **{
        name: getattr(deprecation, name) for name in ("deprecated", "deprecated_args", "deprecated_arg_values")
    },
    "BoundedTensorSpec": tensor_spec.BoundedTensorSpec,
    "convert_to_tensor_or_sparse_tensor": composites.convert_to_tensor_or_sparse_tensor,
    "get_graph_from_inputs": ops._get_graph_from_inputs,
    "remove_squeezable_dimensions": histogram.remove_squeezable_dimensions,
    "load_and_remap_matrix_initializer": checkpoint_ops._load_and_remap_matrix_initializer,
    "load_embedding_initializer": checkpoint_ops._load_embedding_initializer,
}
globals().update(_FOUND)
for _name in _FOUND:
    public_value(f"contrib.framework.{_name}", name=_name)

_NEST = (
    "assert_same_structure", "assert_shallow_structure", "flatten", "flatten_dict_items", "flatten_up_to",
    "flatten_with_joined_string_paths", "flatten_with_tuple_paths", "flatten_with_tuple_paths_up_to",
    "get_traverse_shallow_structure", "is_nested", "is_sequence", "is_sequence_or_composite", "map_structure",
    "map_structure_up_to", "map_structure_with_paths", "map_structure_with_tuple_paths",
    "map_structure_with_tuple_paths_up_to", "pack_sequence_as", "yield_flat_paths",
)
globals().update({name: getattr(nest, name) for name in _NEST})
for _name in _NEST:
    public_value(f"contrib.framework.nest.{_name}", name=_name)


if TYPE_CHECKING:
    def __getattr__(name: str) -> Any: ...  # what is set in the loop above
