"""Elementwise functions of ragged tensors: of their values, brought to the same rows first."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_ragged.dynamic_shape import DynamicShape, broadcast_dynamic_shape, broadcast_to
from ossia_ragged.mapping import map_flat_values
from ossia_ragged.rows import Rows, is_ragged, same_row_splits_dtypes, tensor_or_ragged


def unary(function: Callable, args: tuple, kwargs: dict[str, Any], parameter: str) -> Any:
    """`function` of the values of a ragged tensor, its first argument."""
    kwargs = dict(kwargs)
    x = args[0] if args else kwargs.pop(parameter)
    if not is_ragged(x):
        return NotImplemented
    x = tensor_or_ragged(x)
    return x.with_flat_values(function(x.flat_values, *args[1:], **kwargs))


def variadic(function: Callable, args: tuple, kwargs: dict[str, Any], parameter: str) -> Any:
    """`function` of a list, some of which are ragged tensors of the same rows."""
    kwargs = dict(kwargs)
    values = args[0] if args else kwargs.pop(parameter)
    if not isinstance(values, (list, tuple)) or not any(map(is_ragged, values)):
        return NotImplemented
    return map_flat_values(function, values, *args[1:], **kwargs)


def binary(function: Callable, args: tuple, kwargs: dict[str, Any], parameters: tuple[str, str]) -> Any:
    """`function` of two values with broadcasting, one of which is a ragged tensor at least."""
    kwargs = dict(kwargs)
    rest = list(args)
    x, y = (rest.pop(0) if rest else kwargs.pop(name) for name in parameters)
    if not is_ragged(x) and not is_ragged(y):
        return NotImplemented
    x_ragged, y_ragged = is_ragged(x), is_ragged(y)
    # What is no tensor takes the dtype of the ragged one.
    x = tensor_or_ragged(x, name=parameters[0], preferred_dtype=y.dtype if y_ragged else None)
    y = tensor_or_ragged(y, name=parameters[1], preferred_dtype=x.dtype)
    x, y = same_row_splits_dtypes(x, y)
    if (x_ragged and y_ragged) or (x_ragged and _is_wide(x, y)) or (y_ragged and _is_wide(y, x)):
        shape = broadcast_dynamic_shape(DynamicShape.from_tensor(x), DynamicShape.from_tensor(y))
        x, y = broadcast_to(x, shape), broadcast_to(y, shape)
    result = function(x.flat_values if isinstance(x, Rows) else x, y.flat_values if isinstance(y, Rows) else y,
                      *rest, **kwargs)
    return (x if isinstance(x, Rows) else y).with_flat_values(result)


def _is_wide(ragged: Rows, other: Any) -> bool:
    """Whether a tensor has too many dimensions to be broadcast against the values alone."""
    return bool(ragged.flat_values.shape.ndims <= other.shape.ndims)
