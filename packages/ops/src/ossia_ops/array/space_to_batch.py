"""Moving blocks of the spatial dimensions into the batch, and back."""
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import constant, merge, with_rank, with_rank_at_least
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.static_value import get_static_value
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import UNKNOWN_SHAPE, TensorShape
from ossia_core.names.sizes import elements
from ossia_core.plugins.api_table import public
from ossia_ops.element_types import INDEX_32

_X = np.arange(2 * 4 * 4 * 4, dtype="f4").reshape(2, 4, 4, 4)
_NONE = np.zeros((2, 2), "i4")
_BLOCK = np.array([2, 2], "i4")


def _enlarged(dims: Sequence[int | None], sizes: Sequence[int] | None, margins: np.ndarray | None) -> list[int | None]:
    """[batch, *spatial] after blocks have moved into the batch."""
    batch, *spatial = dims
    if sizes is None:
        return [None] * len(dims)
    found: list[int | None] = [None if batch is None else batch * math.prod(sizes)]
    for i, (size, step) in enumerate(zip(spatial, sizes, strict=True)):
        if size is None or margins is None:
            found.append(None)
            continue
        total = size + int(margins[i].sum())
        if total % step:
            raise ValueError(f"Dimension size must be evenly divisible by {step} but is {total}")
        found.append(total // step)
    return found


def _reduced(dims: Sequence[int | None], sizes: Sequence[int] | None, margins: np.ndarray | None) -> list[int | None]:
    """[batch, *spatial] after blocks have moved out of the batch."""
    batch, *spatial = dims
    if sizes is None:
        return [None] * len(dims)
    for step in sizes:  # one by one, as the original divides
        if batch is not None and batch % step:
            raise ValueError(f"Dimension size must be evenly divisible by {step} but is {batch}")
        batch = None if batch is None else batch // step
    found: list[int | None] = [batch]
    for i, (size, step) in enumerate(zip(spatial, sizes, strict=True)):
        if size is None or margins is None:
            found.append(None)
            continue
        left = size * step
        for cut in margins[i].tolist():
            if left < cut:
                raise ValueError(f"Negative dimension size caused by subtracting {cut} from {left}")
            left -= cut
        found.append(left)
    return found


def _margins(tensor: Tensor, rank: int, name: str) -> np.ndarray | None:
    merge(tensor, TensorShape([rank, 2]))
    amounts = constant(tensor)
    if amounts is None:
        return None
    if (amounts < 0).any():
        raise ValueError(f"{name} cannot be negative")
    return amounts


def _nd_shape(x: Tensor, block: Tensor, margins: Tensor, name: str, rule: Any) -> TensorShape:
    blocks = block.shape.as_tuple()
    if blocks is None or len(blocks) != 1:
        raise ValueError("block_shape must have rank 1.")
    (rank,) = blocks
    if rank is None:
        raise ValueError("block_shape must have known size.")
    dims = with_rank_at_least(x, rank + 1).as_tuple()
    amounts = _margins(margins, rank, name)
    if dims is None:
        return UNKNOWN_SHAPE
    sizes = constant(block)
    if sizes is not None and (sizes < 1).any():
        raise ValueError("block_shape must be positive")
    return TensorShape([*rule(dims[:rank + 1], None if sizes is None else sizes.tolist(), amounts), *dims[rank + 1:]])


def _square_shape(x: Tensor, size: int, margins: Tensor, name: str, rule: Any) -> TensorShape:
    dims = with_rank(x, 4).as_tuple()
    return TensorShape([*rule(dims[:3], [size, size], _margins(margins, 2, name)), dims[3]])


def _check(x: np.ndarray, block: Sequence[int], margins: np.ndarray, name: str) -> None:
    if x.ndim < len(block) + 1:
        raise InvalidArgumentError(None, None, f"input rank should be >= {len(block) + 1} instead of {x.ndim}")
    if margins.shape != (len(block), 2):
        raise InvalidArgumentError(
            None, None, f"{name} should have shape [{len(block)}, 2] instead of {dims_text(margins.shape)}"
        )
    if min(block, default=1) < 1:
        raise InvalidArgumentError(None, None, f"All values in block_shape must be positive, got {dims_text(block)}")
    if margins.size and margins.min() < 0:
        raise InvalidArgumentError(None, None, f"All {name} must be non-negative")


def _to_batch(x: np.ndarray, block: Sequence[int], paddings: np.ndarray) -> np.ndarray:
    _check(x, block, paddings, "paddings")
    rank = len(block)
    pads = [(0, 0), *(tuple(p) for p in paddings.tolist()), *[(0, 0)] * (x.ndim - rank - 1)]
    elements([n + b + a for n, (b, a) in zip(x.shape, pads, strict=True)])
    if paddings.any():
        x = np.pad(x, pads, constant_values=b"" if x.dtype == object else 0)
    for i, step in enumerate(block):
        if x.shape[i + 1] % step:
            raise InvalidArgumentError(
                None, None, f"padded_shape[{i}]={x.shape[i + 1]} is not divisible by block_shape[{i}]={step}"
            )
    outer = [n // s for n, s in zip(x.shape[1:rank + 1], block, strict=True)]
    split = x.reshape(x.shape[0], *(v for pair in zip(outer, block, strict=True) for v in pair), *x.shape[rank + 1:])
    order = [*(2 + 2 * i for i in range(rank)), 0, *(1 + 2 * i for i in range(rank)), *range(1 + 2 * rank, split.ndim)]
    return np.array(split.transpose(order)).reshape(x.shape[0] * math.prod(block), *outer, *x.shape[rank + 1:])


def _from_batch(x: np.ndarray, block: Sequence[int], crops: np.ndarray) -> np.ndarray:
    _check(x, block, crops, "crops")
    rank, count = len(block), math.prod(block)
    if x.shape[0] % count:
        raise InvalidArgumentError(
            None, None, f"Input batch dimension ({x.shape[0]}) is not divisible by product of block sizes ({count})"
        )
    full = [n * s for n, s in zip(x.shape[1:rank + 1], block, strict=True)]
    for i, (size, (start, end)) in enumerate(zip(full, crops.tolist(), strict=True)):
        if size < start + end:
            raise InvalidArgumentError(None, None, f"cropped_shape[{i}]={size - start - end} must be non-negative")
    split = x.reshape(*block, x.shape[0] // count, *x.shape[1:])
    order = [rank, *(v for i in range(rank) for v in (rank + 1 + i, i)), *range(2 * rank + 1, split.ndim)]
    result = split.transpose(order).reshape(x.shape[0] // count, *full, *x.shape[rank + 1:])
    cropped = zip(full, crops.tolist(), strict=True)
    inside = (slice(None), *(slice(start, size - end) for size, (start, end) in cropped))
    return np.array(result[inside])


space_to_batch_nd_op = op(
    "SpaceToBatchND(input: T, block_shape: Tblock_shape, paddings: Tpaddings) -> output: T",
    T="type",
    Tblock_shape=INDEX_32,
    Tpaddings=INDEX_32,
)


@space_to_batch_nd_op.shape
def _(input, block_shape, paddings):
    return _nd_shape(input, block_shape, paddings, "paddings", _enlarged)


@space_to_batch_nd_op.kernel
def _(input, block_shape, paddings):
    return _to_batch(input, block_shape.tolist(), paddings)


@space_to_batch_nd_op.gradient
def _(node, grad):
    return batch_to_space_nd_op(grad, node.inputs[1], node.inputs[2]), None, None


space_to_batch_nd_op.needs_known("block_shape")
space_to_batch_nd_op.samples(
    plain=sample(_X, _BLOCK, _NONE),
    padded=sample(_X, np.array([3, 1], "i4"), _NONE + np.array([[1, 1], [0, 2]], "i4")),
    empty=sample(_X[:0], _BLOCK[:1], _NONE[:1]),
)

batch_to_space_nd_op = op("BatchToSpaceND(input: T, block_shape: Tblock_shape, crops: Tcrops) -> output: T", T="type",
                          Tblock_shape=INDEX_32, Tcrops=INDEX_32)


@batch_to_space_nd_op.shape
def _(input, block_shape, crops):
    return _nd_shape(input, block_shape, crops, "crops", _reduced)


@batch_to_space_nd_op.kernel
def _(input, block_shape, crops):
    return _from_batch(input, block_shape.tolist(), crops)


@batch_to_space_nd_op.gradient
def _(node, grad):
    return space_to_batch_nd_op(grad, node.inputs[1], node.inputs[2]), None, None


batch_to_space_nd_op.needs_known("block_shape")
batch_to_space_nd_op.samples(plain=sample(_X, np.array([2, 1], "i4"), _NONE),
                             cropped=sample(_X, np.array([1, 2], "i4"), _NONE + np.array([[1, 0], [1, 2]], "i4")))

space_to_batch_op = op(
    "SpaceToBatch(input: T, paddings: Tpaddings) -> output: T", T="type", Tpaddings=INDEX_32, block_size="int32 >= 2"
)


@space_to_batch_op.shape
def _(input, paddings, *, block_size):
    return _square_shape(input, block_size, paddings, "paddings", _enlarged)


@space_to_batch_op.kernel
def _(input, paddings, *, block_size):
    return _to_batch(input, [block_size, block_size], paddings)


@space_to_batch_op.gradient
def _(node, grad):
    return batch_to_space(grad, node.inputs[1], block_size=node.get_attr("block_size")), None


space_to_batch_op.samples(plain=sample(_X, _NONE, block_size=2))

batch_to_space_op = op(
    "BatchToSpace(input: T, crops: Tidx) -> output: T", T="type", block_size="int32 >= 2", Tidx=INDEX_32
)


@batch_to_space_op.shape
def _(input, crops, *, block_size):
    return _square_shape(input, block_size, crops, "crops", _reduced)


@batch_to_space_op.kernel
def _(input, crops, *, block_size):
    return _from_batch(input, [block_size, block_size], crops)


@batch_to_space_op.gradient
def _(node, grad):
    return space_to_batch(grad, node.inputs[1], block_size=node.get_attr("block_size")), None


batch_to_space_op.samples(plain=sample(_X.reshape(4, 2, 4, 4), _NONE, block_size=2))


@public("space_to_batch_nd", "manip.space_to_batch_nd")
def space_to_batch_nd(input: Any, block_shape: Any, paddings: Any, name: str | None = None) -> Tensor:
    """Pads the spatial dimensions and moves blocks of them into the batch.

    Args:
      input: [batch, *spatial, ...].
      block_shape: size of the blocks, one integer per spatial dimension.
      paddings: amounts before and after, [spatial dimensions, 2].
      name: name of the result.

    Returns:
      [batch * prod(block_shape), *(padded spatial // block_shape), ...].
    """
    return space_to_batch_nd_op(input, block_shape, paddings, name=name)


@public("batch_to_space_nd", "manip.batch_to_space_nd")
def batch_to_space_nd(input: Any, block_shape: Any, crops: Any, name: str | None = None) -> Tensor:
    """Moves blocks from the batch back into the spatial dimensions and crops these: the inverse of `space_to_batch_nd`.

    Args:
      input: [batch, *spatial, ...].
      block_shape: size of the blocks, one integer per spatial dimension.
      crops: amounts to cut off at start and end, [spatial dimensions, 2].
      name: name of the result.
    """
    return batch_to_space_nd_op(input, block_shape, crops, name=name)


def _square(block_size: Any, block_shape: Any) -> np.ndarray:
    if block_shape is not None:
        if block_size is not None:
            raise ValueError("Cannot specify both 'block_size' and 'block_shape'")
        block_size = block_shape
    return np.array([block_size, block_size], np.int64)


@public("space_to_batch", "nn.space_to_batch")
def space_to_batch(
    input: Any, paddings: Any, block_size: Any = None, name: str | None = None, block_shape: Any = None
) -> Tensor:
    """`space_to_batch_nd` of a [batch, height, width, channels] tensor with square blocks of `block_size`."""
    result = space_to_batch_nd(input, paddings=paddings, block_shape=_square(block_size, block_shape), name=name)
    result.set_shape(result.shape.with_rank(4))
    return result


@public("batch_to_space")
def batch_to_space(input: Any, crops: Any, block_size: Any, name: str | None = None, block_shape: Any = None) -> Tensor:
    """`batch_to_space_nd` of a [batch, height, width, channels] tensor with square blocks of `block_size`."""
    result = batch_to_space_nd(input, crops=crops, block_shape=_square(block_size, block_shape), name=name)
    result.set_shape(result.shape.with_rank(4))
    return result


@public("required_space_to_batch_paddings")
def required_space_to_batch_paddings(
    input_shape: Any, block_shape: Any, base_paddings: Any = None, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """The least paddings with which blocks divide the spatial dimensions evenly, and the crops that undo them.

    Args:
      input_shape: the spatial sizes, int32.
      block_shape: size of the blocks, int32.
      base_paddings: paddings that are wanted anyway, [spatial dimensions, 2]; none by default.
      name: name of the scope.

    Returns:
      A pair (paddings, crops) of [spatial dimensions, 2] tensors, constants if everything is known.

    Raises:
      ValueError: shapes that do not fit.
    """
    from ossia_ops.array.fill import zeros
    stack = builder("stack")
    with name_scope(name, "required_space_to_batch_paddings", [input_shape, block_shape]):
        input_shape = convert_to_tensor(input_shape, dtype=dtypes.int32, name="input_shape")
        block_shape = convert_to_tensor(block_shape, dtype=dtypes.int32, name="block_shape")
        block_shape.shape.assert_is_fully_defined()
        block_shape.shape.assert_has_rank(1)
        count = block_shape.shape.as_tuple()[0]
        if count == 0:
            return zeros([0, 2], dtypes.int32), zeros([0, 2], dtypes.int32)
        input_shape.shape.assert_is_compatible_with([count])
        if base_paddings is not None:
            base_paddings = convert_to_tensor(base_paddings, dtype=dtypes.int32, name="base_paddings")
            base_paddings.shape.assert_is_compatible_with([count, 2])
        else:
            base_paddings = zeros([count, 2], dtypes.int32)
        known = [get_static_value(t) for t in (input_shape, block_shape, base_paddings)]
        sizes, block, base = known if all(v is not None for v in known) else (input_shape, block_shape, base_paddings)
        start, end = base[:, 0], base[:, 1]
        total = sizes + start + end
        extra = (block - total % block) % block
        end = end + extra
        paddings = stack([[start[i], end[i]] for i in range(count)], name="paddings")
        crops = stack([[0, extra[i]] for i in range(count)], name="crops")
        return paddings, crops
