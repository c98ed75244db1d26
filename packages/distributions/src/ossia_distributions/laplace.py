"""The Laplace distribution."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_distributions.distribution import given
from ossia_distributions.single_numbers import LocatedDistribution
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import zeros_like
from ossia_ops.array.selection import where_v2
from ossia_ops.math.comparison import less
from ossia_ops.math.elementwise import abs, sign
from ossia_ops.math.exponential import exp, log, log1p
from ossia_ops.random.uniform import random_uniform


@public("distributions.Laplace", "contrib.distributions.Laplace")
class Laplace(LocatedDistribution):
    """The Laplace distribution, with density `exp(-|x - loc| / scale) / (2 scale)`.

    Args:
      loc: means, floats.
      scale: scales, positive, of a shape that broadcasts with that of `loc`.
      validate_args: whether runs check that `scale` is positive.
      allow_nan_stats: whether statistics that are not defined are NaN; if not, runs fail there.
      name: scope of its tensors.

    Raises:
      ValueError: `loc` and `scale` are no floats, or differ in dtype.
    """

    def __init__(
        self, loc: Any, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Laplace"
    ) -> None:
        parameters = given(locals())
        super().__init__(loc, scale, validate_args, allow_nan_stats, parameters, name)

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        sizes = concat([[n], self.batch_shape_tensor()], 0)
        # -1 itself would be minus infinity.
        above = np.nextafter(self.dtype.as_numpy_dtype(-1.0), self.dtype.as_numpy_dtype(0.0))
        uniform = random_uniform(sizes, above, 1.0, self.dtype, seed)
        return self.loc - self.scale * sign(uniform) * log1p(-abs(uniform))

    def _log_prob(self, x: Tensor) -> Tensor:
        return -abs(self._standard(x)) - (math.log(2.0) + log(self.scale))

    def _prob(self, x: Tensor) -> Tensor:
        return exp(self._log_prob(x))

    def _log_cdf(self, x: Tensor) -> Tensor:
        return log_cdf_laplace(self._standard(x))

    def _log_survival_function(self, x: Tensor) -> Tensor:
        return log_cdf_laplace(-self._standard(x))

    def _cdf(self, x: Tensor) -> Tensor:
        z = self._standard(x)
        return 0.5 + 0.5 * sign(z) * (1.0 - exp(-abs(z)))

    def _entropy(self) -> Tensor:
        scale = self.scale + zeros_like(self.loc)
        return math.log(2.0) + 1.0 + log(scale)

    def _mean(self) -> Tensor:
        return self.loc + zeros_like(self.scale)

    def _stddev(self) -> Tensor:
        return math.sqrt(2.0) * self.scale + zeros_like(self.loc)

    def _median(self) -> Tensor:
        return self._mean()

    def _mode(self) -> Tensor:
        return self._mean()

    def _standard(self, x: Tensor) -> Tensor:
        return (x - self.loc) / self.scale


def log_cdf_laplace(x: Any, name: str = "log_cdf_laplace") -> Tensor:
    """The logarithm of the cumulative distribution of the standard Laplace distribution."""
    with name_scope(name, values=[x]):
        x = convert_to_tensor(x, name="x")
        below = -math.log(2.0) + x
        above = log1p(-0.5 * exp(-abs(x)))
        return where_v2(less(x, 0.0), below, above)
