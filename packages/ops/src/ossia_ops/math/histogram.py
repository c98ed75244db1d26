"""Counting values: bins, buckets, histograms, confusion matrices."""
from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.declare.opdef import lookup, op, sample
from ossia_core.declare.shape_rules import constant as constant_value
from ossia_core.declare.shape_rules import unchanged, with_rank, with_value
from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, sizes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import with_dependencies
from ossia_ops.array.fill import ones_like, zeros
from ossia_ops.array.shape import reshape, shape, squeeze
from ossia_ops.array.stacking import stack
from ossia_ops.element_types import INDEX_32
from ossia_ops.math.arithmetic import maximum, minimum
from ossia_ops.math.cast import cast
from ossia_ops.math.clip import clip_by_value
from ossia_ops.math.elementwise import floor
from ossia_ops.math.reduction import reduce_max, reduce_prod
from ossia_ops.math.segment import unsorted_segment_sum

bincount_op = op("Bincount(arr: int32, size: int32, weights: T) -> bins: T", T="{int32, int64, float, double}")


@bincount_op.shape
def _(arr, size, weights):
    with_rank(size, 0)
    count = constant_value(size)
    if count is not None and count < 0:
        raise ValueError(f"size ({count}) must be non-negative")
    return (None if count is None else int(count),)


@bincount_op.kernel
def _(arr, size, weights):
    count = operator.index(size)
    if count < 0:
        raise InvalidArgumentError(None, None, f"size ({count}) must be non-negative")
    values = arr.reshape(-1)
    if values.size and int(values.min()) < 0:
        raise InvalidArgumentError(None, None, "Input arr must be non-negative!")
    sizes.allocatable([count], weights.dtype.itemsize)
    kept = values < count
    result = np.zeros(count, weights.dtype)
    if weights.size:
        if weights.size != values.size:
            # The original reads past the shorter of the two.
            raise InvalidArgumentError(
                None, None,
                f"arr and weights must be of as many elements: {dims_text(arr.shape)} vs. {dims_text(weights.shape)}"
            )
        np.add.at(result, values[kept], weights.reshape(-1)[kept])
    else:
        result += np.bincount(values[kept], minlength=count).astype(weights.dtype)
    return result


bincount_op.samples(plain=([1, 1, 2, 7], 4, np.zeros(0, np.int32)), weighted=([1, 1, 2], 3, [1., 2., 3.]))

dense_bincount_op = op(
    "DenseBincount(input: Tidx, size: Tidx, weights: T) -> output: T", Tidx="{int32, int64}",
    T="{int32, int64, float, double}", binary_output="bool = false",
)  # of graphs of TensorFlow 2


@dense_bincount_op.shape
def _(input, size, weights):
    with_rank(size, 0)
    count = constant_value(size)
    if count is not None and count < 0:
        raise ValueError(f"size ({count}) must be non-negative")
    if input.shape.ndims is None:
        return None
    if input.shape.ndims > 2:
        raise ValueError(f"Shape must be at most rank 2 but is rank {input.shape.ndims}")
    return (*input.shape.as_tuple()[:-1], None if count is None else int(count))


@dense_bincount_op.kernel
def _(input, size, weights, *, binary_output):
    count = operator.index(size)
    if count < 0 or input.ndim not in (1, 2):
        raise InvalidArgumentError(None, None, f"size ({count}) must be non-negative, and the input a vector or matrix")
    if input.size and int(input.min()) < 0:
        raise InvalidArgumentError(None, None, "Input must be non-negative")
    if weights.size and weights.shape != input.shape:
        raise InvalidArgumentError(
            None, None,
            f"weights must be empty or of the input's shape: {dims_text(input.shape)}, {dims_text(weights.shape)}"
        )
    rows = input.reshape(-1, input.shape[-1])
    sizes.allocatable([len(rows), count], weights.dtype.itemsize)
    result = np.zeros((len(rows), count), weights.dtype)
    kept = rows < count
    places = np.nonzero(kept)[0], rows[kept]
    if binary_output:
        result[places] = 1
    else:
        np.add.at(result, places, weights.reshape(rows.shape)[kept] if weights.size else 1)
    return result.reshape(*input.shape[:-1], count)


dense_bincount_op.samples(
    plain=([1, 1, 2, 7], 4, np.zeros(0, np.int32)), weighted=([[1, 1, 2], [0, 5, 0]], 3, [[1., 2., 3.], [4., 5., 6.]]),
    binary=sample([[1, 1, 2], [0, 5, 0]], 3, np.zeros(0, np.float32), binary_output=True),
    refused_negative=([-1], 4, np.zeros(0, np.int32)),
)


