"""Circulant matrices, as linear operators."""
from __future__ import annotations

from typing import Any

from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_linear_operators.circulant_base import Circulant


@public("linalg.LinearOperatorCirculant", "compat.v2.linalg.LinearOperatorCirculant")
class LinearOperatorCirculant(Circulant):
    """Circulant matrices: each row is the one above, moved one place to the right.

    Args:
      spectrum: the eigenvalues, a tensor of shape [..., n]: the Fourier transform of the first columns.
      input_output_dtype: dtype of what the operator takes and gives.
      is_non_singular: whether no eigenvalue is zero.
      is_self_adjoint: whether all eigenvalues are real; True for a real `spectrum`.
      is_positive_definite: whether all real parts of eigenvalues are positive.
      is_square: True or None.
      name: the operator's name.

    Raises:
      ValueError: `spectrum` has too few dimensions, or a hint cannot hold.
    """

    def __init__(self, spectrum: Any, input_output_dtype: Any = dtypes.complex64, is_non_singular: bool | None = None,
                 is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None,
                 is_square: bool | None = True, name: str = "LinearOperatorCirculant") -> None:
        super().__init__(spectrum, 1, input_output_dtype, is_non_singular, is_self_adjoint, is_positive_definite,
                         is_square, name)
