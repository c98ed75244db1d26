"""Products of matrices of integers by those of floats, which hold the sums exactly: NumPy's own use no vectors."""

from __future__ import annotations

from typing import Any

import numpy as np


def product_of_integers(a: Any, b: Any, dtype: Any) -> Any:
    """`a @ b`, which wraps around as sums of `dtype` do.

    Args:
      a: integers, `[..., m, k]`.
      b: integers, `[..., k, n]`.
      dtype: an integer dtype of the result, at least as wide as those of `a` and `b`.
    """
    terms = max(a.shape[-1], 1)
    largest = terms * _size(a) * _size(b)
    for kind, exact in ((np.float32, 1 << 24), (np.float64, 1 << 53)):
        if largest <= exact:
            # By way of 64 bits: what 53 hold need not fit into a narrower dtype, which wraps around.
            return np.matmul(a.astype(kind), b.astype(kind)).astype(np.int64).astype(dtype)
    if np.dtype(dtype).itemsize > 4 or terms > 1 << 20:
        return np.matmul(a.astype(dtype, copy=False), b.astype(dtype, copy=False))
    # In halves of 16 bits; the product of the upper ones is beyond 32 bits.
    a, b = a.astype(np.int64), b.astype(np.int64)
    (a_low, a_high), (b_low, b_high) = (((x & 0xFFFF).astype(np.float64), (x >> 16).astype(np.float64)) for x in (a, b))
    crossed = (np.matmul(a_high, b_low) + np.matmul(a_low, b_high)).astype(np.int64)
    return (np.matmul(a_low, b_low).astype(np.int64) + (crossed << 16)).astype(dtype)


def _size(x: Any) -> int:
    return max(abs(int(x.min())), abs(int(x.max()))) if x.size else 0
