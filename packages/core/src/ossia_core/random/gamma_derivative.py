"""How a gamma-distributed value moves with its shape parameter, the probability held fixed.

With `P(a, x)` the regularised lower incomplete gamma function, `dx/da = -(dP/da) / (dP/dx)`. The derivative of `P`
comes from its power series for small `x` and from the continued fraction of `1 - P` for large `x`, each differentiated
term by term.
"""

from __future__ import annotations

import numpy as np

_STEPS = 2000


def gamma_derivative(alpha: np.ndarray, sample: np.ndarray) -> np.ndarray:
    """Derivative of gamma values with respect to their shape parameter.

    Args:
        alpha: shape parameters, positive.
        sample: values, positive; broadcasts with `alpha`.

    Returns:
        float64 array; NaN where an argument is not positive.
    """
    a, x = (np.array(v, np.float64) for v in np.broadcast_arrays(alpha, sample))
    shape = a.shape
    a, x = a.reshape(-1), x.reshape(-1)
    result = np.full(a.size, np.nan)
    valid = (a > 0) & (x > 0) & np.isfinite(a) & np.isfinite(x)
    low = valid & ((x <= 1) | (x <= a))
    with np.errstate(all="ignore"):
        for part, method in ((low, _series), (valid & ~low, _continued_fraction)):
            if part.any():
                result[part] = method(a[part], x[part])
    return result.reshape(shape)


def _log_gamma_slope(a: np.ndarray) -> np.ndarray:
    """The digamma function of positive values: recurrence up to 6, then the asymptotic series."""
    a = a.copy()
    slope = np.zeros_like(a)
    while (small := a < 6).any():
        slope[small] -= 1 / a[small]
        a[small] += 1
    square = 1 / (a * a)
    series = square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square * (1 / 240 - square * (1 / 132)))))
    return slope + np.log(a) - 0.5 / a - series


def _series(a: np.ndarray, x: np.ndarray) -> np.ndarray:
    """`P = x**a e**-x / gamma(a + 1) * (1 + x / (a + 1) + x**2 / ((a + 1) (a + 2)) + ...)`."""
    term, total = np.ones_like(a), np.ones_like(a)
    term_slope, total_slope = np.zeros_like(a), np.zeros_like(a)
    for n in range(1, _STEPS):
        term_slope = (term_slope - term / (a + n)) * x / (a + n)
        term = term * x / (a + n)
        total += term
        total_slope += term_slope
        if np.all(np.abs(term_slope) <= 1e-16 * np.abs(total_slope)) and np.all(term <= 1e-16 * total):
            break
    # dP/dx = x**(a - 1) e**-x / gamma(a); the common factors cancel
    return -(x / a) * (total * (np.log(x) - _log_gamma_slope(a + 1)) + total_slope)


def _continued_fraction(a: np.ndarray, x: np.ndarray) -> np.ndarray:
    """`1 - P = x**a e**-x / gamma(a) * fraction(a, x)`, by the modified method of Lentz."""
    b, b_slope = x + 1 - a, -1.0
    c, c_slope = np.full_like(a, 1 / 1e-300), np.zeros_like(a)
    d = 1 / b
    d_slope = -b_slope * d * d
    value, slope = d, d_slope
    for n in range(1, _STEPS):
        numerator = -n * (n - a)
        b = b + 2
        bottom = numerator * d + b
        bottom_slope = n * d + numerator * d_slope + b_slope
        d = 1 / bottom
        d_slope = -bottom_slope * d * d
        c_slope = b_slope + n / c - numerator * c_slope / (c * c)
        c = b + numerator / c
        factor = c * d
        factor_slope = c_slope * d + c * d_slope
        slope = slope * factor + value * factor_slope
        value = value * factor
        if np.all(np.abs(factor - 1) <= 1e-15) and np.all(
            np.abs(factor_slope * value) <= 1e-15 * np.abs(slope) + 1e-300
        ):
            break
    return x * (value * (np.log(x) - _log_gamma_slope(a)) + slope)
