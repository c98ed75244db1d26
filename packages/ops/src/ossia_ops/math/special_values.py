"""Special functions on float64 arrays: error, gamma, beta, zeta and Bessel functions.

Where nothing else is said, the methods are Chebyshev series (fitted with 40 digits), recurrence into the range of an
asymptotic series, power series and continued fractions.
"""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_ops.math.choice import choose

Array = np.ndarray
_EPSILON = 2.0 ** -52
_TINY = 1e-300
_MOST_TERMS = 2000
_BETWEEN_TESTS = 6  # terms of a continued fraction
_BLOCK = 4096  # elements
_STIRLING = 8  # terms of a series in 1 / z ** 2 that are not lost in rounding from z = 10 on
# The Bernoulli numbers B2, B4, ...
_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798, -174611 / 330)

# exp(x^2) erfc(x) / t by 2 t - 1, with t = 2 / (2 + x); erf(x) / x by 2 x^2 - 1
ERFC = np.array((
    0.5770337386164697, 0.3554369212704985, 0.06509515882878653, 0.003671142395836639, -0.0011128447433526325,
    -0.0001607582991537808, 3.278031574173137e-05, 5.442441645505016e-06, -1.5154665553171482e-06,
    -1.4297608181169865e-07, 8.234608827419493e-08, -1.2962846852306563e-09, -4.154721631015199e-09,
    6.347058278362811e-10, 1.4320822712256225e-10, -6.160390105204585e-11, 2.0612138554721698e-12,
    3.5714931488477042e-12, -8.586422843251796e-13, -6.14560021379063e-14, 7.418725748596617e-14,
    -1.2895042755032325e-14, -2.358726385710632e-15, 1.5729349381685912e-15, -2.2782966239546465e-16,
    -6.31233045075643e-17, 3.5916763531814925e-17,
))
ERF = np.array((
    0.9754769393826541, -0.14226120510371365, 0.010035582187599796, -0.0005768764699767485,
    2.741993125219606e-05, -1.1043175507344507e-06, 3.8488755420345036e-08, -1.1808582533875466e-09,
    3.2334215826050907e-11, -7.991015947004549e-13, 1.7990725113961456e-14, -3.718635487818693e-16,
))
# exp(-x) I0(x) by x / 4 - 1 up to 8; exp(-x) I0(x) sqrt(x) by 16 / x - 1 from 8 on; the same for I1(x), first divided
# by x
I0_NEAR = np.array((
    0.33839763720473803, -0.3046826723431984, 0.17162090152220877, -0.09490109704804764, 0.04930528423967071,
    -0.02373741480589947, 0.010546460394594998, -0.004324309995050576, 0.0016394756169413357,
    -0.0005763755745385824, 0.00018850288509584165, -5.754195010082104e-05, 1.6448448070728896e-05,
    -4.4167383584587505e-06, 1.1173875391201037e-06, -2.670793853940612e-07, 6.046995022541919e-08,
    -1.300025009986248e-08, 2.6598237246823866e-09, -5.189795601635263e-10, 9.675809035373237e-11,
    -1.726826291441556e-11, 2.95505266312964e-12, -4.856446783111929e-13, 7.676185498604936e-14,
    -1.1685332877993451e-14, 1.715391285555133e-15, -2.431279846547955e-16, 3.3307945188222384e-17,
))
I0_FAR = np.array((
    0.4022452055070544, 0.0033691164782556943, 6.889758346916825e-05, 2.8913705208347567e-06,
    2.0489185894690638e-07, 2.266668990498178e-08, 3.3962320257083865e-09, 4.94060238822497e-10,
    1.1889147107846439e-11, -3.1499165279632416e-11, -1.3215811840447713e-11, -1.7941785315068062e-12,
    7.180124451383666e-13, 3.8527783827421426e-13, 1.54008621752141e-14, -4.150569347287222e-14,
    -9.554846698828307e-15, 3.8116806693526224e-15, 1.7725601330565263e-15, -3.425485619677219e-16,
    -2.8276239805165836e-16, 3.461222867697461e-17, 4.46562142029676e-17,
))
I1_NEAR = np.array((
    0.12629359322181682, -0.17641651835783406, 0.1026436586898471, -0.05294598120809499, 0.024726449030626516,
    -0.010564084894626197, 0.004156422944312888, -0.0015135724506312532, 0.0005122859561685758,
    -0.00016176081582589674, 4.781565107550054e-05, -1.3273163656039436e-05, 3.4702513081376785e-06,
    -8.568720264695455e-07, 2.0032947535521353e-07, -4.445059128796328e-08, 9.381537386495773e-09,
    -1.8872497517228294e-09, 3.625590281552117e-10, -6.663489723502027e-11, 1.1736186298890901e-11,
    -1.9839743977649436e-12, 3.223793365945575e-13, -5.042185504727912e-14, 7.600684294735408e-15,
    -1.1055969477353862e-15, 1.5536319577362005e-16, -2.111421214358166e-17,
))
I1_FAR = np.array((
    0.38928811750914005, -0.009761097491361469, -0.00011058893876262371, -3.882564808877691e-06,
    -2.512236237870209e-07, -2.6314688468895196e-08, -3.835380385964237e-09, -5.589743462196584e-10,
    -1.8974958123505413e-11, 3.2526035830154884e-11, 1.4125807436613782e-11, 2.0356285441470896e-12,
    -7.198551776245908e-13, -4.0835511110921974e-13, -2.1015418427726643e-14, 4.272440016711951e-14,
    1.0420276984128802e-14, -3.8144030724370075e-15, -1.8803547755107825e-15, 3.3082023109209285e-16,
    2.96262899764595e-16, -3.209525921993424e-17, -4.6503053684893586e-17,
))


