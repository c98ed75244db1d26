"""Several losses that train some variables each."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public

_CHANGED = (
    "_apply_dense", "_resource_apply_dense", "_apply_sparse_duplicate_indices",
    "_resource_apply_sparse_duplicate_indices",
)


def _is_zero(grad: Any) -> Any:
    values = grad.values if isinstance(grad, tf.IndexedSlices) else grad
    return tf.equal(tf.count_nonzero(values), 0)


def _unless_zero(apply: Callable) -> Callable:
    """The method, which does nothing where the gradient is zero in all places."""

    @functools.wraps(apply)
    def method(self: Any, grad: Any, *arguments: Any, **options: Any) -> Any:
        def applied() -> Any:
            with tf.control_dependencies([apply(grad, *arguments, **options)]):
                return tf.no_op()

        return tf.cond(_is_zero(grad), tf.no_op, applied)

    return method


@public("contrib.opt.MultitaskOptimizerWrapper")
class MultitaskOptimizerWrapper:
    """An optimizer that leaves a variable and its slots as they are where the gradient is all zeros, as is that of a
    loss which does not depend on the variable.

    Args:
      opt: the optimizer; its methods are changed.

    Raises:
      TypeError: `opt` is no optimizer.
    """

    def __init__(self, opt: Any) -> None:
        if not isinstance(opt, tf.train.Optimizer):
            raise TypeError("Supplied optimizer must be an instance of tf.train.Optimizer")
        self._opt = opt
        for name in _CHANGED:
            setattr(opt, name, types.MethodType(_unless_zero(getattr(opt, name)), opt))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._opt, name)


@public("contrib.opt.clip_gradients_by_global_norm")
def clip_gradients_by_global_norm(gradients_variables: Any, clip_norm: float = 20.0) -> tuple[list[Any], Any]:
    """Gradients that are shorter than `clip_norm` together; the norm counts those that are not all zeros.

    Args:
      gradients_variables: pairs of gradients, which may be None, and variables.
      clip_norm: the largest norm.

    Returns:
      The pairs, and the norm before.
    """
    gradients, variables = zip(*gradients_variables, strict=True)

    def nothing_if_zero(grad: Any) -> Any:
        if grad is None:
            return None
        return tf.cond(_is_zero(grad), lambda: tf.zeros([], dtype=grad.dtype), lambda: grad)

    norm = tf.global_norm([each for each in map(nothing_if_zero, gradients) if each is not None])
    clipped, _ = tf.clip_by_global_norm(gradients, clip_norm, use_norm=norm)
    return list(zip(clipped, variables, strict=True)), norm
