"""Block circulant matrices with circulant blocks, as linear operators."""
from __future__ import annotations

from typing import Any

from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_linear_operators.circulant_base import Circulant


@public("linalg.LinearOperatorCirculant2D", "compat.v2.linalg.LinearOperatorCirculant2D")
class LinearOperatorCirculant2D(Circulant):
    """Block circulant matrices with circulant blocks: the blocks of each row of blocks are those above, moved one place
    to the right, and are circulant.

    Args:
      spectrum: the eigenvalues, a tensor of shape [..., n0, n1]: the Fourier transform of the first columns.
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
                 is_square: bool | None = True, name: str = "LinearOperatorCirculant2D") -> None:
        super().__init__(spectrum, 2, input_output_dtype, is_non_singular, is_self_adjoint, is_positive_definite,
                         is_square, name)
