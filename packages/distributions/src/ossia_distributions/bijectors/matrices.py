"""Bijectors of matrices: products with their transposes, inverses, triangles, diagonals."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.graph.scopes import control_dependencies
from ossia_core.graph.tensor import Tensor
from ossia_core.names.dtypes import float32, float64, int32, int64
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import identity, with_dependencies
from ossia_debugging.comparisons import assert_equal, assert_none_equal, assert_positive
from ossia_debugging.ranks import assert_rank_at_least
from ossia_distributions.bijectors.affine import AffineScalar
from ossia_distributions.bijectors.bijector import Bijector
from ossia_distributions.bijectors.composition import Chain
from ossia_distributions.bijectors.shaped import Softplus
from ossia_distributions.triangular import fill_triangular, fill_triangular_inverse
from ossia_ops.array.concat import concat
from ossia_ops.array.diagonal import matrix_band_part, matrix_diag_part, matrix_set_diag
from ossia_ops.array.eye import eye
from ossia_ops.array.fill import zeros, zeros_like
from ossia_ops.array.shape import shape, squeeze
from ossia_ops.control.assertion import Assert
from ossia_ops.linalg.factorization import cholesky
from ossia_ops.linalg.matmul import matmul
from ossia_ops.linalg.solving import matrix_triangular_solve
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import equal
from ossia_ops.math.elementwise import abs as abs_op
from ossia_ops.math.elementwise import sqrt
from ossia_ops.math.exponential import log
from ossia_ops.math.reduction import reduce_sum
from ossia_ops.math.sequence import lin_space


@public("contrib.distributions.bijectors.CholeskyOuterProduct")
class CholeskyOuterProduct(Bijector):
    """`Y = X X^T` of lower triangular matrices with positive diagonals.

    Args:
      validate_args: whether runs check arguments.
      name: scope of its methods.
    """

    def __init__(self, validate_args: bool = False, name: str = "cholesky_outer_product") -> None:
        self._graph_parents = []
        self._name = name
        super().__init__(forward_min_event_ndims=2, validate_args=validate_args, name=name)

    def _forward(self, x: Tensor) -> Tensor:
        if self.validate_args:
            is_matrix = assert_rank_at_least(x, 2)
            sizes = shape(x)
            is_square = assert_equal(sizes[-2], sizes[-1])
            x = with_dependencies([is_matrix, is_square], x)
        # Only the lower triangle counts.
        x = matrix_band_part(x, -1, 0)
        return matmul(x, x, adjoint_b=True)

    def _inverse(self, y: Tensor) -> Tensor:
        return cholesky(y)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        # The determinant is 2^p prod(x_jj^(p - j + 1)), j from 1 to p.
        diag = matrix_diag_part(x)
        if self.validate_args:
            x = self._checked(x, diag)
        known = x.shape.as_list()[-1] if x.shape.ndims else None
        size: Any = shape(x)[-1] if known is None else known
        largest = cast(size, diag.dtype) if known is None else np.array(known, diag.dtype.as_numpy_dtype)
        exponents = lin_space(largest, 1.0, size)
        weighted = squeeze(matmul(log(diag), exponents[..., None]), axis=-1)
        return cast(size, diag.dtype) * np.log(2.0) + weighted if known is None else known * np.log(2.0) + weighted

    def _checked(self, x: Tensor, diag: Tensor) -> Tensor:
        is_matrix = assert_rank_at_least(x, 2, message="Input must be a (batch of) matrix.")
        sizes = shape(x)
        is_square = assert_equal(sizes[-2], sizes[-1], message="Input must be a (batch of) square matrix.")
        # Assuming lower triangular means only the diagonal has to be looked at.
        positive = assert_positive(diag, message="Input must be positive definite.")
        return with_dependencies([is_matrix, is_square, positive], x)


@public("contrib.distributions.bijectors.MatrixInverseTriL")
class MatrixInverseTriL(Bijector):
    """The inverses of lower triangular matrices.

    Args:
      validate_args: whether runs check that arguments are such matrices, without zeros on the diagonal.
      name: scope of its methods.
    """

    def __init__(self, validate_args: bool = False, name: str = "matrix_inverse_tril") -> None:
        self._graph_parents = []
        self._name = name
        super().__init__(forward_min_event_ndims=2, validate_args=validate_args, name=name)

    def _forward(self, x: Tensor) -> Tensor:
        with control_dependencies(self._checks(x)):
            sizes = shape(x)
            return matrix_triangular_solve(x, eye(sizes[-1], batch_shape=sizes[:-2], dtype=x.dtype), lower=True)

    def _inverse(self, y: Tensor) -> Tensor:
        return self._forward(y)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        with control_dependencies(self._checks(x)):
            size = cast(shape(x)[-1], x.dtype.base_dtype)
            return -2.0 * size * reduce_sum(log(abs_op(matrix_diag_part(x))), axis=-1)

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        return -self._forward_log_det_jacobian(self._inverse(y))

    def _checks(self, x: Tensor) -> list:
        if not self.validate_args:
            return []
        sizes = shape(x)
        is_matrix = assert_rank_at_least(x, 2, message="Input must have rank at least 2.")
        is_square = assert_equal(sizes[-2], sizes[-1], message="Input must be a square matrix.")
        above = matrix_band_part(matrix_set_diag(x, zeros(sizes[:-1], dtype=float32)), 0, -1)
        is_lower = assert_equal(above, zeros_like(x), message="Input must be lower triangular.")
        diag = matrix_diag_part(x)
        is_nonzero = assert_none_equal(
            diag, zeros_like(diag), message="Input must have all diagonal entries nonzero."
        )
        return [is_matrix, is_square, is_lower, is_nonzero]


@public("contrib.distributions.bijectors.FillTriangular")
class FillTriangular(Bijector):
    """Vectors of `n (n + 1) / 2` components as triangular matrices: see `fill_triangular`.

    Args:
      upper: whether the upper triangle is filled.
      validate_args: without effect.
      name: scope of its methods.
    """

    def __init__(self, upper: bool = False, validate_args: bool = False, name: str = "fill_triangular") -> None:
        self._upper = upper
        super().__init__(
            forward_min_event_ndims=1,
            inverse_min_event_ndims=2,
            is_constant_jacobian=True,
            validate_args=validate_args,
            name=name,
        )

    def _forward(self, x: Tensor) -> Tensor:
        return fill_triangular(x, upper=self._upper)

    def _inverse(self, y: Tensor) -> Tensor:
        return fill_triangular_inverse(y, upper=self._upper)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        return zeros_like(x[..., 0])

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        return zeros_like(y[..., 0, 0])

    def _forward_event_shape(self, input_shape: TensorShape) -> TensorShape:
        batch, length = input_shape[:-1], input_shape.as_list()[-1]
        size = None if length is None else _triangle_size(length)
        return batch.concatenate([size, size])

    def _inverse_event_shape(self, output_shape: TensorShape) -> TensorShape:
        batch, rows, columns = output_shape[:-2], output_shape.as_list()[-2], output_shape.as_list()[-1]
        if rows is None or columns is None:
            length = None
        elif rows != columns:
            raise ValueError(f"Matrix must be square. (saw [{rows}, {columns}])")
        else:
            length = rows * (rows + 1) // 2
        return batch.concatenate([length])

    def _forward_event_shape_tensor(self, input_shape: Tensor) -> Tensor:
        batch, length = input_shape[:-1], input_shape[-1]
        size = _triangle_size_tensor(length, self.validate_args)
        return concat([batch, [size, size]], axis=0)

    def _inverse_event_shape_tensor(self, output_shape: Tensor) -> Tensor:
        batch, size = output_shape[:-2], output_shape[-1]
        if self.validate_args:
            is_square = assert_equal(size, output_shape[-2], message="Matrix must be square.")
            with control_dependencies([is_square]):
                size = identity(size)
        length = cast(size * (size + 1) / 2, int32)
        return concat([batch, [length]], axis=0)


def _triangle_size(length: int) -> int:
    size = (np.sqrt(8 * length + 1) - 1) / 2
    if int(size) != size:
        raise ValueError(f"Vector length {length} is not a triangular number.")
    return int(size)


def _triangle_size_tensor(length: Tensor, validate_args: bool) -> Tensor:
    size = (sqrt(8 * cast(length, float64) + 1) - 1) / 2
    if validate_args:
        triangular = Assert(
            equal(cast(cast(size, int64), float64), size),
            ["Vector length is not a triangular number: ", length],
        )
        with control_dependencies([triangular]):
            size = identity(size)
    return cast(size, int32)


@public("contrib.distributions.bijectors.TransformDiagonal")
class TransformDiagonal(Bijector):
    """Matrices whose diagonals another bijector maps.

    Args:
      diag_bijector: the bijector, of vectors or numbers.
      validate_args: without effect on it.
      name: scope of its methods.
    """

    def __init__(
        self, diag_bijector: Bijector, validate_args: bool = False, name: str = "transform_diagonal"
    ) -> None:
        self._diag_bijector = diag_bijector
        super().__init__(
            forward_min_event_ndims=2,
            inverse_min_event_ndims=2,
            is_constant_jacobian=diag_bijector.is_constant_jacobian,
            validate_args=validate_args,
            dtype=diag_bijector.dtype,
            name=name,
        )

    def _forward(self, x: Tensor) -> Tensor:
        diag = self._diag_bijector.forward(matrix_diag_part(x))
        return matrix_set_diag(x, diag)

    def _inverse(self, y: Tensor) -> Tensor:
        diag = self._diag_bijector.inverse(matrix_diag_part(y))
        return matrix_set_diag(y, diag)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        return self._diag_bijector.forward_log_det_jacobian(matrix_diag_part(x), event_ndims=1)

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        return self._diag_bijector.inverse_log_det_jacobian(matrix_diag_part(y), event_ndims=1)


@public("contrib.distributions.bijectors.ScaleTriL")
class ScaleTriL(Chain):
    """Vectors as lower triangular matrices whose diagonals are mapped, and moved away from zero.

    Args:
      diag_bijector: what maps the diagonal; Softplus if None.
      diag_shift: what is added to it; nothing if None.
      validate_args: whether runs check arguments.
      name: scope of its methods.
    """

    def __init__(
        self,
        diag_bijector: Bijector | None = None,
        diag_shift: float | None = 1e-5,
        validate_args: bool = False,
        name: str = "scale_tril",
    ) -> None:
        diag_bijector = diag_bijector or Softplus(validate_args=validate_args)
        if diag_shift is not None:
            diag_bijector = Chain([AffineScalar(shift=diag_shift), diag_bijector])
        super().__init__(
            [TransformDiagonal(diag_bijector=diag_bijector), FillTriangular()],
            validate_args=validate_args,
            name=name,
        )
