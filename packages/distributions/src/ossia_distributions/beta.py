"""The beta distribution."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import with_dependencies
from ossia_distributions.checks import checked, or_nan
from ossia_distributions.distribution import given
from ossia_distributions.divergence import RegisterKL
from ossia_distributions.reparameterization import FULLY_REPARAMETERIZED
from ossia_distributions.seeds import further_seed
from ossia_distributions.single_numbers import NumberDistribution
from ossia_ops.array.fill import ones, ones_like
from ossia_ops.math.comparison import greater
from ossia_ops.math.exponential import log1p, xlogy
from ossia_ops.math.logical import logical_and
from ossia_ops.math.special import betainc, digamma, lgamma
from ossia_ops.random.rejection import random_gamma


@public("distributions.Beta", "contrib.distributions.Beta")
class Beta(NumberDistribution):
    """The beta distribution over the numbers between 0 and 1, with density `x^(a - 1) (1 - x)^(b - 1) / B(a, b)`.

    Args:
      concentration1: `a`, positive floats.
      concentration0: `b`, positive, of a shape that broadcasts with that of `a`.
      validate_args: whether runs check that parameters are positive and values between 0 and 1.
      allow_nan_stats: whether statistics that are not defined are NaN; if not, runs fail there.
      name: scope of its tensors.

    Raises:
      ValueError: the parameters are no floats, or differ in dtype.
    """

    parameter_names = ("concentration1", "concentration0")
    batch_names = ("total_concentration",)

    def __init__(
        self,
        concentration1: Any = None,
        concentration0: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Beta",
    ) -> None:
        parameters = given(locals())
        with name_scope(name, values=[concentration1, concentration0]) as name:
            self._concentration1 = _positive(convert_to_tensor(concentration1, name="concentration1"), validate_args)
            self._concentration0 = _positive(convert_to_tensor(concentration0, name="concentration0"), validate_args)
            checked("debugging.assert_same_float_dtype", [self._concentration1, self._concentration0])
            self._total_concentration = self._concentration1 + self._concentration0
        super().__init__(
            dtype=self._total_concentration.dtype,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            reparameterization_type=FULLY_REPARAMETERIZED,
            parameters=parameters,
            name=name,
            graph_parents=[self._concentration1, self._concentration0, self._total_concentration],
        )

    @property
    def concentration1(self) -> Tensor:
        """The exponent of `x`, plus 1."""
        return self._concentration1

    @property
    def concentration0(self) -> Tensor:
        """The exponent of `1 - x`, plus 1."""
        return self._concentration0

    @property
    def total_concentration(self) -> Tensor:
        """The sum of both."""
        return self._total_concentration

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        expanded1 = ones_like(self.total_concentration, dtype=self.dtype) * self.concentration1
        expanded0 = ones_like(self.total_concentration, dtype=self.dtype) * self.concentration0
        gamma1 = random_gamma([n], expanded1, dtype=self.dtype, seed=seed)
        gamma0 = random_gamma([n], expanded0, dtype=self.dtype, seed=further_seed(seed, "beta"))
        return gamma1 / (gamma1 + gamma0)

    def _log_prob(self, x: Tensor) -> Tensor:
        return self._log_unnormalized_prob(x) - self._log_normalization()

    def _cdf(self, x: Tensor) -> Tensor:
        return betainc(self.concentration1, self.concentration0, x)

    def _log_unnormalized_prob(self, x: Tensor) -> Tensor:
        x = self._checked_value(x)
        return xlogy(self.concentration1 - 1.0, x) + (self.concentration0 - 1.0) * log1p(-x)

    def _log_normalization(self) -> Tensor:
        return lgamma(self.concentration1) + lgamma(self.concentration0) - lgamma(self.total_concentration)

    def _entropy(self) -> Tensor:
        return (
            self._log_normalization()
            - (self.concentration1 - 1.0) * digamma(self.concentration1)
            - (self.concentration0 - 1.0) * digamma(self.concentration0)
            + (self.total_concentration - 2.0) * digamma(self.total_concentration)
        )

    def _mean(self) -> Tensor:
        return self._concentration1 / self._total_concentration

    def _variance(self) -> Tensor:
        return self._mean() * (1.0 - self._mean()) / (1.0 + self.total_concentration)

    def _mode(self) -> Tensor:
        """`(a - 1) / (a + b - 2)`, which is defined where both are above 1."""
        mode = (self.concentration1 - 1.0) / (self.total_concentration - 2.0)
        if self.allow_nan_stats:

            def defined() -> Tensor:
                return logical_and(greater(self.concentration1, 1.0), greater(self.concentration0, 1.0))

            return or_nan(mode, defined, self.batch_shape_tensor(), self.dtype)
        return with_dependencies(
            [
                checked(
                    "assert_less",
                    ones([], dtype=self.dtype),
                    self.concentration1,
                    message="Mode undefined for concentration1 <= 1.",
                ),
                checked(
                    "assert_less",
                    ones([], dtype=self.dtype),
                    self.concentration0,
                    message="Mode undefined for concentration0 <= 1.",
                ),
            ],
            mode,
        )

    def _checked_value(self, x: Tensor) -> Tensor:
        if not self.validate_args:
            return x
        return with_dependencies(
            [
                checked("assert_positive", x, message="sample must be positive"),
                checked("assert_less", x, ones([], self.dtype), message="sample must be less than `1`."),
            ],
            x,
        )


def _positive(concentration: Tensor, asserted: bool) -> Tensor:
    if not asserted:
        return concentration
    return with_dependencies(
        [checked("assert_positive", concentration, message="Concentration parameter must be positive.")], concentration
    )


@RegisterKL(Beta, Beta)
def _kl_beta_beta(a: Beta, b: Beta, name: str | None = None) -> Tensor:
    def weighed(parameter: str) -> Tensor:
        of_a, of_b = getattr(a, parameter), getattr(b, parameter)
        return digamma(of_a) * (of_b - of_a)

    with name_scope(
        name,
        "kl_beta_beta",
        [
            a.concentration1,
            b.concentration1,
            a.concentration0,
            b.concentration0,
            a.total_concentration,
            b.total_concentration,
        ],
    ):
        return (
            b._log_normalization()
            - a._log_normalization()
            - weighed("concentration1")
            - weighed("concentration0")
            + weighed("total_concentration")
        )
