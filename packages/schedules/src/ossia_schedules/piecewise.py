"""Piecewise constant rates: values[i] from boundaries[i - 1] (not included) to boundaries[i]."""

from __future__ import annotations

import functools
from typing import Any

from ossia_core.graph.convert import convert_n, convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import provides
from ossia_ops.control.case import case
from ossia_ops.math.cast import cast


def _same(value: Tensor) -> Tensor:
    return value


@provides("ossia_schedules", "piecewise_constant", "piecewise_constant_decay")
def piecewise_constant(x: Any, boundaries: Any, values: Any, name: str | None = None) -> Tensor:
    """The value of the interval that `x` is in.

    Args:
        x: A scalar: a number, tensor or variable.
        boundaries: Increasing numbers or scalar tensors of the dtype of `x`; int32 where `x` is int64 too.
        values: One more number or scalar tensor than there are boundaries: the first up to and with the first boundary.
        name: Name of the scope.

    Returns:
        A scalar tensor of the dtype of the values.

    Raises:
        ValueError: There are too few or too many values, or dtypes differ.
    """
    limits, values = convert_n(boundaries), convert_n(values)
    given, x = x, convert_to_tensor(x)
    if len(limits) != len(values) - 1:
        raise ValueError("The length of boundaries should be 1 less than the length of values")
    for i, limit in enumerate(limits):
        if limit.dtype.base_dtype is x.dtype.base_dtype:
            continue
        if limit.dtype.base_dtype is not dtypes.int32 or x.dtype.base_dtype is not dtypes.int64:
            raise ValueError(
                f"Boundaries ({limit.dtype.base_dtype}) must have the same dtype as x ({x.dtype.base_dtype})."
            )
        limits[i] = cast(limit, x.dtype.base_dtype)
    for value in values:
        if value.dtype.base_dtype is not values[0].dtype.base_dtype:
            raise ValueError(
                f"Values must have elements all with the same dtype ({values[0].dtype.base_dtype} vs "
                f"{value.dtype.base_dtype})."
            )
    with name_scope(name, "PiecewiseConstant", [x, limits, values, name]):
        x = convert_to_tensor(given)
        choices = [(x <= limits[0], lambda: values[0]), (x > limits[-1], lambda: values[-1])]
        for low, high, value in zip(limits[:-1], limits[1:], values[1:-1], strict=True):
            choices.append(((x > low) & (x <= high), functools.partial(_same, value)))
        return case(choices, lambda: values[0], exclusive=True)
