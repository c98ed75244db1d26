"""Quotients and remainders, by all the rules for signs, integers and zero divisors."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import broadcast
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public
from ossia_ops.element_types import ARITHMETIC
from ossia_ops.math.broadcast import reductions
from ossia_ops.math.cast import cast
from ossia_ops.math.choice import choose
from ossia_ops.math.complex_numbers import conj

# What integers are divided as by the true division.
_QUOTIENTS = {
    dtypes.uint8: dtypes.float32,
    dtypes.int8: dtypes.float32,
    dtypes.uint16: dtypes.float32,
    dtypes.int16: dtypes.float32,
    dtypes.int32: dtypes.float64,
    dtypes.int64: dtypes.float64,
    dtypes.bfloat16: None,
    dtypes.float16: None,
    dtypes.float32: None,
    dtypes.float64: None,
    dtypes.complex64: None,
    dtypes.complex128: None,
}


def _check_divisor(x: Any, y: Any) -> None:
    if not np.all(y) and np.size(x):
        raise InvalidArgumentError(None, None, "Integer division by zero")


def _truncated(x: Any, y: Any) -> Any:
    """Integer quotients rounded towards zero."""
    _check_divisor(x, y)
    quotient = np.floor_divide(x, y)
    # One more where floor went away from zero.
    return quotient + ((np.less(x, 0) != np.less(y, 0)) & (quotient * y != x)).astype(quotient.dtype)


def _divide(x: Any, y: Any) -> Any:
    return np.true_divide(x, y) if x.dtype.kind not in "iu" else _truncated(x, y)


def _division_gradient(divide: Any) -> Any:
    def gradient(node, grad):
        x, y = node.inputs
        to_x, to_y = reductions(x, y)
        x, y = conj(x), conj(y)
        x_grad = to_x(divide(grad, y))
        return x_grad, to_y(grad * divide(divide(-x, y), y))
    return gradient


real_div_op = op("RealDiv(x: T, y: T) -> z: T", T=ARITHMETIC)


real_div_op.shape(broadcast)
real_div_op.kernel(lambda x, y: _divide(x, y))
real_div_op.gradient(_division_gradient(real_div_op))
real_div_op.samples(broadcast=([[1.], [2.]], [3., 0.]), complex=([1 + 1j], [2j]))


@public("realdiv")
@dispatches
def realdiv(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x / y` for floating-point and complex tensors, elementwise with broadcasting."""
    return real_div_op(x, y, name=name)


div_op = op("Div(x: T, y: T) -> z: T", T=ARITHMETIC)


div_op.shape(broadcast)
div_op.kernel(lambda x, y: _divide(x, y))
div_op.gradient(_division_gradient(lambda x, y: real_div_op(x, y, name="truediv")))
div_op.samples(ints=([7, -7], [2, 2]), zero=([1., 0.], [0., 0.]))


floor_div_op = op("FloorDiv(x: T, y: T) -> z: T", T=ARITHMETIC)


floor_div_op.shape(broadcast)


@floor_div_op.kernel
def _(x, y):
    if x.dtype.kind in "iu":
        _check_divisor(x, y)
        return np.floor_divide(x, y)
    return np.floor(np.true_divide(x, y))


@floor_div_op.gradient
def _(node, grad):
    return None, None


floor_div_op.samples(ints=([7, -7], [2, 2]), floats=([7., -7., 1.], [2., 2., 0.]))


