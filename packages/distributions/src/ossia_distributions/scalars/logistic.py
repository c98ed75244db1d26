"""The logistic distribution."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_distributions.distribution import given
from ossia_distributions.single_numbers import LocatedDistribution
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import ones_like
from ossia_ops.math.exponential import log, log1p, sigmoid
from ossia_ops.nn.activation import softplus
from ossia_ops.random.uniform import random_uniform


@public("contrib.distributions.Logistic")
class Logistic(LocatedDistribution):
    """The logistic distribution, whose cumulative distribution is `sigmoid((x - loc) / scale)`.

    Args:
      loc: means, floats.
      scale: scales, positive, of a shape that broadcasts with that of `loc`.
      validate_args: whether runs check that `scale` is positive.
      allow_nan_stats: without effect: all statistics are defined.
      name: scope of its tensors.
    """

    def __init__(
        self, loc: Any, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Logistic"
    ) -> None:
        parameters = given(locals())
        super().__init__(loc, scale, validate_args, allow_nan_stats, parameters, name)

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        # The logarithm of 0 would be infinite.
        uniform = random_uniform(
            shape=concat([[n], self.batch_shape_tensor()], 0),
            minval=np.finfo(self.dtype.as_numpy_dtype).tiny,
            maxval=1.0,
            dtype=self.dtype,
            seed=seed,
        )
        sampled = log(uniform) - log1p(-1.0 * uniform)
        return sampled * self.scale + self.loc

    def _log_prob(self, x: Tensor) -> Tensor:
        z = self._z(x)
        return -z - 2.0 * softplus(-z) - log(self.scale)

    def _log_cdf(self, x: Tensor) -> Tensor:
        return -softplus(-self._z(x))

    def _cdf(self, x: Tensor) -> Tensor:
        return sigmoid(self._z(x))

    def _log_survival_function(self, x: Tensor) -> Tensor:
        return -softplus(self._z(x))

    def _survival_function(self, x: Tensor) -> Tensor:
        return sigmoid(-self._z(x))

    def _entropy(self) -> Tensor:
        scale = self.scale * ones_like(self.loc)
        return 2 + log(scale)

    def _mean(self) -> Tensor:
        return self.loc * ones_like(self.scale)

    def _stddev(self) -> Tensor:
        return self.scale * ones_like(self.loc) * math.pi / math.sqrt(3)

    def _mode(self) -> Tensor:
        return self._mean()

    def _z(self, x: Tensor) -> Tensor:
        with name_scope("standardize", values=[x]):
            return (x - self.loc) / self.scale
