"""Fourier transforms of real tensors over their last one, two or three dimensions: half of a spectrum, and back."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import OpDef, op
from ossia_core.declare.shape_rules import constant as constant_value
from ossia_core.declare.shape_rules import constant_shape, with_rank, with_rank_at_least, with_value
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.static_value import get_static_value
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes, sizes
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import ones, zeros, zeros_like
from ossia_ops.array.padding import pad
from ossia_ops.array.shape import expand_dims, rank, reshape, shape
from ossia_ops.array.stacking import stack, unstack
from ossia_ops.array.tiling import tile
from ossia_ops.array.transposition import transpose
from ossia_ops.linalg.matmul import matmul
from ossia_ops.math.arithmetic import maximum
from ossia_ops.math.cast import cast
from ossia_ops.math.complex_numbers import conj, real
from ossia_ops.math.division import floormod
from ossia_ops.math.elementwise import reciprocal
from ossia_ops.math.exponential import exp
from ossia_ops.math.sequence import range as range_
from ossia_signal.fourier import check_rank, transformed_size

_PARTLY_KNOWN = frozenset(("Shape", "ShapeN", "Pack", "Concat", "ConcatV2", "StridedSlice"))
_ALL = (Ellipsis,)


# -- the ops --------------------------------------------------------------------------------------------

def _half(length: int) -> int:
    """How many numbers describe the spectrum of `length` real ones."""
    return int(length / 2) + 1 if length else 0


def _transformed_dims(input: Tensor, fft_length: Tensor, dims: int, inverse: bool) -> TensorShape:
    found = with_rank_at_least(input, dims).as_tuple()
    with_value(with_rank(fft_length, 1).as_tuple()[0], dims)
    if found is None:
        return TensorShape(None)
    lengths = constant_value(fft_length)
    if lengths is None:
        return TensorShape((*found[:-dims], *(None,) * dims))
    lengths = lengths.tolist()
    if not inverse:
        lengths[-1] = _half(lengths[-1])
    for length in lengths:
        if length < -1:
            raise ValueError(f"Dimension {length} must be >= 0")
    return TensorShape((*found[:-dims], *(None if length == -1 else length for length in lengths)))


def _lengths(x: np.ndarray, fft_length: np.ndarray, dims: int, inverse: bool) -> list[int]:
    """The lengths of a transform, which fit its input.

    Raises:
      InvalidArgumentError: they do not.
    """
    check_rank(x, dims)
    if fft_length.shape != (dims,):
        raise InvalidArgumentError(None, None, f"fft_length must have shape [{dims}]")
    lengths = fft_length.tolist()
    for axis, length in enumerate(lengths, x.ndim - dims):
        needed = length // 2 + 1 if inverse and axis == x.ndim - 1 else length
        if x.shape[axis] and (length < 0 or x.shape[axis] < needed):
            raise InvalidArgumentError(
                None, None, f"Input dimension {axis} must have length of at least {needed} but got: {x.shape[axis]}"
            )
        if x.size and not length or length < 0:
            raise InvalidArgumentError(None, None, f"fft_length must be positive, got {lengths}")
    return lengths


def _real_op(dims: int) -> OpDef:
    definition = op(f"RFFT{'' if dims == 1 else f'{dims}D'}(input: float, fft_length: int32) -> output: complex64")
    definition.shape(lambda input, fft_length: _transformed_dims(input, fft_length, dims, False))

    @definition.kernel
    def _(input, fft_length):
        lengths = _lengths(input, fft_length, dims, False)
        if not input.size:
            made = (*input.shape[:-dims], *lengths[:-1], _half(lengths[-1]))
            sizes.allocatable(made, 8)
            return np.zeros(made, np.complex64)
        used = input[_ALL + tuple(slice(length) for length in lengths)]
        return np.fft.rfftn(used, axes=tuple(range(-dims, 0))).astype(np.complex64, copy=False)

    return definition


def _inverse_op(dims: int) -> OpDef:
    definition = op(f"IRFFT{'' if dims == 1 else f'{dims}D'}(input: complex64, fft_length: int32) -> output: float")
    definition.shape(lambda input, fft_length: _transformed_dims(input, fft_length, dims, True))

    @definition.kernel
    def _(input, fft_length):
        lengths = _lengths(input, fft_length, dims, True)
        if not input.size:
            made = (*input.shape[:-dims], *lengths)
            sizes.allocatable(made, 4)
            return np.zeros(made, np.float32)
        used = input[_ALL + tuple(slice(length) for length in (*lengths[:-1], _half(lengths[-1])))]
        return np.fft.irfftn(used, lengths, tuple(range(-dims, 0))).astype(np.float32, copy=False)

    return definition


_ROWS = np.array([[1, 2, -3, 0.5, 4], [0, 1, 1, -2, 0.25], [3, 0, 0, 1, -1]], np.float32)
_SPECTRUM = (_ROWS + 1j * _ROWS[::-1]).astype(np.complex64)

rfft_op, rfft2d_op, rfft3d_op = (_real_op(dims) for dims in (1, 2, 3))
irfft_op, irfft2d_op, irfft3d_op = (_inverse_op(dims) for dims in (1, 2, 3))

rfft_op.samples(odd=(_ROWS, [5]), shorter=(_ROWS[:, :4], [4]), empty=(np.zeros((0, 3), np.float32), [3]))
rfft2d_op.samples(odd=(_ROWS, [3, 5]), even=(np.tile(_ROWS[:2, :4], (2, 1, 1)), [2, 4]))
rfft3d_op.samples(plain=(np.tile(_ROWS, (2, 1, 1)), [2, 3, 5]), shorter=(np.tile(_ROWS, (2, 1, 1)), [1, 2, 4]))
irfft_op.samples(odd=(_SPECTRUM, [9]), even=(_SPECTRUM, [8]), shorter=(_SPECTRUM, [3]))
irfft2d_op.samples(odd=(_SPECTRUM, [3, 9]), even=(np.tile(_SPECTRUM, (2, 1, 1)), [3, 8]))
irfft3d_op.samples(plain=(np.tile(_SPECTRUM, (2, 1, 1)), [2, 3, 8]), shorter=(np.tile(_SPECTRUM, (2, 1, 1)), [2, 2, 4]))


# -- their gradients ------------------------------------------------------------------------------------

def _alternating(length: Tensor) -> Tensor:
    """1, -1, 1, ... as complex64."""
    return cast(1 - 2 * (range_(length) % 2), dtypes.complex64)


def _waves(length: Tensor) -> Tensor:
    """The matrix that transforms vectors of a length."""
    rows = tile(expand_dims(range_(length), 0), [length, 1])
    products = cast(rows * transpose(rows), dtypes.complex64)
    turns = np.complex64(-2j * np.pi) * products
    return exp(turns / cast(length, dtypes.complex64))


def _repeated(matrix: Tensor, batch: Tensor) -> Tensor:
    """A matrix for each one in a batch of them."""
    wide = reshape(matrix, concat([ones([rank(batch) - 2], dtypes.int32), shape(matrix)], 0))
    return tile(wide, concat([shape(batch)[:-2], [1, 1]], 0))


# The inverse transform takes each inner frequency to stand for two, itself and its mirror image. The first one, and
# the last one of an even length, have none: what is missing of them is added to twice the gradient.

def _unpaired(grad: Tensor, sizes_in: Tensor, is_even: Tensor) -> Tensor:
    first = grad[..., 0:1]
    return first + is_even * grad[..., -1:] * _alternating(sizes_in[-1])


def _unpaired_2d(grad: Tensor, sizes_in: Tensor, is_even: Tensor) -> Tensor:
    first = grad[..., 0:1]
    waves = _repeated(_waves(sizes_in[-2]), first)
    first_part = matmul(waves, conj(first))
    last_part = matmul(waves, conj(grad[..., -1:]))
    length = sizes_in[-1]
    last_part = tile(last_part, concat([ones([rank(grad) - 1], dtypes.int32), [length]], 0))
    return first_part + is_even * (last_part * _alternating(length))


def _real_gradient(dims: int) -> Any:
    def gradient(node, grad):
        x, fft_length = node.inputs
        sizes_in = shape(x)
        is_even = cast(1 - fft_length[-1] % 2, dtypes.complex64)
        unpaired = (_unpaired if dims == 1 else _unpaired_2d)(grad, sizes_in, is_even)
        size = cast(transformed_size(x, dims), dtypes.float32)
        back = (irfft if dims == 1 else irfft2d)(grad, fft_length)
        return 0.5 * (back * size + real(unpaired)), None

    return gradient


rfft_op.gradient(_real_gradient(1))
rfft2d_op.gradient(_real_gradient(2))


def _inverse_gradient(dims: int) -> Any:
    def gradient(node, grad):
        spectrum, fft_length = node.inputs
        is_odd = floormod(fft_length[-1], 2)
        count = shape(spectrum)[-1]
        paired = 2.0 * ones([count - 2 + is_odd])
        weights = concat([[1.0], paired, ones([1 - is_odd])], 0)
        share = reciprocal(cast(transformed_size(grad, dims), dtypes.float32))
        there = (rfft if dims == 1 else rfft2d)(grad, fft_length)
        return there * cast(share * weights, dtypes.complex64), None

    return gradient


irfft_op.gradient(_inverse_gradient(1))
irfft2d_op.gradient(_inverse_gradient(2))


# -- the public functions -------------------------------------------------------------------------------

def _known_lengths(fft_length: Tensor) -> TensorShape:
    """What is known of the lengths before the graph runs."""
    fft_length.shape.with_rank(1)
    value = get_static_value(fft_length)
    if value is None and fft_length.op.type not in _PARTLY_KNOWN:
        return TensorShape(None)
    return constant_shape(fft_length)


def _padded(x: Tensor, fft_length: Tensor, dims: int, inverse: bool) -> Tensor:
    """The input with zeros at the ends of dimensions that are shorter than a transform of `fft_length` takes."""
    found = x.shape.as_tuple()
    if found is not None and 0 in found:
        return x
    known = _known_lengths(fft_length).as_tuple()
    if known is not None and None not in known and found is not None:
        last = found[-len(known):]
        if None not in last:
            wanted = (*known[:-1], known[-1] // 2 + 1) if inverse else known
            missing = [[0, max(n - size, 0)] for n, size in zip(wanted, last)]
            if not any(after for _, after in missing):
                return x
            return pad(x, [[0, 0]] * max(len(found) - len(known), 0) + missing)
    outer = rank(x)
    sizes_in = shape(x)[-dims:]
    untouched = zeros([maximum(0, outer - dims)], fft_length.dtype)
    if inverse:
        fft_length = concat([fft_length[:-1], fft_length[-1:] // 2 + 1], 0)
    after = concat([untouched, maximum(0, fft_length - sizes_in)], 0)
    return pad(x, stack([zeros_like(after), after], axis=1))


def _default_lengths(x: Tensor, dims: int, inverse: bool) -> Tensor:
    """The lengths of a transform that uses all of its input; an even one if it is an inverse."""
    known = x.shape.as_tuple()
    if known is not None and None not in known[-dims:]:
        lengths = list(known[-dims:])
        if inverse:
            lengths[-1] = max(0, 2 * (lengths[-1] - 1))
        return constant(lengths, dtypes.int32)
    length = shape(x)[-dims:]
    if not inverse:
        return length
    parts = unstack(length)
    parts[-1] = maximum(0, 2 * (parts[-1] - 1))
    return stack(parts)


def _transform(
    definition: OpDef, dims: int, default_name: str, input_tensor: Any, fft_length: Any, name: str | None
) -> Tensor:
    inverse = definition.type.startswith("I")
    with name_scope(name, default_name, [input_tensor, fft_length]) as name:
        x = convert_to_tensor(input_tensor, dtypes.complex64 if inverse else dtypes.float32)
        x.shape.with_rank_at_least(dims)
        if fft_length is None:
            fft_length = _default_lengths(x, dims, inverse)
        else:
            fft_length = convert_to_tensor(fft_length, dtypes.int32)
        return definition(_padded(x, fft_length, dims, inverse), fft_length, name=name)


@public("signal.rfft", "spectral.rfft", "compat.v2.signal.rfft")
def rfft(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Tensor:
    """Discrete Fourier transforms over the last dimension of a real tensor.

    Args:
      input_tensor: a float32 tensor of rank 1 or more.
      fft_length: an int32 vector of one element, the length of the transforms: the last dimension is cut off, or
        padded with zeros, to it. The size of that dimension if None.
      name: name of the result.

    Returns:
      A complex64 tensor whose last dimension has `fft_length // 2 + 1` elements: the others follow by symmetry.
    """
    return _transform(rfft_op, 1, "rfft", input_tensor, fft_length, name)


@public("signal.irfft", "spectral.irfft", "compat.v2.signal.irfft")
def irfft(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Tensor:
    """The inverse of `rfft`.

    Args:
      input_tensor: a complex64 tensor of rank 1 or more.
      fft_length: an int32 vector of one element, the size of the result's last dimension; if None, the even one that
        fits the input.
      name: name of the result.

    Returns:
      A float32 tensor.
    """
    return _transform(irfft_op, 1, "irfft", input_tensor, fft_length, name)


@public("signal.rfft2d", "spectral.rfft2d", "compat.v2.signal.rfft2d")
def rfft2d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Tensor:
    """Like `rfft`, over the last two dimensions, of which the last one is halved; `fft_length` has two elements."""
    return _transform(rfft2d_op, 2, "rfft2d", input_tensor, fft_length, name)


@public("signal.irfft2d", "spectral.irfft2d", "compat.v2.signal.irfft2d")
def irfft2d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Tensor:
    """The inverse of `rfft2d`; the arguments are those of `irfft`, `fft_length` with two elements."""
    return _transform(irfft2d_op, 2, "irfft2d", input_tensor, fft_length, name)


@public("signal.rfft3d", "spectral.rfft3d", "compat.v2.signal.rfft3d")
def rfft3d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Tensor:
    """Like `rfft`, over the last three dimensions, of which the last one is halved; `fft_length` has three elements."""
    return _transform(rfft3d_op, 3, "rfft3d", input_tensor, fft_length, name)


@public("signal.irfft3d", "spectral.irfft3d", "compat.v2.signal.irfft3d")
def irfft3d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Tensor:
    """The inverse of `rfft3d`; the arguments are those of `irfft`, `fft_length` with three elements."""
    return _transform(irfft3d_op, 3, "irfft3d", input_tensor, fft_length, name)
