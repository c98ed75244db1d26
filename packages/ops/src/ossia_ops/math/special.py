"""Error, gamma, beta, zeta and Bessel functions as ops."""
from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import broadcast, merge, unchanged
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import nest
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import public
from ossia_ops.array.fill import zeros_like
from ossia_ops.array.selection import where
from ossia_ops.array.shape import shape
from ossia_ops.element_types import FLOATS
from ossia_ops.math import special_single, special_values
from ossia_ops.math.broadcast import Reduction, broadcast_gradient_args_op, reductions
from ossia_ops.math.elementwise import abs as abs_
from ossia_ops.math.elementwise import mapped, reciprocal, sign_op, square_op
from ossia_ops.math.exponential import exp, exp_op, log_op
from ossia_ops.math.reduction import reduce_sum
from ossia_ops.math.special_single import in_single
from ossia_ops.math.special_values import in_double

_INF = float("inf")

# -- error functions ------------------------------------------------------------------------------------

def _error_gradient(factor: float) -> Callable:
    def gradient(node, grad):
        x = node.inputs[0]
        scale = constant(factor, grad.dtype)
        with control_dependencies([grad]):
            return grad * scale * exp_op(-square_op(x))
    return gradient


erf_op = op("Erf(x: T) -> y: T", T=FLOATS)


erf_op.shape(unchanged)
erf_op.kernel(in_single(special_single.erf, in_double(special_values.erf)))
erf_op.gradient(_error_gradient(2 / np.sqrt(np.pi)))
erf_op.samples(plain=[0., 0.5, -1., 3., np.inf, np.nan])


@public("erf", "math.erf")
@dispatches
def erf(x: Any, name: str | None = None) -> Any:
    """The error function of a tensor or SparseTensor."""
    return mapped(erf_op, x, name)


erfc_op = op("Erfc(x: T) -> y: T", T=FLOATS)


erfc_op.shape(unchanged)
erfc_op.kernel(in_single(special_single.erfc, in_double(special_values.erfc)))
erfc_op.gradient(_error_gradient(-2 / np.sqrt(np.pi)))
erfc_op.samples(plain=[0., 0.5, -1., 3., 9.])


@public("erfc", "math.erfc")
@dispatches
def erfc(x: Any, name: str | None = None) -> Tensor:
    """The complementary error function, `1 - erf(x)`."""
    return erfc_op(x, name=name)


# -- gamma functions ------------------------------------------------------------------------------------

lgamma_op = op("Lgamma(x: T) -> y: T", T=FLOATS)


lgamma_op.shape(unchanged)
lgamma_op.kernel(in_double(special_values.lgamma))


@lgamma_op.gradient
def _(node, grad):
    with control_dependencies([grad]):
        return grad * digamma_op(node.inputs[0])


lgamma_op.samples(plain=[0.5, 1., 2., 10., -0.5, 0.])


@public("lgamma", "math.lgamma")
@dispatches
def lgamma(x: Any, name: str | None = None) -> Tensor:
    """Logarithms of the absolute values of the gamma function."""
    return lgamma_op(x, name=name)


digamma_op = op("Digamma(x: T) -> y: T", T=FLOATS)


digamma_op.shape(unchanged)
digamma_op.kernel(in_double(special_values.digamma))


@digamma_op.gradient
def _(node, grad):
    with control_dependencies([grad]):
        return grad * polygamma_op(constant(1, grad.dtype), node.inputs[0])


digamma_op.samples(plain=[0.5, 1., 2., 10., -0.5])


@public("digamma", "math.digamma")
@dispatches
def digamma(x: Any, name: str | None = None) -> Tensor:
    """The derivatives of `lgamma`."""
    return digamma_op(x, name=name)


polygamma_op = op("Polygamma(a: T, x: T) -> z: T", T="{float, double}")


polygamma_op.shape(broadcast)
polygamma_op.kernel(in_double(special_values.polygamma))


@polygamma_op.gradient
def _(node, grad):
    n, x = node.inputs
    _, to_x = reductions(n, x)
    with control_dependencies([grad]):
        partial = polygamma_op(n + 1, x)
        return None, to_x(partial * grad)


polygamma_op.samples(plain=([1., 2., 0.], [0.5, 3., 2.]))


@public("polygamma", "math.polygamma")
def polygamma(a: Any, x: Any, name: str | None = None) -> Tensor:
    """The derivatives of order `a` of `digamma`, elementwise with broadcasting."""
    return polygamma_op(a, x, name=name)


