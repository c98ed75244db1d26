"""Rows and columns of distances that belong together."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import with_rank
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public

bipartite_match_op = op(
    "BipartiteMatch(distance_mat: float, num_valid_rows: float)"
    " -> row_to_col_match_indices: int32, col_to_row_match_indices: int32",
    stateful=True, top_k="int = -1",
)
bipartite_match_op.in_any_order()


@bipartite_match_op.shape
def _(distance_mat, num_valid_rows):
    rows, columns = with_rank(distance_mat, 2).as_tuple() or (None, None)
    return TensorShape.from_tuple((rows,)), TensorShape.from_tuple((columns,))


@bipartite_match_op.kernel
def _(distance_mat, num_valid_rows, *, top_k):
    if distance_mat.ndim != 2:
        raise InvalidArgumentError(None, None, f"distance_mat must be of shape [rows, cols], saw {distance_mat.shape}")
    if num_valid_rows.size != 1:
        raise InvalidArgumentError(None, None, f"num_valid_rows should have one element, saw {num_valid_rows.size}")
    rows, columns = distance_mat.shape
    valid = rows if num_valid_rows.item() < 0 else min(rows, int(num_valid_rows.item() + 0.1))
    column_of, row_of = np.full(rows, -1, np.int32), np.full(columns, -1, np.int32)
    left = min(valid, columns) if top_k < 0 else min(top_k, valid, columns)
    order = np.argsort(-distance_mat[:valid], axis=None, kind="stable")[::-1]  # of equal ones the last comes first
    for row, column in zip(*np.divmod(order, max(columns, 1)), strict=True):
        if not left:
            break
        if column_of[row] < 0 and row_of[column] < 0:
            column_of[row], row_of[column], left = column, row, left - 1
    return column_of, row_of


bipartite_match_op.not_differentiable()
_DISTANCES = [[0.5, 0.8], [0.3, 0.1], [0.9, 0.2]]
bipartite_match_op.samples(
    all=(_DISTANCES, -1.0),
    two_rows=(_DISTANCES, 2.0),
    one=sample(_DISTANCES, [3.0], top_k=1),
    empty=(np.zeros((0, 2), np.float32), -1.0),
    refused_count=(_DISTANCES, [1.0, 2.0]),
    refused_rank=([0.5], -1.0),
)


@public("contrib.image.bipartite_match")
def bipartite_match(distance_mat: Any, num_valid_rows: Any, top_k: int = -1, name: str = "bipartite_match") -> Any:
    """Pairs rows with columns, the nearest first.

    Args:
      distance_mat: distances `[rows, columns]`.
      num_valid_rows: of how many rows partners are sought; negative for all.
      top_k: how many pairs are made at most; negative for all.
      name: name of the op.

    Returns:
      The column of each row, and the row of each column, -1 where there is none: a named tuple
      `(row_to_col_match_indices, col_to_row_match_indices)`.
    """
    return bipartite_match_op(distance_mat, num_valid_rows, top_k=top_k, name=name)
