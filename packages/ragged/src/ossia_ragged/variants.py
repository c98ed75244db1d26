"""Ragged tensors to variants and back."""
from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_ragged.variant_ops import ragged_tensor_from_variant_op, ragged_tensor_to_variant_op


def to_variant(self: Any, batched_input: bool = False, name: str | None = None) -> Tensor:
    """The ragged tensor as one variant, or with `batched_input` as a vector of them, one for each row."""
    with name_scope(name, "RaggedToVariant", [self, batched_input]):
        return ragged_tensor_to_variant_op(
            list(self.nested_row_splits), self.flat_values, batched_input=batched_input, name=name)


def from_variant(
    cls: Any, variant: Any, dtype: Any, output_ragged_rank: int, input_ragged_rank: int | None = None,
    name: str | None = None,
) -> Any:
    """The ragged tensor that variants hold.

    Args:
      cls: `tf.RaggedTensor`.
      variant: a variant, or a tensor of them, whose dimensions become the outermost ones.
      dtype: dtype of the values.
      output_ragged_rank: how many dimensions may be ragged.
      input_ragged_rank: how many of them are within each variant; told from the rank of `variant` by default.
      name: name scope.

    Raises:
      ValueError: the ranks do not fit.
    """
    variant = convert_to_tensor(variant, dtype=dtypes.variant, name="variant")
    rank = variant.shape.ndims
    if rank is not None and input_ragged_rank is not None and output_ragged_rank != input_ragged_rank + rank:
        raise ValueError(f"output_ragged_rank must be equal to input_ragged_rank + variant.shape.ndims, found "
                         f"variant.shape.ndims: {rank}, input_ragged_rank: {input_ragged_rank}, output_ragged_rank: "
                         f"{output_ragged_rank}")
    with name_scope(name, "RaggedFromVariant", [variant, dtype, input_ragged_rank, output_ragged_rank]):
        nested, values = ragged_tensor_from_variant_op(
            variant, input_ragged_rank=-1 if input_ragged_rank is None else input_ragged_rank,
            output_ragged_rank=output_ragged_rank, Tvalues=dtype, Tsplits=dtypes.int64, name=name)
        result = values
        for splits in reversed(nested):
            result = cls(result, splits, internal=True)
        return result
