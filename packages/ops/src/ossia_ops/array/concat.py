"""Concatenation: tensors one behind the other along a dimension that they have."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_core.declare.facets import by_kernel
from ossia_core.declare.opdef import lookup, op
from ossia_core.declare.shape_rules import constant as constant_value
from ossia_core.declare.shape_rules import merge_dim, with_rank
from ossia_core.graph.composites import IndexedSlices
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import identity
from ossia_ops.array.shape import rank, shape, shape_n, squeeze
from ossia_ops.array.stacking import stack
from ossia_ops.element_types import INDEX_32


def _concatenated(values: Any, axis: Any, called: str = "axis") -> Any:
    first = values[0].shape
    if np.ndim(axis) != 0:
        raise InvalidArgumentError(
            None, None, f"{called} tensor should be a scalar integer, but got shape {dims_text(np.shape(axis))}"
        )
    axis = int(axis)
    rank = len(first)
    if not -rank <= axis < rank:
        raise InvalidArgumentError(
            None, None, f"ConcatOp : Expected concatenating dimensions in the range [{-rank}, {rank}), but got {axis}"
        )
    axis %= rank
    for i, value in enumerate(values):
        if value.ndim != rank:
            raise InvalidArgumentError(
                None,
                None,
                f"ConcatOp : Ranks of all input tensors should match: shape[0] = {dims_text(first)} vs. shape[{i}] = "
                f"{dims_text(value.shape)}",
            )
        if value.shape[:axis] + value.shape[axis + 1:] != first[:axis] + first[axis + 1:]:
            raise InvalidArgumentError(
                None,
                None,
                f"ConcatOp : Dimensions of inputs should match: shape[0] = {dims_text(first)} vs. shape[{i}] = "
                f"{dims_text(value.shape)}",
            )
    return np.concatenate(values, axis)


def _concatenated_shape(values: Any, axis: Any) -> Any:
    with_rank(axis, 0)
    position = constant_value(axis)
    shapes = [t.shape.as_tuple() for t in values]
    found = [len(s) for s in shapes if s is not None]
    ranks = set(found)
    if found[:1] == [0]:
        raise ValueError("Can't concatenate scalars (use tf.stack instead)")
    if len(ranks) > 1:
        raise ValueError(
            f"Shape must be rank {found[0]} but is rank {next(rank for rank in found if rank != found[0])}"
        )
    if not ranks:
        return None
    count = ranks.pop()
    if position is None:
        return (None,) * count
    position = int(position)
    if not -count <= position < count:
        raise ValueError(
            f"Shape must be at least rank {position + 1 if position >= 0 else -position} but is rank {count}"
        )
    position %= count
    dims: list[int | None] = [None] * count
    total: int | None = 0
    for s in shapes:
        if s is None:
            total = None
            continue
        for i, d in enumerate(s):
            if i == position:
                total = None if total is None or d is None else total + d
            else:
                try:
                    dims[i] = merge_dim(dims[i], d)
                except ValueError:
                    # The original compares the parts before the axis and those behind it, each as a shape.
                    part = slice(0, position) if i < position else slice(position + 1, None)
                    known, given = [dims_text(t[part]) for t in (shapes[0] or s, s)]
                    raise ValueError(
                        f"Dimension {i - part.start} in both shapes must be equal, but are {dims[i]} and {d}. Shapes "
                        f"are {known} and {given}."
                    ) from None
    dims[position] = total
    return tuple(dims)


def _joined_shape(parts: Sequence[Tensor], known: Any) -> TensorShape:
    """The shape that a vector holds whose parts are these."""
    result = TensorShape([])
    for part in parts:
        result = result.concatenate(known.shape(part))
    return result


concat_op = op("Concat(concat_dim: int32, values: N * T) -> output: T", N="int >= 2", T="type")


@concat_op.shape
def _(concat_dim, values):
    return _concatenated_shape(values, concat_dim)


@concat_op.kernel
def _(concat_dim, values):
    return _concatenated(values, concat_dim, "Concat dim")


concat_op.static_value(by_kernel)


@concat_op.static_shape
def _(node, index, known):
    return _joined_shape(node._inputs[1:], known)


@concat_op.gradient
def _(node, grad):
    return [None, *_concat_gradient(node.inputs[1:], node.inputs[0], grad)]


concat_op.samples(rows=(0, [[[1., 2.]], [[3., 4.]]]))


concat_v2_op = op("ConcatV2(values: N * T, axis: Tidx) -> output: T", N="int >= 2", T="type", Tidx=INDEX_32)


@concat_v2_op.shape
def _(values, axis):
    return _concatenated_shape(values, axis)


@concat_v2_op.kernel
def _(values, axis):
    return _concatenated(values, axis)


concat_v2_op.static_value(by_kernel)


@concat_v2_op.static_shape
def _(node, index, known):
    return _joined_shape(node._inputs[:-1], known)


@concat_v2_op.gradient
def _(node, grad):
    return [*_concat_gradient(node.inputs[:-1], node.inputs[-1], grad), None]


concat_v2_op.samples(
    rows=([[[1.0, 2.0]], [[3.0, 4.0]]], 0),
    columns=([[[1], [2]], [[3], [4]]], -1),
    strings=([["a"], ["b", "c"]], 0),
    empty=([np.zeros((0, 2), "f4"), np.ones((1, 2), "f4")], 0),
)


def _concat_gradient(values: Any, axis: Tensor, grad: Any) -> list:
    """The part of the gradient that belongs to each of the values."""
    values = list(values)
    if len(values) == 1:
        return [grad]
    if isinstance(grad, IndexedSlices):
        return _slices_of_concat(values, axis, grad)
    from ossia_core.control.context import output_context
    from ossia_ops.array.part import slice_
    from ossia_ops.array.split import split
    if axis.op.type == "Const" and output_context(grad.op) is not output_context(axis.op):
        # A constant of another branch or loop is made anew rather than carried over.
        axis = constant(axis.op.attrs["value"], dtype=axis.dtype)
    axis = axis % rank(values[0])
    sizes = _shapes(values)
    if len(sizes) > 16:
        lengths = squeeze(slice_(stack(sizes, axis=1), [axis, 0], [1, -1]))
        return split(grad, lengths, axis)
    return [slice_(grad, begin, size) for begin, size in zip(lookup("ConcatOffset")(axis, sizes), sizes)]


def _shapes(values: list[Tensor]) -> list[Tensor]:
    sizes = []
    for value in values:
        size = shape(value)
        if size.op.type != "Const":
            return shape_n(values)
        sizes.append(size)
    return sizes


def _columns_of_concat(shapes: list[Tensor], axis: Tensor, grad: IndexedSlices) -> list:
    """The parts when rows stay where they are, and their contents are cut."""
    from ossia_ops.array.fill import fill
    from ossia_ops.array.part import slice_
    from ossia_ops.array.shape import expand_dims
    count = shape(shapes[0])
    along = concat([fill(expand_dims(axis, 0), 0), [1], fill(count - axis - 1, 0)], 0)
    begin, parts = fill(count, 0), []
    for size in shapes:
        cut = slice_(grad.values, begin, concat([[-1], slice_(size, [1], [-1])], 0))
        parts.append(IndexedSlices(cut, grad.indices, size))
        begin = lookup("Add")(begin, size * along)
    return parts


def _slices_of_concat(values: list[Tensor], axis: Tensor, grad: IndexedSlices) -> list:
    position = constant_value(axis)
    if position is None:
        raise ValueError("Can only compute IndexedSlices gradient with statically-known concat_dim")
    axis = axis % rank(values[0])
    if position < 0:
        position = position % int(constant_value(rank(values[0])))
    shapes = [shape(value) for value in values]
    if position > 0:
        return _columns_of_concat(shapes, axis, grad)
    gather, kind = lookup("GatherV2"), grad.indices.dtype
    start, parts = constant(0, dtype=kind), []
    for size in shapes:
        count = gather(size, axis, 0)
        if count.dtype != kind:
            count = lookup("Cast")(count, DstT=kind)
        end = start + count
        inside = squeeze(lookup("Where")(lookup("LogicalAnd")(grad.indices >= start, grad.indices < end)), axis=[1])
        indices = gather(grad.indices, inside, 0) - start
        parts.append(IndexedSlices(gather(grad.values, inside, 0), indices, size))
        start = end
    return parts


@public("concat")
@dispatches
def concat(values: Any, axis: Any, name: str = "concat") -> Tensor:
    """Tensors, equal in all sizes but that of dimension `axis`, one behind the other along that dimension.

    Args:
      values: a list of tensors, or one tensor.
      axis: the dimension; negative ones count from the back.
      name: name of the result.

    Raises:
      ValueError: the shapes do not go together.
    """
    if not isinstance(values, (list, tuple)):
        values = [values]
    if len(values) == 1:
        with name_scope(name):
            convert_to_tensor(axis, dtypes.int32, "concat_dim").shape.assert_has_rank(0)
            return identity(values[0], name=name)
    return concat_v2_op(values, axis, name=name)


concat_offset_op = op("ConcatOffset(concat_dim: int32, shape: N * int32) -> offset: N * int32", N="int >= 2")


@concat_offset_op.shape
def _(concat_dim, shape):
    return [t.shape for t in shape]


concat_offset_op.static_value(by_kernel)


@concat_offset_op.kernel
def _(concat_dim, shape):
    if concat_dim.ndim:
        raise InvalidArgumentError(
            None, None, f"Concat dim tensor should be a scalar integer, but got shape {dims_text(concat_dim.shape)}"
        )
    for i, dims in enumerate(shape):
        if dims.ndim != 1:
            raise InvalidArgumentError(
                None, None, f"input {i + 1} should be a vector, but got shape {dims_text(dims.shape)}"
            )
    axis, first = int(concat_dim), shape[0]
    if not -len(first) <= axis < len(first):
        raise InvalidArgumentError(None, None, f"Concat dim is out of range: {axis} vs. {len(first)}")
    axis %= len(first)
    offset, results = 0, []
    for i, dims in enumerate(shape):
        if len(dims) != len(first):
            raise InvalidArgumentError(
                None, None, f"input {i} should contain {len(first)} elements, but got {len(dims)}"
            )
        if any(a != b for j, (a, b) in enumerate(zip(dims.tolist(), first.tolist())) if j != axis):
            found, wanted = [" ".join(map(str, row.tolist())) for row in (dims, first)]
            raise InvalidArgumentError(
                None,
                None,
                f"All dimensions except {axis} must match. Input {i} has shape [{found}] and doesn't "
                f"match input 0 with shape [{wanted}].",
            )
        result = np.zeros_like(dims)
        result[axis] = offset
        offset += int(dims[axis])
        results.append(result)
    return results


concat_offset_op.not_differentiable()
concat_offset_op.samples(
    plain=(1, [np.array([2, 2], np.int32), np.array([2, 3], np.int32), np.array([2, 4], np.int32)])
)
