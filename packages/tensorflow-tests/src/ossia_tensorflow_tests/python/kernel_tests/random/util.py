"""`kernel_tests.random.util`: how unlikely it is that samples come from a distribution."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np


def test_moment_matching(samples: Any, number_moments: int, dist: Any, stride: int = 0) -> list[float]:
    """How many standard errors the moments of samples are away from those of a distribution.

    Args:
        samples: The samples.
        number_moments: How many moments to compare, from the first one on.
        dist: The distribution, as SciPy has them, or its `moment(order)`.
        stride: Every how many samples are looked at, one more than that; 0 for all of them.

    Returns:
        One number per moment, NaN where the distribution has no such moment.
    """
    values = np.asarray(samples, np.float64).ravel()[:: stride + 1]
    scores = []
    for order in range(1, number_moments + 1):
        wanted = dist.moment(order)
        powers = values**order
        error = math.sqrt(max(dist.moment(2 * order) - wanted**2, 0.0) / len(values))
        scores.append(abs(powers.mean() - wanted) / error if error > 0 else math.nan)
    return scores


test_moment_matching.__test__ = False  # type: ignore[attr-defined]  # a function that tests call


def chi_squared(x: Any, bins: int) -> float:
    """Pearson's statistic of values that should be uniform in [0, 1): the larger, the less uniform."""
    values = np.asarray(x).ravel()
    counts, _ = np.histogram(values, bins=bins, range=(0, 1))
    expected = len(values) / bins
    return float(((counts - expected) ** 2).sum() / expected)


def normal_cdf(x: float) -> float:
    """The share of a standard normal distribution below `x`."""
    return 0.5 * math.erfc(-x / math.sqrt(2))


def anderson_darling(x: Any) -> float:
    """The statistic of Anderson and Darling of values that should be standard normal: the larger, the less normal."""
    values = np.sort(np.asarray(x, np.float64).ravel())
    below = np.array([normal_cdf(value) for value in values])
    ranks = 2 * np.arange(1, len(values) + 1) - 1
    return float(-len(values) - (ranks * (np.log(below) + np.log1p(-below[::-1]))).mean())


def test_truncated_normal(
    assert_equal: Callable[..., None], assert_all_close: Callable[..., None], n: int, y: Any,
    mean_atol: float = 5e-4, median_atol: float = 8e-4, variance_rtol: float = 1e-3,
) -> None:
    """Checks samples of a standard normal distribution that is cut off two deviations from its mean.

    Args:
        assert_equal: How to check that two numbers are equal.
        assert_all_close: How to check that they are close.
        n: How many samples there should be.
        y: The samples.
        mean_atol: How far the mean may be off.
        median_atol: How far the median may be off.
        variance_rtol: How far the variance may be off, as a share of it.
    """
    values = np.asarray(y, np.float64)
    assert_equal(values.size, n)
    assert_equal(bool((np.abs(values) <= 2).all()), True)
    assert_all_close(values.mean(), 0.0, atol=mean_atol)
    assert_all_close(np.median(values), 0.0, atol=median_atol)
    density = math.exp(-2.0) / math.sqrt(2 * math.pi)
    variance = 1 - 4 * density / (normal_cdf(2) - normal_cdf(-2))
    assert_all_close(values.var(), variance, rtol=variance_rtol)


test_truncated_normal.__test__ = False  # type: ignore[attr-defined]
