"""Splitting: a tensor cut along a dimension, into equal pieces or pieces of given sizes."""
from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import axis_given
from ossia_core.declare.shape_rules import constant as constant_value
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import Dimension
from ossia_core.plugins.api_table import public
from ossia_ops.array.concat import concat
from ossia_ops.element_types import INDEX_64

split_op = op("Split(split_dim: int32, value: T) -> output: num_split * T", num_split="int >= 1", T="type")


@split_op.shape
def _(split_dim, value, *, num_split):
    dims = value.shape.as_tuple()
    axis = axis_given(split_dim, 0, value.shape.ndims)
    if dims is None:
        return [None] * num_split
    if axis is None:
        return [(None,) * len(dims)] * num_split
    size = dims[axis]
    if size is not None and size % num_split:
        raise ValueError(
            f"Dimension size must be evenly divisible by {num_split} but is {size}\n\tNumber of ways to split should "
            "evenly divide the split dimension"
        )
    return [dims[:axis] + (None if size is None else size // num_split,) + dims[axis + 1:]] * num_split


@split_op.kernel(alias=True)
def _(split_dim, value, *, num_split):
    axis = operator.index(split_dim)
    if not -value.ndim <= axis < value.ndim:
        raise InvalidArgumentError(
            None, None, f"-input rank(-{value.ndim}) <= split_dim < input rank ({value.ndim}), but got {axis}"
        )
    if value.shape[axis] % num_split:
        raise InvalidArgumentError(
            None,
            None,
            "Number of ways to split should evenly divide the split dimension, but got split_dim "
            f"{axis % value.ndim} (size = {value.shape[axis]}) and num_split {num_split}",
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
    dims, known = value.shape.as_tuple(), constant_value(size_splits)
    if dims == ():
        raise ValueError("Can't split scalars")
    axis = axis_given(split_dim, 2, value.shape.ndims)
    if dims is None:
        return [None] * num_split
    if axis is None and len(dims) != 1 and known is None:
        return [(None,) * len(dims)] * num_split
    # The original takes an axis that it does not know for the last one.
    axis = len(dims) - 1 if axis is None else axis
    # As in the original, sizes of which some are computed at run time say nothing.
    lengths = [None] * num_split if known is None else [None if n == -1 else n for n in known.ravel().tolist()]
    if len(lengths) != num_split:
        raise ValueError("Length of size_splits should be equal to num_outputs")
    if known is not None and lengths.count(None) > 1:
        raise ValueError("size_splits can only have one -1")
    if known is not None and dims[axis] is not None:
        total = sum(n for n in lengths if n is not None)
        if lengths.count(None) == 1 and total <= dims[axis]:
            lengths[lengths.index(None)] = dims[axis] - total
        elif total != dims[axis]:
            raise ValueError(
                f"can't split axis of size {dims[axis]} into pieces of size [{','.join(map(str, known.tolist()))}]"
            )
    return [dims[:axis] + (n,) + dims[axis + 1:] for n in lengths]


@split_v_op.kernel
def _(value, size_splits, split_dim, *, num_split):
    if num_split == 1:  # is not looked at any further
        return [value.copy()]
    axis = int(np.ravel(split_dim)[0])
    if size_splits.ndim != 1 or len(size_splits) != num_split:
        raise InvalidArgumentError(
            None, None,
            f"size_splits must be a vector of {num_split} sizes, not of shape {dims_text(size_splits.shape)}"
        )
    if not -value.ndim <= axis < value.ndim:
        raise InvalidArgumentError(
            None, None, f"-input rank(-{value.ndim}) <= split_dim < input rank ({value.ndim}), but got {axis}"
        )
    lengths = size_splits.tolist()
    size = value.shape[axis]
    if lengths.count(-1) > 1:
        raise InvalidArgumentError(None, None, "There can only be one -1 in the input.")
    if -1 in lengths:
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
    if isinstance(num_or_size_splits, (int, np.integer, Dimension)):
        return split_op(axis, value, num_split=int(num_or_size_splits), name=name)
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
