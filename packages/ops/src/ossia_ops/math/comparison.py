"""Comparisons, and tests of floating-point numbers, element by element."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.facets import by_kernel
from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import broadcast, of_first, unchanged
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import public
from ossia_ops.element_types import FLOATS, NUMBERS, REALS


def _equality_rule(x, y, *, incompatible_shape_error):
    if incompatible_shape_error:
        return broadcast(x, y)
    a, b = x.shape.as_tuple(), y.shape.as_tuple()
    if a is None or b is None:
        return None
    rank = max(len(a), len(b))
    dims: list[int | None] = []
    for m, n in zip((1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b, strict=True):
        if m == 1 or n == 1:
            dims.append(n if m == 1 else m)
        elif m is None or n is None:
            return None  # they may turn out not to fit
        elif m != n:
            return ()  # shapes that do not fit give a scalar
        else:
            dims.append(m)
    return tuple(dims)


def _equality(compare: Any, otherwise: bool, x: Any, y: Any, incompatible_shape_error: bool) -> Any:
    try:
        dims = np.broadcast_shapes(np.shape(x), np.shape(y))
    except ValueError:
        if incompatible_shape_error:
            raise InvalidArgumentError(
                None, None, f"Incompatible shapes: {dims_text(np.shape(x))} vs. {dims_text(np.shape(y))}"
            ) from None
        return np.bool_(otherwise)
    if getattr(x.dtype, "names", None):  # quantized: a record of one integer
        field = x.dtype.names[0]
        x, y = np.asarray(x)[field], np.asarray(y)[field]
    result = compare(x, y)
    fits = np.shape(result) == dims and getattr(result, "dtype", None) == np.dtype(bool)
    return result if fits else np.asarray(result, bool)


_QUANTIZED = np.array([1, -2], np.int8).view(dtypes.qint8.as_numpy_dtype)

equal_op = op("Equal(x: T, y: T) -> z: bool",
              T="{bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, quint8, qint8, "
              "qint32, string, bool, complex128}", incompatible_shape_error="bool = true")


equal_op.shape(_equality_rule)
equal_op.static_value(by_kernel)


@equal_op.kernel
def _(x, y, *, incompatible_shape_error):
    return _equality(np.equal, False, x, y, incompatible_shape_error)


equal_op.not_differentiable()
equal_op.samples(broadcast=([[1.], [2.]], [1., 2.]), nan=([np.nan], [np.nan]), strings=(["a", "b"], "a"),
                 quantized=(_QUANTIZED[:1], _QUANTIZED),
                 unlike=sample([1, 2], [1, 2, 3], incompatible_shape_error=False))


@public("equal", "math.equal")
@dispatches
def equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x == y`, elementwise with broadcasting."""
    return equal_op(x, y, name=name)


not_equal_op = op("NotEqual(x: T, y: T) -> z: bool",
                  T="{bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, quint8, qint8, "
                  "qint32, string, bool, complex128}", incompatible_shape_error="bool = true")


not_equal_op.shape(_equality_rule)
not_equal_op.static_value(by_kernel)


@not_equal_op.kernel
def _(x, y, *, incompatible_shape_error):
    return _equality(np.not_equal, True, x, y, incompatible_shape_error)


not_equal_op.not_differentiable()
not_equal_op.samples(broadcast=([[1.], [2.]], [1., 2.]), nan=([np.nan], [np.nan]), strings=(["a", "b"], "a"),
                     quantized=(_QUANTIZED[:1], _QUANTIZED))


