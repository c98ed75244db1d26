"""The Cauchy distribution."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_distributions.distribution import given
from ossia_distributions.single_numbers import LocatedDistribution
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import fill, ones_like
from ossia_ops.math.elementwise import square
from ossia_ops.math.exponential import log, log1p
from ossia_ops.math.trigonometry import atan, tan
from ossia_ops.random.uniform import random_uniform


@public("contrib.distributions.Cauchy")
class Cauchy(LocatedDistribution):
    """The Cauchy distribution, with density `1 / (pi scale (1 + ((x - loc) / scale)^2))`.

    Args:
      loc: locations, floats.
      scale: scales, positive, of a shape that broadcasts with that of `loc`.
      validate_args: whether runs check that `scale` is positive.
      allow_nan_stats: whether mean and variance, which are not defined, are NaN; if not, they are refused.
      name: scope of its tensors.
    """

    def __init__(
        self, loc: Any, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Cauchy"
    ) -> None:
        parameters = given(locals())
        super().__init__(loc, scale, validate_args, allow_nan_stats, parameters, name)

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        sizes = concat([[n], self.batch_shape_tensor()], 0)
        return self._quantile(random_uniform(sizes, 0.0, 1.0, dtype=self.dtype, seed=seed))

    def _log_prob(self, x: Tensor) -> Tensor:
        return -log1p(square(self._z(x))) - (np.log(np.pi) + log(self.scale))

    def _cdf(self, x: Tensor) -> Tensor:
        return atan(self._z(x)) / np.pi + 0.5

    def _log_cdf(self, x: Tensor) -> Tensor:
        return log1p(2 / np.pi * atan(self._z(x))) - np.log(2)

    def _entropy(self) -> Tensor:
        return (np.log(4 * np.pi) + log(self.scale)) * ones_like(self.loc)

    def _quantile(self, p: Tensor) -> Tensor:
        return self.loc + self.scale * tan(np.pi * (p - 0.5))

    def _mode(self) -> Tensor:
        return self.loc * ones_like(self.scale)

    def _mean(self) -> Tensor:
        return self._undefined("mean")

    def _stddev(self) -> Tensor:
        return self._undefined("stddev")

    def _undefined(self, statistic: str) -> Tensor:
        if not self.allow_nan_stats:
            raise ValueError(f"`{statistic}` is undefined for Cauchy distribution.")
        nan = np.array(np.nan, dtype=self.dtype.as_numpy_dtype)
        return fill(self.batch_shape_tensor(), nan)

    def _z(self, x: Tensor) -> Tensor:
        with name_scope("standardize", values=[x]):
            return (x - self.loc) / self.scale