def in_double(fn: Callable) -> Callable:
    """A kernel that computes in float64, so many elements at a time that they stay in the cache, and gives the dtype of
    its first input."""

    def kernel(*arrays: Any) -> Any:
        kind = arrays[0].dtype
        wide = np.broadcast_arrays(*arrays)
        if wide[0].size <= _BLOCK:
            return fn(*(x.astype(np.float64) for x in wide)).astype(kind)
        flat = [x.reshape(-1) for x in wide]
        result = np.empty(flat[0].size, kind)
        for start in range(0, result.size, _BLOCK):
            result[start : start + _BLOCK] = fn(*(x[start : start + _BLOCK].astype(np.float64) for x in flat))
        return result.reshape(wide[0].shape)

    return kernel


def _where(condition: Any, x: Any, y: Any) -> Array:
    return choose(np.asarray(condition), np.asarray(x), np.asarray(y))


def series(coefficients: Array, y: Array) -> Array:
    """The sum of a Chebyshev series at `y`, by the recurrence of Clenshaw."""
    twice, last, before = 2 * y, np.full_like(y, coefficients[-1]), np.zeros_like(y)
    product = np.empty_like(y)
    for coefficient in coefficients[-2:0:-1].tolist():
        np.subtract(coefficient, before, out=before)
        np.multiply(twice, last, out=product)
        before += product
        last, before = before, last
    return coefficients[0] - before + y * last


def erfc(x: Array) -> Array:
    """The complementary error function."""
    size = np.abs(x)
    t = 2 / (2 + size)
    tail = t * np.exp(-size * size) * series(ERFC, 2 * t - 1)
    tail = _where(np.isinf(size), 0.0, tail)
    far = _where(x < 0, 2 - tail, tail)
    return _where(size < 0.5, 1 - erf_near(x), far)


def erf_near(x: Array) -> Array:
    """The error function for |x| <= 1."""
    near = _where(np.abs(x) <= 1, x, 0.0)
    return near * series(ERF, 2 * near * near - 1)


def erf(x: Array) -> Array:
    """The error function."""
    size = np.abs(x)
    t = 2 / (2 + size)
    tail = _where(np.isinf(size), 0.0, t * np.exp(-size * size) * series(ERFC, 2 * t - 1))
    return _where(size < 1, erf_near(x), _where(np.isnan(x), x, np.copysign(1 - tail, x)))


def lgamma(x: Array) -> Array:
    """Logarithms of the absolute values of the gamma function; infinite at its poles."""
    reflected = x < 0.5
    y = _where(reflected, 1 - x, x)
    value = _lgamma_right(y)
    # gamma(x) gamma(1 - x) = pi / sin(pi x); the distance from the nearest integer is exact.
    sine = np.abs(np.sin(np.pi * (x - np.rint(x))))
    result = _where(reflected, math.log(math.pi) - np.log(sine) - value, value)
    return _where(np.isinf(x), np.inf, _where((x == 1) | (x == 2), 0.0, result))