@public("not_equal", "math.not_equal")
@dispatches
def not_equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x != y`, elementwise with broadcasting."""
    return not_equal_op(x, y, name=name)

less_op = op("Less(x: T, y: T) -> z: bool", T=REALS)


less_op.shape(broadcast)
less_op.kernel_for(lambda node: np.less)
less_op.not_differentiable()
less_op.samples(broadcast=([[1.], [2.]], [1., 2.]), nan=([np.nan], [1.]), ints=([1, -1], 0))


@public("less", "math.less")
@dispatches
def less(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x < y`, elementwise with broadcasting."""
    return less_op(x, y, name=name)


less_equal_op = op("LessEqual(x: T, y: T) -> z: bool", T=REALS)


less_equal_op.shape(broadcast)
less_equal_op.kernel_for(lambda node: np.less_equal)
less_equal_op.not_differentiable()
less_equal_op.samples(broadcast=([[1.], [2.]], [1., 2.]), nan=([np.nan], [1.]), ints=([1, -1], 0))


@public("less_equal", "math.less_equal")
@dispatches
def less_equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x <= y`, elementwise with broadcasting."""
    return less_equal_op(x, y, name=name)


greater_op = op("Greater(x: T, y: T) -> z: bool", T=REALS)


greater_op.shape(broadcast)
greater_op.kernel_for(lambda node: np.greater)
greater_op.not_differentiable()
greater_op.samples(broadcast=([[1.], [2.]], [1., 2.]), nan=([np.nan], [1.]), ints=([1, -1], 0))


@public("greater", "math.greater")
@dispatches
def greater(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x > y`, elementwise with broadcasting."""
    return greater_op(x, y, name=name)


greater_equal_op = op("GreaterEqual(x: T, y: T) -> z: bool", T=REALS)


greater_equal_op.shape(broadcast)
greater_equal_op.kernel_for(lambda node: np.greater_equal)
greater_equal_op.not_differentiable()
greater_equal_op.samples(broadcast=([[1.], [2.]], [1., 2.]), nan=([np.nan], [1.]), ints=([1, -1], 0))


@public("greater_equal", "math.greater_equal")
@dispatches
def greater_equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x >= y`, elementwise with broadcasting."""
    return greater_equal_op(x, y, name=name)


is_nan_op = op("IsNan(x: T) -> y: bool", T=FLOATS)


is_nan_op.shape(unchanged)
is_nan_op.kernel_for(lambda node: np.isnan)
is_nan_op.samples(special=[1., np.nan, np.inf, -np.inf])


@public("is_nan", "math.is_nan", "debugging.is_nan")
@dispatches
def is_nan(x: Any, name: str | None = None) -> Tensor:
    """Whether elements are NaN."""
    return is_nan_op(x, name=name)


is_inf_op = op("IsInf(x: T) -> y: bool", T=FLOATS)


is_inf_op.shape(unchanged)
is_inf_op.kernel_for(lambda node: np.isinf)
is_inf_op.samples(special=[1., np.nan, np.inf, -np.inf])


@public("is_inf", "math.is_inf", "debugging.is_inf")
@dispatches
def is_inf(x: Any, name: str | None = None) -> Tensor:
    """Whether elements are infinite."""
    return is_inf_op(x, name=name)


is_finite_op = op("IsFinite(x: T) -> y: bool", T=FLOATS)


is_finite_op.shape(unchanged)
is_finite_op.kernel_for(lambda node: np.isfinite)
is_finite_op.samples(special=[1., np.nan, np.inf, -np.inf])


@public("is_finite", "math.is_finite", "debugging.is_finite")
@dispatches
def is_finite(x: Any, name: str | None = None) -> Tensor:
    """Whether elements are neither infinite nor NaN."""
    return is_finite_op(x, name=name)


approximate_equal_op = op("ApproximateEqual(x: T, y: T) -> z: bool", T=NUMBERS, tolerance="float = 1e-05")


approximate_equal_op.shape(of_first)


@approximate_equal_op.kernel
def _(x, y, *, tolerance):
    if np.shape(x) != np.shape(y):
        raise InvalidArgumentError(
            None, None, f"x and y must be of the same shape. x shape: {dims_text(np.shape(x))}. y shape: "
            f"{dims_text(np.shape(y))}"
        )
    return np.abs(np.subtract(x, y)) <= tolerance


approximate_equal_op.not_differentiable()
approximate_equal_op.samples(
    plain=sample([1., 2.], [1., 2.1], tolerance=0.01), exact=sample([1., 2.], [1., 2.5], tolerance=0.0),
    bound=sample([1., 2.], [1.5, 2.75], tolerance=0.5),
)
