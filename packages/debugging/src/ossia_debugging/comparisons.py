"""Assertions that compare two tensors, or one with zero."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.static_value import get_static_value
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.dtypes import DType
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public
from ossia_core.primitives.source import no_op
from ossia_ops.control.assertion import Assert
from ossia_ops.math.comparison import equal, greater, greater_equal, less, less_equal, not_equal
from ossia_ops.math.elementwise import abs as absolute
from ossia_ops.math.reduction import reduce_all

_PAIR_DOC = """Checks that `x {symbol} y` holds for every pair of elements, with broadcasting.

    Args:
        x: A numeric tensor.
        y: A tensor of the same dtype.
        data: What the error shows; by default the condition and both tensors. Only in the form without `compat.v2`.
        summarize: How many elements of each tensor it shows.
        message: What the error begins with.
        name: Name of the scope, `assert_{word}` by default.

    Returns:
        An operation, or tensor of one, that raises InvalidArgumentError where the condition does not hold; make what
        must not run then depend on it, with `tf.control_dependencies`.

    Raises:
        InvalidArgumentError: Both are constants, and the condition does not hold.
    """

_SIGN_DOC = """Checks that `x {symbol} 0` holds for every element.

    Args:
        x: A numeric tensor.
        data: What the error shows; by default the condition and the tensor. Only in the form without `compat.v2`.
        summarize: How many elements it shows.
        message: What the error begins with.
        name: Name of the scope, `assert_{word}` by default.

    Returns:
        An operation, or tensor of one, that raises InvalidArgumentError where the condition does not hold.

    Raises:
        InvalidArgumentError: `x` is a constant, and the condition does not hold.
    """


def _compare(
    symbol: str,
    word: str,
    op: Callable,
    of_arrays: Callable,
    x: Any,
    y: Any,
    data: Any,
    summarize: Any,
    message: Any,
    name: Any,
) -> Any:
    with name_scope(name, f"assert_{word}", [x, y, data]):
        x, y = convert_to_tensor(x, name="x"), convert_to_tensor(y, name="y")
        if data is None:
            data = [f"Condition x {symbol} y did not hold element-wise:", f"x ({x.name}) = ", x, f"y ({y.name}) = ", y]
        if message is not None:
            data = [message, *data]
        holds = reduce_all(op(x, y))
        known = get_static_value(x), get_static_value(y)
        if known[0] is not None and known[1] is not None and not np.all(of_arrays(*known)):
            shown = [get_static_value(item) if isinstance(item, Tensor) else item for item in data]
            raise InvalidArgumentError(None, None, "\n".join(str(item) for item in shown if item is not None))
        return Assert(holds, data, summarize)


def _pair(symbol: str, word: str, op: Callable, of_arrays: Callable) -> tuple[Callable, Callable]:
    """The two public forms of a comparison of two tensors."""

    def check(
        x: Any,
        y: Any,
        data: Any = None,
        summarize: int | None = None,
        message: str | None = None,
        name: str | None = None,
    ) -> Any:
        return _compare(symbol, word, op, of_arrays, x, y, data, summarize, message, name)

    def check_v2(
        x: Any, y: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
    ) -> Any:
        return check(x, y, summarize=summarize, message=message, name=name)

    return _named(check, check_v2, word, _PAIR_DOC, symbol)


def _sign(symbol: str, word: str, comparison: Callable, zero_first: bool) -> tuple[Callable, Callable]:
    """The two public forms of a comparison with zero."""

    def check(
        x: Any, data: Any = None, summarize: int | None = None, message: str | None = None, name: str | None = None
    ) -> Any:
        message = message or ""
        with name_scope(name, f"assert_{word}", [x, data]):
            x = convert_to_tensor(x, name="x")
            if data is None:
                data = [message, f"Condition x {symbol} 0 did not hold element-wise:", f"x ({x.name}) = ", x]
                if symbol == "<=":  # the original's graph holds the two texts as one
                    data[1:3] = [data[1] + data[2]]
            zero = convert_to_tensor(0, dtype=x.dtype)
            first, second = (zero, x) if zero_first else (x, zero)
            return comparison(first, second, data=data, summarize=summarize)

    def check_v2(x: Any, message: str | None = None, summarize: int | None = None, name: str | None = None) -> Any:
        return check(x, summarize=summarize, message=message, name=name)

    return _named(check, check_v2, word, _SIGN_DOC, symbol)


def _named(check: Callable, check_v2: Callable, word: str, doc: str, symbol: str) -> tuple[Callable, Callable]:
    for function, suffix in ((check, ""), (check_v2, "_v2")):
        function.__name__ = function.__qualname__ = f"assert_{word}{suffix}"
        function.__doc__ = doc.format(symbol=symbol, word=word)
        names = [f"assert_{word}", f"debugging.assert_{word}"]
        if suffix:
            top = names[:1] if word in ("less", "greater") else []
            names = [f"compat.v2.{name}" for name in (*top, names[1])]
        public(*names)(function)
    return check, check_v2


assert_less, assert_less_v2 = _pair("<", "less", less, np.less)
assert_less_equal, assert_less_equal_v2 = _pair("<=", "less_equal", less_equal, np.less_equal)
assert_greater, assert_greater_v2 = _pair(">", "greater", greater, np.greater)
assert_greater_equal, assert_greater_equal_v2 = _pair(">=", "greater_equal", greater_equal, np.greater_equal)
assert_none_equal, _none_equal_v2 = _pair("!=", "none_equal", not_equal, np.not_equal)

assert_negative, assert_negative_v2 = _sign("<", "negative", assert_less, zero_first=False)
assert_positive, assert_positive_v2 = _sign(">", "positive", assert_less, zero_first=True)
assert_non_negative, assert_non_negative_v2 = _sign(">=", "non_negative", assert_less_equal, zero_first=True)
assert_non_positive, assert_non_positive_v2 = _sign("<=", "non_positive", assert_less_equal, zero_first=False)


@public("compat.v2.debugging.assert_none_equal")
def assert_none_equal_v2(
    x: Any, y: Any, summarize: int | None = None, message: str | None = None, name: str | None = None
) -> Any:
    """`tf.debugging.assert_none_equal` without `data`."""
    return assert_none_equal(x, y, summarize=summarize, message=message, name=name)


@public("assert_equal", "debugging.assert_equal")
def assert_equal(
    x: Any, y: Any, data: Any = None, summarize: int | None = None, message: str | None = None, name: str | None = None
) -> Any:
    """Checks that `x == y` holds for every pair of elements; arguments and result as for `tf.debugging.assert_less`."""
    with name_scope(name, "assert_equal", [x, y, data]):
        if x is y:
            return no_op()
    return _compare("==", "equal", equal, np.equal, x, y, data, summarize, message, name)


@public("compat.v2.assert_equal", "compat.v2.debugging.assert_equal")
def assert_equal_v2(
    x: Any, y: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> Any:
    """`tf.debugging.assert_equal` without `data`."""
    return assert_equal(x, y, summarize=summarize, message=message, name=name)


@public("assert_near", "debugging.assert_near")
def assert_near(
    x: Any,
    y: Any,
    rtol: Any = None,
    atol: Any = None,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Any:
    """Checks that `|x - y| < atol + rtol * |y|` for every pair of elements, with broadcasting.

    Args:
        x: A float tensor.
        y: A tensor of the same dtype.
        rtol: The relative tolerance, ten times the machine epsilon of the dtype by default.
        atol: The absolute tolerance, the same by default.
        data: What the error shows; by default the tolerances and both tensors.
        summarize: How many elements of each tensor it shows.
        message: What the error begins with.
        name: Name of the scope, `assert_near` by default.

    Returns:
        An operation, or tensor of one, that raises InvalidArgumentError where the condition does not hold.

    Raises:
        ValueError: `x` has no float dtype.
    """
    message = message or ""
    with name_scope(name, "assert_near", [x, y, rtol, atol, data]):
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, name="y", dtype=x.dtype.base_dtype)
        if not x.dtype.is_floating and not x.dtype.is_complex:
            raise ValueError(f"assert_near compares floats, not {x.dtype.name}")
        dtype = x.dtype.base_dtype
        default = 10 * _epsilon(dtype)
        rtol = convert_to_tensor(default if rtol is None else rtol, name="rtol", dtype=dtype)
        atol = convert_to_tensor(default if atol is None else atol, name="atol", dtype=dtype)
        if data is None:
            data = [
                message,
                f"x and y not equal to tolerance rtol = {rtol}, atol = {atol}",
                f"x ({x.name}) = ",
                x,
                f"y ({y.name}) = ",
                y,
            ]
        tolerance = atol + rtol * absolute(y)
        return Assert(reduce_all(less(absolute(x - y), tolerance)), data, summarize)


def _epsilon(dtype: DType) -> float:
    return float(2.0**-7) if dtype is dtypes.bfloat16 else float(np.finfo(dtype.as_numpy_dtype).eps)


@public("compat.v2.debugging.assert_near")
def assert_near_v2(
    x: Any,
    y: Any,
    rtol: Any = None,
    atol: Any = None,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Any:
    """`tf.debugging.assert_near` without `data`."""
    return assert_near(x, y, rtol=rtol, atol=atol, summarize=summarize, message=message, name=name)
