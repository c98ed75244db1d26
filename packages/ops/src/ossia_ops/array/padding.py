"""Tensors with margins."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import constant as constant_value
from ossia_core.graph.static_value import get_static_value
from ossia_core.graph.tensor import Tensor
from ossia_core.names import sizes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.array.part import slice_
from ossia_ops.array.shape import rank, reshape, shape
from ossia_ops.array.stacking import stack
from ossia_ops.element_types import INDEX_32


def padded_shape(x: Any, paddings: Tensor, sign: int = 1) -> Any:
    """The static sizes of a tensor, or of a shape, with (`sign` -1: without) margins; None if the rank is not known.

    Raises:
      ValueError: the margins are no matrix of two columns and a row per dimension, or negative.
    """
    dims, margins = (x if isinstance(x, TensorShape) else x.shape).as_tuple(), constant_value(paddings)
    known = paddings.shape.as_tuple()
    if known is not None:
        if len(known) != 2:
            raise ValueError(f"Shape must be rank 2 but is rank {len(known)}")
        if known[1] not in (2, None):
            raise ValueError(f"Dimension must be 2 but is {known[1]}")
        if dims is not None and known[0] not in (len(dims), None):
            raise ValueError(f"Shape must be rank {known[0]} but is rank {len(dims)}")
    if margins is None:
        count = len(dims) if dims is not None else known[0] if known is not None else None
        return None if count is None else (None,) * count
    if any(amount < 0 for amount in margins.ravel().tolist()):
        raise ValueError("Paddings must be non-negative")
    if dims is None:
        return (None,) * len(margins)
    sizes = [None if d is None else d + sign * sum(pair) for d, pair in zip(dims, margins.tolist())]
    for size, d, pair in zip(sizes, dims, margins.tolist()):
        if size is not None and size < 0:
            raise ValueError(f"Negative dimension size caused by subtracting {sum(pair)} from {d}")
    return tuple(sizes)


def _margins(x: Any, paddings: Any) -> list:
    found = np.shape(paddings)
    if len(found) != 2 or found[1] != 2:
        raise InvalidArgumentError(None, None, f"paddings must be a matrix with 2 columns: {dims_text(found)}")
    if found[0] != np.ndim(x):
        raise InvalidArgumentError(
            None, None,
            "The first dimension of paddings must be the rank of inputs"
            f"{dims_text(found)} {dims_text(np.shape(x))}"
        )
    margins = [tuple(row) for row in paddings.tolist()]
    for before, after in margins:
        if before < 0 or after < 0:
            raise InvalidArgumentError(None, None, f"Paddings must be non-negative: {before} {after}")
    return margins


def _padded(x: Any, paddings: Any, value: Any) -> Any:
    x = np.asarray(x)
    margins = _margins(x, paddings)
    dims = [d + before + after for d, (before, after) in zip(x.shape, margins)]
    sizes.allocatable(dims, x.dtype.itemsize)
    result = np.full(dims, value, x.dtype)
    result[tuple(slice(before, before + d) for d, (before, _) in zip(x.shape, margins))] = x
    return result


def _pad_gradient(node: Any, grad: Any) -> list:
    x, paddings = node.inputs[:2]
    before = reshape(slice_(paddings, [0, 0], stack([rank(x), 1])), [-1])
    return [slice_(grad, before, shape(x)), *[None] * (len(node.inputs) - 1)]


pad_op = op("Pad(input: T, paddings: Tpaddings) -> output: T", T="type", Tpaddings=INDEX_32)


@pad_op.shape
def _(input, paddings):
    return padded_shape(input, paddings)


@pad_op.kernel
def _(input, paddings):
    x = np.asarray(input)
    return _padded(x, paddings, b"" if x.dtype == object else np.zeros((), x.dtype))


pad_op.gradient(_pad_gradient)
pad_op.samples(plain=([[1., 2.]], [[1, 0], [0, 2]]), empty=(np.zeros((0,), "f4"), [[1, 1]]))


pad_v2_op = op("PadV2(input: T, paddings: Tpaddings, constant_values: T) -> output: T", T="type", Tpaddings=INDEX_32)


@pad_v2_op.shape
def _(input, paddings, constant_values):
    return padded_shape(input, paddings)


@pad_v2_op.kernel
def _(input, paddings, constant_values):
    if np.ndim(constant_values):
        raise InvalidArgumentError(
            None, None, f"constant_values must be a scalar. Found: {dims_text(np.shape(constant_values))}"
        )
    return _padded(input, paddings, constant_values)


pad_v2_op.gradient(_pad_gradient)
pad_v2_op.samples(plain=([[1., 2.]], [[1, 0], [0, 2]], 7.))


def mirrored(x: np.ndarray, paddings: np.ndarray, mode: bytes) -> np.ndarray:
    """A copy of `x` with margins that mirror it, without its border elements (b"REFLECT") or with them.

    Raises:
      InvalidArgumentError: the margins do not fit, or are wider than what they mirror.
    """
    offset = 1 if mode == b"REFLECT" else 0
    for axis, margins in enumerate(_margins(x, paddings)):
        before, after = margins
        size = x.shape[axis]
        if max(margins) > size - offset:
            rule, broken = ("less than", "not less than") if offset else ("no greater than", "greater than")
            raise InvalidArgumentError(
                None, None, f"paddings must be {rule} the dimension size: {before}, {after} {broken} {size}"
            )
        if before or after:
            index = [slice(None)] * x.ndim
            order = np.concatenate([
                np.arange(before - 1 + offset, offset - 1, -1),
                np.arange(size),
                np.arange(size - 1 - offset, size - 1 - offset - after, -1),
            ])
            index[axis] = order  # type: ignore[call-overload]
            x = x[tuple(index)]
    return np.array(x)


mirror_pad_op = op("MirrorPad(input: T, paddings: Tpaddings) -> output: T", T="type", Tpaddings=INDEX_32,
                   mode="{'REFLECT', 'SYMMETRIC'}")


@mirror_pad_op.shape
def _(input, paddings):
    return padded_shape(input, paddings)


@mirror_pad_op.kernel
def _(input, paddings, *, mode):
    return mirrored(np.asarray(input), paddings, mode)


@mirror_pad_op.gradient
def _(node, grad):
    return [mirror_pad_grad_op(grad, node.inputs[1], mode=node.get_attr("mode")), None]


mirror_pad_op.samples(
    reflect=sample([[1.0, 2.0, 3.0]], [[0, 0], [2, 1]], mode="REFLECT"),
    symmetric=sample([1, 2, 3], [[3, 1]], mode="SYMMETRIC"),
)


mirror_pad_grad_op = op("MirrorPadGrad(input: T, paddings: Tpaddings) -> output: T", T="type", Tpaddings=INDEX_32,
                        mode="{'REFLECT', 'SYMMETRIC'}")


@mirror_pad_grad_op.shape
def _(input, paddings):
    result = padded_shape(input, paddings, -1)
    rows = paddings.shape.as_tuple()
    # The rank comes from the paddings alone.
    return None if rows is None or rows[0] is None else result


@mirror_pad_grad_op.kernel
def _(input, paddings, *, mode):
    x = np.asarray(input)
    offset = 1 if mode == b"REFLECT" else 0
    for axis, (before, after) in enumerate(_margins(x, paddings)):
        size = x.shape[axis] - before - after
        if max(before, after) > size - offset:
            raise InvalidArgumentError(
                None, None, f"paddings {before}, {after} are too large for dimension {axis} of size {x.shape[axis]}"
            )
        if before or after:
            along = (slice(None),) * axis
            # What was mirrored is added to where it came from.
            inner = x[along + (slice(before, before + size),)].copy()
            first, last = x[along + (slice(before),)], x[along + (slice(before + size, None),)]
            inner[along + (slice(offset, offset + before),)] += np.flip(first, axis)
            inner[along + (slice(size - offset - after, size - offset),)] += np.flip(last, axis)
            x = inner
    return np.array(x) if x is input else x


@mirror_pad_grad_op.gradient
def _(node, grad):
    return [mirror_pad_op(grad, node.inputs[1], mode=node.get_attr("mode")), None]


mirror_pad_grad_op.samples(reflect=sample([[1., 2., 3., 4., 5., 6.]], [[0, 0], [2, 1]], mode="REFLECT"))


@public("pad")
def pad(
    tensor: Any, paddings: Any, mode: str = "CONSTANT", name: str | None = None, constant_values: Any = 0
) -> Tensor:
    """A tensor with `paddings[i, 0]` elements before and `paddings[i, 1]` after dimension `i`.

    Args:
      tensor: a tensor of rank n.
      paddings: an integer tensor of shape [n, 2].
      mode: "CONSTANT"; "REFLECT" mirrors without the border elements, "SYMMETRIC" with them (either in lower case,
          too).
      name: name of the result.
      constant_values: what to fill in, a scalar.

    Raises:
      ValueError: another mode.
    """
    mode = mode.upper()
    if mode == "CONSTANT":
        if (
            not isinstance(constant_values, Tensor)
            and not hasattr(constant_values, "_as_graph_element")
            and constant_values == 0
        ):
            return _with_known_sizes(pad_op(tensor, paddings, name=name))
        return _with_known_sizes(pad_v2_op(tensor, paddings, constant_values, name=name))
    if mode not in ("REFLECT", "SYMMETRIC"):
        raise ValueError(f"Unknown padding mode: {mode}")
    return _with_known_sizes(mirror_pad_op(tensor, paddings, mode=mode, name=name))


def _with_known_sizes(result: Tensor) -> Tensor:
    """`result` of a padding, with the sizes of those dimensions whose margins are known, where not all of them are."""
    if not result.shape.is_fully_defined():
        dims = result.op.inputs[0].shape.as_tuple()
        margins = get_static_value(result.op.inputs[1], partial=True)
        if dims is not None and margins is not None:
            result.set_shape([
                None if size is None or margin is None or None in list(margin) else size + sum(margin)
                for size, margin in zip(dims, margins)
            ])
    return result
