"""The inverse of softplus."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_ops.array.fill import ones_like
from ossia_ops.array.selection import where_v2
from ossia_ops.math.comparison import greater, less
from ossia_ops.math.exponential import expm1, log
from ossia_ops.math.logical import logical_or


@public("contrib.distributions.softplus_inverse")
def softplus_inverse(x: Any, name: str | None = None) -> Tensor:
    """`log(exp(x) - 1)`, exact for small and large numbers too.

    Args:
      x: floats above 0.
      name: scope of the result.

    Returns:
      A tensor of the shape and dtype of `x`.
    """
    with name_scope(name, "softplus_inverse", values=[x]):
        x = convert_to_tensor(x, name="x")
        threshold = np.log(np.finfo(x.dtype.as_numpy_dtype).eps) + 2.0
        is_too_small = less(x, np.exp(threshold))
        is_too_large = greater(x, -threshold)
        too_small_value = log(x)
        too_large_value = x
        # What is not chosen must be finite, or gradients would be NaN.
        x = where_v2(logical_or(is_too_small, is_too_large), ones_like(x), x)
        y = x + log(-expm1(-x))
        return where_v2(is_too_small, too_small_value, where_v2(is_too_large, too_large_value, y))
