"""Special functions in double precision, by what is known about them."""
import math

import numpy as np
import pytest

from ossia_ops.math import special_values


@pytest.fixture(autouse=True)
def _silent():
    with np.errstate(all="ignore"):  # as kernels run
        yield


@pytest.mark.parametrize("order", [1, 2, 7, 40])
def test_the_upper_gamma_function_of_whole_orders_is_a_finite_sum(order):
    x = np.concatenate([np.linspace(1, 3, 50), np.linspace(3, 120, 200)])
    expected = np.exp(-x) * sum(x**k / math.factorial(k) for k in range(order))
    found = special_values.igammac(np.full_like(x, order), x)
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    np.testing.assert_allclose(special_values.igamma(np.full_like(x, order), x), 1 - expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("a", [0.1, 1.0, 3.5, 60.0])
def test_slopes_by_the_order_are_those_of_differences(a):
    x = np.linspace(0.2, 3 * a + 5, 100)
    step = 1e-4 * a
    values = [special_values.igamma(np.full_like(x, a + k * step), x) for k in (-2, -1, 1, 2)]
    difference = (values[0] - 8 * values[1] + 8 * values[2] - values[3]) / (12 * step)
    np.testing.assert_allclose(special_values.igamma_grad_a(np.full_like(x, a), x), difference, rtol=1e-6, atol=1e-10)


def test_fractions_of_huge_numbers_do_not_overflow():
    a = np.array([1.0, 5.0, 1e-9, 3.0])
    found = special_values.igammac(a, np.array([1e308, 1e200, 1e30, np.inf]))
    slopes = special_values.random_gamma_grad(np.full(3, 2.0), np.array([1e6, 1e12, 1e100]))
    np.testing.assert_array_equal(found, 0)
    assert np.isfinite(slopes).all()
    assert (np.diff(slopes) > 0).all()
