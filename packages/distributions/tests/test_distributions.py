"""Distributions, as the original builds and computes them, and samples against what densities say of them."""

import numpy as np
import pytest

import ossia as tf
from ossia_testkit.golden import golden_tests

test_distributions = golden_tests(__file__, "distributions_cases.py")
test_contrib_distributions = golden_tests(__file__, "contrib_distributions_cases.py")
test_bijectors = golden_tests(__file__, "bijectors_cases.py")
test_functions = golden_tests(__file__, "distribution_functions_cases.py")

DRAWS = 40_000
KINDS = {
    "Normal": ((1.0, 2.0), {}),
    "Laplace": ((1.0, 2.0), {}),
    "StudentT": ((9.0, 1.0, 2.0), {}),
    "Uniform": ((1.0, 3.0), {}),
    "Gamma": ((2.0, 3.0), {}),
    "Exponential": ((2.0,), {}),
    "Beta": ((2.0, 3.0), {}),
    "Bernoulli": ((), {"probs": 0.3}),
    "Dirichlet": (([1.0, 2.0, 3.0],), {}),
    "Multinomial": ((4.0,), {"probs": [0.2, 0.3, 0.5]}),
    "DirichletMultinomial": ((4.0, [2.0, 3.0, 5.0]), {}),
}


@pytest.mark.parametrize("kind", KINDS)
def test_samples_have_the_mean_and_the_variance(kind):
    args, named = KINDS[kind]
    with tf.Graph().as_default(), tf.Session() as session:
        x = getattr(tf.distributions, kind)(*args, **named)
        draws, mean, variance = session.run([x.sample(DRAWS, seed=11), x.mean(), x.variance()])
    error = 5 * np.sqrt(variance / DRAWS)
    assert np.all(np.abs(draws.mean(0) - mean) < error)
    assert np.allclose(draws.var(0), variance, rtol=0.1)


@pytest.mark.parametrize("kind", ["Normal", "Laplace", "StudentT", "Uniform", "Gamma", "Exponential", "Beta"])
def test_the_cumulative_distribution_is_the_integral_of_the_density(kind):
    args, named = KINDS[kind]
    with tf.Graph().as_default(), tf.Session() as session:
        x = getattr(tf.distributions, kind)(*(np.float64(a) for a in args), **named)
        mean = session.run(x.mean())
        grid = np.linspace(0.6 * mean, 1.4 * mean, 20_001)
        density, cumulated = session.run([x.prob(grid), x.cdf(grid)])
    steps = np.diff(grid) * (density[1:] + density[:-1]) / 2
    assert np.allclose(np.cumsum(steps), cumulated[1:] - cumulated[0], atol=1e-6)


@pytest.mark.parametrize(
    "pair",
    [
        ("Normal", "Normal"),
        ("Gamma", "Gamma"),
        ("Beta", "Beta"),
        ("Bernoulli", "Bernoulli"),
        ("Dirichlet", "Dirichlet"),
    ],
)
def test_divergences_are_means_of_log_ratios(pair):
    others = {
        "Normal": ((0.5, 3.0), {}),
        "Gamma": ((2.5, 2.0), {}),
        "Beta": ((1.5, 2.0), {}),
        "Bernoulli": ((), {"probs": 0.6}),
        "Dirichlet": (([2.0, 2.0, 2.0],), {}),
    }
    with tf.Graph().as_default(), tf.Session() as session:
        (args, named), (other_args, other_named) = KINDS[pair[0]], others[pair[1]]
        a, b = (
            getattr(tf.distributions, pair[0])(*args, **named),
            getattr(tf.distributions, pair[1])(*other_args, **other_named),
        )
        draws = a.sample(DRAWS, seed=12)
        ratio, exact = session.run([a.log_prob(draws) - b.log_prob(draws), a.kl_divergence(b)])
    assert abs(ratio.mean() - exact) < 5 * ratio.std() / np.sqrt(DRAWS)


def test_quantiles_undo_the_cumulative_distribution():
    p = np.linspace(1e-6, 1 - 1e-6, 1001)
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.distributions.Normal(np.float64(1), np.float64(2))
        assert np.allclose(session.run(x.cdf(x.quantile(p))), p, atol=1e-12)


def test_rows_of_a_multinomial_distribution_have_their_own_counts():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.distributions.Multinomial([4.0, 3.0], probs=[[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]])
        draws = session.run(x.sample(2000, seed=1))
    assert draws.shape == (2000, 2, 3) and np.all(draws.sum(-1) == [4, 3])
    assert np.allclose(draws.mean(0), [[0.4, 0.8, 2.8], [0.9, 0.9, 1.2]], atol=0.1)
