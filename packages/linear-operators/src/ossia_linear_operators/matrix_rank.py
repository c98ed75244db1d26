"""Ranks of matrices."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import identity
from ossia_ops.array.shape import shape
from ossia_ops.linalg.svd import svd
from ossia_ops.math.cast import cast
from ossia_ops.math.reduction import reduce_max, reduce_sum


@public("linalg.matrix_rank", "compat.v2.linalg.matrix_rank")
def matrix_rank(a: Any, tol: Any = None, validate_args: bool = False, name: str | None = None) -> Tensor:
    """The ranks of matrices: how many of their singular values count as other than zero.

    Args:
      a: a floating-point tensor of shape [..., m, n].
      tol: singular values at most this large count as zero; max(m, n) times the largest one times the smallest
        difference of the dtype from 1 if None.
      validate_args: whether to check when it is computed that `a` has two dimensions where that is not known before.
      name: name scope.

    Returns:
      An int32 tensor of shape [...].

    Raises:
      TypeError: `a` is not floating-point.
      ValueError: `a` has fewer than two dimensions.
    """
    with name_scope(name or "matrix_rank"):
        a = convert_to_tensor(a, dtype_hint=dtypes.float32, name="a")
        if not a.dtype.is_floating:
            raise TypeError(f"Input `a` must have `float`-like `dtype` (saw {a.dtype.name}).")
        if a.shape.ndims is not None:
            if a.shape.ndims < 2:
                raise ValueError(f"Input `a` must have at least 2 dimensions (saw: {a.shape.ndims}).")
        elif validate_args:
            check = builder("debugging.assert_rank_at_least")(
                a, rank=2, message="Input `a` must have at least 2 dimensions.")
            with control_dependencies([check]):
                a = identity(a)
        values = svd(a, compute_uv=False)
        if tol is None:
            dims = a.shape.as_tuple()
            if dims is None or None in dims[-2:]:
                longest: Any = reduce_max(shape(a)[-2:])
            else:
                longest = np.max(dims[-2:])
            spacing = np.finfo(a.dtype.as_numpy_dtype).eps
            tol = spacing * cast(longest, a.dtype) * reduce_max(values, axis=-1, keepdims=True)
        return reduce_sum(cast(values > tol, dtypes.int32), axis=-1)
