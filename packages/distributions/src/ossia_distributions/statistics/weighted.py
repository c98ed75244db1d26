"""Logarithms of weighted sums of exponentials."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public


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
    with tf.name_scope(name, "reduce_weighted_logsumexp", [logx, w]):
        logx = tf.convert_to_tensor(logx, name="logx")
        if w is None:
            logarithm = tf.reduce_logsumexp(logx, axis=axis, keep_dims=keep_dims)
            return (logarithm, tf.ones_like(logarithm)) if return_sign else logarithm
        w = tf.convert_to_tensor(w, dtype=logx.dtype, name="w")
        log_absw_x = logx + tf.log(tf.abs(w))
        max_log = tf.reduce_max(log_absw_x, axis=axis, keep_dims=True)
        # An infinite maximum would make NaN.
        max_log = tf.where_v2(tf.is_inf(max_log), tf.zeros_like(max_log), max_log)
        wx_over_max: Tensor = tf.sign(w) * tf.exp(log_absw_x - max_log)
        total = tf.reduce_sum(wx_over_max, axis=axis, keep_dims=keep_dims)
        if not keep_dims:
            max_log = tf.squeeze(max_log, axis)
        sign = tf.sign(total)
        logarithm = max_log + tf.log(sign * total)
        return (logarithm, sign) if return_sign else logarithm