def _lgamma_right(y: Array) -> Array:
    """`lgamma` for y >= 0.5."""
    small = y < 10
    product = y.copy()
    factor = y.copy()
    for _ in range(1, 10):
        factor += 1
        product *= factor
    product = _where(small, product, 1.0)
    z = _where(small, y + 10, y)
    inverse = 1 / z
    square = inverse * inverse
    correction = np.zeros_like(z)
    for k in range(_STIRLING - 1, -1, -1):
        correction *= square
        correction += _BERNOULLI[k] / ((2 * k + 1) * (2 * k + 2))
    return (z - 0.5) * np.log(z) - z + 0.5 * math.log(2 * math.pi) + correction * inverse - np.log(product)


def digamma(x: Array) -> Array:
    """The derivative of `lgamma`; infinite at the poles."""
    reflected = x <= 0
    z = _where(reflected, 1 - x, x)
    small = z < 10
    shift = np.zeros_like(z)
    term = z.copy()
    for _ in range(10):
        shift += 1 / term
        term += 1
    shift = _where(small, shift, 0.0)
    z = _where(small, z + 10, z)
    square = 1 / (z * z)
    correction = np.zeros_like(z)
    for k in range(_STIRLING - 1, -1, -1):
        correction *= square
        correction += _BERNOULLI[k] / (2 * k + 2)
    value = np.log(z) - 0.5 / z - correction * square - shift
    distance = x - np.rint(x)
    halfway = np.abs(distance) == 0.5
    cotangent = np.pi / np.tan(np.pi * _where(halfway, 0.25, distance))
    value = _where(reflected, value - _where(halfway, 0.0, cotangent), value)
    return _where(reflected & ((distance == 0) | np.isinf(x)), np.inf, value)


def zeta(x: Array, q: Array) -> Array:
    """The Hurwitz zeta function: the sum of `(q + k) ** -x` over k >= 0."""
    x, q = np.broadcast_arrays(x, q)
    total = np.zeros(x.shape)
    a = np.array(q, np.float64)
    for i in range(_MOST_TERMS):
        more = (a <= 9) | (i < 9)
        if not more.any():
            break
        total = _where(more, total + np.power(a, -x), total)
        a = _where(more, a + 1, a)
    # What is left, by the formula of Euler and Maclaurin.
    power = np.power(a, -x)
    total = total + power * a / (x - 1) + 0.5 * power
    factor, power = x.astype(np.float64), power / a
    for k, number in enumerate(_BERNOULLI):
        total = total + number * factor * power / math.factorial(2 * k + 2)
        factor = factor * (x + 2 * k + 1) * (x + 2 * k + 2)
        power = power / (a * a)
    pole = (q <= 0) & (q == np.floor(q))
    undefined = (x < 1) | ((q <= 0) & ~pole & (x != np.floor(x)))
    first = _where(q < 1, np.inf, _where(q == 1, 1.0, np.nan))  # what is left of an infinite exponent
    total = _where(np.isposinf(x), first, total)
    return _where(x == 1, np.inf, _where(undefined, np.nan, _where(pole, np.inf, total)))


def polygamma(n: Array, x: Array) -> Array:
    """The derivative of order `n` of `digamma`."""
    n, x = np.broadcast_arrays(n, x)
    order = _where((n == np.floor(n)) & (n > 0), n, 1.0)
    sign = _where(order % 2 == 1, 1.0, -1.0)
    value = sign * np.exp(lgamma(order + 1)) * zeta(order + 1, x)
    return _where(n == 0, digamma(x), _where((n != np.floor(n)) | (n < 0), np.nan, value))


def _gamma_domain(a: Array, x: Array) -> tuple[Array, Array, Array]:
    a, x = np.broadcast_arrays(a, x)
    invalid = ~((x >= 0) & (a > 0))
    return _where(invalid, 1.0, a), _where(invalid | np.isinf(x), 1.0, x), invalid


def _either(first: Array, one: Callable, other: Callable, a: Array, x: Array) -> Array:
    """`one(a, x)` where `first` holds, else `other(a, x)`, each for its own elements only."""
    value = np.empty(x.shape)
    value[first] = one(a[first], x[first])
    value[~first] = other(a[~first], x[~first])
    return value


def _lower_series(a: Array, x: Array) -> Array:
    """The lower incomplete gamma function, regularized, by its power series."""
    term = np.ones_like(x)
    total = term.copy()
    n = a.copy()
    for _ in range(_MOST_TERMS):
        n = n + 1
        term = term * x / n
        total = total + term
        if (term <= total * _EPSILON).all():
            break
    return total * np.exp(a * np.log(_where(x > 0, x, 1.0)) - x - lgamma(a + 1))


