"""Uniformly distributed values."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import with_rank
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.seeds import get_seed
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import public
from ossia_ops.element_types import INDEX
from ossia_ops.math.arithmetic import add
from ossia_ops.random.samplers import distributions
from ossia_ops.random.streams import drawing, filled, shape_tensor

_FLOATS = "{half, bfloat16, float, double}"
UNIFORM_DTYPES = dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64


random_uniform_op = op(
    "RandomUniform(shape: T) -> output: dtype", seed="int = 0", seed2="int = 0", dtype=_FLOATS, T=INDEX, stateful=True
)
random_uniform_op.draws()
random_uniform_op.in_any_order()


random_uniform_op.shape(filled)
random_uniform_op.kernel_for(drawing(distributions.uniform, distributions.RESERVED))
random_uniform_op.not_differentiable()
random_uniform_op.samples(
    plain=sample([2, 3], dtype=dtypes.float32, seed=1),
    empty=sample([0, 3], dtype=dtypes.float64, seed=1),
    bfloat16=sample([5], dtype=dtypes.bfloat16, seed=1, seed2=2),
    half=sample([5], dtype=dtypes.float16, seed=3),
)


random_uniform_int_op = op(
    "RandomUniformInt(shape: T, minval: Tout, maxval: Tout) -> output: Tout",
    seed="int = 0",
    seed2="int = 0",
    Tout=INDEX,
    T=INDEX,
    stateful=True,
)
random_uniform_int_op.draws()
random_uniform_int_op.in_any_order()


@random_uniform_int_op.shape
def _(shape, minval, maxval):
    with_rank(minval, 0)
    with_rank(maxval, 0)
    return filled(shape)


def integers(start: Any, count: int, minval: np.ndarray, maxval: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """`count` integers from `minval` to below `maxval`; InvalidArgumentError unless these are scalars in order."""
    for name, bound in (("minval", minval), ("maxval", maxval)):
        if np.ndim(bound):
            raise InvalidArgumentError(None, None, f"{name} must be 0-D, got shape {dims_text(np.shape(bound))}")
    if count and minval >= maxval:
        raise InvalidArgumentError(None, None, f"Need minval < maxval, got {minval} >= {maxval}")
    return distributions.uniform_int(start, count, int(minval), int(maxval), dtype) if count else np.empty(0, dtype)


random_uniform_int_op.kernel_for(drawing(integers, distributions.RESERVED))
random_uniform_int_op.samples(
    plain=sample([2, 3], -5, 5, seed=1),
    int64=sample([4], np.int64(0), np.int64(2**62), seed=1),
    whole_range=sample([4], np.int32(-(2**31)), np.int32(2**31 - 1), seed=1),
)


@public("random_uniform", "random.uniform", "compat.v2.random.uniform")
def random_uniform(
    shape: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Values that are all equally likely, from `minval` up to, but without, `maxval`.

    Args:
      shape: sizes of the result, a list, TensorShape or integer tensor.
      minval: the lower bound, a number or scalar tensor.
      maxval: the upper bound; 1 if None, which integers do not allow.
      dtype: half, bfloat16, float32, float64, int32 or int64.
      seed: see `set_random_seed`.
      name: name of the result.

    Raises:
      ValueError: integers without `maxval`, or another dtype.
    """
    dtype = dtypes.as_dtype(dtype)
    if dtype not in UNIFORM_DTYPES:
        raise ValueError(f"Invalid dtype {dtype!r}")
    if maxval is None:
        if dtype.is_integer:
            raise ValueError(f"Must specify maxval for integer dtype {dtype!r}")
        maxval = 1
    with name_scope(name, "random_uniform", [shape, minval, maxval]) as name:
        shape = shape_tensor(shape)
        minval = convert_to_tensor(minval, dtype, name="min")
        maxval = convert_to_tensor(maxval, dtype, name="max")
        seed1, seed2 = get_seed(seed)
        if dtype.is_integer:
            return random_uniform_int_op(shape, minval, maxval, seed=seed1, seed2=seed2, name=name)
        units = random_uniform_op(shape, dtype=dtype, seed=seed1, seed2=seed2)
        return add(units * (maxval - minval), minval, name=name)
