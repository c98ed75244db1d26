"""The gamma distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import identity, with_dependencies
from ossia_distributions.checks import checked, or_nan
from ossia_distributions.distribution import given
from ossia_distributions.divergence import RegisterKL
from ossia_distributions.reparameterization import FULLY_REPARAMETERIZED
from ossia_distributions.single_numbers import NumberDistribution
from ossia_ops.array.fill import ones
from ossia_ops.math.comparison import greater
from ossia_ops.math.elementwise import sqrt, square
from ossia_ops.math.exponential import log, xlogy
from ossia_ops.math.special import digamma, igamma, lgamma
from ossia_ops.random.rejection import random_gamma


@public("distributions.Gamma", "contrib.distributions.Gamma")
class Gamma(NumberDistribution):
    """The gamma distribution, with density `x^(a - 1) exp(-rate x) rate^a / Gamma(a)`, where `a` is the concentration.

    Args:
      concentration: shape parameters, positive floats.
      rate: inverse scales, positive, of a shape that broadcasts with that of `concentration`.
      validate_args: whether runs check that parameters and values are positive.
      allow_nan_stats: whether statistics that are not defined are NaN; if not, runs fail there.
      name: scope of its tensors.

    Raises:
      ValueError: the parameters are no floats, or differ in dtype.
    """

    parameter_names: ClassVar[tuple[str, ...]] = ("concentration", "rate")
    batch_names = parameter_names

    def __init__(
        self,
        concentration: Any,
        rate: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Gamma",
    ) -> None:
        parameters = given(locals())
        with name_scope(name, values=[concentration, rate]) as name:
            asserted = (
                [checked("assert_positive", concentration), checked("assert_positive", rate)] if validate_args else []
            )
            with control_dependencies(asserted):
                self._concentration = identity(concentration, name="concentration")
                self._rate = identity(rate, name="rate")
                checked("debugging.assert_same_float_dtype", [self._concentration, self._rate])
        super().__init__(
            dtype=self._concentration.dtype,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            reparameterization_type=FULLY_REPARAMETERIZED,
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
        return random_gamma([n], self.concentration, self.rate, self.dtype, seed)

    def _log_prob(self, x: Tensor) -> Tensor:
        return self._log_unnormalized_prob(x) - self._log_normalization()

    def _cdf(self, x: Tensor) -> Tensor:
        return igamma(self.concentration, self.rate * self._checked_value(x))

    def _log_unnormalized_prob(self, x: Tensor) -> Tensor:
        x = self._checked_value(x)
        return xlogy(self.concentration - 1.0, x) - self.rate * x

    def _log_normalization(self) -> Tensor:
        return lgamma(self.concentration) - self.concentration * log(self.rate)

    def _entropy(self) -> Tensor:
        return (
            self.concentration
            - log(self.rate)
            + lgamma(self.concentration)
            + (1.0 - self.concentration) * digamma(self.concentration)
        )

    def _mean(self) -> Tensor:
        return self.concentration / self.rate

    def _variance(self) -> Tensor:
        return self.concentration / square(self.rate)

    def _stddev(self) -> Tensor:
        return sqrt(self.concentration) / self.rate

    def _mode(self) -> Tensor:
        """`(concentration - 1) / rate`, which is defined for concentrations above 1."""
        mode = (self.concentration - 1.0) / self.rate
        if self.allow_nan_stats:
            return or_nan(mode, lambda: greater(self.concentration, 1.0), self.batch_shape_tensor(), self.dtype)
        above = checked(
            "assert_less",
            ones([], self.dtype),
            self.concentration,
            message="mode not defined when any concentration <= 1",
        )
        return with_dependencies([above], mode)

    def _checked_value(self, x: Tensor) -> Tensor:
        checked("debugging.assert_same_float_dtype", [x], self.dtype)
        return with_dependencies([checked("assert_positive", x)], x) if self.validate_args else x


@RegisterKL(Gamma, Gamma)
def _kl_gamma_gamma(a: Gamma, b: Gamma, name: str | None = None) -> Tensor:
    with name_scope(name, "kl_gamma_gamma", [a.concentration, a.rate, b.concentration, b.rate]):
        return (
            (a.concentration - b.concentration) * digamma(a.concentration)
            + lgamma(b.concentration)
            - lgamma(a.concentration)
            + b.concentration * log(a.rate)
            - b.concentration * log(b.rate)
            + a.concentration * (b.rate / a.rate - 1.0)
        )
