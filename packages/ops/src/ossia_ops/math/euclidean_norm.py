"""`EuclideanNorm`: roots of sums of squares along axes."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_ops.element_types import INDEX_32, NUMBERS
from ossia_ops.math.reduction import axes_of, reduced, reduction_shape

euclidean_norm_op = op("EuclideanNorm(input: T, reduction_indices: Tidx) -> output: T", keep_dims="bool = false",
                       T=NUMBERS, Tidx=INDEX_32)


euclidean_norm_op.shape(reduction_shape)


@euclidean_norm_op.kernel
def _(input, reduction_indices, *, keep_dims):
    x = np.asarray(input)
    axes = axes_of(x, reduction_indices)
    if axes == ():
        return x.copy()  # the original takes no roots where it has nothing to add
    if all(size == 1 for size in (x.shape if axes is None else np.take(x.shape, axes))):
        return x.reshape(np.sum(x, axes, keepdims=keep_dims).shape).copy()
    squares = np.real(x * np.conj(x)) if x.dtype.kind == "c" else x * x
    return np.sqrt(np.sum(squares, axes, squares.dtype, keepdims=keep_dims)).astype(x.dtype)


euclidean_norm_op.not_differentiable()
euclidean_norm_op.samples(rows=([[3., 4.]], 1), ints=([3, 4], 0))


@public("math.reduce_euclidean_norm")
def reduce_euclidean_norm(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The root of the sum of squares along `axis`, or of all elements if it is None; `keepdims` keeps dimensions of
    size 1."""
    return reduced(euclidean_norm_op, input_tensor, axis, keepdims, name)
