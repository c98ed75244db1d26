"""Rows that count."""
from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_ops.math.cast import cast
from ossia_ragged.range_op import ragged_range_op
from ossia_ragged.tensor import RaggedTensor


@public("ragged.range", "compat.v2.ragged.range")
def ragged_range(
    starts: Any, limits: Any = None, deltas: Any = 1, dtype: Any = None, name: str | None = None,
    row_splits_dtype: Any = dtypes.int64,
) -> Any:
    """Rows that count: row `i` goes from `starts[i]` to `limits[i]`, without it, in steps of `deltas[i]`.

    Args:
      starts: scalar or vector; the limits, if `limits` is not given.
      limits: scalar or vector.
      deltas: scalar or vector.
      dtype: dtype of the values.
      name: name scope.
      row_splits_dtype: int32 or int64.

    Returns:
      A RaggedTensor with one ragged dimension.
    """
    kind = dtypes.as_dtype(row_splits_dtype)
    if limits is None:
        starts, limits = 0, starts
    with name_scope(name, "RaggedRange", [starts, limits, deltas]) as scope:
        starts = convert_to_tensor(starts, dtype=dtype, name="starts")
        limits = convert_to_tensor(limits, dtype=dtype, name="limits")
        deltas = convert_to_tensor(deltas, dtype=dtype, name="deltas")
        if dtype is None:
            order = [dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64]
            common = max((x.dtype.base_dtype for x in (starts, limits, deltas)), key=order.index)
            starts, limits, deltas = (cast(x, common) for x in (starts, limits, deltas))
        splits, values = ragged_range_op(starts, limits, deltas, Tsplits=kind, name=scope)
        return RaggedTensor(values, splits, internal=True)
