"""Identity matrices."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.shapes import Dimension
from ossia_core.plugins.api_table import public
from ossia_ops.array.concat import concat
from ossia_ops.array.diagonal import matrix_diag, matrix_set_diag
from ossia_ops.array.fill import ones, zeros
from ossia_ops.math.arithmetic import minimum


@public("eye", "linalg.eye", "compat.v2.eye", "compat.v2.linalg.eye")
def eye(num_rows: Any, num_columns: Any = None, batch_shape: Any = None, dtype: Any = dtypes.float32,
        name: str | None = None) -> Tensor:
    """Identity matrices: ones on the diagonal, zeros elsewhere.

    Args:
      num_rows: number of rows.
      num_columns: number of columns; that of rows if None.
      batch_shape: shape of the batch of matrices; one matrix if None.
      dtype: dtype of the result.
      name: name scope.

    Returns:
      A tensor of shape `batch_shape + [num_rows, num_columns]`.
    """
    with name_scope(name, default_name="eye", values=[num_rows, num_columns, batch_shape]):
        is_square = num_columns is None
        batch_shape = [] if batch_shape is None else batch_shape
        num_columns = num_rows if num_columns is None else num_columns
        if isinstance(num_rows, Tensor) or isinstance(num_columns, Tensor):
            diagonal: Any = minimum(num_rows, num_columns)
        else:
            if not isinstance(num_rows, (int, np.integer, Dimension)) or not isinstance(
                num_columns, (int, np.integer, Dimension)
            ):
                raise TypeError("num_rows and num_columns must be positive integer values.")
            is_square = num_rows == num_columns
            diagonal = min(num_rows, num_columns)
        if not is_square:
            whole: Any = [num_rows, num_columns]
        if isinstance(batch_shape, Tensor) or isinstance(diagonal, Tensor):
            batch_shape = convert_to_tensor(batch_shape, name="shape", dtype=dtypes.int32)
            diagonal_shape: Any = concat((batch_shape, [diagonal]), axis=0)
            if not is_square:
                whole = concat((batch_shape, whole), axis=0)
        else:
            diagonal_shape = [*batch_shape, diagonal]
            whole = None if is_square else [*batch_shape, *whole]
        diagonal_ones = ones(diagonal_shape, dtype=dtype)
        if is_square:
            return matrix_diag(diagonal_ones)
        return matrix_set_diag(zeros(whole, dtype=dtype), diagonal_ones)
