"""Constants of which only some elements are in the file.

Source: S. Chou, F. Kjolstad and S. Amarasinghe, "Format abstraction for sparse tensor algebra compilers",
https://arxiv.org/abs/1804.10112; each dimension is dense, or has segments of indices.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_lite.schema import Record

_SPARSE = 1
_MAX_ELEMENTS = 1 << 30


def dense(values: np.ndarray, shape: tuple[int, ...], sparsity: Record) -> np.ndarray:
    """The whole constant, with zeros where the file has nothing.

    Args:
        values: The elements that the file has.
        shape: The shape of the constant.
        sparsity: A record of the table `SparsityParameters`.

    Raises:
        ValueError: The parameters contradict each other.
    """
    order, blocks = list(sparsity.traversal_order or ()), list(sparsity.block_map or ())
    levels, rank = list(sparsity.dim_metadata or ()), len(shape)
    if sorted(order) != list(range(rank + len(blocks))) or len(levels) != len(order):
        raise ValueError(f"The sparse dimensions {order} do not fit the shape {shape}.")
    if any(not 0 <= dim < rank for dim in blocks):
        raise ValueError(f"The blocks {blocks} do not fit the shape {shape}.")
    places, found = np.zeros(1, np.int64), np.zeros((1, 0), np.int64)
    for level in levels:
        places, parents, coordinates = _descended(places, level, values.size)
        found = np.concatenate([found[parents], coordinates[:, None]], 1)
    if places.size and (places.min() < 0 or places.max() >= values.size):
        raise ValueError(f"A sparse constant has {values.size} elements, not those that it names.")
    result = np.zeros(shape, values.dtype)
    result[_index(found, order, blocks, levels, shape)] = values[places]
    return result


def _descended(places: np.ndarray, level: Record, most: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One dimension further: where each entry is, which entry it belongs to, and its index in the dimension."""
    if level.format != _SPARSE:
        size = level.dense_size
        if size < 0 or places.size * size > _MAX_ELEMENTS:
            raise ValueError(f"A sparse constant has a dimension of {size}.")
        inside = np.tile(np.arange(size), places.size)
        return np.repeat(places, size) * size + inside, np.repeat(np.arange(places.size), size), inside
    segments, indices = _numbers(level.array_segments), _numbers(level.array_indices)
    rising = segments.size and (np.diff(segments) >= 0).all() and segments[0] >= 0 and segments[-1] <= indices.size
    if not rising or (places.size and places.max() + 1 >= segments.size):
        raise ValueError("The segments of a sparse constant do not fit its indices.")
    counts = segments[places + 1] - segments[places]
    parents = np.repeat(np.arange(places.size), counts)
    inside = np.arange(parents.size) - np.repeat(np.cumsum(counts) - counts, counts)
    found = segments[places][parents] + inside
    return found, parents, indices[found]


def _numbers(vector: Any) -> np.ndarray:
    return np.asarray([] if vector is None else vector.values or [], np.int64)


def _index(
    found: np.ndarray, order: list[int], blocks: list[int], levels: list[Record], shape: tuple[int, ...]
) -> tuple[np.ndarray, ...]:
    rank = len(shape)
    coordinates = [np.zeros(len(found), np.int64) for _ in range(rank)]
    for level, dim in enumerate(order):
        if dim < rank:
            factor = 1
            if dim in blocks:
                factor = levels[order.index(rank + blocks.index(dim))].dense_size
            coordinates[dim] += found[:, level] * factor
        else:
            coordinates[blocks[dim - rank]] += found[:, level]
    if any(part.size and (part.min() < 0 or part.max() >= size) for part, size in zip(coordinates, shape, strict=True)):
        raise ValueError(f"An element of a sparse constant lies outside {shape}.")
    return tuple(coordinates)
