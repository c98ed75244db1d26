"""Shapes: other views of the same elements, parts and joints, repetitions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ossia_lite.fixed_point import limits, quantize_factor, round_half_away, scale
from ossia_lite.kernels import Call, activate
from ossia_lite.operators import numpy_dtype

_MAX_ELEMENTS = 1 << 32


def sizes(shape: np.ndarray) -> tuple[int, ...]:
    """A shape given as a tensor.

    Args:
        shape: Integers.

    Raises:
        ValueError: A size is negative, or there would be too many elements.
    """
    found = tuple(int(size) for size in np.asarray(shape).reshape(-1))
    if any(size < 0 for size in found) or math.prod(found) > _MAX_ELEMENTS:
        raise ValueError(f"{found} is not a shape.")
    return found


def reshape(call: Call, x: np.ndarray, shape: np.ndarray | None = None) -> np.ndarray:
    """The elements in another shape, from the input or the options; one size may be -1."""
    if shape is not None and shape.dtype.kind == "i" and shape.ndim == 1:
        return x.reshape([int(size) for size in shape])
    wanted = call.option("new_shape")
    return x.reshape(wanted if wanted else ())


def squeeze(call: Call, x: np.ndarray) -> np.ndarray:
    """Without the dimensions of size 1 that the options name, or without any."""
    return np.squeeze(x, tuple(call.option("squeeze_dims") or ()) or None)


def expand_dims(call: Call, x: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """With a dimension of size 1 before `axis`."""
    return np.expand_dims(x, int(axis.reshape(())))


def transpose(call: Call, x: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Dimensions in another order."""
    return np.ascontiguousarray(np.transpose(x, [int(axis) for axis in order]))


def shape(call: Call, x: np.ndarray) -> np.ndarray:
    """The shape as a tensor."""
    return np.array(x.shape, numpy_dtype(call.option("out_type")) if call.option("out_type") else np.int32)


def rank(call: Call, x: np.ndarray) -> np.ndarray:
    """The number of dimensions."""
    return np.array(x.ndim, np.int32)


def pack(call: Call, *parts: np.ndarray) -> np.ndarray:
    """Tensors of one shape, stacked along a new dimension."""
    return np.stack(parts, call.option("axis"))


def unpack(call: Call, x: np.ndarray) -> tuple[np.ndarray, ...]:
    """The parts along a dimension, which vanishes."""
    return tuple(np.moveaxis(x, call.option("axis"), 0))


def split(call: Call, axis: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, ...]:
    """Equal parts along a dimension."""
    return tuple(np.split(x, call.option("num_splits"), int(axis.reshape(()))))


def split_v(call: Call, x: np.ndarray, lengths: np.ndarray, axis: np.ndarray) -> tuple[np.ndarray, ...]:
    """Parts of given lengths along a dimension; one may be -1."""
    place, wanted = int(axis.reshape(())), [int(length) for length in lengths]
    if -1 in wanted:
        wanted[wanted.index(-1)] = x.shape[place] - sum(length for length in wanted if length != -1)
    if min(wanted) < 0 or sum(wanted) != x.shape[place]:
        raise ValueError(f"SPLIT_V: parts of {wanted} do not fit {x.shape[place]}.")
    return tuple(np.split(x, np.cumsum(wanted)[:-1], place))


def concatenation(call: Call, *parts: np.ndarray) -> np.ndarray:
    """Tensors joined along a dimension; quantized ones are brought to the scale of the result."""
    result = call.outputs[0]
    if result.quantized:
        parts = tuple(_to_scale(call, index, part) for index, part in enumerate(parts))
        return np.concatenate(parts, call.option("axis"))
    return activate(np.concatenate(parts, call.option("axis")), call.option("fused_activation_function"))


def _to_scale(call: Call, index: int, part: np.ndarray) -> np.ndarray:
    source, result = call.inputs[index], call.outputs[0]
    if source is None or (source.scale == result.scale and source.zero_point == result.zero_point):
        return part
    if result.type == "UINT8":  # in single precision, as the reference does it
        factor = np.float32(source.scale) * (np.float32(1) / np.float32(result.scale))
        values = round_half_away(part * factor + np.float32(-source.zero_point) * factor) + result.zero_point
    else:
        values = (
            scale(part.astype(np.int64) - source.zero_point, *quantize_factor(source.scale / result.scale))
            + result.zero_point
        )
    return np.clip(values, *limits(result.dtype)).astype(result.dtype)


