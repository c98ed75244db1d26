"""The uniform distribution."""

from __future__ import annotations

import math
from typing import Any

from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import identity
from ossia_distributions.checks import checked
from ossia_distributions.distribution import given
from ossia_distributions.reparameterization import FULLY_REPARAMETERIZED
from ossia_distributions.single_numbers import NumberDistribution
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import ones, ones_like, zeros, zeros_like
from ossia_ops.array.selection import where_v2
from ossia_ops.array.shape import shape
from ossia_ops.math.broadcast import broadcast_dynamic_shape
from ossia_ops.math.comparison import greater_equal, is_nan, less
from ossia_ops.math.elementwise import square
from ossia_ops.math.exponential import log
from ossia_ops.math.logical import logical_or
from ossia_ops.random.uniform import random_uniform


@public("distributions.Uniform", "contrib.distributions.Uniform")
class Uniform(NumberDistribution):
    """The uniform distribution, with density `1 / (high - low)` from `low` up to, but without, `high`.

    Args:
      low: lower bounds, floats.
      high: upper bounds, above `low`, of a shape that broadcasts with that of `low`.
      validate_args: whether runs check that `low` is below `high`.
      allow_nan_stats: whether statistics that are not defined are NaN; if not, runs fail there.
      name: scope of its tensors.

    Raises:
      InvalidArgumentError: `low` is known not to be below `high`, and `validate_args`.
      ValueError: `low` and `high` are no floats, or differ in dtype.
    """

    parameter_names = ("low", "high")

    def __init__(
        self,
        low: Any = 0.0,
        high: Any = 1.0,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Uniform",
    ) -> None:
        parameters = given(locals())
        with name_scope(name, values=[low, high]) as name:
            asserted = (
                [checked("assert_less", low, high, message="uniform not defined when low >= high.")]
                if validate_args
                else []
            )
            with control_dependencies(asserted):
                self._low = identity(low, name="low")
                self._high = identity(high, name="high")
                checked("debugging.assert_same_float_dtype", [self._low, self._high])
        super().__init__(
            dtype=self._low.dtype,
            reparameterization_type=FULLY_REPARAMETERIZED,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            parameters=parameters,
            graph_parents=[self._low, self._high],
            name=name,
        )

    @property
    def low(self) -> Tensor:
        """The lower bounds."""
        return self._low

    @property
    def high(self) -> Tensor:
        """The upper bounds."""
        return self._high

    def range(self, name: str = "range") -> Tensor:
        """`high - low`."""
        with self._name_scope(name):
            return self.high - self.low

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        samples = random_uniform(concat([[n], self.batch_shape_tensor()], 0), dtype=self.dtype, seed=seed)
        return self.low + self.range() * samples

    def _prob(self, x: Tensor) -> Tensor:
        x = x * ones(self.batch_shape_tensor(), dtype=x.dtype)
        missing = is_nan(x)
        outside = logical_or(less(x, self.low), greater_equal(x, self.high))
        return where_v2(missing, x, where_v2(outside, zeros_like(x), ones_like(x) / self.range()))

    def _cdf(self, x: Tensor) -> Tensor:
        sizes = broadcast_dynamic_shape(shape(x), self.batch_shape_tensor())
        none, all_ = zeros(sizes, dtype=self.dtype), ones(sizes, dtype=self.dtype)
        spread = x * all_
        share = where_v2(less(x, self.low), none, (spread - self.low) / self.range())
        return where_v2(greater_equal(x, self.high), all_, share)

    def _entropy(self) -> Tensor:
        return log(self.range())

    def _mean(self) -> Tensor:
        return (self.low + self.high) / 2.0

    def _variance(self) -> Tensor:
        return square(self.range()) / 12.0

    def _stddev(self) -> Tensor:
        return self.range() / math.sqrt(12.0)
