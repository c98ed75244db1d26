"""The inverse gamma distribution."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import constant
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import identity, with_dependencies
from ossia_debugging.comparisons import assert_less, assert_positive
from ossia_debugging.kinds import assert_same_float_dtype
from ossia_distributions.checks import or_nan
from ossia_distributions.distribution import given
from ossia_distributions.reparameterization import NOT_REPARAMETERIZED
from ossia_distributions.single_numbers import NumberDistribution
from ossia_ops.array.fill import ones
from ossia_ops.math.arithmetic import squared_difference
from ossia_ops.math.elementwise import square
from ossia_ops.math.exponential import log
from ossia_ops.math.special import digamma, igammac, lgamma
from ossia_ops.random.rejection import random_gamma


@public("contrib.distributions.InverseGamma")
class InverseGamma(NumberDistribution):
    """The distribution of inverses of gamma numbers, with density `rate^a / Gamma(a) x^(-a - 1) exp(-rate / x)`.

    Args:
      concentration: `a`, positive floats.
      rate: inverse scales of the gamma numbers, positive, of a shape that broadcasts with that of `concentration`.
      validate_args: whether runs check that parameters and values are positive.
      allow_nan_stats: whether statistics that are not defined are NaN; if not, runs fail there.
      name: scope of its tensors.
    """

    parameter_names = ("concentration", "rate")

    def __init__(
        self,
        concentration: Any,
        rate: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "InverseGamma",
    ) -> None:
        parameters = given(locals())
        with name_scope(name, values=[concentration, rate]) as name:
            asserted = [assert_positive(concentration), assert_positive(rate)] if validate_args else []
            with control_dependencies(asserted):
                self._concentration = identity(concentration, name="concentration")
                self._rate = identity(rate, name="rate")
                assert_same_float_dtype([self._concentration, self._rate])
        super().__init__(
            dtype=self._concentration.dtype,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            reparameterization_type=NOT_REPARAMETERIZED,
            parameters=parameters,
            graph_parents=[self._concentration, self._rate],
            name=name,
        )

    @property
    def concentration(self) -> Tensor:
        """The shape parameters."""
        return self._concentration

    @property
    def rate(self) -> Tensor:
        """The inverse scales."""
        return self._rate

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        return 1.0 / random_gamma([n], self.concentration, beta=self.rate, dtype=self.dtype, seed=seed)

    def _log_prob(self, x: Tensor) -> Tensor:
        x = self._checked_value(x)
        unnormalized = -(1.0 + self.concentration) * log(x) - self.rate / x
        return unnormalized - (lgamma(self.concentration) - self.concentration * log(self.rate))

    def _cdf(self, x: Tensor) -> Tensor:
        x = self._checked_value(x)
        return igammac(self.concentration, self.rate / x)

    def _entropy(self) -> Tensor:
        return (
            self.concentration
            + log(self.rate)
            + lgamma(self.concentration)
            - ((1.0 + self.concentration) * digamma(self.concentration))
        )

    def _mean(self) -> Tensor:
        """`rate / (concentration - 1)`, which is defined for concentrations above 1."""
        return self._defined_above(1, self.rate / (self.concentration - 1.0), "mean")

    def _variance(self) -> Tensor:
        """Defined for concentrations above 2."""
        variance = (
            square(self.rate) / squared_difference(self.concentration, 1.0) / (self.concentration - 2.0)
        )
        return self._defined_above(2, variance, "variance")

    def _mode(self) -> Tensor:
        return self.rate / (1.0 + self.concentration)

    def _defined_above(self, least: float, statistic: Tensor, what: str) -> Tensor:
        if self.allow_nan_stats:
            return or_nan(statistic, lambda: self.concentration > least, self.batch_shape_tensor(), self.dtype)
        above = assert_less(
            constant(least, dtype=self.dtype) if least != 1 else ones([], self.dtype),
            self.concentration,
            message=f"{what} undefined when any concentration <= {least}",
        )
        return with_dependencies([above], statistic)

    def _checked_value(self, x: Tensor) -> Tensor:
        assert_same_float_dtype([x], self.dtype)
        return with_dependencies([assert_positive(x)], x) if self.validate_args else x
