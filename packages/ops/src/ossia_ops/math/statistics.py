"""Reductions composed of others: variances, log-sum-exp, counts; and the positions of extremes."""
from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup, op, sample
from ossia_core.declare.shape_rules import constant as constant_value
from ossia_core.declare.shape_rules import with_rank
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import public
from ossia_ops.array.fill import zeros, zeros_like
from ossia_ops.array.selection import where
from ossia_ops.array.shape import one_of, reshape, shape
from ossia_ops.element_types import INDEX_32, INDEX_64, NUMBERS
from ossia_ops.math.arithmetic import add_op, sub_op
from ossia_ops.math.cast import cast
from ossia_ops.math.elementwise import sqrt_op, square
from ossia_ops.math.exponential import exp_op, log_op
from ossia_ops.math.reduction import documented, reduce_max, reduce_mean, reduce_sum, to_scalar


def _arg_shape(input, dimension):
    with_rank(dimension, 0)
    dims, axis = input.shape.as_tuple(), constant_value(dimension)
    if dims is None:
        return None
    if axis is None:
        return (None,) * (len(dims) - 1)
    if len(dims) < 2:
        return ()
    axis = int(axis)
    if not -len(dims) <= axis < len(dims):
        raise ValueError(
            f"Dimension ({axis}) must be in the range [{-len(dims)}, {len(dims)}), where {len(dims)} is the number of "
            "dimensions in the input."
        )
    axis %= len(dims)
    return dims[:axis] + dims[axis + 1:]


def _arg_extreme(input: Any, dimension: Any, output_type: Any, find: Any, skipped: float) -> Any:
    if np.ndim(dimension):
        raise InvalidArgumentError(
            None, None, f"dim must be a scalar, but received tensor of shape: {dims_text(np.shape(dimension))}"
        )
    x, axis = np.asarray(input), operator.index(dimension)
    if not -x.ndim <= axis < x.ndim:
        raise InvalidArgumentError(None, None, f"Expected dimension in the range [{-x.ndim}, {x.ndim}), but got {axis}")
    if not x.shape[axis]:
        raise InvalidArgumentError(None, None, f"Reduction axis {axis} is empty in shape {dims_text(x.shape)}")
    if x.dtype.kind not in "iub" and np.isnan(x).any():
        x = np.where(np.isnan(x), np.asarray(skipped, x.dtype), x)
    return find(x, axis).astype(output_type.as_numpy_dtype)


arg_max_op = op("ArgMax(input: T, dimension: Tidx) -> output: output_type", T=NUMBERS, Tidx=INDEX_32,
                output_type=INDEX_64)


arg_max_op.shape(_arg_shape)


@arg_max_op.kernel
def _(input, dimension, *, output_type):
    return _arg_extreme(input, dimension, output_type, np.argmax, -np.inf)


@arg_max_op.gradient
def _(node, grad):
    return [None, None]


arg_max_op.samples(rows=([[1., 5.], [7., 2.]], 1), nan=([np.nan, 1.], 0), ties=sample([3, 3], 0, output_type="int32"))


@public("argmax", "math.argmax")
def argmax(
    input: Any, axis: Any = None, name: str | None = None, dimension: Any = None, output_type: Any = dtypes.int64
) -> Tensor:
    """The positions of the largest elements along `axis` (0 if None; `dimension` is its old name), the first of
    several.

    Raises:
      ValueError: both names are used, or the axis is out of range.
    """
    axis = one_of("axis", axis, "dimension", dimension)
    return arg_max_op(input, 0 if axis is None else axis, output_type=output_type, name=name)


@public("arg_max")
def arg_max(input: Any, dimension: Any, output_type: Any = dtypes.int64, name: str | None = None) -> Tensor:
    """The positions of the largest elements along `dimension`."""
    return arg_max_op(input, dimension, output_type=output_type, name=name)


arg_min_op = op("ArgMin(input: T, dimension: Tidx) -> output: output_type", T=NUMBERS, Tidx=INDEX_32,
                output_type=INDEX_64)


