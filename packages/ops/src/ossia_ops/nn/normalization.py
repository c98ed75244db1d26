"""Moments of batches and normalization by them."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import merge_dim, with_rank
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.array.fill import zeros, zeros_like
from ossia_ops.array.shape import one_of, shape, size, squeeze
from ossia_ops.math.arithmetic import add, maximum, multiply, squared_difference, subtract
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import not_equal
from ossia_ops.math.elementwise import reciprocal, rsqrt, square
from ossia_ops.math.reduction import reduce_mean, reduce_prod, reduce_sum

_NUMBERS = (
    "{float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, uint16, "
    "complex128, half, uint32, uint64}"
)


def _keep(keep_dims: Any, keepdims: Any) -> bool:
    keep = one_of("keepdims", keepdims, "keep_dims", keep_dims)
    return bool(keep)


@public("nn.moments")
def moments(x: Any, axes: Any, shift: Any = None, name: str | None = None, keep_dims: bool | None = None,
            keepdims: bool | None = None) -> tuple[Tensor, Tensor]:
    """Mean and variance of `x` along `axes`.

    Args:
      x: a tensor; float16 is computed in float32.
      axes: dimensions that are averaged over.
      shift: not used.
      name: name of the scope.
      keep_dims: keep the dimensions, with size 1.
      keepdims: the newer name of `keep_dims`.
    """
    keep = _keep(keep_dims, keepdims)
    with name_scope(name, "moments", [x, axes]):
        low = x.dtype == dtypes.float16
        y = cast(x, dtypes.float32) if low else x
        mean = reduce_mean(y, axes, keepdims=True, name="mean")
        variance = reduce_mean(
            squared_difference(y, builder("stop_gradient")(mean)), axes, keepdims=True, name="variance"
        )
        if not keep:
            mean, variance = squeeze(mean, axes), squeeze(variance, axes)
        return (cast(mean, dtypes.float16), cast(variance, dtypes.float16)) if low else (mean, variance)


@public("nn.weighted_moments")
def weighted_moments(x: Any, axes: Any, frequency_weights: Any, name: str | None = None, keep_dims: bool | None = None,
                     keepdims: bool | None = None) -> tuple[Tensor, Tensor]:
    """Mean and variance of `x` along `axes`, each element counted as often as its weight says.

    Args:
      x: a tensor.
      axes: dimensions that are averaged over.
      frequency_weights: positive numbers that broadcast to `x`.
      name: name of the scope.
      keep_dims: keep the dimensions, with size 1.
      keepdims: the newer name of `keep_dims`.
    """
    keep = _keep(keep_dims, keepdims)
    with name_scope(name, "weighted_moments", [x, frequency_weights, axes]):
        x = convert_to_tensor(x, name="x")
        weights = convert_to_tensor(frequency_weights, name="frequency_weights")
        low = x.dtype == dtypes.float16
        if low:
            x = cast(x, dtypes.float32)
        if weights.dtype != x.dtype:
            weights = cast(weights, x.dtype)
        total = reduce_sum(weights * x, axes, name="weighted_input_sum", keepdims=True)
        sum_of_weights = reduce_sum(weights + zeros_like(x), axes, name="sum_of_weights", keepdims=True)
        divisor = reciprocal(sum_of_weights, name="inv_weight_sum")
        mean = multiply(total, divisor)
        squares = reduce_sum(weights * squared_difference(x, mean), axes, name="weighted_distsq", keepdims=True)
        variance = multiply(squares, divisor)
        if not keep:
            mean, variance = squeeze(mean, axis=axes), squeeze(variance, axis=axes)
        return (cast(mean, dtypes.float16), cast(variance, dtypes.float16)) if low else (mean, variance)


@public("nn.sufficient_statistics")
def sufficient_statistics(
    x: Any,
    axes: Sequence[int],
    shift: Any = None,
    keep_dims: bool | None = None,
    name: str | None = None,
    keepdims: bool | None = None,
) -> tuple[Tensor, Tensor, Tensor, Any]:
    """Count, sum and sum of squares along `axes`, from which `normalize_moments` makes mean and variance.

    Args:
      x: a tensor.
      axes: dimensions that are summed over.
      shift: subtracted from `x` for precision; close to the mean.
      keep_dims: keep the dimensions, with size 1.
      name: name of the scope.
      keepdims: the newer name of `keep_dims`.

    Returns:
      Count, sum, sum of squares, shift.
    """
    axes = list(set(axes))
    keep = _keep(keep_dims, keepdims)
    with name_scope(name, "sufficient_statistics", [x, shift]):
        x = convert_to_tensor(x, name="x")
        dims = x.shape.as_tuple()
        if dims is not None and all(dims[d] is not None for d in axes):
            count = constant(int(np.prod([dims[d] for d in axes])), dtype=x.dtype)
        else:
            count = reduce_prod(builder("gather")(cast(shape(x), x.dtype), axes), name="count")
        if shift is not None:
            shift = convert_to_tensor(shift, name="shift")
            first, second = subtract(x, shift), squared_difference(x, shift)
        else:
            first, second = x, square(x)
        first = reduce_sum(first, axes, keepdims=keep, name="mean_ss")
        second = reduce_sum(second, axes, keepdims=keep, name="var_ss")
        return count, first, second, shift


@public("nn.normalize_moments")
def normalize_moments(
    counts: Any, mean_ss: Any, variance_ss: Any, shift: Any, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """Mean and variance from what `sufficient_statistics` gives."""
    with name_scope(name, "normalize", [counts, mean_ss, variance_ss, shift]):
        divisor = reciprocal(counts, name="divisor")
        if shift is not None:
            shifted = multiply(mean_ss, divisor, name="shifted_mean")
            mean = add(shifted, shift, name="mean")
        else:
            shifted = mean = multiply(mean_ss, divisor, name="mean")
        variance = subtract(multiply(variance_ss, divisor), square(shifted), name="variance")
        return mean, variance


@public("nn.batch_normalization")
def batch_normalization(
    x: Any, mean: Any, variance: Any, offset: Any, scale: Any, variance_epsilon: Any, name: str | None = None
) -> Tensor:
    """`(x - mean) / sqrt(variance + variance_epsilon) * scale + offset` (Ioffe & Szegedy 2015).

    Args:
      x: a tensor.
      mean, variance: tensors that broadcast to `x`.
      offset, scale: tensors that broadcast to `x`, or None.
      variance_epsilon: a small number.
      name: name of the scope.
    """
    with name_scope(name, "batchnorm", [x, mean, variance, scale, offset]):
        inverse = rsqrt(variance + variance_epsilon)
        if scale is not None:
            inverse *= scale
        return x * cast(inverse, x.dtype) + cast(
            offset - mean * inverse if offset is not None else -mean * inverse, x.dtype
        )


@public("nn.batch_norm_with_global_normalization")
def batch_norm_with_global_normalization(
    t: Any = None, m: Any = None, v: Any = None, beta: Any = None, gamma: Any = None, variance_epsilon: Any = None,
    scale_after_normalization: bool | None = None, name: str | None = None, input: Any = None, mean: Any = None,
    variance: Any = None,
) -> Tensor:
    """An old form of `batch_normalization`: `gamma` is used only if `scale_after_normalization`."""
    t, m, v = (
        one_of("input", input, "t", t),
        one_of("mean", mean, "m", m),
        one_of("variance", variance, "v", v),
    )
    return batch_normalization(t, m, v, beta, gamma if scale_after_normalization else None, variance_epsilon, name)


batch_norm_with_global_normalization_op = op(
    "BatchNormWithGlobalNormalization(t: T, m: T, v: T, beta: T, gamma: T) -> result: T",
    T=_NUMBERS,
    variance_epsilon="float",
    scale_after_normalization="bool",
)


@batch_norm_with_global_normalization_op.shape
def _(t, m, v, beta, gamma):
    dims = with_rank(t, 4).as_tuple()
    depth = dims[3]
    for vector in (m, v, beta, gamma):
        depth = merge_dim(depth, with_rank(vector, 1).as_tuple()[0])
    return TensorShape([*dims[:3], depth])


@batch_norm_with_global_normalization_op.kernel
def _(t, m, v, beta, gamma, *, variance_epsilon, scale_after_normalization):
    inverse = 1 / np.sqrt(v + v.dtype.type(variance_epsilon))
    if scale_after_normalization:
        inverse = inverse * gamma
    return ((t - m) * inverse + beta).astype(t.dtype, copy=False)


@batch_norm_with_global_normalization_op.gradient
def _(node, grad):
    t, m, v, _, gamma = node.inputs
    return tuple(
        batch_norm_with_global_normalization_grad_op(
            t,
            m,
            v,
            gamma,
            grad,
            variance_epsilon=node.get_attr("variance_epsilon"),
            scale_after_normalization=node.get_attr("scale_after_normalization"),
        )
    )


_T, _V = np.arange(24, dtype="f4").reshape(2, 2, 3, 2), np.array([1., 2.], "f4")
batch_norm_with_global_normalization_op.removed(9, "Use tf.nn.batch_normalization() instead")
batch_norm_with_global_normalization_op.samples(
    plain=sample(_T, _V, _V, _V, _V, variance_epsilon=0.01, scale_after_normalization=True)
)

batch_norm_with_global_normalization_grad_op = op(
    "BatchNormWithGlobalNormalizationGrad(t: T, m: T, v: T, gamma: T, backprop: T) -> dx: T, dm: T, dv: T, db: T, dg: "
    "T",
    T=_NUMBERS,
    variance_epsilon="float",
    scale_after_normalization="bool",
)


@batch_norm_with_global_normalization_grad_op.shape
def _(t, m, v, gamma, backprop):
    whole = with_rank(t, 4)
    vector = TensorShape([whole.as_tuple()[3]])
    return whole, vector, vector, vector, vector


@batch_norm_with_global_normalization_grad_op.kernel
def _(t, m, v, gamma, backprop, *, variance_epsilon, scale_after_normalization):
    axes = (0, 1, 2)
    inverse = 1 / np.sqrt(v + v.dtype.type(variance_epsilon))
    scale = gamma if scale_after_normalization else np.ones_like(gamma)
    db = backprop.sum(axis=axes, dtype=t.dtype)
    dx = backprop * (inverse * scale)
    centred = (backprop * (t - m)).sum(axis=axes, dtype=t.dtype)
    dv = centred * scale * t.dtype.type(-0.5) * inverse ** 3
    dg = centred * inverse if scale_after_normalization else np.zeros_like(gamma)
    return dx, -db * inverse * scale, dv, db, dg


batch_norm_with_global_normalization_grad_op.removed(9, "Use tf.nn.batch_normalization() instead")
batch_norm_with_global_normalization_grad_op.samples(
    plain=sample(_T, _V, _V, _V, _T, variance_epsilon=0.01, scale_after_normalization=True)
)


@public("nn.l2_normalize", "math.l2_normalize", "linalg.l2_normalize")
def l2_normalize(x: Any, axis: Any = None, epsilon: float = 1e-12, name: str | None = None, dim: Any = None) -> Tensor:
    """`x / sqrt(max(sum(x**2), epsilon))`, summed along `axis`.

    Args:
      x: a tensor.
      axis: one or several dimensions, all by default.
      epsilon: least sum of squares.
      name: name of the result.
      dim: the old name of `axis`.
    """
    axis = one_of("axis", axis, "dim", dim)
    with name_scope(name, "l2_normalize", [x]) as name:
        x = convert_to_tensor(x, name="x")
        squares = reduce_sum(square(x), axis, keepdims=True)
        return multiply(x, rsqrt(maximum(squares, epsilon)), name=name)


def count_of_nonzero(x: Tensor, dtype: Any = dtypes.int64) -> Tensor:
    """How many elements of `x` are not zero."""
    with name_scope("count_nonzero", values=[x]):
        zero = zeros([], dtype=x.dtype)
        return reduce_sum(cast(not_equal(x, zero), dtype), name="nonzero_count")


@public("nn.zero_fraction", "math.zero_fraction")
def zero_fraction(value: Any, name: str | None = None) -> Tensor:
    """The part of the elements of `value` that are zero, float32."""
    with name_scope(name, "zero_fraction", [value]):
        value = convert_to_tensor(value, name="value")
        total = size(value, out_type=dtypes.int64)
        nonzero = builder("cond")(
            total <= np.iinfo(np.int32).max,
            true_fn=lambda: cast(count_of_nonzero(value, dtypes.int32), dtypes.int64),
            false_fn=lambda: count_of_nonzero(value, dtypes.int64),
        )
        with name_scope("counts_to_fraction"):
            zero = cast(total - nonzero, dtypes.float32)
            fraction = zero / cast(total, dtypes.float32)
        return builder("identity")(fraction, "fraction")
