"""Putting tensors together along a new or an old dimension, and taking them apart."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core import dtypes
from ossia_core.api_table import public
from ossia_core.dispatch import dispatches
from ossia_core.errors import InvalidArgumentError
from ossia_core.graph.composites import IndexedSlices
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.opdef import lookup, op, sample
from ossia_core.primitives.identity import identity
from ossia_core.shape_rules import constant as constant_value
from ossia_core.shape_rules import merge_all, merge_dim
from ossia_core.shapes import Dimension
from ossia_ops.element_types import INDEX_32, INDEX_64
from ossia_ops.shape import rank, shape, shape_n, squeeze


def _axis_in(axis: int, rank: int, kind: type[Exception] = ValueError) -> int:
    if not -rank <= axis < rank:
        text = f"axis = {axis} not in [{-rank}, {rank})"
        raise InvalidArgumentError(None, None, text) if kind is InvalidArgumentError else kind(text)
    return axis % rank


pack_op = op("Pack(values: N * T) -> output: T", N="int >= 1", T="type", axis="int = 0")


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
                f"Shapes of all inputs must match: values[0].shape = {list(first)} != values[{i}].shape = "
                f"{list(np.shape(value))}",
            )
    if len(values) == 1:
        return np.expand_dims(np.array(values[0]), axis)
    if not first:
        return np.array(values, np.asarray(values[0]).dtype)
    return np.stack(values, axis)


@pack_op.gradient
def _(node, grad):
    return unstack(grad, num=node.get_attr("N"), axis=node.get_attr("axis"))


pack_op.samples(
    rows=([[1.0, 2.0], [3.0, 4.0]],),
    last=sample([[1, 2], [3, 4]], axis=-1),
    scalars=([1, 2, 3],),
    strings=([["a"], ["b"]],),
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


unpack_op = op("Unpack(value: T) -> output: num * T", num="int >= 0", T="type", axis="int = 0")


@unpack_op.shape
def _(value, *, num, axis):
    dims = value.shape.as_tuple()
    if dims is None:
        return [None] * num
    axis = _axis_in(axis, len(dims))
    merge_dim(dims[axis], num)
    return [dims[:axis] + dims[axis + 1:]] * num


@unpack_op.kernel
def _(value, *, num, axis):
    axis = _axis_in(axis, np.ndim(value), InvalidArgumentError)
    if value.shape[axis] != num:
        raise InvalidArgumentError(
            None, None, f"Input shape axis {axis} must equal {num}, got shape {list(value.shape)}"
        )
    return [np.array(part) for part in np.moveaxis(value, axis, 0)]


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


def _concatenated(values: Any, axis: Any) -> Any:
    first = values[0].shape
    if np.ndim(axis) != 0:
        raise InvalidArgumentError(
            None, None, f"Concat dim tensor should be a scalar integer, but got shape {list(np.shape(axis))}"
        )
    axis = int(axis)
    rank = len(first)
    if not -rank <= axis < rank:
        raise InvalidArgumentError(
            None, None, f"ConcatOp : Expected concatenating dimensions in the range [{-rank}, {rank}), but got {axis}"
        )
    axis %= rank
    for i, value in enumerate(values):
        if value.ndim != rank or value.shape[:axis] + value.shape[axis + 1:] != first[:axis] + first[axis + 1:]:
            raise InvalidArgumentError(
                None,
                None,
                f"ConcatOp : Dimensions of inputs should match: shape[0] = {list(first)} vs. shape[{i}] = "
                f"{list(value.shape)}",
            )
    return np.concatenate(values, axis)


def _concatenated_shape(values: Any, axis: Any) -> Any:
    position = constant_value(axis)
    shapes = [t.shape.as_tuple() for t in values]
    ranks = {len(s) for s in shapes if s is not None}
    if len(ranks) > 1:
        a, b = sorted(ranks)[:2]
        raise ValueError(
            f"Shapes must be equal rank, but are {len(shapes[0] or ())} and "
            f"{next(len(s) for s in shapes if len(s) != len(shapes[0]))}"
            if shapes[0] is not None and None not in shapes
            else f"Shapes must be equal rank, but are {a} and {b}"
        )
    if not ranks:
        return None
    count = ranks.pop()
    if position is None:
        return (None,) * count
    if count == 0:
        raise ValueError("Can't concatenate scalars (use tf.stack instead)")
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
                    known, given = [",".join("?" if n is None else str(n) for n in t) for t in (shapes[0] or s, s)]
                    raise ValueError(
                        f"Dimension {i} in both shapes must be equal, but are {dims[i]} and {d}. Shapes are [{known}] "
                        f"and [{given}]."
                    ) from None
    dims[position] = total
    return tuple(dims)


concat_op = op("Concat(concat_dim: int32, values: N * T) -> output: T", N="int >= 2", T="type")


@concat_op.shape
def _(concat_dim, values):
    return _concatenated_shape(values, concat_dim)


@concat_op.kernel
def _(concat_dim, values):
    return _concatenated(values, concat_dim)


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
    from ossia_ops.slicing import slice_
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
    from ossia_ops.fill import fill
    from ossia_ops.shape import expand_dims
    from ossia_ops.slicing import slice_
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


@concat_offset_op.kernel
def _(concat_dim, shape):
    axis, first = int(concat_dim), shape[0]
    if not -len(first) <= axis < len(first):
        raise InvalidArgumentError(None, None, f"Concat dim is out of range: {axis} vs. {len(first)}")
    axis %= len(first)
    offset, results = 0, []
    for i, dims in enumerate(shape):
        if len(dims) != len(first) or any(
            a != b for j, (a, b) in enumerate(zip(dims.tolist(), first.tolist())) if j != axis
        ):
            raise InvalidArgumentError(
                None,
                None,
                f"All dimensions except {axis} must match. Input {i} has shape {dims.tolist()} and doesn't "
                f"match input 0 with shape {first.tolist()}.",
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


split_op = op("Split(split_dim: int32, value: T) -> output: num_split * T", num_split="int >= 1", T="type")


@split_op.shape
def _(split_dim, value, *, num_split):
    dims, axis = value.shape.as_tuple(), constant_value(split_dim)
    if dims is None:
        return [None] * num_split
    if axis is None:
        return [(None,) * len(dims)] * num_split
    axis = int(axis)
    if not -len(dims) <= axis < len(dims):
        raise ValueError(f"Dimension size, given by scalar input {axis} must be in range [{-len(dims)}, {len(dims)})")
    axis %= len(dims)
    size = dims[axis]
    if size is not None and size % num_split:
        raise ValueError(
            f"Dimension size must be evenly divisible by {num_split} but is {size}\n\tNumber of ways to split should "
            "evenly divide the split dimension"
        )
    return [dims[:axis] + (None if size is None else size // num_split,) + dims[axis + 1:]] * num_split


@split_op.kernel
def _(split_dim, value, *, num_split):
    axis = int(split_dim)
    if not -value.ndim <= axis < value.ndim:
        raise InvalidArgumentError(
            None, None, f"-input rank(-{value.ndim}) <= split_dim < input rank ({value.ndim}), but got {axis}"
        )
    if value.shape[axis] % num_split:
        raise InvalidArgumentError(
            None,
            None,
            f"Number of ways to split should evenly divide the split dimension, but got split_dim {axis} (size "
            f"= {value.shape[axis]}) and num_split {num_split}",
        )
    return [np.ascontiguousarray(part) if num_split > 1 else part.copy() for part in np.split(value, num_split, axis)]


@split_op.gradient
def _(node, *grads):
    return None, concat(list(grads), node.inputs[0])


split_op.samples(
    rows=sample(0, [[1.0, 2.0], [3.0, 4.0]], num_split=2),
    columns=sample(-1, [[1, 2], [3, 4]], num_split=2),
    one=sample(0, [1, 2], num_split=1),
)


split_v_op = op("SplitV(value: T, size_splits: Tlen, split_dim: int32) -> output: num_split * T",
                num_split="int >= 1", T="type", Tlen=INDEX_64)


@split_v_op.shape
def _(value, size_splits, split_dim, *, num_split):
    dims, axis = value.shape.as_tuple(), constant_value(split_dim)
    if dims is None:
        return [None] * num_split
    if axis is None:
        return [(None,) * len(dims)] * num_split
    axis = int(axis) % len(dims)
    # As in the original, sizes of which some are computed at run time say nothing.
    known = constant_value(size_splits)
    lengths = [None] * num_split if known is None else [None if n == -1 else n for n in known.ravel().tolist()]
    if len(lengths) != num_split:
        raise ValueError("Length of size_splits should be equal to num_outputs")
    if known is not None and dims[axis] is not None:
        total = sum(n for n in lengths if n is not None)
        if lengths.count(None) == 1 and total <= dims[axis]:
            lengths[lengths.index(None)] = dims[axis] - total
        elif lengths.count(None) > 1 or total != dims[axis]:
            raise ValueError(
                f"can't split axis of size {dims[axis]} into pieces of size [{','.join(map(str, known.tolist()))}]"
            )
    return [dims[:axis] + (n,) + dims[axis + 1:] for n in lengths]


@split_v_op.kernel
def _(value, size_splits, split_dim, *, num_split):
    axis = int(np.ravel(split_dim)[0])
    if size_splits.ndim != 1 or len(size_splits) != num_split:
        raise InvalidArgumentError(
            None, None, f"size_splits must be a vector of {num_split} sizes, not of shape {list(size_splits.shape)}"
        )
    if not -value.ndim <= axis < value.ndim:
        raise InvalidArgumentError(
            None, None, f"-input rank(-{value.ndim}) <= split_dim < input rank ({value.ndim}), but got {axis}"
        )
    lengths = size_splits.tolist()
    size = value.shape[axis]
    if lengths.count(-1) == 1:
        lengths[lengths.index(-1)] = size - sum(n for n in lengths if n != -1)
    if sum(lengths) != size or min(lengths) < 0:
        raise InvalidArgumentError(
            None,
            None,
            f"Determined shape must either match input shape along split_dim exactly if fully specified, or be "
            f"less than the size of the input along split_dim if not fully specified.  Got: {sum(lengths)}",
        )
    return [part.copy() for part in np.split(value, np.cumsum(lengths)[:-1], axis)]


@split_v_op.gradient
def _(node, *grads):
    return concat(list(grads), node.inputs[2]), None, None


split_v_op.samples(rows=sample([1., 2., 3.], [1, 2], 0, num_split=2), rest=sample([[1, 2, 3]], [1, -1], 1, num_split=2))


@public("split")
def split(
    value: Any, num_or_size_splits: Any, axis: Any = 0, num: int | None = None, name: str = "split"
) -> list[Tensor]:
    """A tensor cut along `axis`, into a number of equal pieces or into pieces of given sizes.

    Args:
      value: a tensor.
      num_or_size_splits: the number of pieces, or a list or vector of their sizes, one of which may be -1 (the rest).
      axis: the dimension to cut.
      num: number of pieces, where it cannot be inferred from the sizes.
      name: name of the results.

    Raises:
      ValueError: the number of pieces is not known, or the sizes do not add up.
    """
    size_splits = convert_to_tensor(num_or_size_splits)
    if isinstance(num_or_size_splits, (int, np.integer)):
        return split_op(axis, value, num_split=num_or_size_splits, name=name)
    if size_splits.shape.ndims == 0:
        raise ValueError(
            "Rank-0 tensors are not supported as the num_or_size_splits argument to split. Argument provided: "
            f"{num_or_size_splits}"
        )
    if num is None:
        dims = size_splits.shape.as_tuple()
        num = dims[0] if dims else None
        if num is None:
            raise ValueError(f"Cannot infer num from shape {num_or_size_splits}")
    return split_v_op(value, size_splits, axis, num_split=num, name=name)


parallel_concat_op = op("ParallelConcat(values: N * T) -> output: T", N="int >= 1", T="type", shape="shape")


@parallel_concat_op.shape
def _(values, *, shape):
    return shape


@parallel_concat_op.kernel
def _(values):
    return np.concatenate(values, 0)


parallel_concat_op.samples(rows=sample([[[1., 2.]], [[3., 4.]]], shape=[2, 2]))


@public("parallel_stack")
def parallel_stack(values: Any, name: str = "parallel_stack") -> Tensor:
    """Like `stack` along a new first dimension, for tensors of known shape."""
    from ossia_ops.shape import expand_dims
    with name_scope(name):
        dims = convert_to_tensor(values[0]).shape
        return parallel_concat_op([expand_dims(value, 0) for value in values], shape=[len(values), *dims.as_list()])
