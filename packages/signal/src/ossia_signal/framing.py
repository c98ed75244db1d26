"""Signals cut into frames that may overlap, and frames added up to a signal again."""
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_core.control.while_loop import while_loop
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.static_value import get_static_value
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import zeros, zeros_like
from ossia_ops.array.gather import gather
from ossia_ops.array.padding import pad
from ossia_ops.array.shape import rank, reshape, shape, size
from ossia_ops.array.slicing import strided_slice
from ossia_ops.array.split import split
from ossia_ops.array.transposition import transpose
from ossia_ops.math.arithmetic import maximum
from ossia_ops.math.division import floormod
from ossia_ops.math.reduction import reduce_sum
from ossia_ops.math.sequence import range as range_


def gcd(a: Tensor, b: Tensor) -> Tensor:
    """The greatest common divisor of two integer scalars: a constant if both are known."""
    with name_scope(None, "gcd", [a, b]):
        known = get_static_value(a), get_static_value(b)
        if None not in known:
            return convert_to_tensor(math.gcd(*map(int, known)) * (-1 if known[1] < 0 else 1), a.dtype)
        found, _ = while_loop(
            lambda m, n: n > zeros_like(n), lambda m, n: [n, floormod(m, n)], [a, b], back_prop=False
        )
        return found


