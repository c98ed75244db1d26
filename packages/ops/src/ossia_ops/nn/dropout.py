"""Dropout: elements set to zero at random, the others scaled up."""

from __future__ import annotations

import numbers
from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.static_value import get_static_value
from ossia_core.graph.tensor import Tensor
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.array.shape import shape
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import greater_equal
from ossia_ops.random.uniform import random_uniform


@public("nn.dropout")
def dropout(
    x: Any,
    keep_prob: Any = None,
    noise_shape: Any = None,
    seed: int | None = None,
    name: str | None = None,
    rate: Any = None,
) -> Tensor:
    """Sets elements of `x` to zero, each with probability `rate`, and divides the others by `1 - rate`.

    Args:
      x: a floating-point tensor.
      keep_prob: `1 - rate`, the older way to say it; one of the two must be given.
      noise_shape: the shape of the random decisions, broadcast to that of `x`: [batch, 1, 1, channels] drops whole
        channels. That of `x` if None.
      seed: see `set_random_seed`.
      name: name of the result.
      rate: a number or scalar tensor in [0, 1).

    Raises:
      ValueError: `x` is not floating, both or neither of `rate` and `keep_prob` are given, or a number is out of range.
    """
    if keep_prob is not None:
        if rate is not None:
            raise ValueError("Cannot specify both 'keep_prob' and 'rate'")
        try:
            rate = 1 - keep_prob
        except TypeError:
            raise ValueError(f"keep_prob must be a floating point number or Tensor (got {keep_prob!r})") from None
    if rate is None:
        raise ValueError("You must provide a rate to dropout.")
    return dropout_v2(x, rate, noise_shape, seed, name)


@public("compat.v2.nn.dropout")
def dropout_v2(x: Any, rate: Any, noise_shape: Any = None, seed: int | None = None, name: str | None = None) -> Tensor:
    """Sets elements of `x` to zero, each with probability `rate`; see `nn.dropout`."""
    with name_scope(name, "dropout", [x]):
        x = convert_to_tensor(x, name="x")
        if not x.dtype.is_floating:
            raise ValueError(
                f"x has to be a floating point tensor since it's going to be scaled. Got a {x.dtype} tensor instead."
            )
        if isinstance(rate, numbers.Real):
            if not 0 <= float(rate) < 1:
                raise ValueError(f"rate must be a scalar tensor or a float in the range [0, 1), got {rate:g}")
            if rate == 0:
                return x
        rate = convert_to_tensor(rate, x.dtype, name="rate")
        rate.shape.assert_has_rank(0)
        if get_static_value(rate) == 0:
            return x
        units = random_uniform(completed_noise_shape(x, noise_shape), seed=seed, dtype=x.dtype)
        scale = 1 / (1 - rate)
        kept = greater_equal(units, rate)
        result = x * scale * cast(kept, x.dtype)
        result.set_shape(x.shape)
        return result


def completed_noise_shape(x: Tensor, noise_shape: Any) -> Any:
    """The shape of random decisions for `x`: where it leaves a size open, that of `x`."""
    if noise_shape is None:
        return shape(x)
    try:
        wanted = TensorShape(noise_shape)
    except (TypeError, ValueError):
        return noise_shape
    dims, sizes = wanted.as_tuple(), x.shape.as_tuple()
    if dims is None or sizes is None or len(dims) != len(sizes):
        return noise_shape
    return TensorShape([size if dim is None else dim for dim, size in zip(dims, sizes, strict=True)])
