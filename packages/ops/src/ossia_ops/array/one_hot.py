"""One-hot vectors of indices."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import size_given
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, sizes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public

one_hot_op = op("OneHot(indices: TI, depth: int32, on_value: T, off_value: T) -> output: T", axis="int32 = -1",
                T="type", TI="{uint8, int32, int64} = DT_INT64")


@one_hot_op.shape
def _(indices, depth, on_value, off_value, *, axis):
    dims, known = indices.shape.as_tuple(), size_given(depth, 1)
    if axis < -1:
        raise ValueError("axis must be >= -1")
    if dims is None:
        return None
    # An axis that is not there is refused by the run; until then the original puts the new dimension first.
    axis = len(dims) if axis == -1 else 0 if axis > len(dims) else axis
    return TensorShape(dims[:axis] + (known,) + dims[axis:])


@one_hot_op.kernel
def _(indices, depth, on_value, off_value, *, axis):
    if np.ndim(depth) or int(depth) < 0:
        raise InvalidArgumentError(None, None, f"depth must be non-negative, got: {depth}")
    for which, value in (("on", on_value), ("off", off_value)):
        if np.ndim(value):
            raise InvalidArgumentError(
                None, None, f"{which}_value must be a scalar, but got: {dims_text(np.shape(value))}"
            )
    indices, kind = np.asarray(indices), np.asarray(on_value)
    if not -1 <= axis <= indices.ndim:
        raise InvalidArgumentError(
            None, None, f"Expected axis to be -1 or between [0, {indices.ndim + 1}).  But received: {axis}"
        )
    count = int(depth)
    sizes.allocatable((*indices.shape, count), kind.dtype.itemsize)
    result = np.full((indices.size, count), np.asarray(off_value)[()], kind.dtype)
    flat = indices.reshape(-1)
    inside = np.flatnonzero((flat >= 0) & (flat < count))
    result[inside, flat[inside]] = kind[()]
    result = result.reshape(*indices.shape, count)
    return result if axis in (-1, indices.ndim) else np.ascontiguousarray(np.moveaxis(result, -1, axis))


one_hot_op.not_differentiable()
one_hot_op.samples(plain=([0, 2, -1, 5], 3, 1., 0.), first=sample([[0, 1]], 2, 5, 2, axis=0), none=([0, 1], 0, 1., 0.))


@public("one_hot")
@dispatches
def one_hot(
    indices: Any,
    depth: Any,
    on_value: Any = None,
    off_value: Any = None,
    axis: int | None = None,
    dtype: Any = None,
    name: str | None = None,
) -> Tensor:
    """A tensor with one more dimension, of size `depth`, that is `on_value` at the indices and `off_value` elsewhere.

    Args:
      indices: an integer tensor; indices out of range give off-values only.
      depth: size of the new dimension, a scalar.
      on_value: 1 if None.
      off_value: 0 if None.
      axis: position of the new dimension; the last one if None.
      dtype: dtype of the result; that of the values, or float32, if None.
      name: name of the result.

    Raises:
      TypeError: the dtypes of `on_value`, `off_value` and `dtype` differ.
    """
    with name_scope(name, "one_hot", [indices, depth, on_value, off_value, axis, dtype]) as name:
        on_type = None if on_value is None else convert_to_tensor(on_value).dtype.base_dtype
        off_type = None if off_value is None else convert_to_tensor(off_value).dtype.base_dtype
        if on_type is not None or off_type is not None:
            if dtype is not None:
                for found, what in ((on_type, "on_value"), (off_type, "off_value")):
                    if found is not None and found != dtype:
                        raise TypeError(f"dtype {found} of {what} does not match dtype parameter {dtype}")
            else:
                dtype = off_type if on_type is None else on_type
        else:
            dtype = dtypes.float32 if dtype is None else dtype
        dtype = dtypes.as_dtype(dtype)
        if on_value is None:
            on_value, on_type = convert_to_tensor(1, dtype, "on_value"), dtype
        if off_value is None:
            off_value, off_type = convert_to_tensor(0, dtype, "off_value"), dtype
        if on_type != off_type:
            raise TypeError(f"dtype {on_type} of on_value does not match dtype {off_type} of off_value")
        return one_hot_op(indices, depth, on_value, off_value, axis=axis, name=name)
