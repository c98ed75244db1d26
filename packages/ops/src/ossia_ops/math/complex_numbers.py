"""Complex numbers from their parts, and the parts of complex numbers."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup, op, sample
from ossia_core.declare.shape_rules import broadcast, unchanged
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_ops.array.fill import zeros_like
from ossia_ops.math.broadcast import reductions

complex_op = op("Complex(real: T, imag: T) -> out: Tout", T="{float, double} = DT_FLOAT",
                Tout="{complex64, complex128} = DT_COMPLEX64")


complex_op.shape(broadcast)


@complex_op.kernel
def _(real, imag, *, Tout):
    result = np.empty(np.broadcast_shapes(np.shape(real), np.shape(imag)), Tout.as_numpy_dtype)
    result.real, result.imag = real, imag
    return result


@complex_op.gradient
def _(node, grad):
    to_real, to_imag = reductions(*node.inputs)
    return to_real(real(grad)), to_imag(imag(grad))


complex_op.samples(
    broadcast=([1.0, 2.0], 3.0), double=sample(np.array([1.0]), np.array([2.0]), T="double", Tout="complex128")
)


@public("complex", "dtypes.complex")
@dispatches
def complex(real: Any, imag: Any, name: str | None = None) -> Tensor:
    """`real + i imag`, complex64 of float32 parts, complex128 of float64 parts.

    Raises:
      TypeError: the parts are not of one of these dtypes, or differ.
    """
    real = convert_to_tensor(real, name="real")
    imag = convert_to_tensor(imag, name="imag")
    with name_scope(name, "Complex", [real, imag]) as name:
        pair = real.dtype, imag.dtype
        result = {(dtypes.float64,) * 2: dtypes.complex128, (dtypes.float32,) * 2: dtypes.complex64}.get(pair)
        if result is None:
            raise TypeError(f"real and imag have incorrect types: {real.dtype.name} {imag.dtype.name}")
        return complex_op(real, imag, Tout=result, name=name)


real_op = op("Real(input: T) -> output: Tout", T="{complex64, complex128} = DT_COMPLEX64",
             Tout="{float, double} = DT_FLOAT")


real_op.shape(unchanged)
real_op.kernel(lambda input, *, Tout: np.real(input).astype(Tout.as_numpy_dtype))


@real_op.gradient
def _(node, grad):
    return complex(grad, constant(0, grad.dtype))


real_op.samples(plain=[1 + 2j])


@public("real", "math.real")
@dispatches
def real(input: Any, name: str | None = None) -> Tensor:
    """The real parts of a complex tensor; other tensors as they are."""
    with name_scope(name, "Real", [input]) as name:
        input = convert_to_tensor(input, name="input")
        return real_op(input, Tout=input.dtype.real_dtype, name=name) if input.dtype.is_complex else input


imag_op = op("Imag(input: T) -> output: Tout", T="{complex64, complex128} = DT_COMPLEX64",
             Tout="{float, double} = DT_FLOAT")


imag_op.shape(unchanged)
imag_op.kernel(lambda input, *, Tout: np.imag(input).astype(Tout.as_numpy_dtype))


@imag_op.gradient
def _(node, grad):
    return complex(constant(0, grad.dtype), grad)


imag_op.samples(plain=[1 + 2j])


@public("imag", "math.imag")
@dispatches
def imag(input: Any, name: str | None = None) -> Tensor:
    """The imaginary parts of a complex tensor; zeros for other tensors."""
    with name_scope(name, "Imag", [input]) as name:
        input = convert_to_tensor(input, name="input")
        return imag_op(input, Tout=input.dtype.real_dtype, name=name) if input.dtype.is_complex else zeros_like(input)


angle_op = op("Angle(input: T) -> output: Tout", T="{complex64, complex128} = DT_COMPLEX64",
              Tout="{float, double} = DT_FLOAT")


angle_op.shape(unchanged)
angle_op.kernel(lambda input, *, Tout: np.angle(input).astype(Tout.as_numpy_dtype))


@angle_op.gradient
def _(node, grad):
    x = node.inputs[0]
    with control_dependencies([grad]):
        real_part, imag_part = real(x), imag(x)
        turned = lookup("Reciprocal")(complex(imag_part, real_part))
        return -complex(grad, constant(0, grad.dtype)) * turned


angle_op.samples(plain=[1 + 2j, -1])


@public("angle", "math.angle")
@dispatches
def angle(input: Any, name: str | None = None) -> Tensor:
    """The angles, in radians, of complex numbers; zeros for real tensors."""
    with name_scope(name, "Angle", [input]) as name:
        input = convert_to_tensor(input, name="input")
        return angle_op(input, Tout=input.dtype.real_dtype, name=name) if input.dtype.is_complex else zeros_like(input)


conj_op = op("Conj(input: T) -> output: T", T="{complex64, complex128, variant} = DT_COMPLEX64")


conj_op.shape(unchanged)
conj_op.kernel(lambda input: np.conjugate(input))


@conj_op.gradient
def _(node, grad):
    return conj(grad)


conj_op.samples(plain=[1 + 2j])


@public("conj", "math.conj")
@dispatches
def conj(x: Any, name: str | None = None) -> Tensor:
    """The complex conjugates; real tensors as they are.

    Raises:
      TypeError: `x` is not numeric.
    """
    if isinstance(x, Tensor) and (x.dtype.base_dtype.is_floating or x.dtype.base_dtype.is_integer):
        return x
    with name_scope(name, "Conj", [x]) as name:
        x = convert_to_tensor(x, name="x")
        if x.dtype.is_complex or x.dtype is dtypes.variant:
            return conj_op(x, name=name)
        if x.dtype.is_floating or x.dtype.is_integer:
            return x
        raise TypeError(f"Expected numeric or variant tensor, got dtype {x.dtype!r}")


complex_abs_op = op("ComplexAbs(x: T) -> y: Tout", T="{complex64, complex128} = DT_COMPLEX64",
                    Tout="{float, double} = DT_FLOAT")


complex_abs_op.shape(unchanged)
complex_abs_op.kernel(lambda x, *, Tout: np.abs(x).astype(Tout.as_numpy_dtype))


@complex_abs_op.gradient
def _(node, grad):
    from ossia_ops.math.division import div_no_nan
    y = node.outputs[0]
    return div_no_nan(complex(grad, zeros_like(grad)) * node.inputs[0], complex(y, zeros_like(y)))


complex_abs_op.samples(plain=[3 + 4j])
