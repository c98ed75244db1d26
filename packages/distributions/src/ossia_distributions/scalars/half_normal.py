"""The half normal distribution."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import identity
from ossia_debugging.comparisons import assert_positive
from ossia_distributions.cumulative_normal import ndtri
from ossia_distributions.distribution import given
from ossia_distributions.reparameterization import FULLY_REPARAMETERIZED
from ossia_distributions.single_numbers import NumberDistribution
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import zeros
from ossia_ops.math.cast import cast
from ossia_ops.math.elementwise import abs as abs_op
from ossia_ops.math.exponential import exp, log
from ossia_ops.math.special import erf
from ossia_ops.nn.activation import relu
from ossia_ops.random.normal import random_normal


@public("contrib.distributions.HalfNormal")
class HalfNormal(NumberDistribution):
    """The distribution of the absolute values of normal numbers of mean 0.

    Args:
      scale: standard deviations of these, positive floats.
      validate_args: whether runs check that `scale` is positive.
      allow_nan_stats: without effect: all statistics are defined.
      name: scope of its tensors.
    """

    parameter_names = ("scale",)

    def __init__(
        self, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "HalfNormal"
    ) -> None:
        parameters = given(locals())
        with name_scope(name, values=[scale]) as name:
            with control_dependencies([assert_positive(scale)] if validate_args else []):
                self._scale = identity(scale, name="scale")
        super().__init__(
            dtype=self._scale.dtype,
            reparameterization_type=FULLY_REPARAMETERIZED,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            parameters=parameters,
            graph_parents=[self._scale],
            name=name,
        )

    @property
    def scale(self) -> Tensor:
        """The scales."""
        return self._scale

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        sizes = concat([[n], self.batch_shape_tensor()], 0)
        return abs_op(random_normal(sizes, mean=0.0, stddev=1.0, dtype=self.dtype, seed=seed) * self.scale)

    def _prob(self, x: Tensor) -> Tensor:
        coefficient = np.sqrt(2) / self.scale / np.sqrt(np.pi)
        density = coefficient * exp(-0.5 * (x / self.scale) ** 2)
        return density * cast(x >= 0, self.dtype)

    def _cdf(self, x: Tensor) -> Tensor:
        return erf(relu(x) / self.scale / np.sqrt(2.0))

    def _entropy(self) -> Tensor:
        return 0.5 * log(np.pi * self.scale**2.0 / 2.0) + 0.5

    def _mean(self) -> Tensor:
        return self.scale * np.sqrt(2.0) / np.sqrt(np.pi)

    def _quantile(self, p: Tensor) -> Tensor:
        return np.sqrt(2.0) * self.scale * _erfinv(p)

    def _mode(self) -> Tensor:
        return zeros(self.batch_shape_tensor())

    def _variance(self) -> Tensor:
        return self.scale**2.0 * (1.0 - 2.0 / np.pi)


def _erfinv(x: Tensor) -> Tensor:
    with name_scope("erfinv", values=[x]):
        return ndtri((x + 1.0) / 2.0) / np.sqrt(2)
