"""Ragged tensors to be fed."""
from __future__ import annotations

from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.scopes import name_scope
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_ragged.tensor import RaggedTensor


@public("ragged.placeholder", "compat.v1.ragged.placeholder")
def ragged_placeholder(dtype: Any, ragged_rank: int, value_shape: Any = None, name: str | None = None) -> Any:
    """A ragged tensor to be fed with a RaggedTensorValue.

    Args:
      dtype: dtype of the values.
      ragged_rank: how many dimensions may be ragged; a plain placeholder for 0.
      value_shape: the shape of the innermost values.
      name: name scope.
    """
    placeholder = builder("placeholder")
    if ragged_rank == 0:
        return placeholder(dtype, value_shape, name)
    with name_scope(name, "RaggedPlaceholder", []):
        flat_shape = TensorShape([None]).concatenate(TensorShape(value_shape))
        result = placeholder(dtype, flat_shape, "flat_values")
        for i in reversed(range(ragged_rank)):
            splits = placeholder(dtypes.int64, [None], f"row_splits_{i}")
            result = RaggedTensor(result, splits, internal=True)
        return result
