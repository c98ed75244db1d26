"""Static shapes of matrices in batches, and the dtypes that linear algebra takes."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.shape_rules import merge, merge_dim, with_rank_at_least
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import TensorShape

MATRIX = "{double, float, half, complex64, complex128}"


def square(x: Any) -> TensorShape:
    """The shape of a batch of square matrices.

    Raises:
      ValueError: the last two dimensions are known and differ.
    """
    dims = with_rank_at_least(x, 2).as_tuple()
    if dims is None:
        return TensorShape(None)
    size = merge_dim(dims[-2], dims[-1])
    return TensorShape((*dims[:-2], size, size))


def solution(matrix: Any, rhs: Any, is_square: bool) -> TensorShape:
    """The shape of the solutions of batches of linear equations.

    Raises:
      ValueError: the shapes do not fit.
    """
    left = (square(matrix) if is_square else with_rank_at_least(matrix, 2)).as_tuple()
    right = with_rank_at_least(rhs, 2).as_tuple()
    # The batches are equal, so one side alone says how many dimensions there are.
    if left is None:
        left = right and ((None,) * (len(right) - 2) + ((right[-2],) * 2 if is_square else (right[-2], None)))
    if right is None:
        right = left and (*left[:-1], None)
    if left is None or right is None:
        return TensorShape(None)
    batch = merge(TensorShape(left[:-2]), TensorShape(right[:-2])).as_tuple()
    rows = merge_dim(left[-2], right[-2])
    return TensorShape((*batch, merge_dim(left[-1], rows) if is_square else left[-1], right[-1]))


def check_square(x: Any) -> None:
    """Refuses what is no batch of square matrices when it is computed.

    Raises:
      InvalidArgumentError: `x` is of rank below 2, or its matrices are not square.
    """
    if x.ndim < 2:
        raise InvalidArgumentError(None, None, f"Input tensor 0 must have rank >= 2, got {x.ndim}")
    if x.shape[-1] != x.shape[-2]:
        raise InvalidArgumentError(None, None, f"Input matrix must be square. It is {x.shape[-2]} by {x.shape[-1]}")


def check_solvable(matrix: Any, rhs: Any) -> None:
    """Refuses a matrix and right-hand sides that do not fit when they are computed with.

    Raises:
      InvalidArgumentError: ranks, batches or rows differ.
    """
    if matrix.ndim != rhs.ndim:
        raise InvalidArgumentError(None, None, "All input tensors must have the same rank.")
    if matrix.ndim < 2 or matrix.ndim != rhs.ndim or matrix.shape[:-2] != rhs.shape[:-2]:
        raise InvalidArgumentError(None, None, "All input tensors must have the same outer dimensions, got shapes "
                                               f"{dims_text(matrix.shape)} and {dims_text(rhs.shape)}")
    if matrix.shape[-2] != rhs.shape[-2]:
        raise InvalidArgumentError(None, None, f"Input matrix and rhs are incompatible: {matrix.shape[-2]} and "
                                               f"{rhs.shape[-2]} rows")


def smaller(m: int | None, n: int | None) -> int | None:
    """The smaller of two sizes, None if it is not known."""
    return 0 if m == 0 or n == 0 else None if m is None or n is None else min(m, n)


def precise(x: Any) -> Any:
    """A matrix of half precision in single precision, in which the original computes; any other as it is."""
    return x.astype(np.float32) if x.dtype == np.float16 else x
