"""Ragged tensors several times over along their dimensions."""
from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.static_value import get_static_value
from ossia_core.graph.tensor import Tensor
from ossia_ops.array.concat import concat
from ossia_ops.array.gather import gather
from ossia_ops.array.tiling import tile as dense_tile
from ossia_ops.math.cast import cast_op
from ossia_ops.math.sequence import range as range_of
from ossia_ragged.partitions import lengths_of_splits, splits_of_lengths
from ossia_ragged.repeats import repeat_ranges
from ossia_ragged.rows import Rows, tensor_or_ragged
from ossia_ragged.tensor import RaggedTensor


def tile(input: Any, multiples: Any, name: str | None = None) -> Any:
    """A ragged tensor several times over.

    Args:
      input: a ragged tensor.
      multiples: a vector, how often along each dimension.
      name: name scope.

    Returns:
      A ragged tensor of the same ragged rank.
    """
    with name_scope(name, "RaggedTile", [input, multiples]):
        input = tensor_or_ragged(input, name="input")
        kind = input.row_splits.dtype
        multiples = cast_op(convert_to_tensor(multiples, name="multiples", preferred_dtype=kind), DstT=kind)
        multiples.shape.assert_has_rank(1)
        known = get_static_value(multiples)
        known = None if known is None else known.tolist()
        result: Any = _tiled_values(input, multiples, known)
        for splits in reversed(_tiled_splits(input, multiples, known)):
            result = RaggedTensor(result, splits, internal=True)
        return result


def _tiled_values(ragged: Rows, multiples: Tensor, known: list | None) -> Tensor:
    rank, nested = ragged.ragged_rank, ragged.nested_row_splits
    places = range_of(nested[-1][-1])
    previous = None
    for axis in range(rank, 0, -1):
        splits = nested[axis - 1]
        if previous is not None:
            splits = gather(previous * multiples[axis + 1], splits)
        if known is None or known[axis] != 1:
            places = repeat_ranges(places, splits, multiples[axis])
        previous = splits
    values = gather(ragged.flat_values, places)
    counts = concat([multiples[:1], multiples[rank + 1:]], axis=0)
    return dense_tile(values, counts)


def _tiled_splits(ragged: Rows, multiples: Tensor, known: list | None) -> list[Tensor]:
    rank, nested = ragged.ragged_rank, ragged.nested_row_splits
    # The splits of each dimension, as places in the splits of each dimension beneath it.
    projected: list[dict] = [{i: nested[i]} for i in range(rank)]
    for source in range(rank):
        for target in range(source + 1, rank - 1):
            projected[source][target + 1] = gather(nested[target], projected[source][target])
    result = []
    for axis in range(rank):
        lengths = lengths_of_splits(nested[axis]) * multiples[axis + 1]
        copies: Any = 1
        for outer in range(axis - 1, -1, -1):
            if known is None or known[outer + 1] != 1:
                splits = projected[outer][axis - 1] * copies
                lengths = repeat_ranges(lengths, splits, multiples[outer + 1])
            copies = copies * multiples[outer + 1]
        lengths = dense_tile(lengths, multiples[:1])
        result.append(splits_of_lengths(lengths))
    return result