zeta_op = op("Zeta(x: T, q: T) -> z: T", T="{float, double}")


zeta_op.shape(broadcast)
zeta_op.kernel(in_double(special_values.zeta))


@zeta_op.gradient
def _(node, grad):
    x, q = node.inputs
    _, to_q = reductions(x, q)
    with control_dependencies([grad]):
        partial = -x * zeta_op(x + 1, q)
        return None, to_q(partial * grad)


zeta_op.samples(plain=([2., 3.], [1., 0.5]), pole=([1.], [2.]), endless=([_INF, _INF, _INF], [0.5, 1., 2.]))


@public("zeta", "math.zeta")
def zeta(x: Any, q: Any, name: str | None = None) -> Tensor:
    """The Hurwitz zeta function, elementwise with broadcasting: the sum of `(q + k) ** -x` over k >= 0."""
    return zeta_op(x, q, name=name)


def _igamma_gradient(node: Any, grad: Any) -> tuple[Tensor, Tensor]:
    a, x = node.inputs
    to_a, to_x = reductions(a, x)
    with control_dependencies([grad]):
        partial_a = igamma_grad_a_op(a, x)
        # The derivative by x is the density, computed by way of logarithms.
        partial_x = exp_op(-x + (a - 1) * log_op(x) - lgamma_op(a))
        return to_a(partial_a * grad), to_x(partial_x * grad)


_EDGES = ([0., -1., _INF, 1., _INF, 0., np.nan, 1., _INF], [0., 0., 1., _INF, _INF, _INF, 0., -1., 0.5])

igamma_op = op("Igamma(a: T, x: T) -> z: T", T="{float, double}")


igamma_op.shape(broadcast)
igamma_op.kernel(in_double(special_values.igamma))
igamma_op.gradient(_igamma_gradient)
igamma_op.samples(plain=([1., 2., 5.], [0.5, 3., 1.]), invalid=([-1.], [1.]), zero=([1.], [0.]), special=_EDGES)


@public("igamma", "math.igamma")
def igamma(a: Any, x: Any, name: str | None = None) -> Tensor:
    """The lower incomplete gamma function, regularized, elementwise with broadcasting."""
    return igamma_op(a, x, name=name)


igammac_op = op("Igammac(a: T, x: T) -> z: T", T="{float, double}")


igammac_op.shape(broadcast)
igammac_op.kernel(in_double(special_values.igammac))


@igammac_op.gradient
def _(node, grad):
    a_grad, x_grad = _igamma_gradient(node, grad)
    return -a_grad, -x_grad


igammac_op.samples(plain=([1., 2., 5.], [0.5, 3., 1.]), special=_EDGES)


@public("igammac", "math.igammac")
def igammac(a: Any, x: Any, name: str | None = None) -> Tensor:
    """The upper incomplete gamma function, regularized, elementwise with broadcasting."""
    return igammac_op(a, x, name=name)


igamma_grad_a_op = op("IgammaGradA(a: T, x: T) -> z: T", T="{float, double}")


igamma_grad_a_op.shape(broadcast)
igamma_grad_a_op.kernel(in_double(special_values.igamma_grad_a))
igamma_grad_a_op.samples(plain=([1., 2., 5.], [0.5, 3., 1.]), special=_EDGES)


# -- beta functions -------------------------------------------------------------------------------------

betainc_op = op("Betainc(a: T, b: T, x: T) -> z: T", T="{float, double}")


@betainc_op.shape
def _(a, b, x):
    shapes = [t.shape for t in (a, b, x)]
    if any(s.ndims is None for s in shapes):
        return next((s for s in shapes if s.ndims), None)
    full = [s for s in shapes if s.ndims]
    result = full[0] if full else shapes[0]
    for s in full[1:]:
        result = merge(result, s)
    return result


@betainc_op.kernel
def _(a, b, x):
    full = [(name, np.shape(v)) for name, v in (("a", a), ("b", b), ("x", x)) if np.ndim(v)]
    for (name, dims), (other, others) in itertools.pairwise(full):
        if dims != others:
            raise InvalidArgumentError(
                None, None, f"Shapes of {name} and {other} are inconsistent: {dims_text(dims)} vs. {dims_text(others)}"
            )
    return in_double(special_values.betainc)(a, b, x)


