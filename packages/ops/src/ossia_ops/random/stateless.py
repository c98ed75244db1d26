"""Random values that depend on nothing but the arguments: the same seed gives the same values, run for run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.opdef import OpDef, op, sample
from ossia_core.declare.shape_rules import with_rank
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.element_types import INDEX, INDEX_32, INDEX_64
from ossia_ops.math.arithmetic import add
from ossia_ops.random.samplers import distributions
from ossia_ops.random.streams import filled, shape_tensor, sizes_of, stateless_start
from ossia_ops.random.uniform import UNIFORM_DTYPES, integers

_FLOATS = "{half, bfloat16, float, double} = DT_FLOAT"
_SAMPLES = {
    "plain": sample([2, 3], np.array([1, 2])),
    "empty": sample([0, 3], np.array([1, 2])),
    "double": sample([5], np.array([-1, 2**40]), dtype=dtypes.float64),
    "half": sample([5], [3, 0], dtype=dtypes.float16),
}


def _filled(shape: Tensor, seed: Tensor, *bounds: Tensor) -> TensorShape:
    for bound in bounds:
        with_rank(bound, 0)
    if with_rank(seed, 1).as_tuple()[0] not in (2, None):
        raise ValueError(f"Dimension must be 2 but is {seed.shape.as_tuple()[0]}")
    return filled(shape)


def _drawing(fill: Callable) -> Callable:
    def kernel_for(node):
        dtype = np.dtype(node.outputs[0].dtype.as_numpy_dtype)

        def kernel(shape, seed, *bounds):
            start = stateless_start(seed)
            dims, count = sizes_of(shape, dtype.itemsize)
            return fill(start, count, *bounds, dtype).reshape(dims)

        return kernel

    return kernel_for


stateless_random_uniform_op = op(
    "StatelessRandomUniform(shape: T, seed: Tseed) -> output: dtype", dtype=_FLOATS, T=INDEX_32, Tseed=INDEX_64
)


stateless_random_uniform_op.shape(_filled)
stateless_random_uniform_op.kernel_for(_drawing(distributions.uniform))
stateless_random_uniform_op.not_differentiable()
stateless_random_uniform_op.samples(**_SAMPLES)


stateless_random_uniform_int_op = op(
    "StatelessRandomUniformInt(shape: T, seed: Tseed, minval: dtype, maxval: dtype) -> output: dtype",
    dtype=INDEX,
    T=INDEX,
    Tseed=INDEX_64,
)


stateless_random_uniform_int_op.shape(_filled)
stateless_random_uniform_int_op.kernel_for(_drawing(integers))
stateless_random_uniform_int_op.not_differentiable()
stateless_random_uniform_int_op.samples(
    plain=([2, 3], np.array([1, 2]), -5, 5), int64=([4], [1, 2], np.int64(0), np.int64(2**62))
)


@public("random.stateless_uniform", "compat.v2.random.stateless_uniform")
def stateless_random_uniform(
    shape: Any, seed: Any, minval: Any = 0, maxval: Any = None, dtype: Any = dtypes.float32, name: str | None = None
) -> Tensor:
    """Values that are all equally likely, from `minval` up to, but without, `maxval`.

    Args:
      shape: sizes of the result, a list, TensorShape or integer tensor.
      seed: two integers, as a list or a tensor of shape [2].
      minval: the lower bound, a number or scalar tensor.
      maxval: the upper bound; 1 if None, which integers do not allow.
      dtype: half, bfloat16, float32, float64, int32 or int64.
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
    with name_scope(name, "stateless_random_uniform", [shape, seed, minval, maxval]) as name:
        shape = shape_tensor(shape)
        minval = convert_to_tensor(minval, dtype, name="min")
        maxval = convert_to_tensor(maxval, dtype, name="max")
        if dtype.is_integer:
            return stateless_random_uniform_int_op(shape, seed, minval, maxval, name=name)
        units = stateless_random_uniform_op(shape, seed, dtype=dtype)
        return add(units * (maxval - minval), minval, name=name)


stateless_random_normal_op = op(
    "StatelessRandomNormal(shape: T, seed: Tseed) -> output: dtype", dtype=_FLOATS, T=INDEX_32, Tseed=INDEX_64
)


stateless_random_normal_op.shape(_filled)
stateless_random_normal_op.kernel_for(_drawing(distributions.normal))
stateless_random_normal_op.not_differentiable()
stateless_random_normal_op.samples(**_SAMPLES)


@public("random.stateless_normal", "compat.v2.random.stateless_normal")
def stateless_random_normal(
    shape: Any, seed: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = dtypes.float32, name: str | None = None
) -> Tensor:
    """Normally distributed values.

    Args:
      shape: sizes of the result, a list, TensorShape or integer tensor.
      seed: two integers, as a list or a tensor of shape [2].
      mean: the mean, a number or a tensor that broadcasts to `shape`.
      stddev: the standard deviation, likewise.
      dtype: a floating dtype.
      name: name of the result.
    """
    return _scaled(stateless_random_normal_op, "stateless_random_normal", shape, seed, mean, stddev, dtype, name)


stateless_truncated_normal_op = op(
    "StatelessTruncatedNormal(shape: T, seed: Tseed) -> output: dtype", dtype=_FLOATS, T=INDEX_32, Tseed=INDEX_64
)


stateless_truncated_normal_op.shape(_filled)
stateless_truncated_normal_op.kernel_for(_drawing(distributions.truncated_normal))
stateless_truncated_normal_op.not_differentiable()
stateless_truncated_normal_op.samples(**_SAMPLES)


@public("random.stateless_truncated_normal", "compat.v2.random.stateless_truncated_normal")
def stateless_truncated_normal(
    shape: Any, seed: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = dtypes.float32, name: str | None = None
) -> Tensor:
    """Normally distributed values without those further than two standard deviations from the mean.

    Args are those of `stateless_random_normal`.
    """
    return _scaled(stateless_truncated_normal_op, "stateless_truncated_normal", shape, seed, mean, stddev, dtype, name)


def _scaled(
    standard: OpDef, default_name: str, shape: Any, seed: Any, mean: Any, stddev: Any, dtype: Any, name: str | None
) -> Tensor:
    with name_scope(name, default_name, [shape, seed, mean, stddev]) as name:
        shape = shape_tensor(shape)
        mean = convert_to_tensor(mean, dtype, name="mean")
        stddev = convert_to_tensor(stddev, dtype, name="stddev")
        values = standard(shape, seed, dtype=dtype)
        return add(values * stddev, mean, name=name)
