"""Sums, differences, products and powers of two tensors, elementwise with broadcasting, and their extremes."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup, op
from ossia_core.declare.shape_rules import broadcast, merge, with_rank_at_least, with_value
from ossia_core.differentiate.autodiff import unwanted
from ossia_core.graph.composites import IndexedSlices
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.dispatch import dispatches
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import FailedPreconditionError, InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import public
from ossia_ops.array.fill import ones_like, zeros, zeros_like
from ossia_ops.array.selection import select_op
from ossia_ops.array.shape import shape
from ossia_ops.element_types import ARITHMETIC, REALS, SIGNED
from ossia_ops.math.broadcast import reductions, same_known_shapes, static_reductions
from ossia_ops.math.choice import in_blocks, larger, smaller
from ossia_ops.math.complex_numbers import conj

add_op = op("Add(x: T, y: T) -> z: T",
            T="{bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, complex128, string}")


add_op.shape(broadcast)



def _joined(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.asarray(np.add(x, y), object)


add_op.kernel_for(lambda node: _joined if node.attrs["T"] is dtypes.string else np.add)


@add_op.gradient
def _add_gradient(node, grad):
    x, y = node.inputs
    skipped = unwanted(node)
    if _only_x(y, skipped):
        return grad, None
    if same_known_shapes(x, y, grad):
        return grad, grad
    to_x, to_y = static_reductions(x, y, grad)
    return None if 0 in skipped else to_x(grad), None if 1 in skipped else to_y(grad)


def _only_x(y: Tensor, skipped: frozenset[int]) -> bool:
    """Whether only the gradient of the first operand is wanted, and the second has no part in its shape."""
    return 1 in skipped and y.shape.ndims == 0


add_op.samples(
    broadcast=([[1.0], [2.0]], [3.0, 4.0]),
    overflow=(np.int32(2**31 - 1), np.int32(1)),
    strings=(["a"], ["b"]),
    empty=([], []),
)


@public("add", "math.add")
@dispatches
def add(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x + y`, elementwise with broadcasting; strings are joined."""
    return add_op(x, y, name=name)


add_v2_op = op("AddV2(x: T, y: T) -> z: T",
               T="{bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, complex128}")


add_v2_op.shape(broadcast)
add_v2_op.kernel_for(lambda node: np.add)
add_v2_op.gradient(_add_gradient)
add_v2_op.samples(broadcast=([[1.], [2.]], [3., 4.]), overflow=(np.uint8(255), np.uint8(1)))


sub_op = op("Sub(x: T, y: T) -> z: T", T=ARITHMETIC)


sub_op.shape(broadcast)
sub_op.kernel_for(lambda node: np.subtract)


@sub_op.gradient
def _(node, grad):
    x, y = node.inputs
    skipped = unwanted(node)
    if _only_x(y, skipped):
        return grad, None
    if same_known_shapes(x, y, grad):
        return grad, -grad
    to_x, to_y = static_reductions(x, y, grad)
    return None if 0 in skipped else to_x(grad), None if 1 in skipped else to_y(-grad)


sub_op.samples(broadcast=([[1.], [2.]], [3., 4.]), overflow=(np.uint8(0), np.uint8(1)))


