"""Fourier transforms of complex tensors over their last one, two or three dimensions, and shifts of their zero."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.opdef import OpDef, op
from ossia_core.declare.shape_rules import unknown, with_rank_at_least
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import public
from ossia_ops.array.reversal import roll
from ossia_ops.array.shape import shape
from ossia_ops.math.cast import cast
from ossia_ops.math.reduction import reduce_prod

_COMPLEX = "{complex64, complex128} = DT_COMPLEX64"
_PLANE = np.array([[1 + 2j, 3, -1j], [0, 0.5, 2 - 1j]], np.complex64)


def transformed_size(x: Tensor, rank: int) -> Tensor:
    """How many elements each transform over the last `rank` dimensions of a tensor has, as an int32 scalar."""
    return reduce_prod(shape(x)[-rank:])


def check_rank(x: np.ndarray, rank: int) -> None:
    """Refuses what has fewer dimensions than are transformed.

    Raises:
      InvalidArgumentError: the rank is less than `rank`.
    """
    if x.ndim < rank:
        raise InvalidArgumentError(None, None, f"Input must have rank of at least {rank} but got: {dims_text(x.shape)}")


def _kernel(transform: Callable, rank: int) -> Callable:
    axes = tuple(range(-rank, 0))

    def kernel(input):
        x = np.asarray(input)
        check_rank(x, rank)
        return transform(x, axes=axes).astype(x.dtype, copy=False) if x.size else np.array(x)

    return kernel


def _transform_op(op_type: str, rank: int, attrs: dict[str, str]) -> OpDef:
    """The op of a transform over `rank` dimensions, whose inverse is the op with (or without) an I before its name."""
    dtype = "Tcomplex" if attrs else "complex64"
    definition = op(f"{op_type}(input: {dtype}) -> output: {dtype}", **attrs)
    definition.shape(lambda input: with_rank_at_least(input, rank))
    definition.kernel(_kernel(np.fft.ifftn if "IFFT" in op_type else np.fft.fftn, rank))
    definition.samples(
        values=_PLANE[(None,) * (rank - 2)] if rank > 1 else _PLANE,
        batch=np.tile(_PLANE, (2,) * rank + (1,)),
        empty=np.zeros((0,) + (2,) * rank, np.complex64),
    )
    return definition


def _pair(suffix: str, rank: int) -> tuple[OpDef, OpDef]:
    """A transform and its inverse, each of which is the other's gradient, but for the size."""
    forward = _transform_op("FFT" + suffix, rank, {"Tcomplex": _COMPLEX})
    inverse = _transform_op("IFFT" + suffix, rank, {"Tcomplex": _COMPLEX})

    @forward.gradient
    def _(node, grad):
        size = cast(transformed_size(grad, rank), grad.dtype)
        return inverse(grad) * size

    @inverse.gradient
    def _(node, grad):
        share = cast(1.0 / cast(transformed_size(grad, rank), grad.dtype.real_dtype), grad.dtype)
        return forward(grad) * share

    return forward, inverse


fft_op, ifft_op = _pair("", 1)
fft2d_op, ifft2d_op = _pair("2D", 2)
fft3d_op, ifft3d_op = _pair("3D", 3)

for _suffix, _rank in (("", 1), ("2D", 2), ("3D", 3)):
    for _plain in (f"FFT{_suffix}", f"IFFT{_suffix}"):
        _old_op = _transform_op(f"Batch{_plain}", _rank, {})
        _old_op.shape(unknown)
        _old_op.removed(15, f"Use {_plain} instead")


@public("signal.fft", "spectral.fft", "fft", "compat.v2.signal.fft")
def fft(input: Any, name: str | None = None) -> Tensor:
    """Discrete Fourier transforms over the last dimension of a complex tensor.

    Args:
      input: a tensor of complex64 or complex128 of rank 1 or more.
      name: name of the result.

    Returns:
      A tensor of the same shape and dtype.
    """
    return fft_op(input, name=name)


@public("signal.ifft", "spectral.ifft", "ifft", "compat.v2.signal.ifft")
def ifft(input: Any, name: str | None = None) -> Tensor:
    """The inverse of `fft`."""
    return ifft_op(input, name=name)


@public("signal.fft2d", "spectral.fft2d", "fft2d", "compat.v2.signal.fft2d")
def fft2d(input: Any, name: str | None = None) -> Tensor:
    """Discrete Fourier transforms over the last two dimensions of a complex tensor.

    Args:
      input: a tensor of complex64 or complex128 of rank 2 or more.
      name: name of the result.

    Returns:
      A tensor of the same shape and dtype.
    """
    return fft2d_op(input, name=name)


@public("signal.ifft2d", "spectral.ifft2d", "ifft2d", "compat.v2.signal.ifft2d")
def ifft2d(input: Any, name: str | None = None) -> Tensor:
    """The inverse of `fft2d`."""
    return ifft2d_op(input, name=name)


@public("signal.fft3d", "spectral.fft3d", "fft3d", "compat.v2.signal.fft3d")
def fft3d(input: Any, name: str | None = None) -> Tensor:
    """Discrete Fourier transforms over the last three dimensions of a complex tensor.

    Args:
      input: a tensor of complex64 or complex128 of rank 3 or more.
      name: name of the result.

    Returns:
      A tensor of the same shape and dtype.
    """
    return fft3d_op(input, name=name)


@public("signal.ifft3d", "spectral.ifft3d", "ifft3d", "compat.v2.signal.ifft3d")
def ifft3d(input: Any, name: str | None = None) -> Tensor:
    """The inverse of `fft3d`."""
    return ifft3d_op(input, name=name)


def _rolled(x: Any, axes: Any, sign: int, default_name: str, name: str | None) -> Tensor:
    with name_scope(name, default_name) as name:
        x = convert_to_tensor(x)
        sizes = x.shape

        def half(axis: Any) -> int:
            return sign * (int(sizes[axis]) // 2)

        shift: Any
        if axes is None:
            axes = tuple(range(sizes.ndims))  # type: ignore[arg-type]
            shift = [half(axis) for axis in axes]
        elif isinstance(axes, int):
            shift = half(axes)
        else:
            shift = [half(axis) for axis in axes]
        return roll(x, shift, axes, name)


@public("signal.fftshift", "compat.v2.signal.fftshift")
def fftshift(x: Any, axes: Any = None, name: str | None = None) -> Tensor:
    """Moves what stands at index 0, as the zero frequency of a transform does, to the middle.

    Args:
      x: a tensor.
      axes: the dimensions to shift, whose sizes must be known: an integer or several; all of them if None.
      name: name of the result.

    Raises:
      TypeError: a size is not known.
      IndexError: there is no such dimension.
    """
    return _rolled(x, axes, 1, "fftshift", name)


@public("signal.ifftshift", "compat.v2.signal.ifftshift")
def ifftshift(x: Any, axes: Any = None, name: str | None = None) -> Tensor:
    """The inverse of `fftshift`; the arguments are the same."""
    return _rolled(x, axes, -1, "ifftshift", name)
