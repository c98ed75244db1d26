"""Binomial values, drawn one after the other from one stream, bit for bit those of the original.

Where fewer than ten successes are expected, they are counted by summing the gaps between them, which are geometric;
else by Hormann's transformed rejection ("The generation of binomial random variates", 1993).
"""

from __future__ import annotations

import math

import numpy as np

from ossia_ops.random.samplers.distributions import unit_double
from ossia_ops.random.samplers.elementary import log_double
from ossia_ops.random.samplers.philox import Philox

_FEW_SUCCESSES = 10
_GROUPS = 1024  # that are drawn ahead
_STIRLING_ERRORS = (
    0.0810614667953272,
    0.0413406959554092,
    0.0276779256849983,
    0.02079067210376509,
    0.0166446911898211,
    0.0138761288230707,
    0.0118967099458917,
    0.0104112652619720,
    0.00925546218271273,
    0.00833056343336287,
)


class Draws:
    """Goes through a stream group by group: two uniform values each, of which the second is used first."""

    def __init__(self, start: Philox) -> None:
        self._next = start

    def binomial(self, samples: int, parameters: tuple[float, float], dtype: np.dtype) -> np.ndarray:
        """The next `samples` values, as float64; NaN where a parameter is NaN or the count infinite.

        Args:
            samples: How many values.
            parameters: The count of trials and the probability of success of each.
            dtype: The floating dtype of the parameters, in which the expected successes are computed.
        """
        count, probability = parameters
        if math.isnan(count) or math.isnan(probability) or count == math.inf:
            return np.full(samples, np.nan)
        if count <= 0 or probability <= 0:
            return np.zeros(samples)
        if probability >= 1:
            return np.full(samples, count)
        rare = probability if probability <= 0.5 else 1 - probability
        with np.errstate(over="ignore"):
            many = np.array(count, dtype) * np.array(rare, dtype) >= _FEW_SUCCESSES
        made = self._by_rejection if many else self._by_gaps
        values = made(samples, count, rare)
        return values if probability <= 0.5 else count - values

    def _pairs(self, groups: int) -> np.ndarray:
        return unit_double(self._next.words(groups))[:, ::-1]

    def _by_gaps(self, samples: int, count: float, probability: float) -> np.ndarray:
        values = np.empty(samples)
        log_failure = math.log1p(-probability)
        made = used = 0
        successes, position = 0, 0.0
        while made < samples:
            self._next = self._next.skip(used)
            gaps = self._gaps(min(_GROUPS, 8 * (samples - made)), log_failure)
            used = len(gaps)
            for group, (first, second) in enumerate(gaps):
                position += first
                if position <= count:
                    successes += 1
                    position += second
                    if position <= count:
                        successes += 1
                        continue
                values[made] = successes
                made += 1
                if made == samples:
                    used = group + 1
                    break
                successes, position = 0, 0.0
        self._next = self._next.skip(used)
        return values

    def _gaps(self, groups: int, log_failure: float) -> list[list[float]]:
        uniform = self._pairs(groups)
        with np.errstate(divide="ignore", over="ignore"):
            logs = log_double(np.where(uniform > 0, uniform, 1.0).ravel()).reshape(uniform.shape)
            return np.where(uniform > 0, np.ceil(logs / log_failure), np.inf).tolist()

    def _by_rejection(self, samples: int, count: float, probability: float) -> np.ndarray:
        deviation = math.sqrt(count * probability * (1 - probability))
        b = 1.15 + 2.53 * deviation
        a = -0.0873 + 0.0248 * b + 0.01 * probability
        centre = count * probability + 0.5
        odds = probability / (1 - probability)
        alpha = (2.83 + 5.1 / b) * deviation
        mode = math.floor((count + 1) * probability)
        values, found = np.empty(samples), 0
        while found < samples:
            groups = min(_GROUPS, 2 * (samples - found) + 4)
            u, v = self._pairs(groups).T
            u = u - 0.5
            room = 0.5 - np.abs(u)
            with np.errstate(all="ignore"):
                k = np.floor((2 * a / room + b) * u + centre)
                accepted = (room >= 0.07) & (v <= 0.92 - 4.2 / b)
                possible = (k >= 0) & (k <= count)
                ratio = np.log(v * alpha / (a / (room * room) + b))
                bound = (
                    (mode + 0.5) * np.log((mode + 1) / (odds * (count - mode + 1)))
                    + (count + 1) * np.log((count - mode + 1) / (count - k + 1))
                    + (k + 0.5) * np.log(odds * (count - k + 1) / (k + 1))
                    + _stirling_error(np.array([mode, count - mode])).sum()
                    - _stirling_error(np.where(possible, k, 0))
                    - _stirling_error(np.where(possible, count - k, 0))
                )
                accepted |= possible & (ratio <= bound)
            at = np.flatnonzero(accepted)[: samples - found]
            values[found : found + at.size] = k[at]
            found += at.size
            self._next = self._next.skip(int(at[-1]) + 1 if found == samples else groups)
        return values


def _stirling_error(k: np.ndarray) -> np.ndarray:
    """By how much Stirling's formula falls short of the logarithm of k!."""
    square = (k + 1) * (k + 1)
    far = (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / (k + 1)
    return np.where(k <= 9, np.take(_STIRLING_ERRORS, np.clip(k, 0, 9).astype(int)), far)
