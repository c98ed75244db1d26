"""Matrices with diagonals, sparse values made dense, distinct values, sequences of given lengths, buckets, bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_lite.kernels import Call
from ossia_lite.kernels.shape import sizes


def densify(call: Call, x: np.ndarray) -> np.ndarray:
    """A sparse constant; it was made dense when the model was read."""
    return x


def sparse_to_dense(
    call: Call, indices: np.ndarray, shape: np.ndarray, values: np.ndarray, default: np.ndarray
) -> np.ndarray:
    """A tensor with `values` at `indices`, `default` elsewhere."""
    result = np.full(sizes(shape), default.reshape(()), values.dtype)
    places = indices.reshape(-1, result.ndim) if indices.ndim < 2 else indices
    if indices.ndim == 1 and result.ndim > 1:
        places = indices.reshape(1, -1)
    if places.size and ((places < 0).any() or (places >= np.array(result.shape)).any()):
        raise RuntimeError(f"SPARSE_TO_DENSE: an index lies outside {result.shape}.")
    result[tuple(places.T)] = values.reshape(-1) if values.ndim else values
    return result


def matrix_diag(call: Call, x: np.ndarray) -> np.ndarray:
    """Matrices with `x` on their diagonals and zeros elsewhere."""
    result = np.zeros((*x.shape, x.shape[-1]), x.dtype)
    places = np.arange(x.shape[-1])
    result[..., places, places] = x
    return result


def matrix_set_diag(call: Call, x: np.ndarray, diagonal: np.ndarray) -> np.ndarray:
    """Matrices with other diagonals."""
    result, places = x.copy(), np.arange(min(x.shape[-2:]))
    result[..., places, places] = diagonal
    return result


def unique(call: Call, x: np.ndarray) -> Any:
    """The distinct elements in the order in which they first occur, and the place of each element among them."""
    _, first, inverse = np.unique(x, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    ranks = np.empty_like(order)
    ranks[order] = np.arange(order.size)
    return x.reshape(-1)[first[order]], ranks[inverse.reshape(-1)].astype(call.outputs[1].dtype)


def reverse_sequence(call: Call, x: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """The first elements of each sequence in the opposite order, as many as its length says."""
    along, batch = call.options.seq_dim % x.ndim, call.options.batch_dim % x.ndim
    moved = np.moveaxis(x, (batch, along), (0, 1))
    result = moved.copy()
    for row, length in enumerate(lengths.tolist()):
        if not 0 <= length <= moved.shape[1]:
            raise ValueError(f"REVERSE_SEQUENCE: {length} of {moved.shape[1]}.")
        result[row, :length] = moved[row, :length][::-1]
    return np.ascontiguousarray(np.moveaxis(result, (0, 1), (batch, along)))


def bucketize(call: Call, x: np.ndarray) -> np.ndarray:
    """For each number, how many boundaries are not above it."""
    return np.searchsorted(np.array(call.options.boundaries or [], np.float32), x, "right").astype(np.int32)


def bitcast(call: Call, x: np.ndarray) -> np.ndarray:
    """The same bits as numbers of another type."""
    result, source = np.dtype(call.outputs[0].dtype), x.dtype
    if result.itemsize > source.itemsize:
        return np.ascontiguousarray(x).view(result)[..., 0]
    if result.itemsize < source.itemsize:
        return np.ascontiguousarray(x)[..., None].view(result)
    return x.view(result)


def bitwise_xor(call: Call, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Bits that are set in one of the two."""
    return np.bitwise_xor(x, y)


def right_shift(call: Call, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Bits moved down, by at most all but one."""
    return np.right_shift(x, np.clip(y, 0, 8 * x.dtype.itemsize - 1).astype(y.dtype))
