"""Parts of tensors: slices, elements at indices, padding."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from ossia_lite.kernels import Call
from ossia_lite.kernels.shape import sizes

_slice = builtins.slice


def slice(call: Call, x: np.ndarray, begin: np.ndarray, size: np.ndarray) -> np.ndarray:
    """`size` elements from `begin` on in each dimension; -1 stands for all that are left."""
    places = []
    for whole, start, count in zip(x.shape, begin.tolist(), size.tolist(), strict=True):
        end = whole if count == -1 else start + count
        if not 0 <= start <= end <= whole:
            raise ValueError(f"SLICE: from {start} to {end} of {whole}.")
        places.append(_slice(start, end, 1))
    return x[tuple(places)].copy()


def strided_slice(call: Call, x: np.ndarray, begin: np.ndarray, end: np.ndarray, strides: np.ndarray) -> np.ndarray:
    """`x[begin:end:strides]` with the masks of the options, one bit per entry."""
    options = call.options
    places: list[Any] = []
    for bit, (start, stop, step) in enumerate(zip(begin.tolist(), end.tolist(), strides.tolist(), strict=True)):
        flag = 1 << bit
        if not step:
            raise ValueError("STRIDED_SLICE: a stride is zero.")
        if options.ellipsis_mask & flag:
            places.append(Ellipsis)
        elif options.new_axis_mask & flag:
            places.append(None)
        elif options.shrink_axis_mask & flag:
            places.append(start)
        else:
            if options.offset:
                stop += start
            places.append(
                _slice(None if options.begin_mask & flag else start, None if options.end_mask & flag else stop, step)
            )
    # An end of -1 under a negative step means the last element to NumPy as to the original.
    return np.array(x[tuple(places)])


def gather(call: Call, x: np.ndarray, indices: np.ndarray) -> np.ndarray:
    """The parts at `indices` along a dimension."""
    axis, batch = call.option("axis"), call.option("batch_dims")
    axis, batch = axis % max(x.ndim, 1), batch % (indices.ndim + 1) if batch < 0 else batch
    if indices.size and not (0 <= indices.min() and indices.max() < x.shape[axis]):
        raise RuntimeError(f"GATHER: an index lies outside 0 to {x.shape[axis] - 1}.")
    if not batch:
        return np.take(x, indices, axis)
    rows = [
        np.take(part, places, axis - batch)
        for part, places in zip(
            x.reshape(-1, *x.shape[batch:]), indices.reshape(-1, *indices.shape[batch:]), strict=True
        )
    ]
    return np.stack(rows).reshape(*x.shape[:axis], *indices.shape[batch:], *x.shape[axis + 1 :])


def embedding_lookup(call: Call, indices: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The rows at `indices`; integer rows become real ones by their scale."""
    if indices.size and not (0 <= indices.min() and indices.max() < x.shape[0]):
        raise RuntimeError(f"EMBEDDING_LOOKUP: an index lies outside 0 to {x.shape[0] - 1}.")
    rows = x[indices]
    if call.outputs[0].dtype == np.float32 and x.dtype == np.int8 and call.inputs[1] is not None:
        return rows.astype(np.float32) * np.float32(call.inputs[1].scale)
    return rows


def _places(indices: np.ndarray, shape: tuple[int, ...], name: str) -> tuple[np.ndarray, ...]:
    places = tuple(np.moveaxis(indices, -1, 0))
    if len(places) > len(shape):
        raise ValueError(f"{name}: {len(places)} indices for {len(shape)} dimensions.")
    if any(part.size and (part.min() < 0 or part.max() >= size) for part, size in zip(places, shape, strict=False)):
        raise RuntimeError(f"{name}: an index lies outside {shape}.")
    return places


def gather_nd(call: Call, x: np.ndarray, indices: np.ndarray) -> np.ndarray:
    """The parts at tuples of indices."""
    return x[_places(indices, x.shape, call.name)]


def scatter_nd(call: Call, indices: np.ndarray, updates: np.ndarray, shape: np.ndarray) -> np.ndarray:
    """Zeros with `updates` added at tuples of indices."""
    result = np.zeros(sizes(shape), updates.dtype)
    np.add.at(result, _places(indices, result.shape, call.name), updates)
    return result


def pad(call: Call, x: np.ndarray, paddings: np.ndarray) -> np.ndarray:
    """Zeros around the tensor."""
    result = call.outputs[0]
    return np.pad(x, _widths(paddings), constant_values=result.zero_point if result.quantized else 0)


def padv2(call: Call, x: np.ndarray, paddings: np.ndarray, value: np.ndarray) -> np.ndarray:
    """A value around the tensor."""
    return np.pad(x, _widths(paddings), constant_values=value.reshape(()))


def mirror_pad(call: Call, x: np.ndarray, paddings: np.ndarray) -> np.ndarray:
    """The tensor mirrored at its borders, without them (mode 0) or with them (mode 1)."""
    return np.pad(x, _widths(paddings), mode="symmetric" if call.option("mode") else "reflect")


def _widths(paddings: np.ndarray) -> list[tuple[int, int]]:
    widths = [(int(before), int(after)) for before, after in paddings]
    if any(width < 0 or width > 1 << 24 for pair in widths for width in pair):
        raise ValueError(f"{widths} are not paddings.")
    return widths


def one_hot(call: Call, indices: np.ndarray, depth: np.ndarray, on: np.ndarray, off: np.ndarray) -> np.ndarray:
    """`on` at each index along a new dimension of size `depth`, `off` elsewhere."""
    (count,) = sizes(depth)
    axis = call.option("axis")
    chosen = np.expand_dims(indices, axis) == np.arange(count).reshape(
        [-1] + [1] * (indices.ndim - axis if axis >= 0 else 0)
    )
    return np.where(chosen, on.reshape(()), off.reshape(()))


def dynamic_update_slice(call: Call, x: np.ndarray, update: np.ndarray, start: np.ndarray) -> np.ndarray:
    """`x` with `update` from `start` on, moved so that it lies within."""
    result = x.copy()
    first = [
        min(max(int(begin), 0), whole - part) for begin, whole, part in zip(start, x.shape, update.shape, strict=True)
    ]
    result[tuple(_slice(begin, begin + part) for begin, part in zip(first, update.shape, strict=True))] = update
    return result
