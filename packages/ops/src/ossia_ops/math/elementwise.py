"""Signs, squares, roots, reciprocals and rounding, element by element."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import OpDef, op
from ossia_core.declare.shape_rules import of_first, unchanged
from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public
from ossia_ops.array.fill import zeros
from ossia_ops.array.shape import shape
from ossia_ops.element_types import FLOATS, FLOATS_AND_COMPLEX, SIGNED
from ossia_ops.math.arithmetic import mul_op
from ossia_ops.math.complex_numbers import complex_abs_op, conj


def mapped(definition: OpDef, x: Any, name: str | None) -> Any:
    """The op on a tensor, or on the values of a SparseTensor (whose zeros it must leave zero)."""
    if isinstance(x, SparseTensor):
        get_default_graph().unique_name(name or definition.type)
        return SparseTensor(x.indices, definition(x.values, name=name), x.dense_shape)
    return definition(x, name=name)


neg_op = op("Neg(x: T) -> y: T", T=SIGNED)


neg_op.shape(unchanged)
neg_op.kernel_for(lambda node: np.negative)


@neg_op.gradient
def _(node, grad):
    return -grad


neg_op.samples(plain=[1., -2.], overflow=np.int32(-2**31))


@public("negative", "math.negative")
@dispatches
def negative(x: Any, name: str | None = None) -> Any:
    """`-x`, for a tensor or SparseTensor."""
    return mapped(neg_op, x, name)


abs_op = op("Abs(x: T) -> y: T", T="{bfloat16, half, float, double, int8, int16, int32, int64}")


abs_op.shape(unchanged)
abs_op.kernel_for(lambda node: np.absolute)


@abs_op.gradient
def _(node, grad):
    return grad * sign(node.inputs[0])


abs_op.samples(plain=[1., -2., -0.], overflow=np.int32(-2**31))


@public("abs", "math.abs")
@dispatches
def abs(x: Any, name: str | None = None) -> Any:
    """Absolute values of a tensor or SparseTensor; of complex numbers their moduli, real."""
    if isinstance(x, SparseTensor):
        get_default_graph().unique_name(name or "Abs")
        return SparseTensor(x.indices, abs(x.values, name), x.dense_shape)
    with name_scope(name, "Abs", [x]) as name:
        x = convert_to_tensor(x, name="x")
        if x.dtype.is_complex:
            return complex_abs_op(x, Tout=x.dtype.real_dtype, name=name)
        return abs_op(x, name=name)


sign_op = op("Sign(x: T) -> y: T", T=SIGNED)


sign_op.shape(unchanged)


@sign_op.kernel
def _(x):
    kind = x.dtype.kind
    if kind == "i":
        return np.sign(x)
    with np.errstate(all="ignore"):
        if kind == "c":
            result = np.empty_like(x)
            size = np.abs(x)
            size = np.where(size == 0, 1, size).astype(size.dtype)
            result.real, result.imag = x.real / size, x.imag / size
            return result
        return np.where(np.isnan(x), np.zeros((), x.dtype), np.sign(x))


@sign_op.gradient
def _(node, grad):
    x = node.inputs[0]
    return zeros(shape(x), x.dtype)


sign_op.samples(plain=[1.5, -2., np.nan], ints=[-3, 0, 3], complex=[3 + 4j, 0])


@public("sign", "math.sign")
@dispatches
def sign(x: Any, name: str | None = None) -> Any:
    """-1, 0 or 1 by the sign of each element; of complex numbers `x / |x|`, or 0."""
    return mapped(sign_op, x, name)


square_op = op("Square(x: T) -> y: T", T=SIGNED)


square_op.shape(unchanged)
square_op.kernel_for(lambda node: np.square)


@square_op.gradient
def _(node, grad):
    with control_dependencies([grad]):
        x = conj(node.inputs[0])
        y = constant(2.0, x.dtype)
        return mul_op(grad, mul_op(x, y))


square_op.samples(plain=[1.5, -2.], overflow=np.int32(2**16), complex=[1 + 1j])


@public("square", "math.square")
@dispatches
def square(x: Any, name: str | None = None) -> Any:
    """`x * x`, for a tensor or SparseTensor."""
    return mapped(square_op, x, name)


sqrt_op = op("Sqrt(x: T) -> y: T", T=FLOATS_AND_COMPLEX)


sqrt_op.shape(unchanged)
sqrt_op.kernel_for(lambda node: np.sqrt)


@sqrt_op.gradient
def _(node, grad):
    return sqrt_grad_op(node.outputs[0], grad)


sqrt_op.samples(plain=[4., 2., 0., -1.], complex=[-1 + 0j])


@public("sqrt", "math.sqrt")
@dispatches
def sqrt(x: Any, name: str | None = None) -> Any:
    """Square roots of a tensor or SparseTensor."""
    return mapped(sqrt_op, x, name)


def _where_it_matters(dy: np.ndarray, slope: np.ndarray) -> np.ndarray:
    """The slope, and 0 wherever `dy` is: no slope there is too steep for a gradient that is not wanted."""
    unwanted = dy == 0
    return np.where(unwanted, slope.dtype.type(0), slope) if np.any(unwanted) else slope


sqrt_grad_op = op("SqrtGrad(y: T, dy: T) -> z: T", T=FLOATS_AND_COMPLEX)


sqrt_grad_op.shape(of_first)


@sqrt_grad_op.kernel
def _(y, dy):
    y = np.conj(y) if y.dtype.kind == "c" else y
    return _where_it_matters(dy, dy * dy.dtype.type(0.5) / y)


@sqrt_grad_op.gradient
def _(node, grad):
    a = node.inputs[0]
    y = node.outputs[0]
    with control_dependencies([grad]):
        ga = grad / a
        return -conj(ga) * y, 0.5 * ga


sqrt_grad_op.samples(plain=([2., 4.], [1., 1.]))


rsqrt_op = op("Rsqrt(x: T) -> y: T", T=FLOATS_AND_COMPLEX)


rsqrt_op.shape(unchanged)
rsqrt_op.kernel(lambda x: np.reciprocal(np.sqrt(x)))


@rsqrt_op.gradient
def _(node, grad):
    return rsqrt_grad_op(node.outputs[0], grad)


rsqrt_op.samples(plain=[4., 2., 0.])


@public("rsqrt", "math.rsqrt")
@dispatches
def rsqrt(x: Any, name: str | None = None) -> Tensor:
    """`1 / sqrt(x)`."""
    return rsqrt_op(x, name=name)


rsqrt_grad_op = op("RsqrtGrad(y: T, dy: T) -> z: T", T=FLOATS_AND_COMPLEX)


rsqrt_grad_op.shape(of_first)


@rsqrt_grad_op.kernel
def _(y, dy):
    y = np.conj(y) if y.dtype.kind == "c" else y
    return _where_it_matters(dy, y.dtype.type(-0.5) * dy * y * y * y)


@rsqrt_grad_op.gradient
def _(node, grad):
    a, b = node.inputs
    with control_dependencies([grad]):
        a, cg = conj(a), conj(grad)
        grad_a = -1.5 * cg * b * square_op(a)
        return grad_a, rsqrt_grad_op(a, grad)


rsqrt_grad_op.samples(plain=([2., 4.], [1., 1.]))


def _reciprocal(x: Any) -> Any:
    if x.dtype.kind in "iu":
        if not np.all(x):
            raise InvalidArgumentError(None, None, "Integer division by zero")
        return np.trunc(1.0 / x).astype(x.dtype)
    return np.reciprocal(x)


def _reciprocal_grad(y: Any, dy: Any) -> Any:
    y = np.conj(y) if y.dtype.kind == "c" else y
    return _where_it_matters(dy, -dy * y * y)


reciprocal_op = op("Reciprocal(x: T) -> y: T", T=SIGNED)


reciprocal_op.shape(unchanged)
reciprocal_op.kernel(_reciprocal)


@reciprocal_op.gradient
def _reciprocal_gradient(node, grad):
    return reciprocal_grad_op(node.outputs[0], grad)


reciprocal_op.samples(plain=[4., -2., 0.])


@public("reciprocal", "math.reciprocal")
@dispatches
def reciprocal(x: Any, name: str | None = None) -> Tensor:
    """`1 / x`."""
    return reciprocal_op(x, name=name)


inv_op = op("Inv(x: T) -> y: T", T=SIGNED)


inv_op.shape(unchanged)
inv_op.kernel(_reciprocal)
inv_op.gradient(_reciprocal_gradient)
inv_op.samples(plain=[4., -2., 0.])


reciprocal_grad_op = op("ReciprocalGrad(y: T, dy: T) -> z: T", T=FLOATS_AND_COMPLEX)


reciprocal_grad_op.shape(of_first)
reciprocal_grad_op.kernel(_reciprocal_grad)


@reciprocal_grad_op.gradient
def _reciprocal_grad_gradient(node, grad):
    b = node.inputs[1]
    with control_dependencies([grad]):
        ca, cg = conj(node.inputs[0]), conj(grad)
        return cg * -2.0 * b * ca, reciprocal_grad_op(ca, grad)


reciprocal_grad_op.samples(plain=([2., 4.], [1., 1.]))


inv_grad_op = op("InvGrad(y: T, dy: T) -> z: T", T=FLOATS_AND_COMPLEX)


inv_grad_op.shape(of_first)
inv_grad_op.kernel(_reciprocal_grad)
inv_grad_op.gradient(_reciprocal_grad_gradient)
inv_grad_op.samples(plain=([2., 4.], [1., 1.]))


def _no_gradient(node: Any, grad: Any) -> None:
    return None


floor_op = op("Floor(x: T) -> y: T", T=FLOATS)


floor_op.shape(unchanged)
floor_op.kernel_for(lambda node: np.floor)
floor_op.gradient(_no_gradient)
floor_op.samples(plain=[1.5, -1.5, -0.])


@public("floor", "math.floor")
@dispatches
def floor(x: Any, name: str | None = None) -> Tensor:
    """The largest integers not above `x`."""
    return floor_op(x, name=name)


ceil_op = op("Ceil(x: T) -> y: T", T=FLOATS)


ceil_op.shape(unchanged)
ceil_op.kernel_for(lambda node: np.ceil)
ceil_op.gradient(_no_gradient)
ceil_op.samples(plain=[1.5, -1.5])


@public("ceil", "math.ceil")
@dispatches
def ceil(x: Any, name: str | None = None) -> Tensor:
    """The smallest integers not below `x`."""
    return ceil_op(x, name=name)


rint_op = op("Rint(x: T) -> y: T", T=FLOATS)


rint_op.shape(unchanged)
rint_op.kernel_for(lambda node: np.rint)
rint_op.gradient(_no_gradient)
rint_op.samples(halves=[0.5, 1.5, -0.5])


@public("rint", "math.rint")
@dispatches
def rint(x: Any, name: str | None = None) -> Tensor:
    """The nearest integers, the even one of two."""
    return rint_op(x, name=name)


round_op = op("Round(x: T) -> y: T", T=SIGNED)


round_op.shape(unchanged)


@round_op.kernel
def _(x):
    # Adding zero turns -0 into 0.
    return np.rint(x) + x.dtype.type(0) if x.dtype.kind not in "iu" else np.array(x)


round_op.gradient(_no_gradient)
round_op.samples(halves=[0.5, 1.5, -0.5])


@public("round", "math.round")
@dispatches
def round(x: Any, name: str | None = None) -> Tensor:
    """The nearest integers, the even one of two; integers as they are."""
    x = convert_to_tensor(x, name="x")
    return x if x.dtype.is_integer else round_op(x, name=name)
