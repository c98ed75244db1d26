"""Binomial values from a generator whose state is a variable."""

from __future__ import annotations

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import with_rank_at_most
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_ops.random.generator import reserve
from ossia_ops.random.samplers.binomial import Draws
from ossia_ops.random.samplers.distributions import RESERVED
from ossia_ops.random.streams import filled, sizes_of

_STRETCH = 100  # values that are made together, where they have their parameters in common
_NUMBERS = "{half, float, double, int32, int64}"

stateful_random_binomial_op = op(
    "StatefulRandomBinomial(resource: resource, algorithm: int64, shape: S, counts: T, probs: T) -> output: dtype",
    S="{int32, int64}",
    T=_NUMBERS + " = DT_DOUBLE",
    dtype=_NUMBERS + " = DT_INT64",
    stateful=True,
)
stateful_random_binomial_op.draws("resource")


@stateful_random_binomial_op.shape
def _(resource, algorithm, shape, counts, probs):
    with_rank_at_most(counts, 1)
    with_rank_at_most(probs, 1)
    return filled(shape)


@stateful_random_binomial_op.kernel
def _(resource, algorithm, shape, counts, probs, *, dtype):
    numpy_dtype = np.dtype(dtype.as_numpy_dtype)
    dims, count = sizes_of(shape, numpy_dtype.itemsize)
    parameters = {"counts": np.asarray(counts), "probs": np.asarray(probs)}
    batches = dims[0] if dims else 1
    for name, value in parameters.items():
        if value.ndim > 1:
            raise InvalidArgumentError(
                None, None, f"Input {name} should be a scalar or vector, got shape: {dims_text(value.shape)}"
            )
        if value.size not in (1, batches):
            raise InvalidArgumentError(
                None, None, f"Input {name} should have length 1 or shape[0], got shape: {dims_text(value.shape)}"
            )
    single = all(value.size == 1 for value in parameters.values())
    size = count // batches if batches else 0
    stretches, length = (-(-count // _STRETCH), _STRETCH) if single else (batches, size)
    reserved = stretches * 2 * _STRETCH * (length + 3) // 4 * RESERVED
    # As in the original, which writes the first one beside the state.
    draws = Draws(reserve(resource, algorithm, reserved, assigned_stays=True))
    if single:
        batches, size = 1, count
    kind = parameters["probs"].dtype if parameters["probs"].dtype.kind == "f" else np.dtype(np.float64)
    trials, chances = (np.broadcast_to(value.ravel().astype(np.float64), batches) for value in parameters.values())
    rows = [draws.binomial(size, row, kind) for row in zip(trials.tolist(), chances.tolist())] if count else []
    with np.errstate(invalid="ignore", over="ignore"):
        return np.concatenate([np.zeros(0), *rows]).astype(numpy_dtype).reshape(dims)


_STATE = np.array([1, 2, 3])
stateful_random_binomial_op.samples(
    plain=(_STATE, np.int64(1), np.array([2, 3], np.int32), np.float64(20), np.float64(0.4)),
    rows=(_STATE, np.int64(1), np.array([3, 2], np.int32), np.array([5.0, 100.0, 30.0]), np.array([0.3, 0.5, 0.9])),
    certain=sample(_STATE, np.int64(1), np.array([3], np.int32), np.array([5.0, 0.0, 7.0]), np.array([1.0, 0.5, 0.0]),
                   dtype="float"),
)
