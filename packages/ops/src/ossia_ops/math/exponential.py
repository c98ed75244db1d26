"""Exponentials, logarithms and the logistic function."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup, op
from ossia_core.declare.shape_rules import broadcast, of_first, unchanged
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_ops.element_types import FLOATS_AND_COMPLEX
from ossia_ops.math.broadcast import reductions
from ossia_ops.math.cast import cast
from ossia_ops.math.choice import in_blocks
from ossia_ops.math.comparison import not_equal
from ossia_ops.math.complex_numbers import conj
from ossia_ops.math.elementwise import reciprocal

exp_op = op("Exp(x: T) -> y: T", T=FLOATS_AND_COMPLEX)


exp_op.shape(unchanged)
exp_op.kernel_for(lambda node: np.exp)


@exp_op.gradient
def _(node, grad):
    with control_dependencies([grad]):
        y = conj(node.outputs[0])
        return grad * y


exp_op.samples(plain=[0., 1., -100., 100.], complex=[1j])


@public("exp", "math.exp")
@dispatches
def exp(x: Any, name: str | None = None) -> Tensor:
    """`e ** x`."""
    return exp_op(x, name=name)


expm1_op = op("Expm1(x: T) -> y: T", T=FLOATS_AND_COMPLEX)


expm1_op.shape(unchanged)
expm1_op.kernel_for(lambda node: np.expm1)


@expm1_op.gradient
def _(node, grad):
    with control_dependencies([grad]):
        return grad * exp_op(conj(node.inputs[0]))


expm1_op.samples(small=[0., 1e-10, -100.])


@public("expm1", "math.expm1")
@dispatches
def expm1(x: Any, name: str | None = None) -> Tensor:
    """`e ** x - 1`, exact near 0."""
    return expm1_op(x, name=name)


log_op = op("Log(x: T) -> y: T", T=FLOATS_AND_COMPLEX)


log_op.shape(unchanged)
log_op.kernel_for(lambda node: np.log)


@log_op.gradient
def _(node, grad):
    with control_dependencies([grad]):
        return grad * reciprocal(conj(node.inputs[0]))


log_op.samples(plain=[1., 2., 0., -1.], complex=[-1 + 0j])


@public("log", "math.log")
@dispatches
def log(x: Any, name: str | None = None) -> Tensor:
    """Natural logarithms."""
    return log_op(x, name=name)


log1p_op = op("Log1p(x: T) -> y: T", T=FLOATS_AND_COMPLEX)


log1p_op.shape(unchanged)


@log1p_op.kernel_for
def _(node):
    return _log1p_complex if node.attrs["T"].is_complex else np.log1p


def _log1p_complex(x: Any) -> Any:
    """Logarithms of `1 + x`, exact where the sum is not (Kahan's quotient); NumPy's lose what is small."""
    total = 1 + x
    logs = np.log(total)
    exact = np.where(total == logs, logs, x * (logs / (total - 1)))
    at_zero = np.where(total == 0, x.dtype.type(complex(-np.inf, np.nan)), exact)
    return np.where(total == 1, x, at_zero)


@log1p_op.gradient
def _(node, grad):
    with control_dependencies([grad]):
        return grad * reciprocal(1 + conj(node.inputs[0]))


log1p_op.samples(
    small=[0., 1e-10, -1.],
    complex=np.array([1e-10, 1e-20 + 1e-20j, 0.3 + 0.4j], "c8"),
    poles=np.array([-1, np.inf, complex(np.inf, 1), complex(np.nan, 0)], "c16"),
)


@public("log1p", "math.log1p")
@dispatches
def log1p(x: Any, name: str | None = None) -> Tensor:
    """Natural logarithms of `1 + x`, exact near 0."""
    return log1p_op(x, name=name)


sigmoid_op = op("Sigmoid(x: T) -> y: T", T=FLOATS_AND_COMPLEX)


sigmoid_op.shape(unchanged)


@sigmoid_op.kernel
@in_blocks
def _(x):
    one = x.dtype.type(1)
    return one / (one + np.exp(-x))


@sigmoid_op.gradient
def _(node, grad):
    with control_dependencies([grad]):
        y = conj(node.outputs[0])
        return sigmoid_grad_op(y, grad)


sigmoid_op.samples(plain=[0., 1., -100., 100.])


@public("sigmoid", "math.sigmoid", "nn.sigmoid")
def sigmoid(x: Any, name: str | None = None) -> Tensor:
    """`1 / (1 + exp(-x))`."""
    with name_scope(name, "Sigmoid", [x]) as name:
        x = convert_to_tensor(x, name="x")
        return sigmoid_op(x, name=name)


sigmoid_grad_op = op("SigmoidGrad(y: T, dy: T) -> z: T", T=FLOATS_AND_COMPLEX)


sigmoid_grad_op.shape(of_first)


@sigmoid_grad_op.kernel
@in_blocks
def _(y, dy):
    return dy * y * (y.dtype.type(1) - y)


@sigmoid_grad_op.gradient
def _(node, grad):
    with control_dependencies([grad]):
        a, b = conj(node.inputs[0]), conj(node.inputs[1])
        gb = grad * b
        return gb - 2.0 * gb * a, sigmoid_grad_op(a, grad)


sigmoid_grad_op.samples(plain=([0.5, 0.25], [1., 2.]))


@public("log_sigmoid", "math.log_sigmoid")
@dispatches
def log_sigmoid(x: Any, name: str | None = None) -> Tensor:
    """Logarithms of `sigmoid(x)`."""
    with name_scope(name, "LogSigmoid", [x]) as name:
        x = convert_to_tensor(x, name="x")
        return lookup("Neg")(lookup("Softplus")(-x), name=name)


def _where_nonzero(x: Any, fn: Any, y: Any) -> Any:
    """`x fn(y)`, but 0 where `x` is 0."""
    zero = np.zeros((), x.dtype)
    return np.where(np.equal(x, 0), zero, fn(x, y))


xlogy_op = op("Xlogy(x: T, y: T) -> z: T", T="{half, float, double, complex64, complex128}")


xlogy_op.shape(broadcast)
xlogy_op.kernel(lambda x, y: _where_nonzero(x, lambda a, b: a * np.log(b), y))


@xlogy_op.gradient
def _(node, grad):
    x, y = node.inputs
    to_x, to_y = reductions(x, y)
    with control_dependencies([grad]):
        mask = cast(not_equal(x, cast(0.0, x.dtype)), x.dtype)
        partial_x = xlogy_op(mask, y)
        partial_y = xdivy_op(x, y)
        return to_x(partial_x * grad), to_y(partial_y * grad)


xlogy_op.samples(zero=([0., 2.], [0., 3.]))


@public("math.xlogy")
def xlogy(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x * log(y)`, but 0 where `x` is 0, elementwise with broadcasting."""
    return xlogy_op(x, y, name=name)


xdivy_op = op("Xdivy(x: T, y: T) -> z: T", T="{half, float, double, complex64, complex128}")


xdivy_op.shape(broadcast)
xdivy_op.kernel(lambda x, y: _where_nonzero(x, np.true_divide, y))


@xdivy_op.gradient
def _(node, grad):
    x, y = node.inputs
    to_x, to_y = reductions(x, y)
    with control_dependencies([grad]):
        mask = cast(not_equal(x, cast(0.0, x.dtype)), x.dtype)
        partial_x = xdivy_op(mask, y)
        partial_y = xdivy_op(-x, y ** 2)
        return to_x(partial_x * grad), to_y(partial_y * grad)


xdivy_op.samples(zero=([0., 2.], [0., 4.]))


@public("math.xdivy")
def xdivy(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x / y`, but 0 where `x` is 0, elementwise with broadcasting."""
    return xdivy_op(x, y, name=name)