def tile(call: Call, x: np.ndarray, multiples: np.ndarray) -> np.ndarray:
    """The tensor repeated along each dimension."""
    counts = sizes(multiples)
    if x.size * math.prod(counts) > _MAX_ELEMENTS:
        raise ValueError(f"TILE: {counts} times {x.shape} is too large.")
    return np.tile(x, counts)


def broadcast_to(call: Call, x: np.ndarray, shape: np.ndarray) -> np.ndarray:
    """The tensor broadcast to a shape."""
    return np.broadcast_to(x, sizes(shape)).copy()


def broadcast_args(call: Call, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """The shape to which tensors of two shapes broadcast."""
    return np.array(np.broadcast_shapes(sizes(first), sizes(second)), first.dtype)


def fill(call: Call, shape: np.ndarray, value: np.ndarray) -> np.ndarray:
    """One value in a shape."""
    return np.full(sizes(shape), value.reshape(()))


def zeros_like(call: Call, x: np.ndarray) -> np.ndarray:
    """Zeros in the shape of `x`."""
    return np.zeros_like(x)


def range(call: Call, start: np.ndarray, limit: np.ndarray, delta: np.ndarray) -> np.ndarray:
    """Numbers from `start` in steps of `delta`, up to `limit`."""
    if not delta.item() or (limit.item() - start.item()) / delta.item() > _MAX_ELEMENTS:
        raise ValueError(f"RANGE: from {start} to {limit} in steps of {delta}.")
    bounds: list[Any] = [start.item(), limit.item(), delta.item()]
    return np.arange(*bounds, dtype=start.dtype)


def reverse_v2(call: Call, x: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """The elements along some dimensions in the opposite order."""
    return np.flip(x, tuple(int(axis) for axis in axes.reshape(-1))).copy()


def space_to_depth(call: Call, x: np.ndarray) -> np.ndarray:
    """Square blocks of an image as channels."""
    size = call.option("block_size")
    batch, height, width, depth = x.shape
    blocks = x.reshape(batch, height // size, size, width // size, size, depth).transpose(0, 1, 3, 2, 4, 5)
    return blocks.reshape(batch, height // size, width // size, size * size * depth)


def depth_to_space(call: Call, x: np.ndarray) -> np.ndarray:
    """Channels as square blocks of an image."""
    size = call.option("block_size")
    batch, height, width, depth = x.shape
    blocks = x.reshape(batch, height, width, size, size, depth // (size * size)).transpose(0, 1, 3, 2, 4, 5)
    return blocks.reshape(batch, height * size, width * size, depth // (size * size))


def space_to_batch_nd(call: Call, x: np.ndarray, block: np.ndarray, paddings: np.ndarray) -> np.ndarray:
    """Blocks of the padded spatial dimensions as further batches."""
    result, counts = call.outputs[0], sizes(block)
    widths = [(0, 0), *((int(a), int(b)) for a, b in paddings), *((0, 0),) * (x.ndim - 1 - len(counts))]
    x = np.pad(x, widths, constant_values=result.zero_point if result.quantized else 0)
    spatial, rest = x.shape[1 : 1 + len(counts)], x.shape[1 + len(counts) :]
    parts = [part for size, each in zip(spatial, counts, strict=True) for part in (size // each, each)]
    dims = len(counts)
    order = [2 * i + 2 for i in np.arange(dims)] + [0] + [2 * i + 1 for i in np.arange(dims)]
    order += [1 + 2 * dims + i for i in np.arange(len(rest))]
    moved = x.reshape(x.shape[0], *parts, *rest).transpose(order)
    return moved.reshape(x.shape[0] * math.prod(counts), *parts[::2], *rest)


def batch_to_space_nd(call: Call, x: np.ndarray, block: np.ndarray, crops: np.ndarray) -> np.ndarray:
    """Batches as blocks of the spatial dimensions, which are cropped."""
    counts, dims = sizes(block), int(block.size)
    batch, spatial, rest = x.shape[0] // math.prod(counts), x.shape[1 : 1 + dims], x.shape[1 + dims :]
    order = [dims]
    for i in np.arange(dims):
        order += [dims + 1 + int(i), int(i)]
    order += [1 + 2 * dims + int(i) for i in np.arange(len(rest))]
    joined = x.reshape(*counts, batch, *spatial, *rest).transpose(order)
    joined = joined.reshape(batch, *(size * each for size, each in zip(spatial, counts, strict=True)), *rest)
    for axis, (before, after) in enumerate(crops.tolist(), 1):
        joined = joined.take(np.arange(before, joined.shape[axis] - after), axis)
    return joined
