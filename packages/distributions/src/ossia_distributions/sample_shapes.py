"""Shapes that samples are asked for in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.shape_rules import constant
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.tensor import Tensor
from ossia_core.names.shapes import TensorShape
from ossia_distributions.choice import pick_vector
from ossia_ops.array.shape import rank, reshape, shape
from ossia_ops.math.comparison import equal
from ossia_ops.math.reduction import reduce_prod


def is_scalar(known: TensorShape, at_run_time: Callable[[], Tensor]) -> Any:
    """Whether a shape is that of a number: a bool where that is known."""
    if known.ndims is not None:
        return known.ndims == 0
    sizes = at_run_time()
    if sizes.get_shape().ndims is not None and sizes.get_shape().as_list()[0] is not None:
        return sizes.get_shape().as_list() == [0]
    return equal(shape(sizes)[0], 0)


def as_vector(x: Tensor) -> tuple[Tensor, Any]:
    """A number or a vector of sizes as a vector, and the product of the sizes, a number where that is known."""
    known = constant(x)
    count = reduce_prod(x) if known is None else np.prod(known, dtype=x.dtype.as_numpy_dtype)
    ndims = x.get_shape().ndims
    if ndims is None:
        if known is not None:
            ndims = known.ndims
        else:
            x = reshape(x, pick_vector(equal(rank(x), 0), np.array([1], np.int32), shape(x)))
    if ndims == 0:
        x = (
            reshape(x, [1])
            if known is None
            else convert_to_tensor(np.array([known], x.dtype.as_numpy_dtype), name="sample_shape")
        )
    elif ndims is not None and ndims > 1:
        raise ValueError("Input is neither scalar nor vector.")
    return x, count
