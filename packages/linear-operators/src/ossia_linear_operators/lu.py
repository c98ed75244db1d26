"""Factors of square matrices as products of triangular ones."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.linalg.matrix_shapes import MATRIX, square

lu_op = op("Lu(input: T) -> lu: T, p: output_idx_type", T=MATRIX, output_idx_type="{int32, int64} = int32")


@lu_op.shape
def _(input):
    whole = square(input)
    dims = whole.as_tuple()
    return whole, TensorShape(None if dims is None else dims[:-1])


@lu_op.kernel
def _(input, *, output_idx_type):
    if input.ndim < 2:
        raise InvalidArgumentError(None, None, f"Input tensor must have rank >= 2, got {input.ndim}")
    *batch, rows, columns = input.shape
    if rows != columns:
        raise InvalidArgumentError(None, None, "Input matrix must be square.")
    count = int(np.prod(batch))
    packed = np.array(input.reshape(count, rows, rows))
    order = np.tile(np.arange(rows), (count, 1))
    each = np.arange(count)
    with np.errstate(all="ignore"):
        for k in range(rows if count else 0):
            best = k + np.argmax(np.abs(packed[:, k:, k]), axis=1)
            for values in (packed, order):
                values[each, k], values[each, best] = values[each, best], values[each, k].copy()
            pivots = packed[:, k, k, None]
            if not (np.abs(pivots) > 0).all():
                raise InvalidArgumentError(None, None, "Input is not invertible.")
            packed[:, k + 1:, k] /= pivots
            packed[:, k + 1:, k + 1:] -= packed[:, k + 1:, k, None] * packed[:, k, None, k + 1:]
    return packed.reshape(input.shape), order.reshape(input.shape[:-1]).astype(output_idx_type.as_numpy_dtype)


lu_op.samples(plain=[[1.0, 2.0], [3.0, 4.0]], swapped=[[0.0, 1.0], [1.0, 0.0]], batch=[[[2.0]], [[4.0]]],
              long=sample([[2.0, 1.0], [0.0, 3.0]], output_idx_type=dtypes.int64))


@public("linalg.lu", "compat.v2.linalg.lu")
def lu(input: Any, output_idx_type: Any = dtypes.int32, name: str | None = None) -> Any:
    """The triangular factors of square matrices, whose rows are put into an order of large pivots.

    Args:
      input: a tensor of shape [..., n, n].
      output_idx_type: dtype of the order, int32 or int64.
      name: name of the results.

    Returns:
      A tuple (lu, p). `lu`, of the shape of `input`, holds a lower triangular factor below its diagonal, whose own
      diagonal of ones is left out, and an upper triangular factor on and above it; their product is
      `gather(input, p)` for each matrix. `p`, of shape [..., n], says which row of `input` stands in each row.

    Raises:
      InvalidArgumentError: a matrix is singular.
    """
    return lu_op(input, output_idx_type=output_idx_type, name=name)
