"""Normally distributed values, plain and truncated."""

from __future__ import annotations

from typing import Any

from ossia_core.declare.opdef import OpDef, op, sample
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.seeds import get_seed
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_ops.element_types import INDEX
from ossia_ops.math.arithmetic import add
from ossia_ops.random.samplers import distributions
from ossia_ops.random.streams import drawing, filled, shape_tensor

_FLOATS = "{half, bfloat16, float, double}"
_SAMPLES = {
    "plain": sample([2, 3], dtype=dtypes.float32, seed=1),
    "empty": sample([0, 3], dtype=dtypes.float32, seed=1),
    "double": sample([5], dtype=dtypes.float64, seed=1, seed2=2),
    "half": sample([5], dtype=dtypes.float16, seed=3),
}


random_standard_normal_op = op(
    "RandomStandardNormal(shape: T) -> output: dtype",
    seed="int = 0",
    seed2="int = 0",
    dtype=_FLOATS,
    T=INDEX,
    stateful=True,
)
random_standard_normal_op.draws()
random_standard_normal_op.in_any_order()


random_standard_normal_op.shape(filled)
random_standard_normal_op.kernel_for(drawing(distributions.normal, distributions.RESERVED))
random_standard_normal_op.not_differentiable()
random_standard_normal_op.samples(**_SAMPLES)


@public("random_normal", "random.normal", "compat.v2.random.normal")
def random_normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Normally distributed values.

    Args:
      shape: sizes of the result, a list, TensorShape or integer tensor.
      mean: the mean, a number or a tensor that broadcasts to `shape`.
      stddev: the standard deviation, likewise.
      dtype: a floating dtype.
      seed: see `set_random_seed`.
      name: name of the result.
    """
    return _scaled(random_standard_normal_op, "random_normal", shape, mean, stddev, dtype, seed, name)


truncated_normal_op = op(
    "TruncatedNormal(shape: T) -> output: dtype", seed="int = 0", seed2="int = 0", dtype=_FLOATS, T=INDEX, stateful=True
)
truncated_normal_op.draws()
truncated_normal_op.in_any_order()


truncated_normal_op.shape(filled)
truncated_normal_op.kernel_for(drawing(distributions.truncated_normal, distributions.RESERVED))
truncated_normal_op.not_differentiable()
truncated_normal_op.samples(**_SAMPLES)


@public("truncated_normal", "random.truncated_normal", "compat.v2.random.truncated_normal")
def truncated_normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Normally distributed values, those further than two standard deviations from the mean drawn again.

    Args are those of `random_normal`; `stddev` is the standard deviation before truncation.
    """
    return _scaled(truncated_normal_op, "truncated_normal", shape, mean, stddev, dtype, seed, name)


def _scaled(
    standard: OpDef,
    default_name: str,
    shape: Any,
    mean: Any,
    stddev: Any,
    dtype: Any,
    seed: int | None,
    name: str | None,
) -> Tensor:
    with name_scope(name, default_name, [shape, mean, stddev]) as name:
        shape = shape_tensor(shape)
        mean = convert_to_tensor(mean, dtype, name="mean")
        stddev = convert_to_tensor(stddev, dtype, name="stddev")
        seed1, seed2 = get_seed(seed)
        values = standard(shape, dtype=dtype, seed=seed1, seed2=seed2)
        return add(values * stddev, mean, name=name)
