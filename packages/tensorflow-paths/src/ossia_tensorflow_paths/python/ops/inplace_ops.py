"""`inplace_ops`: rows of a tensor replaced or added to, with indices as the original takes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ossia as tf


def _rows(x: Any, i: Any, v: Any, op: Callable[..., Any]) -> Any:
    x, v = tf.convert_to_tensor(x), tf.convert_to_tensor(v, tf.convert_to_tensor(x).dtype)
    if i is None:  # the whole tensor
        made = op(x=tf.reshape(x, [1, -1]), i=[0], v=tf.reshape(v, [1, -1]))
        return tf.reshape(made, tf.shape(x))
    i = tf.convert_to_tensor(tf.cast(i, tf.int32))
    if i.get_shape().ndims == 0:
        return op(x=x, i=tf.reshape(i, [1]), v=tf.expand_dims(v, 0))
    return op(x=x, i=i, v=v)


def alias_inplace_update(x: Any, i: Any, v: Any) -> Any:
    """`x` with `v` in its rows `i`: one row, several, or (None) all of it. The result may take the place of `x`."""
    return _rows(x, i, v, tf.raw_ops.InplaceUpdate)


def alias_inplace_add(x: Any, i: Any, v: Any) -> Any:
    """`x` with `v` added to its rows `i`, as `alias_inplace_update` takes them."""
    return _rows(x, i, v, tf.raw_ops.InplaceAdd)


def alias_inplace_sub(x: Any, i: Any, v: Any) -> Any:
    """`x` with `v` subtracted from its rows `i`, as `alias_inplace_update` takes them."""
    return _rows(x, i, v, tf.raw_ops.InplaceSub)


def _copy(x: Any) -> Any:
    return tf.raw_ops.DeepCopy(x=x)


def inplace_update(x: Any, i: Any, v: Any) -> Any:
    """`alias_inplace_update` of a copy."""
    return alias_inplace_update(_copy(x), i, v)


def inplace_add(x: Any, i: Any, v: Any) -> Any:
    """`alias_inplace_add` of a copy."""
    return alias_inplace_add(_copy(x), i, v)


def inplace_sub(x: Any, i: Any, v: Any) -> Any:
    """`alias_inplace_sub` of a copy."""
    return alias_inplace_sub(_copy(x), i, v)


def empty(shape: Any, dtype: Any, init: bool = False, name: str | None = None) -> Any:
    """A tensor of a shape, with zeros if `init`, else with any values."""
    return tf.raw_ops.Empty(shape=shape, dtype=dtype, init=init, name=name)


def empty_like(x: Any, init: bool | None = None) -> Any:
    """A tensor of the shape and dtype of `x`, with zeros if `init`, else with any values."""
    x = tf.convert_to_tensor(x)
    return empty(tf.shape(x), x.dtype, init=bool(init))
