"""Normal values between bounds, with parameters per row."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import with_rank, with_rank_at_most
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.seeds import get_seed
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_ops.element_types import INDEX
from ossia_ops.random.samplers import distributions
from ossia_ops.random.samplers.elementary import log_single
from ossia_ops.random.samplers.philox import Philox
from ossia_ops.random.streams import filled, shape_tensor, sizes_of, stream_of

_ROW = 100  # values that are made together, where all rows have the same parameters
_AHEAD = 1024  # groups drawn together for short rows
_TRIES = 1000
_INSIDE = 1.3  # from so many deviations inside the bounds on, normal values are likely enough to be accepted

parameterized_truncated_normal_op = op(
    "ParameterizedTruncatedNormal(shape: T, means: dtype, stdevs: dtype, minvals: dtype, maxvals: dtype) "
    "-> output: dtype",
    seed="int = 0",
    seed2="int = 0",
    dtype="{half, bfloat16, float, double}",
    T=INDEX,
    stateful=True,
)
parameterized_truncated_normal_op.draws()
parameterized_truncated_normal_op.in_any_order()


@parameterized_truncated_normal_op.shape
def _(shape, means, stdevs, minvals, maxvals):
    with_rank(shape, 1)
    for parameter in (means, stdevs, minvals, maxvals):
        with_rank_at_most(parameter, 1)
    return filled(shape)


class _Rows:
    """Goes through a stream group by group, row after row."""

    def __init__(self, start: Philox, dtype: np.dtype) -> None:
        self._start, self._at, self._dtype = start, 0, dtype
        self._width = 2 if dtype.itemsize == 8 else 4
        # What was drawn ahead, for short rows: the position of the first group, and the groups.
        self._drawn: dict[Any, tuple[int, np.ndarray]] = {}
        self._ahead = 1

    def _groups(self, draw: Any, count: int) -> np.ndarray:
        start, groups = self._drawn.get(draw, (self._at, np.empty((0, self._width))))
        first = self._at - start
        if first + count > len(groups):
            self._ahead = min(2 * self._ahead, _AHEAD)
            wanted = max(count, self._ahead)
            groups = draw(self._start.skip(self._at), wanted * self._width, self._dtype).reshape(wanted, self._width)
            self._drawn[draw] = self._at, groups
            first = 0
        return groups[first:first + count]

    def fill(self, out: np.ndarray, mean: Any, deviation: Any, low: Any, high: Any) -> None:
        if not (deviation > 0 and low < high and (np.isfinite(low) or np.isfinite(high))):
            raise InvalidArgumentError(None, None, "Invalid parameters")
        if low == -np.inf or high < mean:
            low, high, deviation = high, low, -deviation
        low, high = (low - mean) / deviation, (high - mean) / deviation
        kind = self._dtype.type
        two, four = kind(2), kind(4)
        root = np.sqrt(low * low + four)
        cutoff = two * np.exp(kind(0.5) + (low * (low - root)) / four) / (low + root)
        if (low < -_INSIDE and high >= 0) or (high > _INSIDE and low <= 0):
            propose, used = self._normal, 1
        elif high - low < cutoff:
            propose, used = self._uniform, 2
        else:
            propose, used = self._exponential, 1
        missing, rejected = out.size, 0
        while missing:
            groups = min(512, missing)
            values, accepted = propose(groups, low, high)
            rows = np.flatnonzero(accepted.ravel())[:missing]
            rejected = 0 if rows.size else rejected + accepted.size
            if rejected > _TRIES:
                raise InvalidArgumentError(None, None, "TruncatedNormal rejection sampler failed to accept a sample.")
            at = out.size - missing
            out[at:at + rows.size] = values.ravel()[rows] * deviation + mean
            missing -= rows.size
            done = int(rows[-1]) // values.shape[1] + 1 if not missing else groups
            self._at += done * used

    def _normal(self, groups: int, low: Any, high: Any) -> tuple:
        values = self._groups(distributions.normal, groups)
        return values, (values >= low) & (values <= high)

    def _uniform(self, groups: int, low: Any, high: Any) -> tuple:
        kind = self._dtype.type
        pairs = self._groups(distributions.uniform, 2 * groups)
        values = pairs[0::2] * (high - low) + low
        plus = kind(0) if low < 0 else low * low
        return values, pairs[1::2] <= np.exp((plus - values * values) / kind(2))

    def _exponential(self, groups: int, low: Any, high: Any) -> tuple:
        kind = self._dtype.type
        alpha = (low + np.sqrt(low * low + kind(4))) / kind(2)
        uniform = self._groups(distributions.uniform, groups)
        values = -_log(uniform[:, 0::2]) / alpha + low
        x = alpha - values if low < alpha else low - alpha + np.zeros_like(values)
        return values, (uniform[:, 1::2] <= np.exp(-x * x / kind(2))) & (values < high)


def _log(x: np.ndarray) -> np.ndarray:
    if x.dtype != np.float32:
        return np.log(x)
    # The last bit is that of the original's library.
    positive = np.where(x > 0, x, np.float32(1)).ravel()
    return np.where(x > 0, log_single(positive).reshape(x.shape), np.float32(-np.inf))


@parameterized_truncated_normal_op.kernel_for
def _(node, *, session):
    stream, dtype = stream_of(node, session), np.dtype(node.outputs[0].dtype.as_numpy_dtype)
    if dtype.name == "bfloat16":
        raise InvalidArgumentError(None, None, "No kernel of ParameterizedTruncatedNormal makes bfloat16.")

    def kernel(shape, *parameters):
        dims, count = sizes_of(shape, dtype.itemsize)
        rows = dims[0] if dims else 1
        parameters = [np.asarray(p) for p in parameters]
        for name, value in zip(("means", "stddevs", "minvals", "maxvals"), parameters):
            if value.ndim > 1:
                raise InvalidArgumentError(
                    None, None, f"Input {name} should be a scalar or vector, got shape: {dims_text(value.shape)}"
                )
            if value.size not in (1, rows):
                raise InvalidArgumentError(
                    None, None, f"Input {name} should have length 1 or shape[0], got shape: {dims_text(value.shape)}"
                )
        size = count // rows if rows else 0
        if all(value.size == 1 for value in parameters) and not any(bound.ndim for bound in parameters[2:]):
            rows, size = -(-count // _ROW), _ROW
        made = _Rows(stream.reserve(rows * 2 * _TRIES * (size + 3) // 4), dtype)
        columns = [np.broadcast_to(value.ravel(), rows) for value in parameters]
        result = np.empty(count, dtype)
        with np.errstate(all="ignore"):
            for i in range(rows if count else 0):
                made.fill(result[i * size:(i + 1) * size], *(column[i] for column in columns))
        return result.reshape(dims)

    return kernel


parameterized_truncated_normal_op.not_differentiable()
parameterized_truncated_normal_op.samples(plain=sample([5], 0.0, 1.0, -1.0, 1.0, seed=1))


def parameterized_truncated_normal(
    shape: Any, means: Any = 0.0, stddevs: Any = 1.0, minvals: Any = -2.0, maxvals: Any = 2.0,
    dtype: Any = dtypes.float32, seed: int | None = None, name: str | None = None,
) -> Tensor:
    """Random values of normal distributions, those outside of bounds drawn again.

    Args:
      shape: the shape of the result, an integer vector whose first size is that of the batch.
      means, stddevs, minvals, maxvals: the parameters of the distributions, each a scalar or one per row of the batch.
      dtype: a floating type.
      seed: the seed of the op.
      name: name of the result.
    """
    with name_scope(name, "parameterized_truncated_normal", [shape, means, stddevs, minvals, maxvals]):
        sizes = shape_tensor(shape)
        given = [
            convert_to_tensor(value, dtype, what)
            for value, what in ((means, "means"), (stddevs, "stddevs"), (minvals, "minvals"), (maxvals, "maxvals"))
        ]
        seed1, seed2 = get_seed(seed)
        return parameterized_truncated_normal_op(sizes, *given, seed=seed1, seed2=seed2)
