"""Norms of vectors and matrices."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_ops.array.concat import concat
from ossia_ops.array.selection import where
from ossia_ops.array.shape import expand_dims, rank, squeeze
from ossia_ops.array.transposition import transpose
from ossia_ops.control.functional import map_fn
from ossia_ops.linalg.svd import svd
from ossia_ops.math.arithmetic import pow as power
from ossia_ops.math.cast import cast
from ossia_ops.math.complex_numbers import conj
from ossia_ops.math.elementwise import abs as absolute
from ossia_ops.math.elementwise import sqrt
from ossia_ops.math.reduction import reduce_max, reduce_sum
from ossia_ops.math.sequence import range as range_of

_MATRIX_NORMS = ["euclidean", "fro", 1, 2, np.inf]
_AXES = "'axis' must be None, an integer, or a tuple of 2 unique integers"


def _checked_axes(ord: Any, axis: Any) -> tuple | None:
    if isinstance(axis, (tuple, list)):
        axes = tuple(axis)
        if not all(isinstance(a, int) for a in axes) or len(axes) != 2 or axes[0] == axes[1]:
            raise ValueError(_AXES)
        if ord not in _MATRIX_NORMS:
            raise ValueError(f"'ord' must be a supported matrix norm in {_MATRIX_NORMS}, got {ord}")
        return axes
    if axis is not None and not isinstance(axis, int):
        raise ValueError(_AXES)
    if ord not in ("euclidean", np.inf) and (isinstance(ord, str) or not np.isreal(ord) or ord <= 0):
        raise ValueError(f"'ord' must be a supported vector norm, got {ord}")
    return None if axis is None else (axis,)


@public("norm", "linalg.norm")
def norm(tensor: Any, ord: Any = "euclidean", axis: Any = None, keepdims: bool | None = None, name: str | None = None,
         keep_dims: bool | None = None) -> Tensor:
    """The norms of vectors or matrices.

    Args:
      tensor: a tensor of floating-point or complex dtype.
      ord: "euclidean", `inf` or a positive number p for the p-norm; for matrices "euclidean", "fro", 1, 2 or `inf`.
      axis: the dimension of vectors, two dimensions of matrices, or None to take the whole tensor as one vector.
      keepdims: whether reduced dimensions stay, with size 1.
      name: name scope.
      keep_dims: old name of `keepdims`.

    Raises:
      ValueError: the norm or the dimensions are not supported, or both `keepdims` and `keep_dims` are given.
    """
    if keepdims is not None and keep_dims is not None:
        raise ValueError("Cannot specify both 'keepdims' and 'keep_dims'")
    keepdims = bool(keep_dims if keepdims is None else keepdims)
    axes = _checked_axes(ord, axis)
    of_matrices = axes is not None and len(axes) == 2
    with name_scope(name, "norm", [tensor]):
        tensor = convert_to_tensor(tensor)
        if of_matrices and ord == 2:
            result = _largest_singular_value(tensor, axes)
        elif ord in ("fro", "euclidean", 2):
            result = sqrt(reduce_sum(tensor * conj(tensor), axes, keepdims=True))
        else:
            result = absolute(tensor)
            first, last = (None, None) if axes is None else (axes[0], axes[-1])
            if ord == 1:
                result = reduce_sum(result, first, keepdims=True)
                result = reduce_max(result, last, keepdims=True) if of_matrices else result
            elif ord == np.inf:
                result = reduce_sum(result, last, keepdims=True) if of_matrices else result
                result = reduce_max(result, first, keepdims=True)
            else:
                result = power(reduce_sum(power(result, ord), axes, keepdims=True), 1.0 / ord)
        return result if keepdims else squeeze(result, axes)


def _largest_singular_value(x: Tensor, axes: Any) -> Tensor:
    from ossia_core.control.cond import cond
    count = rank(x)
    positive = map_fn(lambda i: cond(i >= 0, lambda: i, lambda: i + count), convert_to_tensor(axes))
    every = range_of(count)
    before = concat([lookup("ListDiff")(every, positive)[0], positive], axis=0)
    after = map_fn(lambda i: cast(squeeze(where(lookup("Equal")(before, i))), dtypes.int32), every)
    values = absolute(svd(transpose(x, before), compute_uv=False))
    return transpose(expand_dims(reduce_max(values, axis=-1, keepdims=True), axis=-1), after)


@public("linalg.normalize", "compat.v2.linalg.normalize")
def normalize(tensor: Any, ord: Any = "euclidean", axis: Any = None, name: str | None = None) -> tuple[Tensor, Tensor]:
    """Vectors or matrices divided by their norms.

    Args:
      tensor: a tensor of floating-point or complex dtype.
      ord: the norm, as for `norm`.
      axis: the dimensions, as for `norm`.
      name: name scope.

    Returns:
      A tuple of the divided tensor and its norms.
    """
    with name_scope(name, "normalize", [tensor]):
        tensor = convert_to_tensor(tensor)
        norms = cast(norm(tensor, ord, axis, keepdims=True), tensor.dtype)
        return tensor / norms, norms
