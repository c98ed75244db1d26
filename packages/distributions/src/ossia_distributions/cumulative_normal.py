"""The cumulative distribution of the standard normal: itself, its logarithm, its inverse.

The inverse takes the rational approximations of S. L. Moshier's Cephes library (`ndtri`): one in the middle, two for
the tails. The logarithm far below the mean is that of the asymptotic series of Mills' ratio.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_ops.array.fill import fill, zeros_like
from ossia_ops.array.selection import where_v2
from ossia_ops.array.shape import shape
from ossia_ops.math.arithmetic import maximum, minimum
from ossia_ops.math.comparison import greater, greater_equal, less, less_equal
from ossia_ops.math.elementwise import abs, sqrt, square
from ossia_ops.math.exponential import log
from ossia_ops.math.special import erf, erfc

# Between these the logarithm of `ndtr` is exact; above, it is minus `ndtr` of the opposite; below, a series takes over.
_SERIES_BELOW = {dtypes.float32: -10.0, dtypes.float64: -20.0}
_SMALL_ABOVE = {dtypes.float32: 5.0, dtypes.float64: 8.0}

# Polynomials from the constant term up, in pairs of numerator and denominator.
_MIDDLE = (
    (-1.2391658386738125, 13.931260938727968, -56.67628574690703, 98.00107541859997, -59.96335010141079),
    (
        -1.1833162112133,
        15.90562251262117,
        -82.03722561683334,
        200.26021238006066,
        -225.46268785411937,
        86.36024213908905,
        4.676279128988815,
        1.9544885833814176,
        1.0,
    ),
)
_TAIL = (
    (
        -8.574567851546854e-4,
        -0.03504246268278482,
        -0.1402560791713545,
        2.1866330685079025,
        14.684956192885803,
        44.08050738932008,
        57.16281922464213,
        31.525109459989388,
        4.0554489230596245,
    ),
    (
        -9.332594808954574e-4,
        -0.03808064076915783,
        -0.14218292285478779,
        2.504649462083094,
        15.04253856929075,
        41.3172038254672,
        45.39076351288792,
        15.779988325646675,
        1.0,
    ),
)
_FAR_TAIL = (
    (
        6.239745391849833e-9,
        2.6580697468673755e-6,
        3.0158155350823543e-4,
        0.012371663481782003,
        0.20148538954917908,
        1.3330346081580755,
        3.9388102529247444,
        6.915228890689842,
        3.2377489177694603,
    ),
    (
        6.790194080099813e-9,
        2.8924786474538068e-6,
        3.2801446468212774e-4,
        0.013420400608854318,
        0.21623699359449663,
        1.3770209948908132,
        3.6798356385616087,
        6.02427039364742,
        1.0,
    ),
)


def _floats(x: Any, name: str) -> Tensor:
    x = convert_to_tensor(x, name=name)
    if x.dtype.base_dtype not in _SERIES_BELOW:
        raise TypeError(f"{name}.dtype={x.dtype} is not handled, see docstring for supported types.")
    return x


def ndtr(x: Any, name: str = "ndtr") -> Tensor:
    """The probability of values below `x`, for the standard normal distribution.

    Args:
      x: float32 or float64.
      name: scope of the result.

    Raises:
      TypeError: another dtype.
    """
    with name_scope(name, values=[x]):
        return _ndtr(_floats(x, "x"))


def _ndtr(x: Tensor) -> Tensor:
    half_sqrt_2 = convert_to_tensor(np.array(0.5 * math.sqrt(2.0), x.dtype.as_numpy_dtype), name="half_sqrt_2")
    w = x * half_sqrt_2
    z = abs(w)
    return 0.5 * where_v2(less(z, half_sqrt_2), 1.0 + erf(w), where_v2(greater(w, 0.0), 2.0 - erfc(z), erfc(z)))


def log_ndtr(x: Any, series_order: int = 3, name: str = "log_ndtr") -> Tensor:
    """The logarithm of `ndtr`, exact where that rounds to 0 or 1.

    Args:
      x: float32 or float64.
      series_order: terms of the asymptotic series below the range in which `ndtr` is not 0.
      name: scope of the result.

    Raises:
      TypeError: `series_order` is no integer, or `x` of another dtype.
      ValueError: `series_order` is negative or above 30.
    """
    if not isinstance(series_order, int):
        raise TypeError("series_order must be a Python integer.")
    if series_order < 0:
        raise ValueError("series_order must be non-negative.")
    if series_order > 30:
        raise ValueError("series_order must be <= 30.")
    with name_scope(name, values=[x]):
        x = _floats(x, "x")
        lower, upper = _SERIES_BELOW[x.dtype.base_dtype], _SMALL_ABOVE[x.dtype.base_dtype]
        return where_v2(
            greater(x, upper),
            -_ndtr(-x),
            where_v2(greater(x, lower), log(_ndtr(maximum(x, lower))), _log_of_series(minimum(x, lower), series_order)),
        )


def _log_of_series(x: Tensor, order: int) -> Tensor:
    leading = -0.5 * square(x) - log(-x) - 0.5 * math.log(2.0 * math.pi)
    return leading + log(_mills_series(x, order))


def _mills_series(x: Tensor, order: int) -> Any:
    if order <= 0:
        return np.array(1, x.dtype.as_numpy_dtype)
    squared = square(x)
    even, odd, power = zeros_like(x), zeros_like(x), squared
    for n in range(1, order + 1):
        term = np.array(math.prod(range(2 * n - 1, 1, -2)), x.dtype.as_numpy_dtype) / power
        if n % 2:
            odd += term
        else:
            even += term
        power *= squared
    return 1.0 + even - odd


def ndtri(p: Any, name: str = "ndtri") -> Tensor:
    """The value below which the standard normal distribution has the probability `p`: the inverse of `ndtr`.

    Args:
      p: float32 or float64; the result is infinite at 0 and 1, and beyond.
      name: scope of the result.

    Raises:
      TypeError: another dtype.
    """
    with name_scope(name, values=[p]):
        p = _floats(p, "p")
        dtype = p.dtype.as_numpy_dtype
        below = where_v2(greater(p, -math.expm1(-2.0)), 1.0 - p, p)
        inside = where_v2(less_equal(below, 0.0), fill(shape(p), np.array(0.5, dtype)), below)
        w = inside - 0.5
        squared = w**2.0
        middle = w + w * squared * (_polynomial(squared, _MIDDLE[0]) / _polynomial(squared, _MIDDLE[1]))
        middle *= -math.sqrt(2.0 * math.pi)
        z = sqrt(-2.0 * log(inside))
        first = z - log(z) / z
        far = _in_inverse(z, _FAR_TAIL[0]) / _in_inverse(z, _FAR_TAIL[1]) / z
        near = _in_inverse(z, _TAIL[0]) / _in_inverse(z, _TAIL[1]) / z
        far, near = first - far, first - near
        x = where_v2(greater(inside, math.exp(-2.0)), middle, where_v2(greater_equal(z, 8.0), far, near))
        x = where_v2(greater(p, 1.0 - math.exp(-2.0)), x, -x)
        infinite = convert_to_tensor(np.array(np.inf, dtype), name="Const")
        infinity = fill(shape(p), infinite)
        return where_v2(less_equal(p, 0.0), -infinity, where_v2(greater_equal(p, 1.0), infinity, x))


def _in_inverse(z: Tensor, coefficients: Sequence[float]) -> Tensor:
    return _polynomial(1.0 / z, coefficients)


def _polynomial(x: Tensor, coefficients: Sequence[float]) -> Tensor:
    value: Any = zeros_like(x)
    for coefficient in reversed(coefficients):
        value = np.array(coefficient, x.dtype.as_numpy_dtype) + value * x
    return value
