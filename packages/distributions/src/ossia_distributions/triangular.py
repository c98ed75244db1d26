"""Vectors as triangles of matrices, and matrices from their diagonals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.shape_rules import constant
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.dtypes import float32, int32
from ossia_core.plugins.api_table import public
from ossia_ops.array.concat import concat
from ossia_ops.array.diagonal import matrix_band_part, matrix_diag, matrix_diag_part, matrix_set_diag
from ossia_ops.array.fill import zeros
from ossia_ops.array.reversal import reverse
from ossia_ops.array.shape import rank as rank_op
from ossia_ops.array.shape import reshape, shape
from ossia_ops.math.cast import cast
from ossia_ops.math.elementwise import sqrt


@public("contrib.distributions.fill_triangular")
def fill_triangular(x: Any, upper: bool = False, name: str | None = None) -> Tensor:
    """A triangular matrix with the components of a vector, clockwise from the bottom.

    Args:
      x: vectors of shape [..., n (n + 1) / 2].
      upper: whether the upper triangle is filled, not the lower one.
      name: scope of the result.

    Returns:
      Matrices of shape [..., n, n].

    Raises:
      ValueError: the length of the vectors is no triangular number.
    """
    with name_scope(name, "fill_triangular", values=[x]):
        x = convert_to_tensor(x, name="x")
        length = x.shape.with_rank_at_least(1).as_list()[-1] if x.shape.ndims is not None else None
        if length is not None:
            length = np.int32(length)
            size: Any = np.sqrt(0.25 + 2.0 * length) - 0.5
            if size != np.floor(size):
                raise ValueError(
                    f"Input right-most shape ({length}) does not correspond to a triangular matrix."
                )
            size = np.int32(size)
            static = x.shape[:-1].concatenate([size, size])
        else:
            length = shape(x)[-1]
            size = cast(sqrt(0.25 + cast(2 * length, dtype=float32)), dtype=int32)
            static = x.shape.with_rank_at_least(1)[:-1].concatenate([None, None])
        # The vector without its head, and the vector backwards: n * n components together.
        ndims = _rank(x)
        if upper:
            parts = [x, reverse(x[..., size:], axis=[ndims - 1])]
        else:
            parts = [x[..., size:], reverse(x, axis=[ndims - 1])]
        new_shape = (
            static.as_list() if static.is_fully_defined() else concat([shape(x)[:-1], [size, size]], axis=0)
        )
        x = reshape(concat(parts, axis=-1), shape=new_shape)
        x = matrix_band_part(x, num_lower=(0 if upper else -1), num_upper=(-1 if upper else 0))
        x.set_shape(static)
        return x


@public("contrib.distributions.fill_triangular_inverse")
def fill_triangular_inverse(x: Any, upper: bool = False, name: str | None = None) -> Tensor:
    """The vectors that `fill_triangular` makes matrices of.

    Args:
      x: matrices of shape [..., n, n].
      upper: whether the upper triangle is read.
      name: scope of the result.

    Returns:
      Vectors of shape [..., n (n + 1) / 2].
    """
    with name_scope(name, "fill_triangular_inverse", values=[x]):
        x = convert_to_tensor(x, name="x")
        size = x.shape.with_rank_at_least(2).as_list()[-1] if x.shape.ndims is not None else None
        if size is not None:
            size = np.int32(size)
            length: Any = np.int32((size * (size + 1)) // 2)
            static = x.shape[:-2].concatenate([length])
        else:
            size = shape(x)[-1]
            length = (size * (size + 1)) // 2
            static = x.shape.with_rank_at_least(2)[:-2].concatenate([None])
        ndims = _rank(x)
        if upper:
            first, triangle = x[..., 0, :], x[..., 1:, :]
        else:
            first, triangle = reverse(x[..., -1, :], axis=[ndims - 2]), x[..., :-1, :]
        rotated = reverse(reverse(triangle, axis=[ndims - 1]), axis=[ndims - 2])
        both = reshape(triangle + rotated, concat([shape(x)[:-2], [size * (size - 1)]], axis=0))
        y = concat([first, both[..., :length - size]], axis=-1)
        y.set_shape(static)
        return y


def _rank(x: Tensor) -> Any:
    rank = rank_op(x)
    known = constant(rank)
    return rank if known is None else known


@public("contrib.distributions.matrix_diag_transform")
def matrix_diag_transform(matrix: Any, transform: Callable | None = None, name: str | None = None) -> Tensor:
    """A matrix with its diagonal mapped by a function.

    Args:
      matrix: matrices of shape [..., n, n].
      transform: from diagonals to new ones; None leaves the matrix as it is.
      name: scope of the result.
    """
    with name_scope(name, "matrix_diag_transform", values=[matrix]):
        matrix = convert_to_tensor(matrix, name="matrix")
        if transform is None:
            return matrix
        return matrix_set_diag(matrix, transform(matrix_diag_part(matrix)))


@public("contrib.distributions.tridiag")
def tridiag(below: Any = None, diag: Any = None, above: Any = None, name: str | None = None) -> Tensor:
    """A matrix with these diagonals and zeros elsewhere.

    Args:
      below: components below the diagonal, of shape [..., n - 1]; zeros if None.
      diag: the diagonal, of shape [..., n].
      above: components above the diagonal, of shape [..., n - 1].
      name: scope of the result.

    Raises:
      ValueError: none of the three is given.
    """

    def padded(vector: Tensor) -> Tensor:
        """The vector between two zeros, as a diagonal."""
        zero = zeros(concat([shape(vector)[:-1], [1]], axis=0), dtype=vector.dtype)
        return matrix_diag(concat([zero, vector, zero], axis=-1))

    with name_scope(name, "tridiag", [below, diag, above]):
        if below is not None:
            below = padded(convert_to_tensor(below, name="below"))[..., :-1, 1:]
        if diag is not None:
            diag = matrix_diag(convert_to_tensor(diag, name="diag"))
        if above is not None:
            above = padded(convert_to_tensor(above, name="above"))[..., 1:, :-1]
        matrices = [matrix for matrix in (below, diag, above) if matrix is not None]
        if not matrices:
            raise ValueError("Must specify at least one of `below`, `diag`, `above`.")
        total = matrices[0]
        for matrix in matrices[1:]:
            total += matrix
        return total
