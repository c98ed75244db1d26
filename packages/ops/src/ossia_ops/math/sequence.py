"""Sequences of evenly spaced numbers."""
from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import constant as constant_value
from ossia_core.declare.shape_rules import with_rank
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, sizes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import public
from ossia_ops.element_types import INDEX_32
from ossia_ops.math.cast import cast

_PRECEDENCE = (dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64)


def _count(start: Any, limit: Any, delta: Any) -> int:
    """How many numbers a range holds.

    Raises:
      ValueError: the step is zero or leads away from the limit.
    """
    if np.asarray(start).dtype.kind in "iu":
        start, limit, delta = map(operator.index, (start, limit, delta))
    if delta == 0:
        raise ValueError("Requires delta != 0")
    if delta > 0 and start > limit:
        raise ValueError(f"Requires start <= limit when delta > 0: {start}/{limit}")
    if delta < 0 and start < limit:
        raise ValueError(f"Requires start >= limit when delta < 0: {start}/{limit}")
    if isinstance(start, int):
        return -((start - limit) // delta) if delta > 0 else -((limit - start) // -delta)
    with np.errstate(all="ignore"):
        return math.ceil(abs(np.divide(limit - start, delta).item()))


range_op = op("Range(start: Tidx, limit: Tidx, delta: Tidx) -> output: Tidx",
              Tidx="{bfloat16, float, double, int32, int64} = DT_INT32")


@range_op.shape
def _(start, limit, delta):
    values = []
    for name, bound in (("start", start), ("limit", limit), ("delta", delta)):
        try:
            with_rank(bound, 0)
        except ValueError as error:
            raise ValueError(f"{error}\n\t for '{name}'") from None
        values.append(constant_value(bound))
    return (None,) if any(v is None for v in values) else (_count(*values),)


@range_op.static_value
def _(node, index, known):
    values = known.inputs(node, index)
    return None if values is None else np.arange(*values, dtype=node.outputs[0].dtype.as_numpy_dtype)


@range_op.kernel
def _(start, limit, delta):
    kind = np.asarray(start).dtype
    try:
        count = _count(start, limit, delta)
    except (ValueError, OverflowError) as e:
        raise InvalidArgumentError(None, None, str(e)) from None
    sizes.allocatable([count], kind.itemsize)
    if kind.kind in "iu":
        first, step = int(start), int(delta)
        return np.arange(first, first + count * step, step, kind) if count else np.zeros(0, kind)
    # Each number is the one before plus the step, rounded every time.
    result = np.full(count, np.asarray(delta), kind)
    if count:
        result[0] = start
        np.add.accumulate(result, out=result)
    return result


range_op.not_differentiable()
range_op.samples(ints=(0, 5, 2), down=(5, 0, -1), floats=(0., 1., 0.1), empty=(3, 3, 1))


@public("range")
def range(start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: str = "range") -> Tensor:
    """The numbers `start`, `start + delta`, ... before `limit`; with one argument those from 0 before it.

    Args:
      start: the first number, a scalar.
      limit: where the sequence ends (not included).
      delta: the step.
      dtype: dtype of the numbers; inferred if None.
      name: name of the result.

    Raises:
      AssertionError: a bound without a `dtype` is no number that ranges have.
    """
    if limit is None:
        start, limit = 0, start
    with name_scope(name, "Range", [start, limit, delta]) as name:
        wanted = None if dtype is None else dtypes.as_dtype(dtype)
        start = convert_to_tensor(start, wanted, "start")
        limit = convert_to_tensor(limit, wanted, "limit")
        delta = convert_to_tensor(delta, wanted, "delta")
        if dtype is None:
            bounds = [start, limit, delta]
            if not all(b.dtype.base_dtype in _PRECEDENCE for b in bounds):
                raise AssertionError(f"the bounds of a range should be numbers, got {[b.dtype.name for b in bounds]}")
            common = max((b.dtype.base_dtype for b in bounds), key=_PRECEDENCE.index)
            start, limit, delta = (cast(b, common) for b in bounds)
        return range_op(start, limit, delta, name=name)


lin_space_op = op("LinSpace(start: T, stop: T, num: Tidx) -> output: T", T="{bfloat16, float, double}", Tidx=INDEX_32)


@lin_space_op.shape
def _(start, stop, num):
    for what, bound in (("start", start), ("stop", stop), ("num", num)):
        try:
            with_rank(bound, 0)
        except ValueError as error:
            raise ValueError(f"{error}\n\t for '{what}'") from None
    count = constant_value(num)
    if count is None:
        return (None,)
    if count <= 0:
        raise ValueError(f"Requires num > 0: {int(count)}")
    return (int(count),)


@lin_space_op.kernel
def _(start, stop, num):
    for what, bound in (("start", start), ("stop", stop), ("num", num)):
        if np.ndim(bound):
            raise InvalidArgumentError(None, None, f"{what} must be a scalar, not shape {dims_text(np.shape(bound))}")
    count = int(num)
    if count <= 0:
        raise InvalidArgumentError(None, None, f"Requires num > 0: {count}")
    kind = np.asarray(start).dtype
    sizes.allocatable([count], kind.itemsize)
    if count == 1:
        return np.full(1, start, kind)
    step = ((stop - start) / kind.type(count - 1)).astype(kind)
    result = (start + step * np.arange(count).astype(kind)).astype(kind)
    result[0], result[-1] = start, stop
    return result


lin_space_op.not_differentiable()
lin_space_op.samples(plain=(0., 1., 5), one=(2., 5., 1))


@public("lin_space", "linspace")
def lin_space(start: Any, stop: Any, num: Any, name: str | None = None) -> Tensor:
    """`num` evenly spaced numbers from `start` to `stop`, both included."""
    return lin_space_op(start, stop, num, name=name)
