"""Running sums, products and log-sum-exps."""
from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import unchanged
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import public
from ossia_ops.array.selection import where_v2
from ossia_ops.element_types import INDEX_32, NUMBERS
from ossia_ops.math.comparison import greater, less
from ossia_ops.math.exponential import exp_op, log_op


def _scan(x: Any, axis: Any, exclusive: bool, reverse: bool, accumulate: Any, initial: Any) -> Any:
    if np.ndim(axis):
        raise InvalidArgumentError(None, None, f"ScanOp: axis must be a scalar, not {dims_text(np.shape(axis))}")
    x, axis = np.asarray(x), int(axis)
    if not -x.ndim <= axis < x.ndim:
        shown = axis + x.ndim if axis < 0 else axis  # as the original counts when it refuses
        raise InvalidArgumentError(
            None, None, f"ScanOp: Expected scan axis in the range [{-x.ndim}, {x.ndim}), but got {shown}"
        )
    if not x.size:
        return np.array(x)
    if reverse:
        x = np.flip(x, axis)
    result = accumulate(x, axis)
    if exclusive:
        result = np.roll(result, 1, axis)
        index = [slice(None)] * x.ndim
        index[axis] = slice(0, 1)
        result[tuple(index)] = initial
    return np.ascontiguousarray(np.flip(result, axis)) if reverse else result


_SIDE_BY_SIDE = 256  # elements that are added at once from which a call for each row pays


def _running(join: np.ufunc, x: np.ndarray, axis: int) -> np.ndarray:
    """`join.accumulate`, which goes along the axis for one element after the other: row by row where rows are long."""
    if x.ndim == 1 or x.size // x.shape[axis] < _SIDE_BY_SIDE or axis % x.ndim == x.ndim - 1:
        return join.accumulate(x, axis, x.dtype)
    result = np.empty(x.shape, x.dtype)
    rows, found = np.moveaxis(x, axis, 0), np.moveaxis(result, axis, 0)
    found[0] = rows[0]
    for i in range(1, len(rows)):
        join(found[i - 1], rows[i], found[i])
    return result


cumsum_op = op("Cumsum(x: T, axis: Tidx) -> out: T", exclusive="bool = false", reverse="bool = false", T=NUMBERS,
               Tidx=INDEX_32)


cumsum_op.shape(unchanged)


@cumsum_op.kernel
def _(x, axis, *, exclusive, reverse):
    return _scan(x, axis, exclusive, reverse, functools.partial(_running, np.add), 0)


@cumsum_op.gradient
def _(node, grad):
    axis, exclusive, reverse = node.inputs[1], node.get_attr("exclusive"), node.get_attr("reverse")
    return [cumsum(grad, axis, exclusive=exclusive, reverse=not reverse), None]


cumsum_op.samples(
    plain=([1.0, 2.0, 3.0], 0),
    exclusive=sample([1, 2, 3], 0, exclusive=True, reverse=True),
    rows=([[1.0, 2.0], [3.0, 4.0]], 0),
    columns=(np.ones((3, 300), "f4"), 0),
)


@public("cumsum", "math.cumsum")
def cumsum(x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> Tensor:
    """Running sums along `axis`.

    Args:
      x: a tensor.
      axis: the dimension along which to add.
      exclusive: leave out the element itself.
      reverse: add from the back.
      name: name of the result.
    """
    with name_scope(name, "Cumsum", [x]) as name:
        x = convert_to_tensor(x, name="x")
        return cumsum_op(x, axis, exclusive=exclusive, reverse=reverse, name=name)


cumprod_op = op("Cumprod(x: T, axis: Tidx) -> out: T", exclusive="bool = false", reverse="bool = false", T=NUMBERS,
                Tidx=INDEX_32)


cumprod_op.shape(unchanged)


@cumprod_op.kernel
def _(x, axis, *, exclusive, reverse):
    return _scan(x, axis, exclusive, reverse, functools.partial(_running, np.multiply), 1)


@cumprod_op.gradient
def _(node, grad):
    x, axis = node.inputs
    exclusive, reverse = node.get_attr("exclusive"), node.get_attr("reverse")
    products = cumprod(x, axis, exclusive=exclusive, reverse=reverse)
    return [cumsum(products * grad, axis, exclusive=exclusive, reverse=not reverse) / x, None]


cumprod_op.samples(plain=([1., 2., 3.], 0), exclusive=sample([1, 2, 3], 0, exclusive=True))


@public("cumprod", "math.cumprod")
def cumprod(x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> Tensor:
    """Running products along `axis`; the arguments are those of `cumsum`."""
    with name_scope(name, "Cumprod", [x]) as name:
        x = convert_to_tensor(x, name="x")
        return cumprod_op(x, axis, exclusive=exclusive, reverse=reverse, name=name)


cumulative_logsumexp_op = op("CumulativeLogsumexp(x: T, axis: Tidx) -> out: T", exclusive="bool = false",
                             reverse="bool = false", T="{half, float, double}", Tidx=INDEX_32)


cumulative_logsumexp_op.shape(unchanged)


@cumulative_logsumexp_op.kernel
def _(x, axis, *, exclusive, reverse):
    # Logarithms of nothing are the lowest finite number, not minus infinity.
    lowest = np.finfo(x.dtype).min
    if np.isnan(x).any() or np.isposinf(x).any():
        return _scan(x, axis, exclusive, reverse, _one_by_one, lowest)
    return np.maximum(_scan(x, axis, exclusive, reverse, np.logaddexp.accumulate, lowest), lowest)


def _one_by_one(x: Any, axis: int) -> Any:
    """Logarithms of sums as the original adds them: NaN counts as what is there already, and infinity once."""
    sums = np.empty_like(x)
    total = np.full_like(np.take(x, 0, axis), np.finfo(x.dtype).min)
    with np.errstate(all="ignore"):
        for i in range(x.shape[axis]):
            value = np.take(x, i, axis)
            low, high = np.where(value < total, value, total), np.where(total < value, value, total)
            total = (high + np.log1p(np.exp(low - high))).astype(x.dtype)
            np.moveaxis(sums, axis, 0)[i] = total
    return sums


@cumulative_logsumexp_op.gradient
def _(node, grad):
    x, axis = node.inputs
    sums = node.outputs[0]
    exclusive, reverse = node.get_attr("exclusive"), node.get_attr("reverse")
    lowest = grad.dtype.min
    # Gradients may have either sign: the logarithms of both parts are summed apart.
    log_positive = where_v2(greater(grad, 0), log_op(grad), lowest)
    log_negative = where_v2(less(grad, 0), log_op(-grad), lowest)
    positive = exp_op(cumulative_logsumexp(log_positive - sums, axis, reverse=not reverse, exclusive=exclusive) + x)
    negative = exp_op(cumulative_logsumexp(log_negative - sums, axis, reverse=not reverse, exclusive=exclusive) + x)
    return [positive - negative, None]


cumulative_logsumexp_op.samples(
    plain=([1., 2., 3.], 0), reverse=sample([[1., 2., 3.]], 1, reverse=True),
    special=sample([np.inf, 1., np.nan, -np.inf], 0, reverse=True, exclusive=True),
)


@public("math.cumulative_logsumexp")
def cumulative_logsumexp(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Tensor:
    """Logarithms of running sums of exponentials along `axis`; the arguments are those of `cumsum`."""
    with name_scope(name, "CumulativeLogsumexp", [x]) as name:
        x = convert_to_tensor(x, name="x")
        return cumulative_logsumexp_op(x, axis, exclusive=exclusive, reverse=reverse, name=name)
