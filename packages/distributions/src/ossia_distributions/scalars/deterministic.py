"""Distributions with all their probability in one place."""

from __future__ import annotations

from typing import Any

from ossia_core.declare.shape_rules import constant
from ossia_core.graph.convert import constant as constant_op
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.dtypes import int32
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import identity, with_dependencies
from ossia_debugging.comparisons import assert_equal, assert_non_negative
from ossia_debugging.ranks import assert_rank_at_least
from ossia_distributions.distribution import Distribution, given
from ossia_distributions.reparameterization import NOT_REPARAMETERIZED
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import ones_like, zeros, zeros_like
from ossia_ops.array.gather import gather
from ossia_ops.array.shape import rank, shape
from ossia_ops.array.tiling import tile
from ossia_ops.math.cast import cast
from ossia_ops.math.elementwise import abs as abs_op
from ossia_ops.math.reduction import reduce_all


class _DeterministicDistribution(Distribution):
    """A distribution of which every draw is `loc`."""

    def __init__(
        self,
        loc: Any,
        atol: Any,
        rtol: Any,
        is_vector: bool,
        parameters: dict[str, Any],
        validate_args: bool,
        allow_nan_stats: bool,
        name: str,
    ) -> None:
        with name_scope(name, values=[loc, atol, rtol]) as name:
            loc = convert_to_tensor(loc, name="loc")
            if is_vector and validate_args:
                message = "Argument loc must be at least rank 1."
                if loc.shape.ndims is None:
                    loc = with_dependencies([assert_rank_at_least(loc, 1, message=message)], loc)
                elif loc.shape.ndims < 1:
                    raise ValueError(message)
            self._loc = loc
            super().__init__(
                dtype=loc.dtype,
                reparameterization_type=NOT_REPARAMETERIZED,
                validate_args=validate_args,
                allow_nan_stats=allow_nan_stats,
                parameters=parameters,
                graph_parents=[loc],
                name=name,
            )
            self._atol, self._rtol = self._tolerance(atol), self._tolerance(rtol)
            self._slack = self._atol if rtol is None else self._atol + self._rtol * abs_op(self._loc)

    def _tolerance(self, tolerance: Any) -> Tensor:
        if tolerance is None:
            return convert_to_tensor(0, dtype=self.loc.dtype)
        tolerance = convert_to_tensor(tolerance, dtype=self.loc.dtype)
        if self.validate_args:
            valid = assert_non_negative(tolerance, message="Argument 'tol' must be non-negative")
            tolerance = with_dependencies([valid], tolerance)
        return tolerance

    def _entropy(self) -> Tensor:
        return zeros(self.batch_shape_tensor(), dtype=self.dtype)

    @property
    def loc(self) -> Tensor:
        """The only value."""
        return self._loc

    @property
    def atol(self) -> Tensor:
        """How far off values count as `loc`."""
        return self._atol

    @property
    def rtol(self) -> Tensor:
        """How far off they may be, as a share of `loc`."""
        return self._rtol

    def _mean(self) -> Tensor:
        return identity(self.loc)

    def _variance(self) -> Tensor:
        return zeros_like(self.loc)

    def _mode(self) -> Tensor:
        return self.mean()

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        known = constant(convert_to_tensor(n))
        if known is not None and self.loc.shape.ndims is not None:
            multiples: Any = [int(known)] + [1] * self.loc.shape.ndims
        else:
            multiples = concat(([n], ones_like(shape(self.loc))), axis=0)
        return tile(self.loc[None, ...], multiples=multiples)


@public("contrib.distributions.Deterministic")
class Deterministic(_DeterministicDistribution):
    """The distribution of a number that is known.

    Args:
      loc: the number.
      atol: how far off values count as it; 0 if None.
      rtol: how far off they may be, as a share of it; 0 if None.
      validate_args: whether runs check that tolerances are not negative.
      allow_nan_stats: without effect: all statistics are defined.
      name: scope of its tensors.
    """

    def __init__(
        self,
        loc: Any,
        atol: Any = None,
        rtol: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Deterministic",
    ) -> None:
        super().__init__(loc, atol, rtol, False, given(locals()), validate_args, allow_nan_stats, name)

    def _batch_shape_tensor(self) -> Tensor:
        return shape(self.loc)

    def _batch_shape(self) -> TensorShape:
        return self.loc.shape

    def _event_shape_tensor(self) -> Tensor:
        return constant_op([], dtype=int32)

    def _event_shape(self) -> TensorShape:
        return TensorShape([])

    def _prob(self, x: Tensor) -> Tensor:
        return cast(abs_op(x - self.loc) <= self._slack, dtype=self.dtype)

    def _cdf(self, x: Tensor) -> Tensor:
        return cast(x >= self.loc - self._slack, dtype=self.dtype)


@public("contrib.distributions.VectorDeterministic")
class VectorDeterministic(_DeterministicDistribution):
    """The distribution of a vector that is known.

    Args:
      loc: the vector, of shape [..., k].
      atol: how far off components count as those of `loc`; 0 if None.
      rtol: how far off they may be, as a share; 0 if None.
      validate_args: whether runs check shapes, and that tolerances are not negative.
      allow_nan_stats: without effect: all statistics are defined.
      name: scope of its tensors.
    """

    def __init__(
        self,
        loc: Any,
        atol: Any = None,
        rtol: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "VectorDeterministic",
    ) -> None:
        super().__init__(loc, atol, rtol, True, given(locals()), validate_args, allow_nan_stats, name)

    def _batch_shape_tensor(self) -> Tensor:
        return shape(self.loc)[:-1]

    def _batch_shape(self) -> TensorShape:
        return self.loc.shape[:-1]

    def _event_shape_tensor(self) -> Tensor:
        return shape(self.loc)[-1]

    def _event_shape(self) -> TensorShape:
        return self.loc.shape[-1:]

    def _prob(self, x: Tensor) -> Tensor:
        if self.validate_args:
            is_vector = assert_rank_at_least(x, 1)
            same_size = assert_equal(
                self.event_shape_tensor(),
                gather(shape(x), rank(x) - 1),
                message="Argument 'x' not defined in the same space R^k as this distribution",
            )
            with control_dependencies([is_vector]), control_dependencies([same_size]):
                x = identity(x)
        return cast(reduce_all(abs_op(x - self.loc) <= self._slack, axis=-1), dtype=self.dtype)
