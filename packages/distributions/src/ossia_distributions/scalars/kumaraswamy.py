"""Kumaraswamy's distribution."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import with_dependencies
from ossia_debugging.comparisons import assert_less
from ossia_distributions.bijectors.shaped import Kumaraswamy as KumaraswamyBijector
from ossia_distributions.distribution import given
from ossia_distributions.reparameterization import FULLY_REPARAMETERIZED
from ossia_distributions.scale_operators import broadcast_shape
from ossia_distributions.transformed import TransformedDistribution
from ossia_distributions.uniform import Uniform
from ossia_ops.array.fill import fill, ones, ones_like, zeros
from ossia_ops.array.selection import where_v2
from ossia_ops.array.stacking import stack
from ossia_ops.math.elementwise import square
from ossia_ops.math.exponential import exp, log
from ossia_ops.math.special import digamma, lbeta


@public("contrib.distributions.Kumaraswamy")
class Kumaraswamy(TransformedDistribution):
    """Numbers between 0 and 1 with density `a b x^(a - 1) (1 - x^a)^(b - 1)`.

    Args:
      concentration1: `a`, positive floats.
      concentration0: `b`, of a shape that broadcasts with that of `a`.
      validate_args: whether runs check parameters and values.
      allow_nan_stats: whether statistics that are not defined are NaN; if not, runs fail there.
      name: scope of its tensors.
    """

    def __init__(
        self,
        concentration1: Any = None,
        concentration0: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Kumaraswamy",
    ) -> None:
        parameters = given(locals())
        with name_scope(name, values=[concentration1, concentration0]) as name:
            a = convert_to_tensor(concentration1, name="concentration1")
            b = convert_to_tensor(concentration0, name="concentration0")
        super().__init__(
            distribution=Uniform(
                low=zeros([], dtype=a.dtype), high=ones([], dtype=a.dtype), allow_nan_stats=allow_nan_stats
            ),
            bijector=KumaraswamyBijector(concentration1=a, concentration0=b, validate_args=validate_args),
            batch_shape=broadcast_shape(a, b),
            name=name,
        )
        self._parameters = parameters
        self._reparameterization_type = FULLY_REPARAMETERIZED

    @property
    def concentration1(self) -> Tensor:
        """The `a` of the power of `x`."""
        return self.bijector.concentration1

    @property
    def concentration0(self) -> Tensor:
        """The `b` of the power of `1 - x^a`."""
        return self.bijector.concentration0

    def _entropy(self) -> Tensor:  # type: ignore[override]
        a, b = self.concentration1, self.concentration0
        return (1 - 1.0 / a) + (1 - 1.0 / b) * _harmonic_number(b) + log(a) + log(b)

    def _moment(self, n: int) -> Tensor:
        """The mean of the power `n`."""
        total = self.concentration1 + self.concentration0
        a = ones_like(total) * self.concentration1
        b = ones_like(total) * self.concentration0
        arguments = stack([1 + n / a, b], -1)
        return exp(log(b) + lbeta(arguments))

    def _mean(self) -> Tensor:
        return self._moment(1)

    def _variance(self) -> Tensor:
        return self._moment(2) - square(self._moment(1))

    def _mode(self) -> Tensor:
        """Defined for concentrations above 1."""
        a, b = self.concentration1, self.concentration0
        mode = ((a - 1) / (a * b - 1)) ** (1.0 / a)
        if self.allow_nan_stats:
            nan = fill(
                self.batch_shape_tensor(), np.array(np.nan, dtype=self.dtype.as_numpy_dtype), name="nan"
            )
            return where_v2((a > 1.0) & (b > 1.0), mode, nan)
        one = ones([], dtype=a.dtype)
        asserted = [
            assert_less(one, a, message="Mode undefined for concentration1 <= 1."),
            assert_less(one, b, message="Mode undefined for concentration0 <= 1."),
        ]
        return with_dependencies(asserted, mode)


def _harmonic_number(x: Tensor) -> Tensor:
    """The harmonic number of `x`, which need not be whole."""
    one = ones([], dtype=x.dtype)
    return digamma(x + one) - digamma(one)
