"""Gamma and Poisson values by rejection, every value from a stretch of the stream of its own.

The methods are Marsaglia and Tsang's for the gamma distribution ("A simple method for generating gamma variables",
2000) and, for the Poisson distribution, Knuth's products below a rate of 10 and Hormann's transformed rejection above
("The transformed rejection method for generating Poisson random variables", 1993). All values that are not yet
accepted go through a round together.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from ossia_ops.random.samplers.distributions import RESERVED, normal_pairs_double, unit_double
from ossia_ops.random.samplers.philox import Philox

_KNUTH_LIMIT = 10.0


class _Lanes:
    """One position per value to make. Pairs of doubles are read from it, and used last one first."""

    def __init__(self, start: Philox, count: int) -> None:
        self._start = start
        self._next = np.arange(count, dtype=np.uint64) * np.uint64(RESERVED)
        self._spare = np.zeros((2, count))
        self._has_spare = np.zeros((2, count), bool)

    def _read(self, kind: int, draw, lanes: np.ndarray) -> np.ndarray:
        values = self._spare[kind, lanes]
        empty = ~self._has_spare[kind, lanes]
        reading = lanes[empty]
        if reading.size:
            pairs = draw(self._start.at(self._next[reading]))
            self._next[reading] += np.uint64(1)
            self._spare[kind, reading], values[empty] = pairs[:, 0], pairs[:, 1]
        self._has_spare[kind, lanes] = empty
        return values

    def uniform(self, lanes: np.ndarray) -> np.ndarray:
        return self._read(0, unit_double, lanes)

    def normal(self, lanes: np.ndarray) -> np.ndarray:
        return self._read(1, normal_pairs_double, lanes)


def _map(function, *arguments: np.ndarray) -> np.ndarray:
    return np.fromiter(map(function, *(x.tolist() for x in arguments)), np.float64, len(arguments[0]))


def _values(count: int, parameters: np.ndarray, dtype: np.dtype, start: Philox, make) -> np.ndarray:
    """`count` values for each parameter, `[count, parameters]`; lanes go through the values of a parameter first."""
    lanes = _Lanes(start, count * parameters.size)
    with np.errstate(all="ignore"):
        values = make(lanes, np.repeat(parameters.astype(np.float64), count)).astype(dtype)
        if values.dtype.itemsize > 2 and values.dtype.kind == "f":
            values[values < np.finfo(values.dtype).tiny] = 0  # the original flushes denormal numbers
        return values.reshape(parameters.size, count).T


def gamma(start: Philox, count: int, alpha: ArrayLike, dtype: np.dtype) -> np.ndarray:
    """Gamma values with scale 1.

    Args:
        start: where to draw from; uses `RESERVED` groups a value.
        count: values per shape parameter.
        alpha: the shape parameters, `[n]`.
        dtype: a floating dtype.

    Returns:
        Values, `[count, n]`.
    """
    return _values(count, np.asarray(alpha).reshape(-1), dtype, start, _gamma)


def _gamma(lanes: _Lanes, alpha: np.ndarray) -> np.ndarray:
    values = np.full(alpha.size, np.nan)
    exponential = np.flatnonzero(alpha == 1.0)
    values[exponential] = -_map(math.log, 1.0 - lanes.uniform(exponential))
    small = alpha < 1.0
    d = alpha + np.where(small, 2.0 / 3, -1.0 / 3)
    c = 1.0 / 3 / np.sqrt(d)
    active = np.flatnonzero(alpha != 1.0)
    while active.size:
        x = lanes.normal(active)
        v = 1.0 + c[active] * x
        positive = ~(v <= 0)
        tried, x, v = active[positive], x[positive], v[positive]
        v = v * v * v
        u = lanes.uniform(tried)
        accepted = (u < 1 - 0.0331 * (x * x) * (x * x)) | (np.log(u) < 0.5 * x * x + d[tried] * (1 - v + np.log(v)))
        done = tried[accepted]
        values[done] = d[done] * v[accepted]
        boosted = done[small[done]]
        if boosted.size:
            values[boosted] *= _map(math.pow, lanes.uniform(boosted), 1 / alpha[boosted])
        still = np.ones(active.size, bool)
        still[np.flatnonzero(positive)[accepted]] = False
        active = active[still]
    return values


def poisson(start: Philox, count: int, rate: ArrayLike, dtype: np.dtype) -> np.ndarray:
    """Poisson values.

    Args:
        start: where to draw from; uses `RESERVED` groups a value.
        count: values per rate.
        rate: the rates, `[n]`; a rate that is not finite gives NaN.
        dtype: dtype of the values; those that it cannot hold are drawn again.

    Returns:
        Values, `[count, n]`.
    """
    dtype = np.dtype(dtype)
    largest = float(np.finfo(dtype).max if dtype.kind == "f" else np.iinfo(dtype).max)
    rates = np.asarray(rate).reshape(-1)
    return _values(count, rates, dtype, start, lambda lanes, rate: _poisson(lanes, rate, largest))


def _poisson(lanes: _Lanes, rate: np.ndarray, largest: float) -> np.ndarray:
    values = np.full(rate.size, np.nan)
    _knuth(lanes, rate, np.flatnonzero(rate < _KNUTH_LIMIT), values)
    _hormann(lanes, rate, np.flatnonzero((rate >= _KNUTH_LIMIT) & (rate <= largest)), values, largest)
    return values


def _knuth(lanes: _Lanes, rate: np.ndarray, active: np.ndarray, values: np.ndarray) -> None:
    limit = _map(math.exp, -np.maximum(rate[active], -1.0))
    product = np.ones(active.size)
    count = 0.0
    while active.size:
        product *= lanes.uniform(active)
        done = product <= limit
        values[active[done]] = count
        active, product, limit = active[~done], product[~done], limit[~done]
        count += 1.0


def _hormann(lanes: _Lanes, rate: np.ndarray, active: np.ndarray, values: np.ndarray, largest: float) -> None:
    while active.size:
        mean = rate[active]
        b = 0.931 + 2.53 * np.sqrt(mean)
        a = -0.059 + 0.02483 * b
        u = lanes.uniform(active) - 0.5
        v = lanes.uniform(active)
        room = 0.5 - np.abs(u)
        k = np.floor((2 * a / room + b) * u + mean + 0.43)
        accepted = (room >= 0.07) & (v <= 0.9277 - 3.6224 / (b - 2))
        unclear = np.flatnonzero(~accepted & (k >= 0) & ((room >= 0.013) | (v <= room)))
        inverse_alpha = 1.1239 + 1.1328 / (b[unclear] - 3.4)
        s = np.log(v[unclear] * inverse_alpha / (a[unclear] / (room[unclear] * room[unclear]) + b[unclear]))
        candidate = k[unclear]
        t = -mean[unclear] + candidate * np.log(mean[unclear]) - _map(math.lgamma, candidate + 1)
        accepted[unclear] = s <= t
        accepted &= k <= largest
        values[active[accepted]] = k[accepted]
        active = active[~accepted]