@public("floor_div")
def floor_div(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x / y` rounded down, elementwise with broadcasting."""
    return floor_div_op(x, y, name=name)


@public("floordiv", "math.floordiv")
@dispatches
def floordiv(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x // y`: the quotient rounded down, elementwise with broadcasting."""
    with name_scope(name, "floordiv", [x, y]) as name:
        return floor_div_op(x, y, name=name)


truncate_div_op = op("TruncateDiv(x: T, y: T) -> z: T", T=ARITHMETIC)


truncate_div_op.shape(broadcast)


@truncate_div_op.kernel
def _(x, y):
    return _truncated(x, y) if x.dtype.kind in "iu" else np.true_divide(x, y)


@truncate_div_op.gradient
def _(node, grad):
    return None, None


truncate_div_op.samples(ints=([7, -7, 7], [2, 2, -2]))


@public("truncatediv")
@dispatches
def truncatediv(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x / y` of integers, rounded towards zero, elementwise with broadcasting."""
    return truncate_div_op(x, y, name=name)


floor_mod_op = op("FloorMod(x: T, y: T) -> z: T", T="{int32, int64, bfloat16, half, float, double}")


floor_mod_op.shape(broadcast)


@floor_mod_op.kernel
def _(x, y):
    if x.dtype.kind in "iu":
        _check_divisor(x, y)
    return np.mod(x, y)


@floor_mod_op.gradient
def _(node, grad):
    x, y = node.inputs
    to_x, to_y = reductions(x, y)
    quotient = floor_div_op(x, y)
    x_grad = to_x(grad)
    return x_grad, to_y(grad * -quotient)


floor_mod_op.samples(ints=([7, -7, 7], [2, 2, -2]), floats=([7., -7., 1.], [2., 2., 0.]))


@public("floormod", "mod", "math.floormod", "math.mod")
@dispatches
def floormod(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The remainder of `x / y` rounded down, which has the sign of `y`, elementwise with broadcasting."""
    return floor_mod_op(x, y, name=name)


def _truncated_remainder(x: Any, y: Any) -> Any:
    if x.dtype.kind in "iu":
        _check_divisor(x, y)
    return np.fmod(x, y)


truncate_mod_op = op("TruncateMod(x: T, y: T) -> z: T", T="{int32, int64, bfloat16, half, float, double}")


truncate_mod_op.shape(broadcast)
truncate_mod_op.kernel(_truncated_remainder)
truncate_mod_op.samples(ints=([7, -7, 7], [2, 2, -2]), floats=([7., -7., 1.], [2., 2., 0.]))


@public("truncatemod")
@dispatches
def truncatemod(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The remainder of `x / y` rounded towards zero, which has the sign of `x`, elementwise with broadcasting."""
    return truncate_mod_op(x, y, name=name)


mod_op = op("Mod(x: T, y: T) -> z: T", T="{int32, int64, half, half, bfloat16, float, double}")


mod_op.shape(broadcast)
mod_op.kernel(_truncated_remainder)
mod_op.samples(ints=([7, -7, 7], [2, 2, -2]))


div_no_nan_op = op("DivNoNan(x: T, y: T) -> z: T", T="{half, float, double, complex64, complex128}")


div_no_nan_op.shape(broadcast)


@div_no_nan_op.kernel
def _(x, y):
    return choose(np.not_equal(y, 0), np.true_divide(x, y), np.zeros((), y.dtype))


div_no_nan_op.gradient(_division_gradient(lambda x, y: div_no_nan(x, y)))  # type: ignore[has-type]
div_no_nan_op.samples(zero=([0., 3.], [0., 2.]))


@public("div_no_nan", "math.divide_no_nan")
@dispatches
def div_no_nan(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x / y`, but 0 where `y` is 0, elementwise with broadcasting."""
    with name_scope(name, "div_no_nan", [x, y]) as name:
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, x.dtype.base_dtype, "y")
        return div_no_nan_op(x, y, name=name)


@public("math.reciprocal_no_nan")
def reciprocal_no_nan(x: Any, name: str | None = None) -> Tensor:
    """`1 / x`, but 0 where `x` is 0."""
    with name_scope(name, "reciprocal_no_nan", [x]) as scope:
        x = convert_to_tensor(x, name="x")
        one = constant(1, x.dtype.base_dtype, name="one")
        return div_no_nan_op(one, x, name=scope)


@public("truediv", "math.truediv")
@dispatches
def truediv(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x / y` by the rules of Python 3: integers are divided as floating-point numbers.

    Raises:
      TypeError: the dtypes differ, or there is no division for them.
    """
    with name_scope(name, "truediv", [x, y]) as name:
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, name="y")
        dtype = x.dtype.base_dtype
        if dtype != y.dtype.base_dtype:
            raise TypeError(f"x and y must have the same dtype, got {dtype!r} != {y.dtype.base_dtype!r}")
        try:
            common = _QUOTIENTS[dtype]
        except KeyError:
            raise TypeError(f"Invalid dtype {dtype!r} in __truediv__.") from None
        if common is not None:
            x, y = cast(x, common), cast(y, common)
        return real_div_op(x, y, name=name)


@public("div")
def div(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x / y` by the rules of Python 2: integers are divided with rounding down."""
    with name_scope(name, "div", [x, y]) as name:
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, x.dtype.base_dtype, "y")
        if x.dtype.is_floating or x.dtype.is_complex:
            return real_div_op(x, y, name=name)
        return floor_div_op(x, y, name=name)


@public("divide", "math.divide")
@dispatches
def divide(x: Any, y: Any, name: str | None = None) -> Any:
    """`x / y` by the rules of Python 3; of two plain numbers the quotient is one too, unless a `name` is given."""
    return x / y if name is None else truediv(x, y, name)
