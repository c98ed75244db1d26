"""Logarithms of weighted sums of exponentials."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_ops.array.fill import ones_like, zeros_like
from ossia_ops.array.selection import where_v2
from ossia_ops.array.shape import squeeze
from ossia_ops.math.comparison import is_inf
from ossia_ops.math.elementwise import abs as abs_op
from ossia_ops.math.elementwise import sign as sign_op
from ossia_ops.math.exponential import exp, log
from ossia_ops.math.reduction import reduce_max, reduce_sum
from ossia_ops.math.statistics import reduce_logsumexp


@public("contrib.distributions.reduce_weighted_logsumexp")
def reduce_weighted_logsumexp(
    logx: Any,
    w: Any = None,
    axis: Any = None,
    keep_dims: bool = False,
    return_sign: bool = False,
    name: str | None = None,
) -> Any:
    """`log(abs(sum(w exp(logx))))`, without overflow.

    Args:
      logx: logarithms.
      w: weights, of a shape that broadcasts with theirs; 1 if None.
      axis: along which axes; all if None.
      keep_dims: whether the axes stay, with size 1.
      return_sign: whether the sign of the sum is returned too.
      name: scope of the result.

    Returns:
      The logarithms, or them and the signs.
    """
    with name_scope(name, "reduce_weighted_logsumexp", [logx, w]):
        logx = convert_to_tensor(logx, name="logx")
        if w is None:
            logarithm = reduce_logsumexp(logx, axis=axis, keep_dims=keep_dims)
            return (logarithm, ones_like(logarithm)) if return_sign else logarithm
        w = convert_to_tensor(w, dtype=logx.dtype, name="w")
        log_absw_x = logx + log(abs_op(w))
        max_log = reduce_max(log_absw_x, axis=axis, keep_dims=True)
        # An infinite maximum would make NaN.
        max_log = where_v2(is_inf(max_log), zeros_like(max_log), max_log)
        wx_over_max: Tensor = sign_op(w) * exp(log_absw_x - max_log)
        total = reduce_sum(wx_over_max, axis=axis, keep_dims=keep_dims)
        if not keep_dims:
            max_log = squeeze(max_log, axis)
        sign = sign_op(total)
        logarithm = max_log + log(sign * total)
        return (logarithm, sign) if return_sign else logarithm