def _upper_fraction(a: Array, x: Array) -> Array:
    """The upper incomplete gamma function, regularized, by its continued fraction."""
    return np.exp(a * np.log(x) - x - lgamma(a)) * _gamma_fraction(a, x)


def _gamma_fraction(a: Array, x: Array) -> Array:
    """The continued fraction of vectors `a` and `x >= 1`, by its convergents; `a` may be complex."""
    unit = 1 / x  # scales the convergents, so that the first of them do not overflow
    b = (x + 1 - a) * unit
    before, last = np.stack([np.zeros_like(b), np.ones_like(b)]), np.stack([unit.astype(b.dtype), b])
    found = last[0] / last[1]
    value, left = np.empty_like(b), np.arange(b.size)
    for i in range(1, _MOST_TERMS):
        b = b + 2 * unit
        before *= (a - i) * unit * (i * unit)
        before += b * last
        before, last = last, before
        if i % _BETWEEN_TESTS:
            continue
        ratio = last[0] / last[1]
        change, exact = ratio - found, _EPSILON * np.abs(ratio.real)
        moving = ~((np.abs(change.real) <= 16 * exact) & (np.abs(change.imag) <= 64 * exact * np.abs(a.imag)))
        found = ratio
        largest = np.abs(last).max(axis=0)
        last, before = last / largest, before / largest
        if 2 * np.count_nonzero(moving) <= moving.size:
            value[left] = found
            if not moving.any():
                break
            left, a, unit, b, found = left[moving], a[moving], unit[moving], b[moving], found[moving]
            last, before = last[:, moving], before[:, moving]
    else:
        value[left] = last[0] / last[1]
    return value


def igamma(a: Array, x: Array) -> Array:
    """The lower incomplete gamma function, regularized."""
    a_safe, x_safe, invalid = _gamma_domain(a, x)
    by_series = (x_safe <= 1) | (x_safe <= a_safe)
    value = _either(by_series, _lower_series, lambda a, x: 1 - _upper_fraction(a, x), a_safe, x_safe)
    wide = np.broadcast_to(x, value.shape)
    # Of an infinite order, the powers in front are known where x is below 1.
    endless = _where(x_safe < 1, 0.0, np.nan)
    value = _where(np.isposinf(a), endless, _where(np.isposinf(wide), 1.0, value))
    value = _where(invalid, np.nan, value)
    return _where(np.isposinf(wide) & np.isposinf(a), np.nan, _where(wide == 0, 0.0, value))


def igammac(a: Array, x: Array) -> Array:
    """The upper incomplete gamma function, regularized."""
    a_safe, x_safe, invalid = _gamma_domain(a, x)
    by_series = (x_safe < 1) | (x_safe < a_safe)
    value = _either(by_series, lambda a, x: 1 - _lower_series(a, x), _upper_fraction, a_safe, x_safe)
    wide = np.broadcast_to(x, value.shape)
    return _where(invalid, np.nan, _where(wide == 0, 1.0, _where(np.isposinf(wide), 0.0, value)))


def igamma_grad_a(a: Array, x: Array) -> Array:
    """The derivative of `igamma` by `a`."""
    a_safe, x_safe, invalid = _gamma_domain(a, x)
    density = np.exp((a_safe - 1) * np.log(_where(x_safe > 0, x_safe, 1.0)) - x_safe - lgamma(a_safe))
    value = density * _slope_over_density(a_safe, x_safe)
    wide = np.broadcast_to(x, value.shape)
    value = _where(np.isposinf(wide), -0.0, value)
    return _where(wide == 0, 0.0, _where(invalid | np.isposinf(a), np.nan, value))


def _slope_over_density(a: Array, x: Array) -> Array:
    """The derivative of `igamma` by `a`, divided by that by `x`, whose exponentials then cancel."""
    by_series = (x <= 1) | (x <= a)
    return _either(
        by_series,
        lambda a, x: x / a * _lower_series_slope(a, x),
        lambda a, x: -x * _upper_fraction_slope(a, x),
        a,
        x,
    )


def _upper_fraction_slope(a: Array, x: Array) -> Array:
    """The derivative of `_upper_fraction` by `a` without the powers in front: that of the fraction from a step into the
    complex plane."""
    step = 1e-100
    fraction = _gamma_fraction(a + step * 1j, x)
    return fraction.real * (np.log(x) - digamma(a)) + fraction.imag / step


