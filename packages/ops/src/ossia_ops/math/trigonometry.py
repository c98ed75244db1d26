"""Circular and hyperbolic functions and their inverses."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import broadcast, of_first, unchanged
from ossia_core.graph.convert import constant
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.scopes import control_dependencies
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_ops.element_types import FLOATS, FLOATS_AND_COMPLEX, SIGNED
from ossia_ops.math.arithmetic import add_op, sub_op
from ossia_ops.math.choice import in_blocks
from ossia_ops.math.complex_numbers import conj
from ossia_ops.math.elementwise import mapped, reciprocal, sqrt_op, square_op

sin_op = op("Sin(x: T) -> y: T", T=FLOATS_AND_COMPLEX)


sin_op.shape(unchanged)
sin_op.kernel_for(lambda node: np.sin)


@sin_op.gradient
def _(node, grad):
    with control_dependencies([grad]):
        return grad * cos_op(conj(node.inputs[0]))


sin_op.samples(plain=[0., 1., -2.], complex=[1j])


@public("sin", "math.sin")
@dispatches
def sin(x: Any, name: str | None = None) -> Tensor:
    """Sines of angles in radians."""
    return sin_op(x, name=name)


cos_op = op("Cos(x: T) -> y: T", T=FLOATS_AND_COMPLEX)


cos_op.shape(unchanged)
cos_op.kernel_for(lambda node: np.cos)


@cos_op.gradient
def _(node, grad):
    with control_dependencies([grad]):
        x = conj(node.inputs[0])
        return -grad * sin_op(x)


cos_op.samples(plain=[0., 1., -2.])


@public("cos", "math.cos")
@dispatches
def cos(x: Any, name: str | None = None) -> Tensor:
    """Cosines of angles in radians."""
    return cos_op(x, name=name)


tan_op = op("Tan(x: T) -> y: T", T=SIGNED)


tan_op.shape(unchanged)
tan_op.kernel_for(lambda node: np.tan)


@tan_op.gradient
def _(node, grad):
    with control_dependencies([grad]):
        x = conj(node.inputs[0])
        secant = reciprocal(cos_op(x))
        return square_op(secant) * grad


tan_op.samples(plain=[0., 1., -2.])


@public("tan", "math.tan")
@dispatches
def tan(x: Any, name: str | None = None) -> Tensor:
    """Tangents of angles in radians."""
    return tan_op(x, name=name)


asin_op = op("Asin(x: T) -> y: T", T=SIGNED)


asin_op.shape(unchanged)
asin_op.kernel_for(lambda node: np.arcsin)


@asin_op.gradient
def _(node, grad):
    with control_dependencies([grad]):
        x = conj(node.inputs[0])
        squares = square_op(x)
        one = constant(1, grad.dtype)
        return grad * reciprocal(sqrt_op(sub_op(one, squares)))


asin_op.samples(plain=[0., 0.5, 2.])


@public("asin", "math.asin")
@dispatches
def asin(x: Any, name: str | None = None) -> Tensor:
    """Angles in radians whose sines are `x`."""
    return asin_op(x, name=name)


acos_op = op("Acos(x: T) -> y: T", T=SIGNED)


acos_op.shape(unchanged)
acos_op.kernel_for(lambda node: np.arccos)


@acos_op.gradient
def _(node, grad):
    with control_dependencies([grad]):
        x = conj(node.inputs[0])
        squares = square_op(x)
        one = constant(1, grad.dtype)
        inverse = reciprocal(sqrt_op(sub_op(one, squares)))
        return -grad * inverse


acos_op.samples(plain=[0., 0.5, 2.])


@public("acos", "math.acos")
@dispatches
def acos(x: Any, name: str | None = None) -> Tensor:
    """Angles in radians whose cosines are `x`."""
    return acos_op(x, name=name)


atan_op = op("Atan(x: T) -> y: T", T=SIGNED)


atan_op.shape(unchanged)
atan_op.kernel_for(lambda node: np.arctan)


@atan_op.gradient
def _(node, grad):
    with control_dependencies([grad]):
        x = conj(node.inputs[0])
        squares = square_op(x)
        one = constant(1, grad.dtype)
        return grad * reciprocal(add_op(one, squares))


atan_op.samples(plain=[0., 0.5, -2.])


@public("atan", "math.atan")
@dispatches
def atan(x: Any, name: str | None = None) -> Tensor:
    """Angles in radians whose tangents are `x`."""
    return atan_op(x, name=name)


sinh_op = op("Sinh(x: T) -> y: T", T=FLOATS_AND_COMPLEX)


sinh_op.shape(unchanged)
sinh_op.kernel_for(lambda node: np.sinh)


@sinh_op.gradient
def _(node, grad):
    with control_dependencies([grad]):
        return grad * cosh_op(conj(node.inputs[0]))


sinh_op.samples(plain=[0., 1., -2.])


@public("sinh", "math.sinh")
@dispatches
def sinh(x: Any, name: str | None = None) -> Tensor:
    """Hyperbolic sines."""
    return sinh_op(x, name=name)


cosh_op = op("Cosh(x: T) -> y: T", T=FLOATS_AND_COMPLEX)


cosh_op.shape(unchanged)
cosh_op.kernel_for(lambda node: np.cosh)


@cosh_op.gradient
def _(node, grad):
    with control_dependencies([grad]):
        return grad * sinh_op(conj(node.inputs[0]))


cosh_op.samples(plain=[0., 1., -2.])


@public("cosh", "math.cosh")
@dispatches
def cosh(x: Any, name: str | None = None) -> Tensor:
    """Hyperbolic cosines."""
    return cosh_op(x, name=name)


tanh_op = op("Tanh(x: T) -> y: T", T=FLOATS_AND_COMPLEX)


tanh_op.shape(unchanged)
tanh_op.kernel_for(lambda node: np.tanh)


@tanh_op.gradient
def _(node, grad):
    with control_dependencies([grad]):
        return tanh_grad_op(conj(node.outputs[0]), grad)


tanh_op.samples(plain=[0., 1., -50.])


@public("tanh", "math.tanh", "nn.tanh")
def tanh(x: Any, name: str | None = None) -> Any:
    """Hyperbolic tangents of a tensor or SparseTensor."""
    return mapped(tanh_op, x, name)


tanh_grad_op = op("TanhGrad(y: T, dy: T) -> z: T", T=FLOATS_AND_COMPLEX)


tanh_grad_op.shape(of_first)


@tanh_grad_op.kernel
@in_blocks
def _(y, dy):
    return dy * (y.dtype.type(1) - y * y)


@tanh_grad_op.gradient
def _(node, grad):
    with control_dependencies([grad]):
        a, b = conj(node.inputs[0]), conj(node.inputs[1])
        return grad * -2.0 * b * a, tanh_grad_op(a, grad)


tanh_grad_op.samples(plain=([0.5, 0.25], [1., 2.]))


asinh_op = op("Asinh(x: T) -> y: T", T=FLOATS_AND_COMPLEX)


asinh_op.shape(unchanged)
asinh_op.kernel_for(lambda node: np.arcsinh)


@asinh_op.gradient
def _(node, grad):
    with control_dependencies([grad]):
        y = conj(node.outputs[0])
        return grad / cosh_op(y)


asinh_op.samples(plain=[0., 1., -2.])


@public("asinh", "math.asinh")
@dispatches
def asinh(x: Any, name: str | None = None) -> Tensor:
    """Inverse hyperbolic sines."""
    return asinh_op(x, name=name)


acosh_op = op("Acosh(x: T) -> y: T", T=FLOATS_AND_COMPLEX)


acosh_op.shape(unchanged)
acosh_op.kernel_for(lambda node: np.arccosh)


@acosh_op.gradient
def _(node, grad):
    with control_dependencies([grad]):
        y = conj(node.outputs[0])
        return grad / sinh_op(y)


acosh_op.samples(plain=[1., 2., 0.5])


@public("acosh", "math.acosh")
@dispatches
def acosh(x: Any, name: str | None = None) -> Tensor:
    """Inverse hyperbolic cosines."""
    return acosh_op(x, name=name)


atanh_op = op("Atanh(x: T) -> y: T", T=FLOATS_AND_COMPLEX)


atanh_op.shape(unchanged)
atanh_op.kernel_for(lambda node: np.arctanh)


@atanh_op.gradient
def _(node, grad):
    with control_dependencies([grad]):
        x = conj(node.inputs[0])
        squares = square_op(x)
        one = constant(1, grad.dtype)
        return grad * reciprocal(sub_op(one, squares))


atanh_op.samples(plain=[0., 0.5, 1.])


@public("atanh", "math.atanh")
@dispatches
def atanh(x: Any, name: str | None = None) -> Tensor:
    """Inverse hyperbolic tangents."""
    return atanh_op(x, name=name)


atan2_op = op("Atan2(y: T, x: T) -> z: T", T=FLOATS)


atan2_op.shape(broadcast)
atan2_op.kernel_for(lambda node: np.arctan2)


@atan2_op.gradient
def _(node, grad):
    y, x = node.inputs
    with control_dependencies([grad]):
        scaled = grad / (square_op(x) + square_op(y))
        return x * scaled, -y * scaled


atan2_op.samples(quadrants=([1., 1., -1., -1.], [1., -1., 1., -1.]))


@public("atan2", "math.atan2")
@dispatches
def atan2(y: Any, x: Any, name: str | None = None) -> Tensor:
    """Angles in radians of the points `(x, y)`, elementwise with broadcasting."""
    return atan2_op(y, x, name=name)
