"""How long the sequences of a sparse feature are."""

from __future__ import annotations

from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import ones_like, zeros
from ossia_ops.array.shape import shape
from ossia_ops.math.cast import cast
from ossia_ops.math.elementwise import ceil
from ossia_ops.math.segment import segment_max


def sequence_length(feature: SparseTensor, numbers_per_step: int = 1) -> Tensor:
    """The length of each example's sequence: its last step that has something; int64.

    Args:
        feature: Examples in rows, steps in columns.
        numbers_per_step: How many columns one step has.
    """
    with name_scope(None, "sequence_length") as scope:
        rows, columns = feature.indices[:, 0], feature.indices[:, 1]
        columns += ones_like(columns)
        lengths = cast(ceil(segment_max(columns, rows) / numbers_per_step), dtypes.int64)
        missing = shape(feature)[:1] - shape(lengths)[:1]  # examples at the end that have nothing
        return concat([lengths, zeros(missing, dtype=lengths.dtype)], axis=0, name=scope)
