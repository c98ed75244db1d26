"""Discrete cosine transforms, by way of Fourier transforms."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_ops.array.concat import concat
from ossia_ops.array.padding import pad
from ossia_ops.array.shape import expand_dims, shape
from ossia_ops.math.cast import cast
from ossia_ops.math.complex_numbers import complex as complex_
from ossia_ops.math.complex_numbers import real
from ossia_ops.math.elementwise import rsqrt, sqrt
from ossia_ops.math.exponential import exp
from ossia_ops.math.sequence import range as range_
from ossia_signal.real_fourier import irfft, rfft


def _check(x: Tensor, kind: Any, n: Any, axis: Any, norm: Any) -> None:
    if axis != -1:
        raise NotImplementedError(f"axis must be -1. Got: {axis}")
    if n is not None and n < 1:
        raise ValueError("n should be a positive integer or None")
    if kind not in (1, 2, 3):
        raise ValueError("Only Types I, II and III (I)DCT are supported.")
    if kind == 1:
        if norm == "ortho":
            raise ValueError("Normalization is not supported for the Type-I DCT.")
        size = x.shape.as_tuple() and x.shape.as_tuple()[-1]
        if size is not None and size < 2:
            raise ValueError("Type-I DCT requires the dimension to be greater than one.")
    if norm not in (None, "ortho"):
        raise ValueError(f"Unknown normalization. Expected None or 'ortho', got: {norm}")


def _last_size(x: Tensor) -> Any:
    """The size of the last dimension, a tensor if it is not known."""
    dims = x.shape.as_tuple()
    return dims[-1] if dims is not None and dims[-1] is not None else shape(x)[-1]


def _resized(x: Tensor, size: Any, n: int) -> Tensor:
    # A size that is not known has no truth value here, which raises.
    if n <= size:
        return x[..., 0:n]
    assert x.shape.ndims is not None
    return pad(x, convert_to_tensor([[0, 0]] * (x.shape.ndims - 1) + [[0, n - size]]))


def _weights(first: Tensor, others: Tensor, size: Any) -> Tensor:
    return pad(expand_dims(first, 0), [[0, size - 1]], constant_values=others)


@public("signal.dct", "spectral.dct", "compat.v2.signal.dct")
def dct(
    input: Any, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None, name: str | None = None
) -> Tensor:
    """Discrete cosine transforms over the last dimension of a float32 tensor.

    Args:
      input: a float32 tensor of shape [..., samples].
      type: 1, 2 or 3.
      n: length of the transforms: the dimension is cut off, or padded with zeros, to it. Its size if None.
      axis: -1.
      norm: "ortho" for transforms that are orthogonal, which those of type 1 cannot be.
      name: a name for the ops.

    Returns:
      A float32 tensor of shape [..., n].

    Raises:
      NotImplementedError: another axis.
      ValueError: another type or norm, or `n` is not positive.
    """
    with name_scope(name, "dct", [input]):
        x = convert_to_tensor(input, dtypes.float32)
        _check(x, type, n, axis, norm)
        size = _last_size(x)
        if n is not None:
            x = _resized(x, size, n)
        count = _last_size(x)
        as_float = cast(count, x.dtype)
        if type == 1:
            return real(rfft(concat([x, x[..., -2:0:-1]], axis=-1)))
        if type == 2:
            scale = 2.0 * exp(complex_(0.0, -range_(as_float) * np.pi * 0.5 / as_float))
            result = real(rfft(x, [2 * count])[..., :count] * scale)
            if norm is not None:
                first = 0.5 * rsqrt(as_float)
                others = first * sqrt(2.0)
                result *= _weights(first, others, count)
            return result
        if norm is None:
            x *= as_float
        else:
            first = sqrt(as_float)
            others = first * sqrt(0.5)
            x *= _weights(first, others, count)
        scale = 2.0 * exp(complex_(0.0, range_(as_float) * np.pi * 0.5 / as_float))
        return irfft(scale * complex_(x, 0.0), [2 * count])[..., :count]


@public("signal.idct", "spectral.idct", "compat.v2.signal.idct")
def idct(
    input: Any, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None, name: str | None = None
) -> Tensor:
    """The inverse of `dct`, up to a factor: without a norm, 1 / (2 (n - 1)) for type 1 and 1 / (2 n) for the others.

    Args:
      input: a float32 tensor of shape [..., samples].
      type: the type of the transform to undo, 1, 2 or 3.
      n: None.
      axis: -1.
      norm: the norm of the transform to undo.
      name: a name for the ops.

    Returns:
      A float32 tensor of the same shape.

    Raises:
      NotImplementedError: another axis.
      ValueError: another type or norm.
    """
    if type not in (1, 2, 3):
        _check(convert_to_tensor(input), type, n, axis, norm)
    return dct(input, type={1: 1, 2: 3, 3: 2}[type], n=n, axis=axis, norm=norm, name=name)
