"""Correlation of a series with itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.shape_rules import constant
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.dtypes import int32
from ossia_core.plugins.api_table import public
from ossia_distributions.event_matrices import rotate_transpose
from ossia_ops.array.fill import zeros_like
from ossia_ops.array.one_hot import one_hot
from ossia_ops.array.padding import pad
from ossia_ops.array.shape import rank as rank_op
from ossia_ops.array.shape import shape
from ossia_ops.array.stacking import stack
from ossia_ops.math.arithmetic import pow as pow_op
from ossia_ops.math.cast import cast
from ossia_ops.math.complex_numbers import complex as complex_op
from ossia_ops.math.complex_numbers import conj
from ossia_ops.math.elementwise import ceil
from ossia_ops.math.exponential import log
from ossia_ops.math.reduction import reduce_mean
from ossia_ops.math.sequence import range as range_op
from ossia_signal.fourier import fft, ifft


@public("contrib.distributions.auto_correlation")
def auto_correlation(
    x: Any,
    axis: int = -1,
    max_lags: Any = None,
    center: bool = True,
    normalize: bool = True,
    name: str = "auto_correlation",
) -> Tensor:
    """The correlation of `x` with itself some steps later, by Fourier transforms (Wiener and Khinchin).

    Args:
      x: floats or complex numbers.
      axis: the axis of the steps.
      max_lags: up to how many steps; all if None.
      center: whether the mean is subtracted first.
      normalize: whether the result is divided by that of no step.
      name: scope of the result.

    Returns:
      A tensor of the shape of `x`, with `max_lags + 1` along the axis.
    """
    with name_scope(name, values=[x]):
        x = convert_to_tensor(x, name="x")
        rank = _static(rank_op(x))
        axis = rank + axis if axis < 0 else axis
        shift = rank - 1 - axis
        shift = np.int64(shift) if isinstance(shift, int) else shift
        # The steps stand at the end.
        steps = rotate_transpose(x, shift)
        if center:
            steps -= reduce_mean(steps, axis=-1, keepdims=True)
        # Zeros up to a power of 2 keep the two ends of the series apart.
        length = _static(shape(steps)[-1]) if steps.shape.ndims is None else _last(steps)
        long_length = cast(length, np.float64)
        target = pow_op(np.float64(2.0), ceil(log(long_length * 2) / np.log(2.0)))
        padded = _padded(steps, cast(target - long_length, np.int32))
        transformed = fft(
            padded if x.dtype.is_complex else complex_op(padded, x.dtype.as_numpy_dtype(0.0))
        )
        products = cast(ifft(transformed * conj(transformed)), x.dtype)
        lags = _static(convert_to_tensor(length - 1 if max_lags is None else max_lags, name="max_lags"))
        chopped = products[..., :lags + 1]
        # So many pairs are at each distance.
        real = x.dtype.real_dtype
        pairs = cast(length, real) - range_op(0.0, cast(lags, real) + 1.0)
        correlation = chopped / cast(pairs, x.dtype)
        if normalize:
            correlation /= correlation[..., :1]
        return rotate_transpose(correlation, -shift)


def _static(x: Tensor) -> Any:
    known = constant(x)
    return x if known is None else int(known)


def _last(x: Tensor) -> Any:
    sizes = shape(x)
    known = x.shape.as_list()[-1]
    return sizes[-1] if known is None else known


def _padded(x: Tensor, count: Tensor) -> Tensor:
    """`x` with `count` zeros at the end of its last axis."""
    with name_scope("pad"):
        ndims = rank_op(x) if x.shape.ndims is None else x.shape.ndims
        behind = one_hot(convert_to_tensor(ndims - 1), ndims, on_value=count, dtype=int32)
        paddings = stack([zeros_like(behind), behind], axis=-1)
        return pad(x, paddings=paddings, constant_values=0)