@public("subtract", "math.subtract")
@dispatches
def subtract(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x - y`, elementwise with broadcasting."""
    return sub_op(x, y, name=name)


mul_op = op("Mul(x: T, y: T) -> z: T", T=ARITHMETIC)


mul_op.shape(broadcast)
mul_op.kernel_for(lambda node: np.multiply)


@mul_op.gradient
def _(node, grad):
    x, y = node.inputs
    skipped = unwanted(node)
    if _only_x(y, skipped):
        return mul_op(grad, conj(y)), None
    if same_known_shapes(x, y, grad) and grad.dtype in (dtypes.int32, dtypes.float32):
        return mul_op(grad, y), mul_op(grad, x)
    to_x, to_y = static_reductions(x, y, grad)
    x, y = conj(x), conj(y)
    return None if 0 in skipped else to_x(mul_op(grad, y)), None if 1 in skipped else to_y(mul_op(x, grad))


mul_op.samples(
    broadcast=([[1.0], [2.0]], [3.0, 4.0]), overflow=(np.int32(2**16), np.int32(2**16)), special=([np.inf], [0.0])
)


@public("multiply", "math.multiply")
@dispatches
def multiply(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x * y`, elementwise with broadcasting."""
    return mul_op(x, y, name=name)


@public("scalar_mul", "math.scalar_mul")
def scalar_mul(scalar: Any, x: Any, name: str | None = None) -> Any:
    """`scalar * x` for a scalar and a tensor or IndexedSlices.

    Raises:
      ValueError: `scalar` is not of rank 0.
    """
    scalar = convert_to_tensor(scalar, x.dtype.base_dtype, "scalar")
    if scalar.shape.ndims != 0:
        raise ValueError(f"Only scalar multiply works, got shape {scalar.shape}")
    if isinstance(x, IndexedSlices):
        return IndexedSlices(mul_op(scalar, x.values, name=name), x.indices, x.dense_shape)
    return mul_op(scalar, x, name=name)


mul_no_nan_op = op("MulNoNan(x: T, y: T) -> z: T", T="{half, float, double, complex64, complex128}")


mul_no_nan_op.shape(broadcast)


@mul_no_nan_op.kernel
def _(x, y):
    return np.where(np.equal(y, 0), np.zeros((), y.dtype), np.multiply(x, y))


@mul_no_nan_op.gradient
def _(node, grad):
    x, y = node.inputs
    if same_known_shapes(x, y, grad):
        return mul_no_nan_op(grad, y), mul_no_nan_op(x, grad)
    to_x, to_y = reductions(x, y)
    return to_x(mul_no_nan_op(grad, y)), to_y(mul_no_nan_op(x, grad))


mul_no_nan_op.samples(special=([np.inf, 2.], [0., 3.]))


@public("math.multiply_no_nan")
def multiply_no_nan(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x * y`, but 0 where `y` is 0, even if `x` is infinite or NaN."""
    with name_scope(name, "multiply_no_nan", [x, y]) as name:
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, x.dtype.base_dtype, "y")
        return mul_no_nan_op(x, y, name=name)


squared_difference_op = op("SquaredDifference(x: T, y: T) -> z: T", T=SIGNED)


squared_difference_op.shape(broadcast)


@squared_difference_op.kernel
@in_blocks
def _(x, y):
    difference = np.subtract(x, y)
    return np.multiply(difference, np.conj(difference)) if difference.dtype.kind == "c" else np.square(difference)


@squared_difference_op.gradient
def _(node, grad):
    x, y = node.inputs
    with control_dependencies([grad]):
        x_grad = scalar_mul(2.0, grad) * (x - y)
    if same_known_shapes(x, y, x_grad):
        return x_grad, -x_grad
    to_x, to_y = static_reductions(x, y, x_grad)
    skipped = unwanted(node)
    return None if 0 in skipped else to_x(x_grad), None if 1 in skipped else -to_y(x_grad)


squared_difference_op.samples(broadcast=([[1.], [2.]], [3., 4.]), complex=([1j], [2.]))


