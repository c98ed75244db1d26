"""Sizes of the variables and ops of a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ossia_core.plugins.api_table import public


@public("contrib.slim.model_analyzer.tensor_description")
def tensor_description(var: Any) -> str:
    """Dtype and shape of a tensor or variable, as in `(float32 2x?)`."""
    sizes = "x".join("?" if size is None else str(size) for size in var.get_shape().as_list())
    return f"({var.dtype.name} {sizes})"


@public("contrib.slim.model_analyzer.analyze_ops")
def analyze_ops(graph: Any, print_info: bool = False) -> int:
    """The number of elements of all outputs of a graph, as far as it is known.

    Args:
      graph: the graph.
      print_info: whether each op is printed.
    """
    if print_info:
        print("---------\nOperations: name -> (type shapes) [size]\n---------")
    total = 0
    for op in graph.get_operations():
        size, shapes = 0, []
        for output in op.outputs:
            if output.get_shape().num_elements():
                size += output.get_shape().num_elements()
            shapes.append(tensor_description(output))
        if print_info:
            print(op.name, "\t->", ", ".join(shapes), f"[{size}]")
        total += size
    return total


@public("contrib.slim.model_analyzer.analyze_vars")
def analyze_vars(variables: Sequence[Any], print_info: bool = False) -> tuple[int, int]:
    """The number of elements and of bytes of variables.

    Args:
      variables: the variables.
      print_info: whether each is printed, and the sums.
    """
    if print_info:
        print("---------\nVariables: name (type shape) [size]\n---------")
    total_size = total_bytes = 0
    for var in variables:
        size = var.get_shape().num_elements() or 0
        number = size * var.dtype.size
        total_size += size
        total_bytes += number
        if print_info:
            print(var.name, tensor_description(var), f"[{size}, bytes: {number}]")
    if print_info:
        print(f"Total size of variables: {total_size}")
        print(f"Total bytes of variables: {total_bytes}")
    return total_size, total_bytes
