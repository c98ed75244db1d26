"""Moving blocks of an image into its channels, and back."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import with_rank
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public

_FORMAT = "{'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC'"
_X = np.arange(2 * 4 * 2 * 4, dtype="f4").reshape(2, 4, 2, 4)


def _divided(size: int | None, by: int) -> int | None:
    if size is None:
        return None
    if size % by:
        raise ValueError(f"Dimension size must be evenly divisible by {by} but is {size}")
    return size // by


def _times(size: int | None, by: int) -> int | None:
    return None if size is None else size * by


def _shaped(x: Any, data_format: bytes, change: Any) -> TensorShape:
    if data_format == b"NCHW_VECT_C":  # four channels each in a fifth dimension
        batch, depth, height, width, _ = with_rank(x, 5).as_tuple()
        height, width, depth = change(height, width, depth)
        return TensorShape([batch, depth, height, width, 4])
    batch, a, b, c = with_rank(x, 4).as_tuple()
    if data_format == b"NHWC":
        return TensorShape([batch, *change(a, b, c)])
    height, width, depth = change(b, c, a)
    return TensorShape([batch, depth, height, width])


def _divisible(size: int, by: int, what: str) -> int:
    if size % by:
        raise InvalidArgumentError(None, None, f"{what} {size} should be divisible by block_size: {by}")
    return size // by


def _ranked(x: np.ndarray, data_format: bytes) -> np.ndarray:
    if data_format == b"NCHW_VECT_C":
        raise InvalidArgumentError(None, None, "Only NHWC data_format supported on CPU. Got NCHW_VECT_C")
    if x.ndim != 4:
        raise InvalidArgumentError(None, None, f"Input rank should be: 4 instead of: {x.ndim}")
    return x if data_format == b"NHWC" else np.moveaxis(x, 1, 3)


def _restored(x: np.ndarray, data_format: bytes) -> np.ndarray:
    return np.array(x if data_format == b"NHWC" else np.moveaxis(x, 3, 1), order="C")


space_to_depth_op = op("SpaceToDepth(input: T) -> output: T", T="type", block_size="int32 >= 2", data_format=_FORMAT)


@space_to_depth_op.shape
def _(input, *, block_size, data_format):
    return _shaped(
        input, data_format, lambda h, w, c: (_divided(h, block_size), _divided(w, block_size), _times(c, block_size**2))
    )


@space_to_depth_op.kernel
def _(input, *, block_size, data_format):
    x = _ranked(input, data_format)
    n, h, w, c = x.shape
    rows, cols = _divisible(h, block_size, "Image height"), _divisible(w, block_size, "Image width")
    blocks = x.reshape(n, rows, block_size, cols, block_size, c).transpose(0, 1, 3, 2, 4, 5)
    return _restored(blocks.reshape(n, rows, cols, block_size ** 2 * c), data_format)


@space_to_depth_op.gradient
def _(node, grad):
    return depth_to_space_op(grad, block_size=node.get_attr("block_size"), data_format=node.get_attr("data_format"))


space_to_depth_op.samples(
    plain=sample(_X, block_size=2),
    first=sample(_X, block_size=2, data_format="NCHW"),
    refused_packed=sample(_X.astype("i1")[..., None], block_size=2, data_format="NCHW_VECT_C"),
    refused_rank=sample(_X, block_size=2, data_format="NCHW_VECT_C"),
)

depth_to_space_op = op("DepthToSpace(input: T) -> output: T", T="type", block_size="int32 >= 2", data_format=_FORMAT)


@depth_to_space_op.shape
def _(input, *, block_size, data_format):
    return _shaped(
        input, data_format, lambda h, w, c: (_times(h, block_size), _times(w, block_size), _divided(c, block_size**2))
    )


@depth_to_space_op.kernel
def _(input, *, block_size, data_format):
    x = _ranked(input, data_format)
    n, h, w, c = x.shape
    depth = _divisible(c, block_size ** 2, "Input depth dimension")
    blocks = x.reshape(n, h, w, block_size, block_size, depth).transpose(0, 1, 3, 2, 4, 5)
    return _restored(blocks.reshape(n, h * block_size, w * block_size, depth), data_format)


@depth_to_space_op.gradient
def _(node, grad):
    return space_to_depth_op(grad, block_size=node.get_attr("block_size"), data_format=node.get_attr("data_format"))


depth_to_space_op.samples(
    plain=sample(_X, block_size=2),
    first=sample(_X, block_size=2, data_format="NCHW"),
    refused_packed=sample(_X.astype("i1")[..., None], block_size=2, data_format="NCHW_VECT_C"),
    refused_rank=sample(_X, block_size=2, data_format="NCHW_VECT_C"),
)


@public("space_to_depth", "nn.space_to_depth")
def space_to_depth(input: Any, block_size: int, name: str | None = None, data_format: str = "NHWC") -> Tensor:
    """Each `block_size` x `block_size` block of [batch, height, width, channels] as the channels of one element."""
    return space_to_depth_op(input, block_size=block_size, data_format=data_format, name=name)


@public("depth_to_space", "nn.depth_to_space")
def depth_to_space(input: Any, block_size: int, name: str | None = None, data_format: str = "NHWC") -> Tensor:
    """The inverse of `space_to_depth`: channels as `block_size` x `block_size` blocks."""
    return depth_to_space_op(input, block_size=block_size, data_format=data_format, name=name)
