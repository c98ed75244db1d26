"""Student's t distribution."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import identity, with_dependencies
from ossia_distributions.checks import checked, or_nan
from ossia_distributions.distribution import given
from ossia_distributions.reparameterization import FULLY_REPARAMETERIZED
from ossia_distributions.seeds import further_seed
from ossia_distributions.single_numbers import NumberDistribution
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import fill, ones, ones_like
from ossia_ops.array.selection import where_v2
from ossia_ops.math.comparison import greater, less
from ossia_ops.math.elementwise import abs, rsqrt, square
from ossia_ops.math.exponential import log, log1p
from ossia_ops.math.special import betainc, digamma, lbeta, lgamma
from ossia_ops.random.normal import random_normal
from ossia_ops.random.rejection import random_gamma


@public("distributions.StudentT", "contrib.distributions.StudentT")
class StudentT(NumberDistribution):
    """Student's t distribution, with density proportional to `(1 + ((x - loc) / scale)^2 / df)^(-(df + 1) / 2)`.

    Args:
      df: degrees of freedom, positive floats.
      loc: locations, the means where `df` is above 1.
      scale: scales; their sign has no effect. Shapes of all three broadcast.
      validate_args: whether runs check that `df` is positive.
      allow_nan_stats: whether statistics that are not defined are NaN; if not, runs fail there.
      name: scope of its tensors.

    Raises:
      ValueError: the parameters are no floats, or differ in dtype.
    """

    parameter_names = ("df", "loc", "scale")

    def __init__(
        self,
        df: Any,
        loc: Any,
        scale: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "StudentT",
    ) -> None:
        parameters = given(locals())
        with name_scope(name, values=[df, loc, scale]) as name:
            with control_dependencies([checked("assert_positive", df)] if validate_args else []):
                self._df = identity(df, name="df")
                self._loc = identity(loc, name="loc")
                self._scale = identity(scale, name="scale")
                checked("debugging.assert_same_float_dtype", (self._df, self._loc, self._scale))
        super().__init__(
            dtype=self._scale.dtype,
            reparameterization_type=FULLY_REPARAMETERIZED,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            parameters=parameters,
            graph_parents=[self._df, self._loc, self._scale],
            name=name,
        )

    @property
    def df(self) -> Tensor:
        """The degrees of freedom."""
        return self._df

    @property
    def loc(self) -> Tensor:
        """The locations."""
        return self._loc

    @property
    def scale(self) -> Tensor:
        """The scales."""
        return self._scale

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        # A normal number over the root of the mean of `df` squares of such numbers, whose sum is a gamma one.
        normal = random_normal(concat([[n], self.batch_shape_tensor()], 0), dtype=self.dtype, seed=seed)
        df = self.df * ones(self.batch_shape_tensor(), dtype=self.dtype)
        squares = random_gamma([n], 0.5 * df, beta=0.5, dtype=self.dtype, seed=further_seed(seed, "student_t"))
        return normal * rsqrt(squares / df) * self.scale + self.loc

    def _log_prob(self, x: Tensor) -> Tensor:
        return self._log_unnormalized_prob(x) - self._log_normalization()

    def _log_unnormalized_prob(self, x: Tensor) -> Tensor:
        y = (x - self.loc) / self.scale
        return -0.5 * (self.df + 1.0) * log1p(y**2.0 / self.df)

    def _log_normalization(self) -> Tensor:
        return (
            log(abs(self.scale))
            + 0.5 * log(self.df)
            + 0.5 * np.log(np.pi)
            + lgamma(0.5 * self.df)
            - lgamma(0.5 * (self.df + 1.0))
        )

    def _cdf(self, x: Tensor) -> Tensor:
        y = (x - self.loc) / abs(self.scale)
        share = self.df / (y**2.0 + self.df)
        below = 0.5 * betainc(0.5 * self.df, 0.5, share)
        return where_v2(less(y, 0.0), below, 1.0 - below)

    def _entropy(self) -> Tensor:
        one = ones(self.batch_shape_tensor(), dtype=self.dtype)[..., None]
        halves = concat([one * self.df[..., None], one], -1) / 2.0
        return (
            log(abs(self.scale))
            + 0.5 * log(self.df)
            + lbeta(halves)
            + 0.5 * (self.df + 1.0) * (digamma(0.5 * (self.df + 1.0)) - digamma(0.5 * self.df))
        )

    def _mean(self) -> Tensor:
        """`loc`, which is the mean for more than one degree of freedom."""
        mean = self.loc * ones(self.batch_shape_tensor(), dtype=self.dtype)
        if self.allow_nan_stats:
            return self._where_defined(mean)
        above = checked(
            "assert_less", ones([], dtype=self.dtype), self.df, message="mean not defined for components of df <= 1"
        )
        return with_dependencies([above], mean)

    def _variance(self) -> Tensor:
        """`scale^2 df / (df - 2)`: infinite up to 2 degrees of freedom, not defined up to 1."""
        denominator = where_v2(greater(self.df, 2.0), self.df - 2.0, ones_like(self.df))
        finite = ones(self.batch_shape_tensor(), dtype=self.dtype) * square(self.scale) * self.df / denominator
        infinity = np.array(np.inf, self.dtype.as_numpy_dtype)
        variance = where_v2(
            greater(self.df, fill(self.batch_shape_tensor(), 2.0)),
            finite,
            fill(self.batch_shape_tensor(), infinity, name="inf"),
        )
        if self.allow_nan_stats:
            return self._where_defined(variance)
        above = checked(
            "assert_less", ones([], dtype=self.dtype), self.df, message="variance not defined for components of df <= 1"
        )
        return with_dependencies([above], variance)

    def _where_defined(self, statistic: Tensor) -> Tensor:
        above = greater(self.df, ones(self.batch_shape_tensor(), dtype=self.dtype))
        return or_nan(statistic, lambda: above, self.batch_shape_tensor(), self.dtype)

    def _mode(self) -> Tensor:
        return identity(self.loc)
