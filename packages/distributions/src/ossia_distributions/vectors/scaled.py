"""Vectors of independent numbers of one kind, scaled by an operator and moved."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.primitives.identity import identity
from ossia_distributions.bijectors.affine import AffineLinearOperator
from ossia_distributions.scale_operators import is_diagonal, shapes_from_loc_and_scale
from ossia_distributions.transformed import TransformedDistribution
from ossia_linear_operators.low_rank_update import LinearOperatorLowRankUpdate
from ossia_ops.array.concat import concat
from ossia_ops.array.diagonal import matrix_diag, matrix_diag_part
from ossia_ops.array.fill import zeros
from ossia_ops.math.elementwise import abs as abs_op
from ossia_ops.math.elementwise import sqrt, square


class ScaledVector(TransformedDistribution):
    """The distribution of `loc + scale @ x`, with a vector `x` of independent components.

    Args:
      component: from a dtype to the distribution of the components.
      loc: what is added, of shape [..., k]; nothing if None.
      scale: a LinearOperator.
      validate_args: whether runs check that it can be inverted.
      name: scope of its tensors.
      parts_in_scope: whether component and map are built in that scope.
      nested_name: whether methods build in a scope of the same name inside it.

    Raises:
      ValueError: `scale` is None.
      TypeError: it is not of floats.
    """

    def __init__(
        self,
        component: Callable,
        loc: Any,
        scale: Any,
        validate_args: bool,
        name: str,
        parts_in_scope: bool = True,
        nested_name: bool = False,
    ) -> None:
        if scale is None:
            raise ValueError("Missing required `scale` parameter.")
        if not scale.dtype.is_floating:
            raise TypeError("`scale` parameter must have floating-point dtype.")
        with name_scope(name, values=[loc, *scale.graph_parents]) as scope:
            loc = None if loc is None else convert_to_tensor(loc, name="loc")
            batch_shape, event_shape = shapes_from_loc_and_scale(loc, scale)
        with name_scope(scope) if parts_in_scope else nullcontext():
            super().__init__(
                distribution=component(scale.dtype),
                bijector=AffineLinearOperator(shift=loc, scale=scale, validate_args=validate_args),
                batch_shape=batch_shape,
                event_shape=event_shape,
                validate_args=validate_args,
                name=name if nested_name else scope,
            )

    @property
    def loc(self) -> Tensor | None:
        """What is added."""
        return self.bijector.shift

    @property
    def scale(self) -> Any:
        """The LinearOperator."""
        return self.bijector.scale

    def _spread_loc(self) -> Tensor:
        """`loc`, in the shape of one draw."""
        sizes = self._draw_shape()
        if self.loc is None:
            return zeros(sizes, self.dtype)
        if not isinstance(sizes, Tensor) and sizes == self.loc.shape:
            return identity(self.loc)
        return self.loc + zeros(sizes, self.dtype)

    def _draw_shape(self) -> Any:
        known = self.batch_shape.concatenate(self.event_shape)
        if known.is_fully_defined():
            return known
        return concat([self.batch_shape_tensor(), self.event_shape_tensor()], 0)

    def _covariance(self) -> Tensor:
        if is_diagonal(self.scale):
            return matrix_diag(square(self.scale.diag_part()))
        return self.scale.matmul(self.scale.to_dense(), adjoint_arg=True)

    def _variance(self) -> Tensor:
        return square(self.scale.diag_part()) if is_diagonal(self.scale) else self._covariance_diagonal()

    def _stddev(self) -> Tensor:
        return abs_op(self.scale.diag_part()) if is_diagonal(self.scale) else sqrt(self._covariance_diagonal())

    def _covariance_diagonal(self) -> Tensor:
        if isinstance(self.scale, LinearOperatorLowRankUpdate) and self.scale.is_self_adjoint:
            return matrix_diag_part(self.scale.matmul(self.scale.to_dense()))
        return matrix_diag_part(self.scale.matmul(self.scale.to_dense(), adjoint_arg=True))