arg_min_op.shape(_arg_shape)


@arg_min_op.kernel
def _(input, dimension, *, output_type):
    return _arg_extreme(input, dimension, output_type, np.argmin, np.inf)


@arg_min_op.gradient
def _(node, grad):
    return [None, None]


arg_min_op.samples(rows=([[1., 5.], [7., 2.]], 1), nan=([np.nan, 1.], 0))


@public("argmin", "math.argmin")
def argmin(
    input: Any, axis: Any = None, name: str | None = None, dimension: Any = None, output_type: Any = dtypes.int64
) -> Tensor:
    """The positions of the smallest elements along `axis` (0 if None; `dimension` is its old name), the first of
    several."""
    axis = one_of("axis", axis, "dimension", dimension)
    return arg_min_op(input, 0 if axis is None else axis, output_type=output_type, name=name)


@public("arg_min")
def arg_min(input: Any, dimension: Any, output_type: Any = dtypes.int64, name: str | None = None) -> Tensor:
    """The positions of the smallest elements along `dimension`."""
    return arg_min_op(input, dimension, output_type=output_type, name=name)


@public("reduce_logsumexp", "math.reduce_logsumexp")
@documented("The logarithm of the sum of exponentials, safe from overflow,")
def reduce_logsumexp(
    input_tensor: Any,
    axis: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
    reduction_indices: Any = None,
    keep_dims: bool | None = None,
) -> Tensor:
    axis = one_of("axis", axis, "reduction_indices", reduction_indices)
    keepdims = bool(one_of("keepdims", keepdims, "keep_dims", keep_dims))
    input_tensor = convert_to_tensor(input_tensor)
    with name_scope(name, "ReduceLogSumExp", [input_tensor]):
        largest = reduce_max(input_tensor, axis=axis, keepdims=True)
        largest = lookup("StopGradient")(where(lookup("IsFinite")(largest), largest, zeros_like(largest)))
        result = log_op(reduce_sum(exp_op(sub_op(input_tensor, largest)), axis=axis, keepdims=keepdims))
        if not keepdims:
            largest = reshape(largest, shape(result))
        return to_scalar(add_op(result, largest), keepdims, axis)


@public("math.reduce_variance")
def reduce_variance(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """The mean of squared differences from the mean along `axis`, or of all elements."""
    with name_scope(name or "reduce_variance"):
        mean = reduce_mean(input_tensor, axis=axis, keepdims=True)
        return reduce_mean(square(input_tensor - mean), axis=axis, keepdims=keepdims)


@public("math.reduce_std")
def reduce_std(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """The square root of `reduce_variance`."""
    with name_scope(name or "reduce_std"):
        return sqrt_op(reduce_variance(input_tensor, axis=axis, keepdims=keepdims))


@public("count_nonzero", "math.count_nonzero")
def count_nonzero(
    input_tensor: Any = None, axis: Any = None, keepdims: bool | None = None, dtype: Any = dtypes.int64,
    name: str | None = None, reduction_indices: Any = None, keep_dims: bool | None = None, input: Any = None,
) -> Tensor:
    """The number of elements that are not zero (False, an empty string).

    Args:
      input_tensor: a tensor.
      axis: an axis or a list of axes; all if None.
      keepdims: keep the reduced dimensions, with size 1.
      dtype: dtype of the result.
      name: name scope.
      reduction_indices: the old name of `axis`.
      keep_dims: the old name of `keepdims`.
      input: the newer name of `input_tensor`.
    """
    keepdims = bool(one_of("keepdims", keepdims, "keep_dims", keep_dims))
    x = one_of("input", input, "input_tensor", input_tensor)
    axis = one_of("axis", axis, "reduction_indices", reduction_indices)
    with name_scope(name, "count_nonzero", [x]):
        x = convert_to_tensor(x, name="input")
        zero = zeros([], x.dtype)
        count = reduce_sum(cast(lookup("NotEqual")(x, zero), dtypes.int64), axis=axis, keepdims=keepdims)
        return cast(count, dtypes.as_dtype(dtype))