@betainc_op.gradient
def _(node, grad):
    a, b, x = node.inputs
    a_shape, x_shape = shape(a), shape(x)
    _, axes = broadcast_gradient_args_op(a_shape, x_shape)
    log_beta = lgamma_op(a) + lgamma_op(b) - lgamma_op(a + b)
    partial = exp_op((b - 1) * log_op(1 - x) + (a - 1) * log_op(x) - log_beta)
    return None, None, Reduction(x_shape, axes)(partial * grad)


betainc_op.samples(
    plain=([1., 2.], [2., 3.], [0.25, 0.5]),
    ends=([1., 1.], [1., 1.], [0., 1.]),
    nan=([np.nan, 1., np.nan], [1., np.nan, np.nan], [0., 1., 0.5]),
)


@public("betainc", "math.betainc")
def betainc(a: Any, b: Any, x: Any, name: str | None = None) -> Tensor:
    """The incomplete beta function, regularized; the arguments are of one shape, or scalars."""
    return betainc_op(a, b, x, name=name)


@public("lbeta", "math.lbeta")
def lbeta(x: Any, name: str | None = None) -> Tensor:
    """Logarithms of the absolute values of the multivariate beta function, along the last dimension."""
    with name_scope(name, "lbeta", [x]):
        x = convert_to_tensor(x, name="x")
        log_product = reduce_sum(lgamma_op(x), [-1])
        log_sum = lgamma_op(reduce_sum(x, [-1]))
        return log_product - log_sum


# -- Bessel functions -----------------------------------------------------------------------------------

bessel_i0e_op = op("BesselI0e(x: T) -> y: T", T=FLOATS)


bessel_i0e_op.shape(unchanged)
bessel_i0e_op.kernel(in_single(special_single.i0e, in_double(special_values.bessel_i0e)))


@bessel_i0e_op.gradient
def _(node, grad):
    x, y = node.inputs[0], node.outputs[0]
    with control_dependencies([grad]):
        return grad * (bessel_i1e_op(x) - sign_op(x) * y)


bessel_i0e_op.samples(plain=[0., 1., -5., 20.])


@public("math.bessel_i0e")
def bessel_i0e(x: Any, name: str | None = None) -> Any:
    """The modified Bessel function of order 0, divided by `exp(|x|)`, of a tensor or SparseTensor."""
    return mapped(bessel_i0e_op, x, name)


bessel_i1e_op = op("BesselI1e(x: T) -> y: T", T=FLOATS)


bessel_i1e_op.shape(unchanged)
bessel_i1e_op.kernel(in_single(special_single.i1e, in_double(special_values.bessel_i1e)))


@bessel_i1e_op.gradient
def _(node, grad):
    x, y = node.inputs[0], node.outputs[0]
    with control_dependencies([grad]):
        # At 0 the derivative is 1/2, which the general formula does not give.
        epsilon = np.finfo(x.dtype.as_numpy_dtype).eps
        zero = zeros_like(x)
        away = abs_(x) > epsilon
        safe = where(away, x, epsilon + zero)
        general = bessel_i0e_op(safe) - y * (sign_op(safe) + reciprocal(safe))
        return grad * where(away, general, 0.5 + zero)


bessel_i1e_op.samples(plain=[0., 1., -5., 20.])


@public("math.bessel_i1e")
def bessel_i1e(x: Any, name: str | None = None) -> Any:
    """The modified Bessel function of order 1, divided by `exp(|x|)`, of a tensor or SparseTensor."""
    return mapped(bessel_i1e_op, x, name)


@public("math.bessel_i0")
def bessel_i0(x: Any, name: str | None = None) -> Tensor:
    """The modified Bessel function of order 0."""
    with name_scope(name, "bessel_i0", [x]):
        return exp(abs_(x)) * bessel_i0e_op(x)


@public("math.bessel_i1")
def bessel_i1(x: Any, name: str | None = None) -> Tensor:
    """The modified Bessel function of order 1."""
    with name_scope(name, "bessel_i1", [x]):
        return exp(abs_(x)) * bessel_i1e_op(x)


@public("math.polyval")
def polyval(coeffs: Any, x: Any, name: str | None = None) -> Tensor:
    """The value at `x` of a polynomial with the list of coefficients `coeffs`, that of the highest power first."""
    with name_scope(name, "polyval", [*nest.flatten(coeffs), x]) as name:
        x = convert_to_tensor(x, name="x")
        if len(coeffs) < 1:
            return zeros_like(x, name=name)
        terms = [convert_to_tensor(c, name=f"coeff_{i}") for i, c in enumerate(coeffs)]
        result = terms[0]
        for c in terms[1:]:
            result = c + result * x
        return result
