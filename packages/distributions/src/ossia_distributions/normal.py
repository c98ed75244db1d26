"""The normal distribution."""

from __future__ import annotations

import math
from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_distributions import cumulative_normal
from ossia_distributions.distribution import given
from ossia_distributions.divergence import RegisterKL
from ossia_distributions.single_numbers import LocatedDistribution
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import ones_like
from ossia_ops.math.arithmetic import squared_difference
from ossia_ops.math.elementwise import square
from ossia_ops.math.exponential import log
from ossia_ops.random.normal import random_normal


@public("distributions.Normal", "contrib.distributions.Normal")
class Normal(LocatedDistribution):
    """The normal (Gaussian) distribution, with density `exp(-0.5 ((x - loc) / scale)^2) / (scale sqrt(2 pi))`.

    Args:
      loc: means, floats.
      scale: standard deviations, positive, of a shape that broadcasts with that of `loc`.
      validate_args: whether runs check that `scale` is positive.
      allow_nan_stats: whether statistics that are not defined are NaN; if not, runs fail there.
      name: scope of its tensors.

    Raises:
      TypeError: `loc` and `scale` differ in dtype.
      ValueError: they are no floats.
    """

    def __init__(
        self, loc: Any, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Normal"
    ) -> None:
        parameters = given(locals())
        super().__init__(loc, scale, validate_args, allow_nan_stats, parameters, name)

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        sizes = concat([[n], self.batch_shape_tensor()], 0)
        return random_normal(sizes, 0.0, 1.0, self.loc.dtype, seed) * self.scale + self.loc

    def _log_prob(self, x: Tensor) -> Tensor:
        exponent = -0.5 * square(self._standard(x))
        return exponent - (0.5 * math.log(2.0 * math.pi) + log(self.scale))

    def _log_cdf(self, x: Tensor) -> Tensor:
        return cumulative_normal.log_ndtr(self._standard(x))

    def _cdf(self, x: Tensor) -> Tensor:
        return cumulative_normal.ndtr(self._standard(x))

    def _log_survival_function(self, x: Tensor) -> Tensor:
        return cumulative_normal.log_ndtr(-self._standard(x))

    def _survival_function(self, x: Tensor) -> Tensor:
        return cumulative_normal.ndtr(-self._standard(x))

    def _quantile(self, p: Tensor) -> Tensor:
        standard = cumulative_normal.ndtri(p)
        with name_scope("reconstruct", values=[standard]):
            return standard * self.scale + self.loc

    def _entropy(self) -> Tensor:
        scale = self.scale * ones_like(self.loc)
        return 0.5 * math.log(2.0 * math.pi * math.e) + log(scale)

    def _mean(self) -> Tensor:
        return self.loc * ones_like(self.scale)

    def _mode(self) -> Tensor:
        return self._mean()

    def _stddev(self) -> Tensor:
        return self.scale * ones_like(self.loc)

    def _standard(self, x: Tensor) -> Tensor:
        with name_scope("standardize", values=[x]):
            return (x - self.loc) / self.scale


@RegisterKL(Normal, Normal)
def _kl_normal_normal(a: Normal, b: Normal, name: str | None = None) -> Tensor:
    with name_scope(name, "kl_normal_normal", [a.loc, b.loc]):
        one, two, half = (convert_to_tensor(number, a.dtype, name="Const") for number in (1, 2, 0.5))
        variance_a, variance_b = square(a.scale), square(b.scale)
        ratio = variance_a / variance_b
        return squared_difference(a.loc, b.loc) / (two * variance_b) + half * (ratio - one - log(ratio))
