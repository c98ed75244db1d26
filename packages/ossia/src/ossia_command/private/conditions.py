"""Conditions that may be known while the graph is built, and the parts of control flow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_core.control import control_ops
from ossia_core.primitives import identity

with_dependencies = identity.with_dependencies
switch = control_ops.switch
merge = control_ops.merge
_Enter = control_ops.enter


def constant_value(pred: Any) -> bool | None:
    """What a predicate is, where that is known without a run; None where it is not.

    Raises:
        TypeError: If it is no bool, 0, 1, tensor or variable.
    """
    if isinstance(pred, bool):
        return pred
    if isinstance(pred, int) and pred in (0, 1):
        return bool(pred)
    if isinstance(pred, tf.Variable):
        return None
    if isinstance(pred, tf.Tensor):
        found = tf.get_static_value(pred)
        return None if found is None else found
    raise TypeError(f"`pred` must be a Tensor, or a Python bool, or 1 or 0. Found instead: {type(pred)}")


smart_constant_value = constant_value


def smart_cond(
    pred: Any, true_fn: Callable[[], Any] | None = None, false_fn: Callable[[], Any] | None = None,
    name: str | None = None,
) -> Any:
    """`tf.cond`, or the one function that counts where the predicate is known while the graph is built.

    Raises:
        TypeError: If a function is not callable, or `pred` is no predicate.
    """
    if not callable(true_fn):
        raise TypeError("`true_fn` must be callable.")
    if not callable(false_fn):
        raise TypeError("`false_fn` must be callable.")
    known = None if isinstance(pred, tf.Variable) else constant_value(pred)
    if known is None:
        return tf.cond(pred, true_fn=true_fn, false_fn=false_fn, name=name)
    return true_fn() if known else false_fn()
