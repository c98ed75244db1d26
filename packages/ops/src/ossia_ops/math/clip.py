"""Values and norms kept within bounds."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup, op
from ossia_core.declare.shape_rules import unchanged
from ossia_core.graph.composites import IndexedSlices
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.scopes import colocate_with, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public
from ossia_ops.array.fill import ones_like
from ossia_ops.array.selection import where
from ossia_ops.array.shape import rank, size
from ossia_ops.array.stacking import stack
from ossia_ops.element_types import NUMBERS
from ossia_ops.math.arithmetic import maximum, minimum
from ossia_ops.math.cast import cast
from ossia_ops.math.choice import larger, smaller
from ossia_ops.math.elementwise import rsqrt, sqrt
from ossia_ops.math.reduction import reduce_sum

clip_by_value_op = op("ClipByValue(t: T, clip_value_min: T, clip_value_max: T) -> output: T", T=NUMBERS)


clip_by_value_op.shape(unchanged)


@clip_by_value_op.kernel
def _(t, clip_value_min, clip_value_max, *, T):
    for bound in (clip_value_min, clip_value_max):
        if np.ndim(bound) and np.shape(bound) != np.shape(t):
            raise InvalidArgumentError(
                None, None, "clip_value_min and clip_value_max must be either of the same shape as input, or a scalar."
            )
    # Where the bounds are crossed, it depends on the dtype which of them counts.
    if T.is_quantized or T in (dtypes.bfloat16, dtypes.uint32, dtypes.uint64):
        return smaller(larger(t, clip_value_min), clip_value_max)
    return larger(smaller(t, clip_value_max), clip_value_min)


clip_by_value_op.samples(plain=([1., 5., -3.], -1., 2.), crossed=([1., 5., np.nan], 2., -1.))


def _values(t: Any) -> Any:
    return t.values if isinstance(t, IndexedSlices) else t


def _like(t: Any, values: Tensor) -> Any:
    return IndexedSlices(values, t.indices, t.dense_shape) if isinstance(t, IndexedSlices) else values


@public("clip_by_value")
@dispatches
def clip_by_value(t: Any, clip_value_min: Any, clip_value_max: Any, name: str | None = None) -> Any:
    """`t` with smaller elements replaced by `clip_value_min` and larger ones by `clip_value_max`.

    Args:
      t: a tensor or IndexedSlices.
      clip_value_min: a scalar, or a tensor that broadcasts to the shape of `t`.
      clip_value_max: the same.
      name: name of the result.

    Raises:
      ValueError: a bound would change the shape.
    """
    with name_scope(name, "clip_by_value", [t, clip_value_min, clip_value_max]) as name:
        values = convert_to_tensor(_values(t), name="t")
        upper = minimum(values, clip_value_max)
        values.shape.merge_with(upper.shape)
        result = maximum(upper, clip_value_min, name=name)
        values.shape.merge_with(result.shape)
        return _like(t, result)


@public("clip_by_norm")
def clip_by_norm(t: Any, clip_norm: Any, axes: Any = None, name: str | None = None) -> Any:
    """`t` scaled down, if need be, to an L2 norm of `clip_norm`.

    Args:
      t: a tensor or IndexedSlices.
      clip_norm: a positive scalar.
      axes: the dimensions over which each norm is taken; all if None.
      name: name of the result.
    """
    with name_scope(name, "clip_by_norm", [t, clip_norm]) as name:
        values = convert_to_tensor(_values(t), name="t")
        squares = reduce_sum(values * values, axes, keepdims=True)
        positive = squares > 0
        # The derivative of the root at 0 would be infinite.
        safe = where(positive, squares, ones_like(squares))
        norm = where(positive, sqrt(safe), squares)
        scaled = values * clip_norm
        values.shape.merge_with(scaled.shape)
        return _like(t, lookup("Identity")(scaled / maximum(norm, clip_norm), name=name))


@public("global_norm", "linalg.global_norm")
def global_norm(t_list: Any, name: str | None = None) -> Tensor:
    """The L2 norm of all tensors of a list together.

    Args:
      t_list: tensors, IndexedSlices and Nones, which are left out.
      name: name scope.

    Raises:
      TypeError: `t_list` is no sequence.
    """
    if not isinstance(t_list, Sequence) or isinstance(t_list, str):
        raise TypeError("t_list should be a sequence")
    t_list = list(t_list)
    with name_scope(name, "global_norm", t_list):
        values = [
            t if t is None or isinstance(t, IndexedSlices) else convert_to_tensor(t, name=f"t_{i}")
            for i, t in enumerate(t_list)
        ]
        halves = []
        for value in values:
            if value is not None:
                value = _values(value)
                with colocate_with(value):
                    halves.append(lookup("L2Loss")(value))
        half = reduce_sum(stack(halves))
        return sqrt(half * constant(2.0, half.dtype), name="global_norm")


@public("clip_by_global_norm")
def clip_by_global_norm(
    t_list: Any, clip_norm: Any, use_norm: Any = None, name: str | None = None
) -> tuple[list, Tensor]:
    """All tensors of a list scaled down, if need be, by one factor to a global L2 norm of `clip_norm`.

    Args:
      t_list: tensors, IndexedSlices and Nones, which stay None.
      clip_norm: a positive scalar.
      use_norm: the global norm, if it is known already.
      name: name scope.

    Returns:
      The list of scaled tensors, and the global norm. If the norm is not finite, all values are NaN.

    Raises:
      TypeError: `t_list` is no sequence.
    """
    if not isinstance(t_list, Sequence) or isinstance(t_list, str):
        raise TypeError("t_list should be a sequence")
    t_list = list(t_list)
    if use_norm is None:
        use_norm = global_norm(t_list, name)
    with name_scope(name, "clip_by_global_norm", [*t_list, clip_norm]) as name:
        scale = clip_norm * minimum(1.0 / use_norm, constant(1.0, use_norm.dtype) / clip_norm)
        # A norm that is not finite must not look like a successful step.
        scale = where(lookup("IsFinite")(use_norm), scale, constant(float("nan"), use_norm.dtype))
        values = [
            t if t is None or isinstance(t, IndexedSlices) else convert_to_tensor(t, name=f"t_{i}")
            for i, t in enumerate(t_list)
        ]
        clipped: list[Any] = []
        for i, t in enumerate(values):
            if t is None:
                clipped.append(None)
                continue
            with colocate_with(_values(t)):
                clipped.append(_like(t, lookup("Identity")(_values(t) * scale, name=f"{name}_{i}")))
        return clipped, use_norm


@public("clip_by_average_norm")
def clip_by_average_norm(t: Any, clip_norm: Any, name: str | None = None) -> Tensor:
    """`t` scaled down, if need be, to an L2 norm per element of `clip_norm`."""
    with name_scope(name, "clip_by_average_norm", [t, clip_norm]) as name:
        t = convert_to_tensor(t, name="t")
        count = cast(size(t), dtypes.float32)
        inverse = rsqrt(reduce_sum(t * t, lookup("Range")(0, rank(t), 1, name="range")))
        return lookup("Identity")(t * clip_norm * minimum(inverse * count, constant(1.0) / clip_norm), name=name)