@public("bincount", "math.bincount")
def bincount(
    arr: Any, weights: Any = None, minlength: Any = None, maxlength: Any = None, dtype: Any = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """How often each number from 0 on occurs.

    Args:
      arr: an int32 tensor of non-negative numbers.
      weights: what each occurrence counts, a tensor of the shape of `arr`; 1 if None.
      minlength: the least length of the result.
      maxlength: the greatest length; larger numbers are not counted.
      dtype: dtype of the counts without weights.
    """
    with name_scope(name, "bincount"):
        arr = convert_to_tensor(arr, dtypes.int32, "arr")
        nonempty = reduce_prod(shape(arr)) > 0
        size = cast(nonempty, dtypes.int32) * (reduce_max(arr) + 1)
        if minlength is not None:
            size = maximum(convert_to_tensor(minlength, dtypes.int32, "minlength"), size)
        if maxlength is not None:
            size = minimum(convert_to_tensor(maxlength, dtypes.int32, "maxlength"), size)
        if weights is not None:
            return unsorted_segment_sum(convert_to_tensor(weights, name="weights"), arr, size)
        return bincount_op(arr, size, constant([], dtype))


bucketize_op = op("Bucketize(input: T) -> output: int32", T="{int32, int64, float, double}", boundaries="list(float)")


bucketize_op.shape(unchanged)


@bucketize_op.kernel
def _(input, *, boundaries):
    if sorted(boundaries) != boundaries:
        raise InvalidArgumentError(None, None, "Expected sorted boundaries")
    return np.searchsorted(np.array(boundaries, np.float32), input, side="right").astype(np.int32)


bucketize_op.samples(plain=sample([[-5., 150.], [10., 5.]], boundaries=[0., 10., 100.]))


histogram_fixed_width_op = op("HistogramFixedWidth(values: T, value_range: T, nbins: int32) -> out: dtype",
                              T="{int32, int64, float, double}", dtype=INDEX_32)


@histogram_fixed_width_op.shape
def _(values, value_range, nbins):
    with_value(with_rank(value_range, 1).as_tuple()[0], 2)
    with_rank(nbins, 0)
    count = constant_value(nbins)
    if count is not None and count <= 0:
        raise ValueError(f"Requires nbins > 0: {int(count)}")
    return (None if count is None else int(count),)


@histogram_fixed_width_op.kernel
def _(values, value_range, nbins, *, dtype):
    count = operator.index(nbins)
    if value_range.shape != (2,):
        raise InvalidArgumentError(None, None, "value_range should be a vector of 2 elements.")
    if not value_range[0] < value_range[1]:
        text = ", ".join(f"{bound:g}" for bound in value_range.tolist())
        raise InvalidArgumentError(
            None, None, f"value_range should satisfy value_range[0] < value_range[1], but got '[{text}]'"
        )
    if count <= 0:
        raise InvalidArgumentError(None, None, f"nbins should be a positive number, but got '{count}'")
    sizes.allocatable([count], 8)
    step = (float(value_range[1]) - float(value_range[0])) / count
    index = np.floor((np.clip(values.reshape(-1), *value_range).astype(np.float64) - float(value_range[0])) / step)
    return np.bincount(np.clip(index, 0, count - 1).astype(np.int64), minlength=count).astype(dtype.as_numpy_dtype)


histogram_fixed_width_op.samples(plain=([-1., 0., 1.5, 2., 5., 15.], [0., 5.], 5))


@public("histogram_fixed_width")
def histogram_fixed_width(
    values: Any, value_range: Any, nbins: Any = 100, dtype: Any = dtypes.int32, name: str | None = None
) -> Tensor:
    """How many values fall into each of `nbins` bins of equal width; values out of range count in the outer bins.

    Args:
      values: a numeric tensor.
      value_range: the lower end of the first bin and the upper end of the last one.
      nbins: the number of bins.
      dtype: dtype of the counts.
      name: name of the result.
    """
    with name_scope(name, "histogram_fixed_width", [values, value_range, nbins]) as name:
        return histogram_fixed_width_op(values, value_range, nbins, dtype=dtype, name=name)


@public("histogram_fixed_width_bins")
def histogram_fixed_width_bins(
    values: Any, value_range: Any, nbins: Any = 100, dtype: Any = dtypes.int32, name: str | None = None
) -> Tensor:
    """The number of the bin of `histogram_fixed_width` that each value falls into, in the shape of `values`."""
    with name_scope(name, "histogram_fixed_width_bins", [values, value_range, nbins]):
        values = convert_to_tensor(values, name="values")
        dims = shape(values)
        values = reshape(values, [-1])
        value_range = convert_to_tensor(value_range, name="value_range")
        nbins = cast(convert_to_tensor(nbins, dtypes.int32, "nbins"), values.dtype)
        from ossia_ops.math.division import truediv
        scaled = truediv(values - value_range[0], value_range[1] - value_range[0], name="scaled_values")
        indices = floor(nbins * scaled, name="indices")
        inside = clip_by_value(indices, 0, nbins - 1)
        return reshape(cast(inside, dtypes.int32), dims)


def remove_squeezable_dimensions(
    labels: Any, predictions: Any, expected_rank_diff: int = 0, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """Labels and predictions, the one whose last dimension is superfluous and 1 without it.

    Args:
      labels: a tensor.
      predictions: a tensor.
      expected_rank_diff: by how much the rank of `predictions` should exceed that of `labels`.
      name: name scope.

    Raises:
      ValueError: ranks are known, and the last dimension that is superfluous is not 1.
    """
    with name_scope(name, "remove_squeezable_dimensions", [labels, predictions]):
        predictions, labels = convert_to_tensor(predictions), convert_to_tensor(labels)
        p_rank, l_rank = predictions.shape.ndims, labels.shape.ndims
        if l_rank is not None and p_rank is not None:
            difference = p_rank - l_rank
            if difference == expected_rank_diff + 1:
                predictions = squeeze(predictions, [-1])
            elif difference == expected_rank_diff - 1:
                labels = squeeze(labels, [-1])
            return labels, predictions
        from ossia_core.control.cond import cond
        from ossia_ops.array.shape import rank
        from ossia_ops.math.comparison import equal
        difference = rank(predictions) - rank(labels)
        if p_rank is None or predictions.shape.dims[-1].is_compatible_with(1):
            predictions = cond(
                equal(expected_rank_diff + 1, difference), lambda: squeeze(predictions, [-1]), lambda: predictions
            )
        if l_rank is None or labels.shape.dims[-1].is_compatible_with(1):
            labels = cond(equal(expected_rank_diff - 1, difference), lambda: squeeze(labels, [-1]), lambda: labels)
        return labels, predictions


def _checked(x: Tensor, check: str, *args: Any, message: str) -> Tensor:
    """`x` after an assertion of the public API, which another package provides."""
    return with_dependencies([builder(f"debugging.{check}")(x, *args, message=message)], x)


@public("confusion_matrix", "math.confusion_matrix")
def confusion_matrix(
    labels: Any,
    predictions: Any,
    num_classes: Any = None,
    dtype: Any = dtypes.int32,
    name: str | None = None,
    weights: Any = None,
) -> Tensor:
    """How often each label (row) was predicted as each class (column).

    Args:
      labels: a vector of non-negative class numbers.
      predictions: a vector of class numbers.
      num_classes: number of rows and columns; one more than the largest number if None.
      dtype: dtype of the result.
      name: name scope.
      weights: what each pair counts; 1 if None.

    Returns:
      A matrix of shape [num_classes, num_classes].
    """
    with name_scope(name, "confusion_matrix", (predictions, labels, num_classes, weights)):
        labels, predictions = remove_squeezable_dimensions(convert_to_tensor(labels, name="labels"),
                                                           convert_to_tensor(predictions, name="predictions"))
        predictions, labels = cast(predictions, dtypes.int64), cast(labels, dtypes.int64)
        labels = _checked(labels, "assert_non_negative", message="`labels` contains negative values")
        predictions = _checked(predictions, "assert_non_negative", message="`predictions` contains negative values")
        if num_classes is None:
            num_classes = maximum(reduce_max(predictions), reduce_max(labels)) + 1
        else:
            count = cast(num_classes, dtypes.int64)
            labels = _checked(labels, "assert_less", count, message="`labels` out of bound")
            predictions = _checked(predictions, "assert_less", count, message="`predictions` out of bound")
        if weights is not None:
            weights = convert_to_tensor(weights, name="weights")
            predictions.shape.assert_is_compatible_with(weights.shape)
            weights = cast(weights, dtype)
        dims = stack([num_classes, num_classes])
        indices = stack([labels, predictions], axis=1)
        values = ones_like(predictions, dtype) if weights is None else weights
        cells = SparseTensor(indices, values, cast(dims, dtypes.int64))
        return lookup("SparseTensorDenseAdd")(
            cells.indices, cells.values, cells.dense_shape, zeros(cast(dims, dtypes.int32), dtype)
        )
