"""Percentiles of tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_core.declare.shape_rules import constant
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.dtypes import float64, int32
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import with_dependencies
from ossia_debugging.comparisons import assert_greater_equal, assert_less_equal
from ossia_debugging.ranks import assert_rank
from ossia_ops.array.concat import concat
from ossia_ops.array.shape import expand_dims, reshape, shape
from ossia_ops.array.transposition import transpose
from ossia_ops.math.cast import cast
from ossia_ops.math.clip import clip_by_value
from ossia_ops.math.elementwise import ceil, floor
from ossia_ops.math.elementwise import round as round_op
from ossia_ops.math.sort import top_k


@public("contrib.distributions.percentile")
def percentile(
    x: Any,
    q: Any,
    axis: int | Sequence[int] | None = None,
    interpolation: str | None = None,
    keep_dims: bool = False,
    validate_args: bool = False,
    name: str | None = None,
) -> Tensor:
    """The element of `x` below which a share of `q` percent lies.

    Args:
      x: numbers; of a rank that is known, if axes are given or kept.
      q: the percentage, one number from 0 to 100.
      axis: along which axes; all if None.
      interpolation: which of two elements is taken: "nearest", "lower" or "higher"; "nearest" if None.
      keep_dims: whether the axes stay, with size 1.
      validate_args: whether runs check that `q` is a percentage.
      name: scope of the result.

    Returns:
      A tensor of the dtype of `x` without the axes.

    Raises:
      ValueError: `interpolation` is none of these, `q` is no single number, or the rank of `x` has to be known.
    """
    name = name or "percentile"
    allowed = {"lower", "higher", "nearest"}
    interpolation = "nearest" if interpolation is None else interpolation
    if interpolation not in allowed:
        raise ValueError(f"Argument 'interpolation' must be in {allowed}.  Found {interpolation}")
    with name_scope(name, values=[x, q]):
        x = convert_to_tensor(x, name="x")
        q = cast(q, dtype=float64)
        if q.shape.ndims not in (None, 0):
            raise ValueError(f"Expected argument 'q' to be a scalar.  Found: {q}")
        if validate_args:
            q = with_dependencies(
                [assert_rank(q, 0), assert_greater_equal(q, np.float64(0.0)),
                 assert_less_equal(q, np.float64(100.0))], q
            )
        if x.shape.ndims is None and (axis is not None or keep_dims):
            raise ValueError(f"Expected argument 'x' to have statically defined 'ndims'.  Found: {x}")
        if axis is None:
            y = reshape(x, [-1])
        else:
            axis = [place % x.shape.ndims for place in np.atleast_1d(constant(convert_to_tensor(axis, name="axis")))]
            y = _with_axes_last(x, axis)
        share = 1.0 - q / 100.0
        size = shape(y)[-1]
        place = cast(size - 1, float64) * share
        if interpolation == "lower":
            indices = ceil(place)
        elif interpolation == "higher":
            indices = floor(place)
        else:
            indices = round_op(place)
        # Rounding may have led outside.
        indices = clip_by_value(cast(indices, int32), 0, size - 1)
        ordered = top_k(y, k=size, sorted=True)[0]
        found = ordered[..., indices]
        if keep_dims:
            if axis is None:
                found = reshape(found, [1] * x.shape.ndims)
            else:
                for place in sorted(axis):
                    found = expand_dims(found, int(place))
        return found


def _with_axes_last(x: Tensor, axis: list[int]) -> Tensor:
    """`x` with these axes as one at the end."""
    rest = [place for place in range(x.shape.ndims) if place not in axis]
    y = transpose(x, perm=rest + sorted(axis))
    static = x.shape.as_list()
    if None not in [static[place] for place in rest]:
        return reshape(y, [static[place] for place in rest] + [-1])
    return reshape(y, concat([shape(y)[:len(rest)], [-1]], 0))
