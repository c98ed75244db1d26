"""The Poisson distribution."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import identity
from ossia_debugging.comparisons import assert_positive
from ossia_distributions.checks import counts
from ossia_distributions.distribution import given
from ossia_distributions.reparameterization import NOT_REPARAMETERIZED
from ossia_distributions.single_numbers import NumberDistribution
from ossia_ops.math.elementwise import floor
from ossia_ops.math.exponential import exp, log
from ossia_ops.math.special import igammac, lgamma
from ossia_ops.random.rejection import random_poisson


@public("contrib.distributions.Poisson")
class Poisson(NumberDistribution):
    """The Poisson distribution: `rate^k exp(-rate) / k!`.

    Args:
      rate: means, positive floats; or
      log_rate: their logarithms.
      validate_args: whether runs check that `rate` is positive, and values counts.
      allow_nan_stats: without effect: all statistics are defined.
      name: scope of its tensors.

    Raises:
      ValueError: both `rate` and `log_rate` are given, or neither.
      TypeError: they are no floats.
    """

    parameter_names = ("rate",)

    def __init__(
        self,
        rate: Any = None,
        log_rate: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Poisson",
    ) -> None:
        parameters = given(locals())
        with name_scope(name, values=[rate]) as name:
            if (rate is None) == (log_rate is None):
                raise ValueError("Must specify exactly one of `rate` and `log_rate`.")
            if log_rate is None:
                rate = convert_to_tensor(rate, name="rate")
                if not rate.dtype.is_floating:
                    raise TypeError(f"rate.dtype ({rate.dtype.name}) is a not a float-type.")
                with control_dependencies([assert_positive(rate)] if validate_args else []):
                    self._rate = identity(rate, name="rate")
                    self._log_rate = log(rate, name="log_rate")
            else:
                log_rate = convert_to_tensor(log_rate, name="log_rate")
                if not log_rate.dtype.is_floating:
                    raise TypeError(f"log_rate.dtype ({log_rate.dtype.name}) is a not a float-type.")
                self._rate = exp(log_rate, name="rate")
                self._log_rate = convert_to_tensor(log_rate, name="log_rate")
        super().__init__(
            dtype=self._rate.dtype,
            reparameterization_type=NOT_REPARAMETERIZED,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            parameters=parameters,
            graph_parents=[self._rate],
            name=name,
        )

    @property
    def rate(self) -> Tensor:
        """The means."""
        return self._rate

    @property
    def log_rate(self) -> Tensor:
        """The logarithms of the means."""
        return self._log_rate

    def _log_prob(self, x: Tensor) -> Tensor:
        return self._log_unnormalized_prob(x) - self._log_normalization()

    def _log_cdf(self, x: Tensor) -> Tensor:
        return log(self.cdf(x))

    def _cdf(self, x: Tensor) -> Tensor:
        x = counts(x) if self.validate_args else x
        return igammac(1.0 + x, self.rate)

    def _log_normalization(self) -> Tensor:
        return self.rate

    def _log_unnormalized_prob(self, x: Tensor) -> Tensor:
        x = counts(x) if self.validate_args else x
        return x * self.log_rate - lgamma(1.0 + x)

    def _mean(self) -> Tensor:
        return identity(self.rate)

    def _variance(self) -> Tensor:
        return identity(self.rate)

    def _mode(self) -> Tensor:
        """`floor(rate)`; for whole numbers `rate - 1` is as likely."""
        return floor(self.rate)

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        return random_poisson(self.rate, [n], dtype=self.dtype, seed=seed)
