"""Distributions of a normal mean after observations, and of the next one."""

from __future__ import annotations

from typing import Any

from ossia_core.plugins.api_table import public
from ossia_distributions.normal import Normal
from ossia_ops.math.cast import cast
from ossia_ops.math.elementwise import sqrt, square


def _checked(prior: Any, s: Any) -> None:
    if not isinstance(prior, Normal):
        raise TypeError(f"Expected prior to be an instance of type Normal, got: {prior}")
    if s.dtype != prior.dtype:
        raise TypeError(f"Observation sum s.dtype does not match prior dtype: {s.dtype} vs. {prior.dtype}")


@public("contrib.distributions.normal_conjugates_known_scale_posterior")
def normal_conjugates_known_scale_posterior(prior: Normal, scale: Any, s: Any, n: Any) -> Normal:
    """The distribution of a mean, after observations of normal numbers around it.

    Args:
      prior: the Normal distribution of the mean before.
      scale: standard deviation of the observations.
      s: their sum, a tensor.
      n: how many there are.

    Raises:
      TypeError: `prior` is no Normal, or `s` differs from it in dtype.
    """
    _checked(prior, s)
    n = cast(n, prior.dtype)
    scale0_2 = square(prior.scale)
    scale_2 = square(scale)
    scalep_2 = 1.0 / (1 / scale0_2 + n / scale_2)
    return Normal(loc=(prior.loc / scale0_2 + s / scale_2) * scalep_2, scale=sqrt(scalep_2))


@public("contrib.distributions.normal_conjugates_known_scale_predictive")
def normal_conjugates_known_scale_predictive(prior: Normal, scale: Any, s: Any, n: Any) -> Normal:
    """The distribution of the next observation; arguments and errors as those of the posterior."""
    _checked(prior, s)
    n = cast(n, prior.dtype)
    scale0_2 = square(prior.scale)
    scale_2 = square(scale)
    scalep_2 = 1.0 / (1 / scale0_2 + n / scale_2)
    return Normal(loc=(prior.loc / scale0_2 + s / scale_2) * scalep_2, scale=sqrt(scalep_2 + scale_2))