def _lower_series_slope(a: Array, x: Array) -> Array:
    """The derivative of `_lower_series` by `a` without the powers in front, term by term."""
    term, slope = np.ones_like(x), np.zeros_like(x)
    total, total_slope = term.copy(), slope.copy()
    n = a.copy()
    for _ in range(_MOST_TERMS):
        n = n + 1
        slope = (slope - term / n) * x / n
        term = term * x / n
        total, total_slope = total + term, total_slope + slope
        if (np.abs(slope) <= np.abs(total_slope) * _EPSILON).all() and (term <= total * _EPSILON).all():
            break
    log_x = np.log(_where(x > 0, x, 1.0))
    return total * (log_x - digamma(a + 1)) + total_slope


_NEARLY_NORMAL = 1e5  # from this shape on, by the approximation of Wilson and Hilferty


def random_gamma_grad(alpha: Array, sample: Array) -> Array:
    """The derivative by `alpha` of a sample of the gamma distribution, at a fixed quantile."""
    a, x, invalid = _gamma_domain(alpha, sample)
    large = a > _NEARLY_NORMAL
    # Series take too many terms there, while the cube root is normal to eight places.
    wide = _where(large, a, _NEARLY_NORMAL)
    root = np.cbrt(_where(large, x, _NEARLY_NORMAL) / wide)
    slope = root**3 + root**2 * (1 / (3 * wide) - 1.5 * (root - 1 + 1 / (9 * wide)))
    near = -_slope_over_density(_where(large, 1.0, a), _where(large, 1.0, x))
    wide = np.broadcast_to(sample, near.shape)
    value = _where(np.isposinf(wide), -0.0, _where(large, slope, near))
    return _where(wide == 0, 0.0, _where(invalid | np.isposinf(alpha), np.nan, value))


def betainc(a: Array, b: Array, x: Array) -> Array:
    """The incomplete beta function, regularized."""
    a, b, x = np.broadcast_arrays(a, b, x)
    invalid = (a <= 0) | (b <= 0) | ~((x >= 0) & (x <= 1))
    unknown = np.isnan(a) | np.isnan(b)
    a, b, y = (_where(invalid, 1.0, v) for v in (a, b, _where((x <= 0) | (x >= 1), 0.5, x)))
    swapped = y > (a + 1) / (a + b + 2)
    p, q, z = _where(swapped, b, a), _where(swapped, a, b), _where(swapped, 1 - y, y)
    front = np.exp(p * np.log(z) + q * np.log1p(-z) - (lgamma(p) + lgamma(q) - lgamma(p + q))) / p
    value = front * _beta_fraction(p, q, z)
    value = _where(swapped, 1 - value, value)
    value = _where(unknown, np.nan, value)
    return _where(invalid, np.nan, _where(x <= 0, 0.0, _where(x >= 1, 1.0, value)))


def _beta_fraction(a: Array, b: Array, x: Array) -> Array:
    """The continued fraction of the incomplete beta function, by the method of Lentz."""
    def safe(v: Array) -> Array:
        return _where(np.abs(v) < _TINY, _TINY, v)
    c = np.ones_like(x)
    d = 1 / safe(1 - (a + b) * x / (a + 1))
    h = d.copy()
    for m in range(1, _MOST_TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d, c = 1 / safe(1 + even * d), safe(1 + even / c)
        h = h * d * c
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d, c = 1 / safe(1 + odd * d), safe(1 + odd / c)
        h = h * d * c
        if (np.abs(d * c - 1) < 4 * _EPSILON).all():
            break
    return h


def bessel_i0e(x: Array) -> Array:
    """`exp(-|x|) I0(x)`."""
    size = np.abs(x)
    return _either(
        size <= 8,
        lambda x, _: series(I0_NEAR, x / 4 - 1),
        lambda x, _: series(I0_FAR, 16 / x - 1) / np.sqrt(x),
        size,
        size,
    )


def bessel_i1e(x: Array) -> Array:
    """`exp(-|x|) I1(x)`."""
    size = np.abs(x)
    value = _either(
        size <= 8,
        lambda x, _: series(I1_NEAR, x / 4 - 1) * x,
        lambda x, _: series(I1_FAR, 16 / x - 1) / np.sqrt(x),
        size,
        size,
    )
    return np.copysign(value, x)
