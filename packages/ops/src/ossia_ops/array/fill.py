"""Tensors of one repeated value."""
from __future__ import annotations

import functools
import operator
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import constant as known_value
from ossia_core.declare.shape_rules import constant_shape, unchanged, with_rank
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, sizes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.literals import single
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.array.shape import reshape, shape_of
from ossia_ops.element_types import INDEX_32

_SMALL = 1000  # a constant of fewer elements is kept as such, a larger one filled in when it is needed


fill_op = op("Fill(dims: index_type, value: T) -> output: T", T="type", index_type=INDEX_32)


@fill_op.shape
def _(dims, value):
    if value.shape.ndims not in (0, None):
        raise ValueError(f"Shape must be rank 0 but is rank {value.shape.ndims}")
    with_rank(dims, 1)
    held = constant_shape(dims)
    known = known_value(dims)
    if known is not None and (known < 0).any():
        raise ValueError("Fill dimensions must be >= 0")
    return held


@fill_op.kernel
def _(dims, value):
    if np.ndim(dims) != 1:
        raise InvalidArgumentError(None, None, f"dims must be a vector, got shape {dims_text(np.shape(dims))}")
    if np.ndim(value) != 0:
        raise InvalidArgumentError(None, None, f"value must be a scalar, got shape {dims_text(np.shape(value))}")
    shape, array = dims.tolist(), np.asarray(value)
    sizes.allocatable(shape, array.dtype.itemsize)
    return np.full(shape, array[()], array.dtype)


@fill_op.static_value
def _(node, index, known):
    shape = node.outputs[0].shape
    value = known(node._inputs[1]) if shape.is_fully_defined() else None
    return None if value is None else known.filled(value, shape.as_tuple())


@fill_op.gradient
def _(node, grad):
    from ossia_ops.math.reduction import reduce_sum
    return None, reduce_sum(grad)


fill_op.samples(
    matrix=([2, 3], 1.5), scalar=(np.zeros(0, np.int32), 2), empty=([0, 2], True), int64=(np.array([2]), b"x")
)


@public("fill")
def fill(dims: Any, value: Any, name: str | None = None) -> Tensor:
    """A tensor of shape `dims` with the scalar `value` everywhere."""
    return fill_op(dims, value, name=name)


zeros_like_op = op("ZerosLike(x: T) -> y: T", T="type")
zeros_like_op.needs_shape()


zeros_like_op.shape(unchanged)


@zeros_like_op.kernel
def _(x):
    if not isinstance(x, (np.ndarray, np.generic)):
        return x.zeros_like()
    return np.full(x.shape, b"", object) if x.dtype == object else np.zeros(x.shape, x.dtype)


zeros_like_op.not_differentiable()
zeros_like_op.samples(plain=[1., 2.], string=[b"a"], bool=[True])


@public("zeros_like")
@dispatches
def zeros_like(tensor: Any, dtype: Any = None, name: str | None = None, optimize: bool = True) -> Tensor:
    """Zeros (False, empty strings) in the shape of `tensor`.

    Args:
      tensor: a tensor.
      dtype: dtype of the zeros, that of `tensor` if None.
      name: name of the result.
      optimize: make a constant if the shape is known.
    """
    with name_scope(name, "zeros_like", [tensor]) as name:
        tensor = convert_to_tensor(tensor, name="tensor")
        wanted = tensor.dtype.base_dtype if dtype is None else dtypes.as_dtype(dtype).base_dtype
        if optimize and tensor.shape.is_fully_defined() and tensor.dtype.base_dtype is not dtypes.variant:
            return zeros(tensor.shape, wanted, name=name)
        if wanted is not tensor.dtype.base_dtype and tensor.dtype.base_dtype is not dtypes.variant:
            return zeros(shape_of(tensor, optimize=optimize), wanted, name=name)
        return zeros_like_op(tensor, name=name)


ones_like_op = op("OnesLike(x: T) -> y: T",
                  T="{bfloat16, half, float, double, int8, uint8, int16, uint16, int32, int64, complex64, "
                  "complex128, bool}")
ones_like_op.needs_shape()


ones_like_op.shape(unchanged)


@ones_like_op.kernel
def _(x):
    return np.ones_like(x)


ones_like_op.not_differentiable()
ones_like_op.samples(plain=[1., 2.], scalar=3)


@public("ones_like")
@dispatches
def ones_like(tensor: Any, dtype: Any = None, name: str | None = None, optimize: bool = True) -> Tensor:
    """Ones (True) in the shape of `tensor`, of dtype `dtype` or that of `tensor`."""
    with name_scope(name, "ones_like", [tensor]) as name:
        tensor = convert_to_tensor(tensor, name="tensor")
        dims = shape_of(tensor, optimize=optimize)
        result = ones(dims, tensor.dtype if dtype is None else dtype, name=name)
        result.set_shape(tensor.shape)
        return result


@public("zeros")
def zeros(shape: Any, dtype: Any = dtypes.float32, name: str | None = None) -> Tensor:
    """A tensor of zeros (False, empty strings).

    Args:
      shape: sizes, a list, TensorShape or integer tensor.
      dtype: dtype of the result.
      name: name of the result.
    """
    dtype = dtypes.as_dtype(dtype).base_dtype
    zero = False if dtype is dtypes.bool else "" if dtype is dtypes.string else 0
    return _filled(shape, zero, dtype, name, "zeros")


@public("ones")
def ones(shape: Any, dtype: Any = dtypes.float32, name: str | None = None) -> Tensor:
    """A tensor of ones (True); `shape` is a list, TensorShape or integer tensor."""
    dtype = dtypes.as_dtype(dtype).base_dtype
    return _filled(shape, dtype is dtypes.bool or 1, dtype, name, "ones")


def _filled(shape: Any, value: Any, dtype: Any, name: str | None, default_name: str) -> Tensor:
    with name_scope(name, default_name, [shape]) as name:
        if not isinstance(shape, Tensor):
            try:
                if _is_small(shape):
                    return constant(value, dtype, shape, name)
            except (NotImplementedError, TypeError, ValueError):
                pass
            try:
                shape = convert_to_tensor(TensorShape(shape))
            except (TypeError, ValueError):
                shape = convert_to_tensor(shape, dtypes.int32)
        if not shape.shape.as_tuple():
            shape = reshape(shape, [-1])
        return fill(shape, constant(value, dtype), name=name)


def _is_small(shape: Any) -> bool:
    if not isinstance(shape, (list, tuple, TensorShape, np.ndarray)):
        return False
    items = [single(item) for item in shape]
    if any(isinstance(item, (list, tuple, np.ndarray)) for item in items):
        return bool(np.prod(items) < _SMALL)
    return bool(functools.reduce(operator.mul, items) < _SMALL) if items else True