@public("squared_difference", "math.squared_difference")
@dispatches
def squared_difference(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`(x - y) ** 2`, elementwise with broadcasting."""
    return squared_difference_op(x, y, name=name)


pow_op = op("Pow(x: T, y: T) -> z: T", T="{bfloat16, float, half, double, int32, int64, complex64, complex128}")


pow_op.shape(broadcast)


@pow_op.kernel
def _(x, y):
    if x.dtype.kind == "i" and np.any(np.less(y, 0)):
        raise InvalidArgumentError(None, None, "Integers to negative integer powers are not allowed")
    return np.power(x, y)


@pow_op.gradient
def _(node, grad):
    x, y = node.inputs
    z = node.outputs[0]
    skipped = unwanted(node)
    if _only_x(y, skipped):
        x, y = conj(x), conj(y)
        return grad * y * pow_op(x, y - 1), None
    to_x, to_y = static_reductions(x, y, grad)
    x, y = conj(x), conj(y)
    x_grad = None if 0 in skipped else to_x(grad * y * pow_op(x, y - 1))
    if 1 in skipped:
        return x_grad, None
    z = conj(z)
    # The logarithm of a real base matters only where it is positive.
    mask = lookup("NotEqual")(x, 0) if x.dtype.is_complex else x > 0
    safe_x = select_op(mask, x, ones_like(x))
    log_x = select_op(mask, lookup("Log")(safe_x), zeros_like(x))
    return x_grad, to_y(grad * z * log_x)


pow_op.samples(floats=([2., -8., 0.], [3., 1 / 3, 0.]), ints=([2, 3], [3, 0]), overflow=(np.int32(2), np.int32(31)))


@public("pow", "math.pow")
@dispatches
def pow(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x` to the power of `y`, elementwise with broadcasting."""
    with name_scope(name, "Pow", [x]) as name:
        return pow_op(x, y, name=name)


def _extreme_gradient(chooses: str) -> Any:
    """The gradient goes to the operand that was taken, to the first if both are equal."""
    def gradient(node, grad):
        x, y = node.inputs
        skipped = unwanted(node)
        if _only_x(y, skipped):
            none = zeros_like(grad)
            return select_op(lookup(chooses)(x, y), grad, none), None
        x_shape, y_shape = shape(x), shape(y)
        none = zeros(shape(grad), grad.dtype)
        mask = lookup(chooses)(x, y)
        x_axes, y_axes = lookup("BroadcastGradientArgs")(x_shape, y_shape)
        from ossia_ops.math.broadcast import Reduction
        x_grad = None if 0 in skipped else Reduction(x_shape, x_axes)(select_op(mask, grad, none))
        return x_grad, None if 1 in skipped else Reduction(y_shape, y_axes)(select_op(mask, none, grad))
    return gradient


maximum_op = op("Maximum(x: T, y: T) -> z: T", T="{bfloat16, half, float, double, int32, int64}")


maximum_op.shape(broadcast)


@maximum_op.kernel_for
def _(node):
    return larger if node.outputs[0].dtype.is_floating else np.maximum


maximum_op.gradient(_extreme_gradient("GreaterEqual"))
maximum_op.samples(
    broadcast=([[1.0], [5.0]], [2.0, 3.0]),
    nan=([np.nan, 1.0, np.nan, 2.0], [1.0, np.nan, np.nan, 3.0]),
    ints=(np.int32(-5), np.int32(2)),
    empty=([], []),
)


@public("maximum", "math.maximum")
@dispatches
def maximum(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The larger of `x` and `y`, elementwise with broadcasting."""
    return maximum_op(x, y, name=name)


minimum_op = op("Minimum(x: T, y: T) -> z: T", T="{bfloat16, half, float, double, int32, int64}")


minimum_op.shape(broadcast)


@minimum_op.kernel_for
def _(node):
    return smaller if node.outputs[0].dtype.is_floating else np.minimum


minimum_op.gradient(_extreme_gradient("LessEqual"))
minimum_op.samples(
    broadcast=([[1.0], [5.0]], [2.0, 3.0]),
    nan=([np.nan, 1.0, np.nan, 2.0], [1.0, np.nan, np.nan, 3.0]),
    ints=(np.int32(-5), np.int32(2)),
    empty=([], []),
)


@public("minimum", "math.minimum")
@dispatches
def minimum(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The smaller of `x` and `y`, elementwise with broadcasting."""
    return minimum_op(x, y, name=name)


next_after_op = op("NextAfter(x1: T, x2: T) -> output: T", T="{double, float} = DT_FLOAT")


next_after_op.shape(broadcast)
next_after_op.kernel_for(lambda node: np.nextafter)


@next_after_op.gradient
def _(node, grad):
    from ossia_ops.array.fill import ones
    x1, x2 = node.inputs
    to_x1, to_x2 = reductions(x1, x2)
    with control_dependencies([grad]):
        one, zero = ones(to_x1.shape, x1.dtype), zeros(to_x2.shape, x2.dtype)
        return to_x1(one * grad), to_x2(zero * grad)


next_after_op.samples(up=([1.], [2.]), same=([1.], [1.]))


@public("math.nextafter")
def nextafter(x1: Any, x2: Any, name: str | None = None) -> Tensor:
    """The number next to `x1` in the direction of `x2`, elementwise with broadcasting."""
    return next_after_op(x1, x2, name=name)


cross_op = op("Cross(a: T, b: T) -> product: T", T=REALS)


@cross_op.shape
def _(a, b):
    merged = merge(with_rank_at_least(a, 1), with_rank_at_least(b, 1))
    if merged.ndims is not None:
        with_value(merged.as_tuple()[-1], 3)
    return merged


@cross_op.kernel
def _(a, b):
    if a.shape != b.shape:
        raise InvalidArgumentError(
            None, None, f"Both inputs must be of same shape: {dims_text(a.shape)} vs. {dims_text(b.shape)}"
        )
    if not a.ndim:
        raise InvalidArgumentError(None, None, "Input must be at least 1D[]")
    if a.shape[-1] != 3:
        raise FailedPreconditionError(None, None, "Cross-products are only defined for 3-element vectors.")
    return np.cross(a, b).astype(a.dtype)


@cross_op.gradient
def _(node, grad):
    u, v = node.inputs
    return cross_op(v, grad), cross_op(grad, u)


cross_op.samples(plain=([1., 2., 3.], [4., 5., 6.]))


@public("cross", "linalg.cross")
def cross(a: Any, b: Any, name: str | None = None) -> Tensor:
    """The cross products of vectors of 3 elements, the last dimension of `a` and `b`."""
    return cross_op(a, b, name=name)
