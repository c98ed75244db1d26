"""Vectors of exponential and of Laplace numbers, scaled and moved."""

from __future__ import annotations

import math
from typing import Any

from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import identity
from ossia_distributions.distribution import given
from ossia_distributions.exponential import Exponential
from ossia_distributions.laplace import Laplace
from ossia_distributions.scale_operators import diag_scale, is_diagonal
from ossia_distributions.vectors.scaled import ScaledVector
from ossia_ops.array.diagonal import matrix_diag
from ossia_ops.array.fill import ones, zeros
from ossia_ops.math.elementwise import abs as abs_op
from ossia_ops.math.elementwise import sqrt, square


class VectorExponentialLinearOperator(ScaledVector):
    """The distribution of `loc + scale @ x`, with independent exponential components of `x`."""

    def __init__(
        self,
        loc: Any = None,
        scale: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "VectorExponentialLinearOperator",
    ) -> None:
        parameters = given(locals())
        super().__init__(
            lambda dtype: Exponential(rate=ones([], dtype=dtype), allow_nan_stats=allow_nan_stats),
            loc,
            scale,
            validate_args,
            name,
        )
        self._parameters = parameters

    def _mean(self) -> Tensor:
        return self._moved(ones)

    def _mode(self) -> Tensor:
        return self._moved(zeros)

    def _moved(self, made: Any) -> Tensor:
        scaled = self.bijector.scale.matvec(made(self._draw_shape(), self.dtype))
        return scaled if self.loc is None else identity(self.loc) + scaled


@public("contrib.distributions.VectorExponentialDiag")
class VectorExponentialDiag(VectorExponentialLinearOperator):
    """Vectors of independent exponential numbers.

    Args:
      loc: the least values, of shape [..., k]; zero if None.
      scale_diag: scales, of shape [..., k].
      scale_identity_multiplier: what is added to each, of shape [...].
      validate_args: whether runs check that no scale is zero.
      allow_nan_stats: whether statistics that are not defined are NaN.
      name: scope of its tensors.

    Raises:
      ValueError: the size of the vectors follows from nothing that is given.
    """

    def __init__(
        self,
        loc: Any = None,
        scale_diag: Any = None,
        scale_identity_multiplier: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "VectorExponentialDiag",
    ) -> None:
        parameters = given(locals())
        with name_scope(name) as name:
            with name_scope("init", values=[loc, scale_diag, scale_identity_multiplier]):
                scale = diag_scale(loc, scale_diag, scale_identity_multiplier)
        super().__init__(loc, scale, validate_args, allow_nan_stats, name)
        self._parameters = parameters


class VectorLaplaceLinearOperator(ScaledVector):
    """The distribution of `loc + scale @ x`, with independent Laplace components of `x`."""

    def __init__(
        self,
        loc: Any = None,
        scale: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "VectorLaplaceLinearOperator",
    ) -> None:
        parameters = given(locals())
        super().__init__(
            lambda dtype: Laplace(loc=zeros([], dtype=dtype), scale=ones([], dtype=dtype)),
            loc,
            scale,
            validate_args,
            name,
            nested_name=True,
        )
        self._parameters = parameters

    def _mean(self) -> Tensor:
        return self._spread_loc()

    def _mode(self) -> Tensor:
        return self._mean()

    def _covariance(self) -> Tensor:
        # Of a component the variance is 2.
        if is_diagonal(self.scale):
            return 2.0 * matrix_diag(square(self.scale.diag_part()))
        return 2.0 * self.scale.matmul(self.scale.to_dense(), adjoint_arg=True)

    def _variance(self) -> Tensor:
        if is_diagonal(self.scale):
            return 2.0 * square(self.scale.diag_part())
        return 2.0 * self._covariance_diagonal()

    def _stddev(self) -> Tensor:
        if is_diagonal(self.scale):
            return math.sqrt(2) * abs_op(self.scale.diag_part())
        return math.sqrt(2) * sqrt(self._covariance_diagonal())


@public("contrib.distributions.VectorLaplaceDiag")
class VectorLaplaceDiag(VectorLaplaceLinearOperator):
    """Vectors of independent Laplace numbers; arguments as those of VectorExponentialDiag."""

    def __init__(
        self,
        loc: Any = None,
        scale_diag: Any = None,
        scale_identity_multiplier: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "VectorLaplaceDiag",
    ) -> None:
        parameters = given(locals())
        with name_scope(name):
            with name_scope("init", values=[loc, scale_diag, scale_identity_multiplier]):
                scale = diag_scale(loc, scale_diag, scale_identity_multiplier)
        super().__init__(loc, scale, validate_args, allow_nan_stats, name)
        self._parameters = parameters
