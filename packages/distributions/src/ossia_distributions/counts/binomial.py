"""The binomial and the negative binomial distribution."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import identity, with_dependencies
from ossia_debugging.comparisons import assert_less_equal, assert_non_negative, assert_positive
from ossia_distributions.categories import ProbabilitiesDistribution
from ossia_distributions.checks import assert_integer_form, counts, logits_and_probs
from ossia_distributions.distribution import given
from ossia_distributions.reparameterization import NOT_REPARAMETERIZED
from ossia_distributions.seeds import further_seed
from ossia_distributions.single_numbers import NumberDistribution
from ossia_ops.array.fill import ones_like, zeros_like
from ossia_ops.array.selection import where_v2
from ossia_ops.math.comparison import equal
from ossia_ops.math.elementwise import floor
from ossia_ops.math.exponential import exp, log, log1p, log_sigmoid, sigmoid
from ossia_ops.math.special import betainc, lgamma
from ossia_ops.random.rejection import random_gamma, random_poisson


class _TotalCountDistribution(ProbabilitiesDistribution, NumberDistribution):
    """A distribution with probabilities of success, and a number of draws."""

    parameter_names = ("total_count", "probs")
    _total_count: Tensor

    @property
    def total_count(self) -> Tensor:
        """The number of draws, or of failures."""
        return self._total_count


@public("contrib.distributions.Binomial")
class Binomial(_TotalCountDistribution):
    """The number of successes in `total_count` draws.

    Args:
      total_count: the number of draws, floats without a fraction.
      logits: log odds of success, floats; or
      probs: probabilities of success. Shapes broadcast.
      validate_args: whether runs check parameters and values.
      allow_nan_stats: without effect: all statistics are defined.
      name: scope of its tensors.

    Raises:
      ValueError: both `logits` and `probs` are given, or neither.
    """

    def __init__(
        self,
        total_count: Any,
        logits: Any = None,
        probs: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Binomial",
    ) -> None:
        parameters = given(locals())
        with name_scope(name, values=[total_count, logits, probs]) as name:
            self._total_count = convert_to_tensor(total_count, name="total_count")
            if validate_args:
                asserted = [
                    assert_non_negative(self._total_count, message="total_count must be non-negative."),
                    assert_integer_form(self._total_count, message="total_count cannot contain fractional components."),
                ]
                self._total_count = with_dependencies(asserted, self._total_count)
            self._logits, self._probs = logits_and_probs(logits, probs, validate_args=validate_args, name=name)
        super().__init__(
            dtype=self._probs.dtype,
            reparameterization_type=NOT_REPARAMETERIZED,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            parameters=parameters,
            graph_parents=[self._total_count, self._logits, self._probs],
            name=name,
        )

    def _log_prob(self, x: Tensor) -> Tensor:
        return self._log_unnormalized_prob(x) - self._log_normalization(x)

    def _cdf(self, x: Tensor) -> Tensor:
        x = self._checked_value(x)
        probs = self.probs
        known = x.shape.is_fully_defined() and probs.shape.is_fully_defined()
        if not (known and x.shape.is_compatible_with(probs.shape)):
            probs += zeros_like(x)
            x += zeros_like(self.probs)
        return _cumulated(x, self.total_count, probs)

    def _log_unnormalized_prob(self, x: Tensor) -> Tensor:
        x = self._checked_value(x)
        return x * log(self.probs) + (self.total_count - x) * log1p(-self.probs)

    def _log_normalization(self, x: Tensor) -> Tensor:
        x = self._checked_value(x)
        return lgamma(1.0 + self.total_count - x) + lgamma(1.0 + x) - lgamma(1.0 + self.total_count)

    def _mean(self) -> Tensor:
        return self.total_count * self.probs

    def _variance(self) -> Tensor:
        return self._mean() * (1 - self.probs)

    def _mode(self) -> Tensor:
        """The largest count of those that are likeliest."""
        return floor((1.0 + self.total_count) * self.probs)

    def _checked_value(self, x: Tensor) -> Tensor:
        if not self.validate_args:
            return x
        x = counts(x)
        within = assert_less_equal(
            x, self.total_count, message="counts are not less than or equal to n."
        )
        return with_dependencies([within], x)


def _cumulated(k: Tensor, n: Tensor, p: Tensor) -> Tensor:
    """The probability of up to `k` successes in `n` draws."""
    # At k = n the incomplete beta function would have a parameter 0, and NaN for a gradient.
    ones = ones_like(n - k)
    is_all = equal(k, n)
    missing = where_v2(is_all, ones, n - k)
    below = betainc(a=missing, b=k + 1, x=1 - p)
    return where_v2(is_all, ones, below)


@public("contrib.distributions.NegativeBinomial")
class NegativeBinomial(_TotalCountDistribution):
    """The number of successes before `total_count` failures.

    Args:
      total_count: the number of failures, positive floats.
      logits: log odds of success, floats; or
      probs: probabilities of success. Shapes broadcast.
      validate_args: whether runs check parameters and values.
      allow_nan_stats: without effect: all statistics are defined.
      name: scope of its tensors.

    Raises:
      ValueError: both `logits` and `probs` are given, or neither.
    """

    def __init__(
        self,
        total_count: Any,
        logits: Any = None,
        probs: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "NegativeBinomial",
    ) -> None:
        parameters = given(locals())
        with name_scope(name, values=[total_count, logits, probs]) as name:
            self._logits, self._probs = logits_and_probs(logits, probs, validate_args=validate_args, name=name)
            with control_dependencies([assert_positive(total_count)] if validate_args else []):
                self._total_count = identity(total_count)
        super().__init__(
            dtype=self._probs.dtype,
            reparameterization_type=NOT_REPARAMETERIZED,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            parameters=parameters,
            graph_parents=[self._total_count, self._probs, self._logits],
            name=name,
        )

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        # A Poisson number whose mean is a gamma one.
        rate = random_gamma(
            shape=[n], alpha=self.total_count, beta=exp(-self.logits), dtype=self.dtype, seed=seed
        )
        return random_poisson(rate, shape=[], dtype=self.dtype, seed=further_seed(seed, "negative_binom"))

    def _cdf(self, x: Tensor) -> Tensor:
        x = counts(x) if self.validate_args else x
        return betainc(self.total_count, 1.0 + x, sigmoid(-self.logits))

    def _log_prob(self, x: Tensor) -> Tensor:
        return self._log_unnormalized_prob(x) - self._log_normalization(x)

    def _log_unnormalized_prob(self, x: Tensor) -> Tensor:
        x = counts(x) if self.validate_args else x
        return self.total_count * log_sigmoid(-self.logits) + x * log_sigmoid(self.logits)

    def _log_normalization(self, x: Tensor) -> Tensor:
        x = counts(x) if self.validate_args else x
        return -lgamma(self.total_count + x) + lgamma(1.0 + x) + lgamma(self.total_count)

    def _mean(self) -> Tensor:
        return self.total_count * exp(self.logits)

    def _mode(self) -> Tensor:
        adjusted = where_v2(1.0 < self.total_count, self.total_count - 1.0, zeros_like(self.total_count))
        return floor(adjusted * exp(self.logits))

    def _variance(self) -> Tensor:
        return self._mean() / sigmoid(-self.logits)
