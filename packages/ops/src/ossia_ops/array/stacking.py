"""Stacking: tensors put together along a new dimension, and taken apart along one that goes."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import merge_all, with_value
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import Dimension, TensorShape
from ossia_core.plugins.api_table import public


def _axis_in(axis: int, rank: int, kind: type[Exception] = ValueError) -> int:
    if not -rank <= axis < rank:
        text = f"axis = {axis} not in [{-rank}, {rank})"
        raise InvalidArgumentError(None, None, text) if kind is InvalidArgumentError else kind(text)
    return axis % rank


pack_op = op("Pack(values: N * T) -> output: T", N="int >= 1", T="type", axis="int32 = 0")


@pack_op.shape
def _(values, *, axis):
    dims = merge_all(values).as_tuple()
    if dims is None:
        return None
    axis = _axis_in(axis, len(dims) + 1)
    return dims[:axis] + (len(values),) + dims[axis:]


@pack_op.kernel
def _(values, *, axis):
    first = np.shape(values[0])
    for i, value in enumerate(values):
        if np.shape(value) != first:
            raise InvalidArgumentError(
                None,
                None,
                f"Shapes of all inputs must match: values[0].shape = {dims_text(first)} != values[{i}].shape = "
                f"{dims_text(np.shape(value))}",
            )
    axis = _axis_in(axis, len(first) + 1, InvalidArgumentError)
    if len(values) == 1:
        return np.expand_dims(np.array(values[0]), axis)
    kind = np.asarray(values[0]).dtype
    if not first and kind.kind != "O":  # of strings that would make an array of arrays
        return np.array(values, kind)
    return np.stack(values, axis)


@pack_op.static_value
def _(node, index, known):
    if node.attrs["axis"]:
        return None
    if known.partial:
        values = [known(x) for x in node._inputs]
        if any(value is None for value in values):
            return np.array(values, object)
    return known.computed(node, index)


@pack_op.static_shape
def _(node, index, known):
    values = [known.value(x) for x in node._inputs]
    if any(value is not None and np.ndim(value) for value in values):
        return None
    return TensorShape([known.size(value) for value in values])


@pack_op.gradient
def _(node, grad):
    return unstack(grad, num=node.get_attr("N"), axis=node.get_attr("axis"))


pack_op.samples(
    rows=([[1.0, 2.0], [3.0, 4.0]],),
    last=sample([[1, 2], [3, 4]], axis=-1),
    scalars=([1, 2, 3],),
    strings=([["a"], ["b"]],),
    refused_axis=sample([1, 2], axis=2),
)


@public("stack")
@dispatches
def stack(values: Any, axis: int = 0, name: str = "stack") -> Tensor:
    """Tensors of one shape as one tensor, with a new dimension at `axis`; a constant if all of `values` are plain
    numbers.

    Args:
      values: a list of tensors.
      axis: position of the new dimension; negative ones count from the back.
      name: name of the result.

    Raises:
      ValueError: shapes differ, or the axis is out of range.
    """
    # Lists of `Dimension`s are no constants.
    if axis == 0 and not any(
        isinstance(value, Dimension) for value in (values if isinstance(values, (list, tuple)) else ())
    ):
        try:
            return convert_to_tensor(values, name=name)
        except (TypeError, ValueError):
            pass
    dims = convert_to_tensor(values[0], name=name).shape.as_tuple()
    if dims is not None:
        _axis_in(axis, len(dims) + 1)
    return pack_op(values, axis=axis, name=name)


unpack_op = op("Unpack(value: T) -> output: num * T", num="int >= 0", T="type", axis="int32 = 0")


@unpack_op.shape
def _(value, *, num, axis):
    dims = value.shape.as_tuple()
    if dims is None:
        return [None] * num
    if not -len(dims) <= axis < len(dims):
        raise ValueError(f"Invalid axis: {axis}; must be in [{-len(dims)},{len(dims)})")
    axis %= len(dims)
    with_value(dims[axis], num)
    return [dims[:axis] + dims[axis + 1:]] * num


@unpack_op.kernel
def _(value, *, num, axis):
    axis = _axis_in(axis, np.ndim(value), InvalidArgumentError)
    if value.shape[axis] != num:
        raise InvalidArgumentError(
            None, None, f"Input shape axis {axis} must equal {num}, got shape {dims_text(value.shape)}"
        )
    return [np.array(part, value.dtype) for part in np.moveaxis(value, axis, 0)]


@unpack_op.gradient
def _(node, *grads):
    return stack(list(grads), axis=node.get_attr("axis"))


unpack_op.samples(
    rows=sample([[1.0, 2.0], [3.0, 4.0]], num=2),
    columns=sample([[1, 2], [3, 4]], num=2, axis=-1),
    none=sample(np.zeros((0, 2), "f4"), num=0),
)


@public("unstack")
def unstack(value: Any, num: int | None = None, axis: int = 0, name: str = "unstack") -> list[Tensor]:
    """The slices of a tensor along `axis`, as a list of tensors without that dimension.

    Args:
      value: a tensor.
      num: number of slices, where it is not known from the shape.
      axis: the dimension to take apart.
      name: name of the results.

    Raises:
      ValueError: the number of slices is not known, or the axis is out of range.
    """
    if num is None:
        value = convert_to_tensor(value)
        dims = value.shape.as_tuple()
        if dims is not None:
            num = dims[_axis_in(axis, len(dims))]
        if num is None:
            raise ValueError(f"Cannot infer num from shape {value.shape}")
    result = unpack_op(value, num=num, axis=axis, name=name)
    return result if isinstance(result, list) else []


parallel_concat_op = op("ParallelConcat(values: N * T) -> output: T", N="int >= 1", T="type", shape="shape")


@parallel_concat_op.shape
def _(values, *, shape):
    if not shape.is_fully_defined():
        raise ValueError("shape attr must be fully defined.")
    for value in values:
        if not value.shape.is_fully_defined():
            raise ValueError("All input shapes must be fully defined.")
        if value.shape.as_list()[:1] != [1]:
            raise ValueError("Size of first dimension must be 1.")
    merge_all([*values, TensorShape([1, *shape.as_list()[1:]])])
    return shape


parallel_concat_op.needs_known("values")


@parallel_concat_op.kernel
def _(values):
    return np.concatenate(values, 0)


parallel_concat_op.samples(rows=sample([[[1., 2.]], [[3., 4.]]], shape=[2, 2]))


@public("parallel_stack")
def parallel_stack(values: Any, name: str = "parallel_stack") -> Tensor:
    """Like `stack` along a new first dimension, for tensors of known shape."""
    from ossia_ops.array.shape import expand_dims
    with name_scope(name):
        dims = convert_to_tensor(values[0]).shape
        whole = TensorShape([len(values)]).concatenate(dims)
        return parallel_concat_op([expand_dims(value, 0) for value in values], shape=whole)
