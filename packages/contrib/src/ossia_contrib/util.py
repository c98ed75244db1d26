"""`tf.contrib.util`: tensors as protos, and the operations that a graph needs."""

from __future__ import annotations

from typing import Any

import numpy as np

import ossia as tf
from ossia_core.plugins.api_table import public, public_value
from ossia_tensorflow_paths.python.framework import meta_graph

ops_used_by_graph_def = meta_graph.ops_used_by_graph_def
stripped_op_list_for_graph = meta_graph.stripped_op_list_for_graph
public_value("contrib.util.ops_used_by_graph_def", name="ops_used_by_graph_def")
public_value("contrib.util.stripped_op_list_for_graph", name="stripped_op_list_for_graph")


@public("contrib.util.constant_value")
def constant_value(tensor: Any, partial: bool = False) -> np.ndarray | None:
    """The value of a tensor as far as the graph tells it before it runs.

    Args:
      tensor: a tensor.
      partial: whether a value of which parts are unknown may be given, None for each.

    Returns:
      An array, or None if the value is not known.
    """
    return tf.get_static_value(tensor, partial=partial)
