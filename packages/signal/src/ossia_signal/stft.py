"""Spectra of short overlapping frames of a signal, and signals from them."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.static_value import get_static_value
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import zeros
from ossia_ops.array.padding import pad
from ossia_ops.array.shape import rank, reshape, shape
from ossia_ops.array.tiling import tile
from ossia_ops.math.arithmetic import maximum, pow
from ossia_ops.math.cast import cast
from ossia_ops.math.elementwise import ceil, square
from ossia_ops.math.exponential import log
from ossia_ops.math.reduction import reduce_sum
from ossia_signal.framing import frame, overlap_and_add
from ossia_signal.real_fourier import irfft, rfft
from ossia_signal.windows import hann_window


def _power_of_two_from(length: Tensor) -> Tensor:
    """The smallest power of two that is not less than an integer scalar."""
    known = get_static_value(length)
    if known is not None:
        with np.errstate(divide="ignore"):
            exponent = np.ceil(np.log(known) / np.log(2.0))
        return constant(int(2**exponent), length.dtype)
    return cast(pow(2.0, ceil(log(cast(length, dtypes.float32)) / log(2.0))), length.dtype)


def _scalar(value: Any, name: str) -> Tensor:
    value = convert_to_tensor(value, name=name)
    value.shape.assert_has_rank(0)
    return value


def _transform_length(fft_length: Any, frame_length: Tensor) -> Tensor:
    return _power_of_two_from(frame_length) if fft_length is None else convert_to_tensor(fft_length, name="fft_length")


@public("signal.stft", "compat.v2.signal.stft")
def stft(
    signals: Any, frame_length: Any, frame_step: Any, fft_length: Any = None,
    window_fn: Callable[..., Any] | None = hann_window, pad_end: bool = False, name: str | None = None,
) -> Tensor:
    """The spectra of short frames of signals.

    Args:
      signals: a float32 tensor of shape [..., samples].
      frame_length: samples in a frame, an integer scalar.
      frame_step: samples from the beginning of one frame to that of the next.
      fft_length: the length of the transforms; the power of two that holds a frame if None.
      window_fn: makes, of a length and a dtype, the window that frames are multiplied with; None for no window.
      pad_end: whether frames begin all along the signals, and what lies beyond their ends is zero.
      name: a name for the ops.

    Returns:
      A complex64 tensor of shape [..., frames, fft_length // 2 + 1].

    Raises:
      ValueError: `signals` is a scalar, or the lengths are not.
    """
    with name_scope(name, "stft", [signals, frame_length, frame_step]):
        signals = convert_to_tensor(signals, name="signals")
        signals.shape.with_rank_at_least(1)
        frame_length = _scalar(frame_length, "frame_length")
        frame_step = _scalar(frame_step, "frame_step")
        fft_length = _transform_length(fft_length, frame_length)
        frames = frame(signals, frame_length, frame_step, pad_end=pad_end)
        if window_fn is not None:
            frames *= window_fn(frame_length, dtype=frames.dtype)
        return rfft(frames, [fft_length])


def _fitted(frames: Tensor, frame_length: Tensor) -> Tensor:
    """Frames cut off, or padded with zeros, to a length."""
    known, dims = get_static_value(frame_length), frames.shape.as_tuple()
    if known is None or dims is None or dims[-1] is None:
        frames = frames[..., :frame_length]
        count = rank(frames)
        found = shape(frames)
        untouched = zeros([count - 1, 2], frame_length.dtype)
        frames = pad(frames, concat([untouched, [[0, maximum(0, frame_length - found[-1])]]], 0))
    elif dims[-1] > known:
        frames = frames[..., :known]
    elif dims[-1] < known:
        frames = pad(frames, [[0, 0]] * (len(dims) - 1) + [[0, known - dims[-1]]])
    if known is not None and frames.shape.ndims is not None:
        frames.set_shape([None] * (frames.shape.ndims - 1) + [known])
    return frames


@public("signal.inverse_stft", "compat.v2.signal.inverse_stft")
def inverse_stft(
    stfts: Any, frame_length: Any, frame_step: Any, fft_length: Any = None,
    window_fn: Callable[..., Any] | None = hann_window, name: str | None = None,
) -> Tensor:
    """Signals from the spectra of their frames: the inverse of `stft` with the window of `inverse_stft_window_fn`.

    Args:
      stfts: a complex64 tensor of shape [..., frames, fft_length // 2 + 1].
      frame_length: samples in a frame, an integer scalar.
      frame_step: samples from the beginning of one frame to that of the next.
      fft_length: the length of the transforms; the power of two that holds a frame if None.
      window_fn: makes, of a length and a dtype, the window that frames are multiplied with; None for no window.
      name: a name for the ops.

    Returns:
      A float32 tensor of shape [..., samples].

    Raises:
      ValueError: `stfts` is of rank below 2, or the lengths are no scalars.
    """
    with name_scope(name, "inverse_stft", [stfts]):
        stfts = convert_to_tensor(stfts, name="stfts")
        stfts.shape.with_rank_at_least(2)
        frame_length = _scalar(frame_length, "frame_length")
        frame_step = _scalar(frame_step, "frame_step")
        if fft_length is None:
            fft_length = _power_of_two_from(frame_length)
        else:
            fft_length = _scalar(fft_length, "fft_length")
        frames = _fitted(irfft(stfts, [fft_length]), frame_length)
        if window_fn is not None:
            frames *= window_fn(frame_length, dtype=stfts.dtype.real_dtype)
        return overlap_and_add(frames, frame_step)


@public("signal.inverse_stft_window_fn", "compat.v2.signal.inverse_stft_window_fn")
def inverse_stft_window_fn(
    frame_step: Any, forward_window_fn: Callable[..., Any] = hann_window, name: str | None = None
) -> Callable[[Any, Any], Tensor]:
    """The window for `inverse_stft` that makes it undo an `stft` with a given window.

    Args:
      frame_step: samples from the beginning of one frame to that of the next.
      forward_window_fn: the window of `stft`.
      name: a name for the ops.

    Returns:
      A function that makes, of a length and a dtype, a window.
    """
    with name_scope(name, "inverse_stft_window_fn", [forward_window_fn]):
        frame_step = _scalar(frame_step, "frame_step")

    def inverse_stft_window_fn_inner(frame_length: Any, dtype: Any) -> Tensor:
        """The window of `frame_length` samples."""
        with name_scope(name, "inverse_stft_window_fn", [forward_window_fn]):
            frame_length = _scalar(frame_length, "frame_length")
            window = forward_window_fn(frame_length, dtype=dtype)
            # Each sample is weighted by the squares of the window at all the places where frames overlap there.
            weights = square(window)
            overlaps = -(-frame_length // frame_step)
            weights = pad(weights, [(0, overlaps * frame_step - frame_length)])
            weights = reshape(weights, [overlaps, frame_step])
            weights = reduce_sum(weights, 0, keepdims=True)
            weights = tile(weights, [overlaps, 1])
            weights = reshape(weights, [overlaps * frame_step])
            return window / weights[:frame_length]

    return inverse_stft_window_fn_inner
