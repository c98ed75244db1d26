"""The binomial and the negative binomial distribution."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import with_dependencies
from ossia_distributions.categories import ProbabilitiesDistribution
from ossia_distributions.checks import assert_integer_form, counts, logits_and_probs
from ossia_distributions.distribution import given
from ossia_distributions.reparameterization import NOT_REPARAMETERIZED
from ossia_distributions.seeds import further_seed
from ossia_distributions.single_numbers import NumberDistribution


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
        with tf.name_scope(name, values=[total_count, logits, probs]) as name:
            self._total_count = tf.convert_to_tensor(total_count, name="total_count")
            if validate_args:
                asserted = [
                    tf.assert_non_negative(self._total_count, message="total_count must be non-negative."),
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
            probs += tf.zeros_like(x)
            x += tf.zeros_like(self.probs)
        return _cumulated(x, self.total_count, probs)

    def _log_unnormalized_prob(self, x: Tensor) -> Tensor:
        x = self._checked_value(x)
        return x * tf.log(self.probs) + (self.total_count - x) * tf.math.log1p(-self.probs)

    def _log_normalization(self, x: Tensor) -> Tensor:
        x = self._checked_value(x)
        return tf.lgamma(1.0 + self.total_count - x) + tf.lgamma(1.0 + x) - tf.lgamma(1.0 + self.total_count)

    def _mean(self) -> Tensor:
        return self.total_count * self.probs

    def _variance(self) -> Tensor:
        return self._mean() * (1 - self.probs)

    def _mode(self) -> Tensor:
        """The largest count of those that are likeliest."""
        return tf.floor((1.0 + self.total_count) * self.probs)

    def _checked_value(self, x: Tensor) -> Tensor:
        if not self.validate_args:
            return x
        x = counts(x)
        within = tf.assert_less_equal(
            x, self.total_count, message="counts are not less than or equal to n."
        )
        return with_dependencies([within], x)


def _cumulated(k: Tensor, n: Tensor, p: Tensor) -> Tensor:
    """The probability of up to `k` successes in `n` draws."""
    # At k = n the incomplete beta function would have a parameter 0, and NaN for a gradient.
    ones = tf.ones_like(n - k)
    is_all = tf.equal(k, n)
    missing = tf.where_v2(is_all, ones, n - k)
    below = tf.math.betainc(a=missing, b=k + 1, x=1 - p)
    return tf.where_v2(is_all, ones, below)


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
        with tf.name_scope(name, values=[total_count, logits, probs]) as name:
            self._logits, self._probs = logits_and_probs(logits, probs, validate_args=validate_args, name=name)
            with tf.control_dependencies([tf.assert_positive(total_count)] if validate_args else []):
                self._total_count = tf.identity(total_count)
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
        rate = tf.random_gamma(
            shape=[n], alpha=self.total_count, beta=tf.exp(-self.logits), dtype=self.dtype, seed=seed
        )
        return tf.random_poisson(rate, shape=[], dtype=self.dtype, seed=further_seed(seed, "negative_binom"))

    def _cdf(self, x: Tensor) -> Tensor:
        x = counts(x) if self.validate_args else x
        return tf.math.betainc(self.total_count, 1.0 + x, tf.sigmoid(-self.logits))

    def _log_prob(self, x: Tensor) -> Tensor:
        return self._log_unnormalized_prob(x) - self._log_normalization(x)

    def _log_unnormalized_prob(self, x: Tensor) -> Tensor:
        x = counts(x) if self.validate_args else x
        return self.total_count * tf.log_sigmoid(-self.logits) + x * tf.log_sigmoid(self.logits)

    def _log_normalization(self, x: Tensor) -> Tensor:
        x = counts(x) if self.validate_args else x
        return -tf.lgamma(self.total_count + x) + tf.lgamma(1.0 + x) + tf.lgamma(self.total_count)

    def _mean(self) -> Tensor:
        return self.total_count * tf.exp(self.logits)

    def _mode(self) -> Tensor:
        adjusted = tf.where_v2(1.0 < self.total_count, self.total_count - 1.0, tf.zeros_like(self.total_count))
        return tf.floor(adjusted * tf.exp(self.logits))

    def _variance(self) -> Tensor:
        return self._mean() / tf.sigmoid(-self.logits)