def _frames_shape(signal: Tensor, frame_length: Tensor, frame_step: Tensor, pad_end: bool, axis: Tensor) -> list | None:
    """What is known of the shape of a signal in frames, None if its rank is not."""
    dims = signal.shape.as_tuple()
    at = get_static_value(axis)
    if dims is None:
        return None
    if at is None:
        return [None] * (len(dims) + 1)
    samples = dims[at]
    length, step = get_static_value(frame_length), get_static_value(frame_step)
    count = None
    if samples is not None and step is not None:
        with np.errstate(divide="ignore"):  # what has a step of 0 fails when it runs
            if pad_end:
                count = max(0, -(-samples // step))
            elif length is not None:
                count = max(0, (samples - length + step) // step)
    return [*dims[:at], count, length, *dims[at:][1:]]


@public("signal.frame", "compat.v2.signal.frame")
def frame(
    signal: Any, frame_length: Any, frame_step: Any, pad_end: bool = False, pad_value: Any = 0, axis: Any = -1,
    name: str | None = None,
) -> Tensor:
    """Cuts a dimension into frames of `frame_length` samples, each `frame_step` samples after the one before.

    Args:
      signal: a tensor of rank 1 or more.
      frame_length: samples in a frame, an integer or a scalar tensor.
      frame_step: samples from the beginning of one frame to that of the next.
      pad_end: whether frames begin all along the signal, and what lies beyond its end is filled with `pad_value`.
      pad_value: a scalar.
      axis: the dimension to cut.
      name: a name for the ops.

    Returns:
      A tensor in which two dimensions, the frames and the samples in each, take the place of `axis`.

    Raises:
      ValueError: `signal` is a scalar, or one of `frame_length`, `frame_step`, `pad_value` and `axis` is not.
    """
    with name_scope(name, "frame", [signal, frame_length, frame_step, pad_value]):
        signal = convert_to_tensor(signal, name="signal")
        frame_length = convert_to_tensor(frame_length, name="frame_length")
        frame_step = convert_to_tensor(frame_step, name="frame_step")
        axis = convert_to_tensor(axis, name="axis")
        signal.shape.with_rank_at_least(1)
        for scalar in (frame_length, frame_step, axis):
            scalar.shape.assert_has_rank(0)
        known = _frames_shape(signal, frame_length, frame_step, pad_end, axis)

        count = rank(signal)
        axis = range_(count)[axis]
        signal_shape = shape(signal)
        outer, samples, inner = split(signal_shape, [axis, 1, count - 1 - axis])
        samples = reshape(samples, [])
        outer_count, inner_count = size(outer), size(inner)

        def around(dims: list) -> Tensor:
            return concat([outer, dims, inner], 0)

        if pad_end:
            pad_value = convert_to_tensor(pad_value, signal.dtype)
            pad_value.shape.assert_has_rank(0)
            frames = -(-samples // frame_step)
            missing = maximum(0, frame_length + frame_step * (frames - 1) - samples)
            paddings = concat([zeros([outer_count, 2], missing.dtype), [[0, missing]],
                               zeros([inner_count, 2], missing.dtype)], 0)
            signal = pad(signal, paddings, constant_values=pad_value)
            signal_shape = shape(signal)
            samples = signal_shape[axis]
        else:
            frames = maximum(0, 1 + (samples - frame_length) // frame_step)

        # Frames are gathered in the longest pieces of which all of them consist.
        piece = gcd(frame_length, frame_step)
        in_frame, in_step, in_signal = (n // piece for n in (frame_length, frame_step, samples))
        used = around([in_signal * piece])
        in_pieces = around([in_signal, piece])
        pieces = reshape(strided_slice(signal, zeros_like(signal_shape), used), in_pieces)
        starts = reshape(range_(frames) * in_step, [frames, 1])
        offsets = reshape(range_(in_frame), [1, in_frame])
        chosen = starts + offsets
        result = reshape(gather(pieces, chosen, axis=axis), around([frames, frame_length]))
        result.set_shape(known)
        return result


@public("signal.overlap_and_add", "compat.v2.signal.overlap_and_add")
def overlap_and_add(signal: Any, frame_step: Any, name: str | None = None) -> Tensor:
    """Adds up frames, each of which begins `frame_step` samples after the one before: the adjoint of `frame`.

    Args:
      signal: a tensor of shape [..., frames, frame_length].
      frame_step: samples from the beginning of one frame to that of the next, an integer scalar.
      name: a name for the ops.

    Returns:
      A tensor of shape [..., (frames - 1) * frame_step + frame_length].

    Raises:
      ValueError: `signal` is of rank below 2, or `frame_step` no integer scalar.
    """
    with name_scope(name, "overlap_and_add", [signal, frame_step]):
        signal = convert_to_tensor(signal, name="signal")
        signal.shape.with_rank_at_least(2)
        frame_step = convert_to_tensor(frame_step, name="frame_step")
        frame_step.shape.assert_has_rank(0)
        if not frame_step.dtype.is_integer:
            raise ValueError(f"frame_step must be an integer. Got {frame_step.dtype}")
        signal_shape = shape(signal)
        outer = signal_shape[:-2]
        outer_count = size(outer)

        def within(dims: Sequence) -> Tensor:
            return concat([outer, dims], 0)

        length, frames = signal_shape[-1], signal_shape[-2]
        samples = length + frame_step * (frames - 1)
        dims = signal.shape.as_tuple()
        step = get_static_value(frame_step)
        if frame_step.dtype is length.dtype and step is not None and dims is not None and step == dims[-1]:
            return reshape(signal, within([samples]), name="fast_path")

        # Frames are cut into segments of frame_step samples. With a frame more of zeros for each segment, the segments
        # of a frame shift by one against those of the next when rows are read as `frames - 1` long, and can be added.
        segments = -(-length // frame_step)
        paddings = [[0, segments], [0, segments * frame_step - length]]
        signal = pad(signal, concat([zeros([outer_count, 2], dtypes.int32), paddings], 0))
        signal = reshape(signal, within([frames + segments, segments, frame_step]))
        order = concat([range_(outer_count), outer_count + [1, 0, 2]], 0)
        signal = transpose(signal, order)
        signal = reshape(signal, within([(frames + segments) * segments, frame_step]))
        signal = signal[..., :(frames + segments - 1) * segments, :]
        signal = reshape(signal, within([segments, frames + segments - 1, frame_step]))
        signal = reduce_sum(signal, -3)
        signal = reshape(signal, within([(frames + segments - 1) * frame_step]))
        return signal[..., :samples]
