"""Distributions that depend on something besides their parameters."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_distributions.distribution import Distribution


@public("contrib.distributions.ConditionalDistribution")
class ConditionalDistribution(Distribution):
    """A distribution whose methods pass further arguments by name on to `_sample_n`, `_log_prob` and the others."""

    def sample(
        self, sample_shape: Any = (), seed: int | None = None, name: str = "sample", **condition_kwargs: Any
    ) -> Tensor:
        """Draws `sample_shape` values from each distribution."""
        return self._call_sample_n(sample_shape, seed, name, **condition_kwargs)

    def log_prob(self, value: Any, name: str = "log_prob", **condition_kwargs: Any) -> Tensor:
        """The logarithm of the density."""
        return self._call_log_prob(value, name, **condition_kwargs)

    def prob(self, value: Any, name: str = "prob", **condition_kwargs: Any) -> Tensor:
        """The density."""
        return self._call_prob(value, name, **condition_kwargs)

    def log_cdf(self, value: Any, name: str = "log_cdf", **condition_kwargs: Any) -> Tensor:
        """The logarithm of the probability of values up to `value`."""
        return self._call_log_cdf(value, name, **condition_kwargs)

    def cdf(self, value: Any, name: str = "cdf", **condition_kwargs: Any) -> Tensor:
        """The probability of values up to `value`."""
        return self._call_cdf(value, name, **condition_kwargs)

    def log_survival_function(
        self, value: Any, name: str = "log_survival_function", **condition_kwargs: Any
    ) -> Tensor:
        """The logarithm of the probability of values above `value`."""
        return self._call_log_survival_function(value, name, **condition_kwargs)

    def survival_function(self, value: Any, name: str = "survival_function", **condition_kwargs: Any) -> Tensor:
        """The probability of values above `value`."""
        return self._call_survival_function(value, name, **condition_kwargs)
