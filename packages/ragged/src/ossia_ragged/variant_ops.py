"""Ragged tensors as variants, one for the whole or one for each row, and back."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import vector
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.names.shapes import TensorShape
from ossia_ragged.checks import checked_nest


class EncodedRows:
    """What a variant holds: the row splits, the outermost first, and the values."""

    __slots__ = ("nested", "values")

    def __init__(self, nested: list[np.ndarray], values: np.ndarray) -> None:
        self.nested, self.values = nested, values


ragged_tensor_to_variant_op = op(
    "RaggedTensorToVariant(rt_nested_splits: RAGGED_RANK * Tsplits, rt_dense_values: Tvalues) -> "
    "encoded_ragged: variant",
    RAGGED_RANK="int >= 1", Tvalues="type", Tsplits="{int32, int64}", batched_input="bool",
)
ragged_tensor_to_variant_op.not_folded()


@ragged_tensor_to_variant_op.shape
def _(rt_nested_splits, rt_dense_values, *, batched_input):
    for splits in rt_nested_splits:
        if splits.shape.ndims not in (None, 1):
            raise ValueError(f"Shape must be rank 1 but is rank {splits.shape.ndims}")
    rt_dense_values.shape.with_rank_at_least(1)
    if not batched_input:
        return TensorShape([])
    first = rt_nested_splits[0].shape
    size = first.as_list()[0] if first.ndims else None
    return vector(None if size is None else size - 1)


@ragged_tensor_to_variant_op.kernel
def _(rt_nested_splits, rt_dense_values, *, batched_input):
    checked_nest(rt_nested_splits, rt_dense_values)
    nested = [np.array(splits) for splits in rt_nested_splits]
    values = np.array(rt_dense_values)
    if not batched_input:
        return EncodedRows(nested, values)
    rows = np.empty(len(nested[0]) - 1, object)
    for i in range(len(rows)):
        start, end, inner = int(nested[0][i]), int(nested[0][i + 1]), []
        for splits in nested[1:]:
            part = splits[start:end + 1]
            start, end = int(part[0]), int(part[-1])
            inner.append(part - part[0])
        rows[i] = EncodedRows(inner, values[start:end])
    return rows


ragged_tensor_to_variant_op.not_differentiable()


ragged_tensor_from_variant_op = op(
    "RaggedTensorFromVariant(encoded_ragged: variant) -> output_nested_splits: output_ragged_rank * Tsplits, "
    "output_dense_values: Tvalues",
    input_ragged_rank="int >= -1", output_ragged_rank="int >= 1", Tvalues="type", Tsplits="{int32, int64}",
)


@ragged_tensor_from_variant_op.shape
def _(encoded_ragged, *, output_ragged_rank):
    return [vector(None)] * output_ragged_rank, TensorShape(None)


@ragged_tensor_from_variant_op.kernel
def _(encoded_ragged, *, input_ragged_rank, output_ragged_rank, Tvalues, Tsplits):
    outer = np.shape(encoded_ragged) if isinstance(encoded_ragged, np.ndarray) else ()
    rank = input_ragged_rank
    if rank == -1:
        rank = output_ragged_rank - len(outer)
        if rank < 0:
            raise InvalidArgumentError(
                None, None, "inferred input_ragged_rank (output_ragged_rank - encoded_variant.dims()) must be >= 0, "
                f"found output_ragged_rank: {output_ragged_rank}, encoded_variant.dims(): {len(outer)}, inferred "
                f"input_ragged_rank: {rank}")
    if output_ragged_rank != len(outer) + rank:
        raise InvalidArgumentError(
            None, None, "output_ragged_rank must be equal to input_ragged_rank + encoded_ragged.dims(); "
            f"output_ragged_rank: {output_ragged_rank}, input_ragged_rank: {rank}, encoded_ragged.dims(): {len(outer)}")
    parts = [encoded_ragged] if not outer else list(encoded_ragged.reshape(-1))
    for part in parts:
        _check_part(part, rank, Tvalues, Tsplits)
    kind = Tsplits.as_numpy_dtype
    if not outer:
        return [splits.astype(kind) for splits in parts[0].nested], parts[0].values
    nested = [(np.arange(int(np.prod(outer[:i])) + 1) * outer[i]).astype(kind) for i in range(1, len(outer))]
    rows = [len(part.nested[0]) - 1 if rank else len(part.values) for part in parts]
    nested.append(np.cumsum([0, *rows]).astype(kind))
    for level in range(rank):
        lengths = [np.diff(part.nested[level]) for part in parts]
        nested.append(np.cumsum(np.concatenate([[0], *lengths])).astype(kind))
    if not parts:
        return nested, np.zeros(0, Tvalues.as_numpy_dtype)
    if len({part.values.shape[1:] for part in parts}) > 1:
        raise InvalidArgumentError(None, None, "All flat_values must have compatible shapes.")
    return nested, np.concatenate([part.values for part in parts])


def _check_part(part: Any, rank: int, values: dtypes.DType, splits: dtypes.DType) -> None:
    if not isinstance(part, EncodedRows):
        raise InvalidArgumentError(None, None, "Input Variant element doesn't hold a ragged tensor")
    if len(part.nested) != rank:
        raise InvalidArgumentError(
            None, None, f"Encoded input RaggedTensorVariant has ragged_rank={len(part.nested)}.  Expected ragged_rank="
            f"{rank}.")
    found = dtypes.as_dtype(part.values.dtype)
    if found != values:
        raise InvalidArgumentError(
            None, None, f"Expected values Tensor dtype: {values.name}, found: {found.name}")
    for part_splits in part.nested:
        found = dtypes.as_dtype(part_splits.dtype)
        if found != splits:
            raise InvalidArgumentError(
                None, None, f"Expected row_splits Tensor dtype: {splits.name}, found: {found.name}")
