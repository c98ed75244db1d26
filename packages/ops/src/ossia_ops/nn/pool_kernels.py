"""Pooling of arrays: maxima and means over sliding windows, one dimension after another, and their gradients."""
from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from ossia_core.names.errors import InvalidArgumentError, UnimplementedError
from ossia_ops.nn.windows import window_count

Span = tuple[slice, slice]  # the outputs that see an input at one offset of the window, and those inputs


@functools.lru_cache(maxsize=512)
def spans(size: int, window: int, stride: int, same: bool) -> tuple[int, tuple[Span, ...]]:
    """The number of windows along a dimension, and a pair of slices per offset in the window, in order.

    Windows that reach over the border, as "SAME" has them, are clipped.
    """
    out = -(-size // stride) if same else window_count(size, window, stride)
    before = max((out - 1) * stride + window - size, 0) // 2 if same else 0
    found = []
    # Offsets that lie outside of the input in every window are left out: a window may be any size.
    for offset in range(max(before - (out - 1) * stride, 0), min(window, size + before)):
        first = max(-((offset - before) // stride), 0)
        last = min((size - 1 + before - offset) // stride, out - 1)
        if last >= first:
            start = first * stride + offset - before
            found.append((slice(first, last + 1), slice(start, start + (last - first) * stride + 1, stride)))
    return out, tuple(found)


class Pooling:
    """The windows of a pooling op over an array: the dimensions that are pooled, with window and stride of each."""

    __slots__ = ("axes", "depth", "planar", "same")

    def __init__(
        self, ksize: Sequence[int], strides: Sequence[int], padding: bytes, *, depth: bool, channels: int
    ) -> None:
        """Args:
          ksize: window sizes, one per dimension of the array.
          strides: steps, one per dimension.
          padding: b"SAME" or b"VALID".
          depth: whether channels may be pooled.
          channels: the dimension of the channels.

        Raises:
          InvalidArgumentError, UnimplementedError: windows that the op does not allow.
        """
        none = next((axis for axis, k in enumerate(ksize) if k <= 0), None)
        if none is not None and depth:
            raise InvalidArgumentError(None, None, f"Sliding window ksize for dimension {none} was zero.")
        if ksize[0] != 1 or strides[0] != 1:
            raise UnimplementedError(None, None, "Pooling is not yet supported on the batch dimension.")
        if len(ksize) == 5 and (ksize[channels] <= 0 or strides[channels] <= 0):
            raise UnimplementedError(None, None, "Pooling is not yet supported on the depth dimension.")
        if ksize[channels] <= 0:
            raise UnimplementedError(
                None, None, "MaxPooling supports exactly one of pooling across depth or pooling across width/height."
            )
        if none is not None:
            raise InvalidArgumentError(None, None, f"Sliding window ksize for dimension {none} was zero.")
        if min(strides) <= 0:
            raise InvalidArgumentError(None, None, "Sliding window ksize and strides must be positive")
        if len(ksize) == 4:  # strides count only where windows are: in planes, or across depth
            across = ksize[channels] > 1 and max(k for axis, k in enumerate(ksize) if axis != channels) == 1
            strides = [s if (axis == channels) == across else 1 for axis, s in enumerate(strides)]
        over_channels = ksize[channels] > 1 or strides[channels] > 1
        if over_channels and channels == 1 and len(ksize) > 3:
            raise InvalidArgumentError(None, None, "Default MaxPoolingOp only supports NHWC on device type CPU")
        if over_channels and len(ksize) == 5:
            raise UnimplementedError(None, None, "Pooling is not yet supported on the depth dimension.")
        self.axes = tuple(
            (axis, k, s) for axis, (k, s) in enumerate(zip(ksize, strides, strict=True)) if k > 1 or s > 1
        )
        self.same = padding == b"SAME"
        self.depth = ksize[channels] > 1
        self.planar = len(ksize) == 4
        if over_channels:
            if len(self.axes) > 1:
                raise UnimplementedError(
                    None,
                    None,
                    "MaxPooling supports exactly one of pooling across depth or pooling across width/height.",
                )
            if ksize[channels] != strides[channels]:
                raise UnimplementedError(
                    None, None, "Depthwise max pooling requires the depth window to equal the depth stride"
                )
            if not depth:
                raise UnimplementedError(None, None, "Non-spatial pooling is not yet supported. Volunteers? :)")

    def out_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        """The shape of the pooled array."""
        sizes = list(shape)
        for axis, k, s in self.axes:
            sizes[axis] = spans(sizes[axis], k, s, self.same)[0]
        return tuple(sizes)

    def maximum(self, x: np.ndarray) -> np.ndarray:
        """The largest element of each window, as the original finds it: among numbers that are not NaN, and in planes
        from the lowest finite one up; across depth from the first element, which may be NaN, up.

        Raises:
          UnimplementedError: windows across depth that do not divide it.
        """
        if self.depth and any(x.shape[axis] % k for axis, k, _ in self.axes):
            raise UnimplementedError(
                None, None, "Depthwise max pooling requires the depth window to evenly divide the input depth"
            )
        if x.dtype.kind != "f":
            return self._reduced(x, np.maximum, self.axes)
        if self.depth:
            return self.at_maximum(x, x)
        y = self._reduced(x, np.fmax, self.axes)
        least = np.finfo(x.dtype).min
        if not self.planar:  # there the lowest finite number only stands for what lies outside
            whole = self._counts(x.shape, x.dtype) == math.prod(k for _, k, _ in self.axes)
            least = np.where(whole, x.dtype.type(-np.inf), least)
        return np.fmax(y, least, out=y)

    def mean(self, x: np.ndarray) -> np.ndarray:
        """The mean of each window's elements that lie inside the array."""
        y = self._reduced(x, np.add, self.axes)
        y /= self._counts(x.shape, x.dtype)
        return y

    def mean_gradient(self, shape: Sequence[int], grad: np.ndarray) -> np.ndarray:
        """The gradient of `mean` for an input of the shape."""
        grad = grad / self._counts(shape, grad.dtype)
        for axis, k, s in reversed(self.axes):
            result = np.zeros((*grad.shape[:axis], shape[axis], *grad.shape[axis + 1:]), grad.dtype)
            for o, i in _at(axis, spans(shape[axis], k, s, self.same)[1]):
                if k <= s:
                    result[i] = grad[o]
                else:
                    result[i] += grad[o]
            grad = result
        return grad

    def maximum_gradient(self, x: np.ndarray, grad: np.ndarray) -> np.ndarray:
        """The gradient of `maximum`: it goes to the first largest element of each window, in order of memory."""
        if np.isnan(x).any():
            result = np.zeros(x.size, grad.dtype)
            np.add.at(result, self._places(x).ravel(), grad.ravel())
            return result.reshape(x.shape)
        stages = []
        for axis, k, s in reversed(self.axes):
            y = self._reduced(x, np.maximum, ((axis, k, s),))
            stages.append((axis, k, s, x, y))
            x = y
        finite = np.isfinite(grad).all()  # then a product with the mask, which is quicker, has no NaN from inf * 0
        for axis, k, s, x, y in reversed(stages):
            result = np.zeros(x.shape, grad.dtype)
            for o, i, chosen in _first(x, y, axis, spans(x.shape[axis], k, s, self.same)[1]):
                target = result[i]
                if not finite:
                    np.add(target, grad[o], out=target, where=chosen)
                elif k <= s:
                    np.multiply(grad[o], chosen, out=target)
                else:
                    target += grad[o] * chosen
            grad = result
        return grad if stages else grad.copy()

    def shared_gradient(self, x: np.ndarray, y: np.ndarray, grad: np.ndarray) -> np.ndarray:
        """The gradient of `maximum`, whose result is `y`: all of it to each of the largest elements of a window."""
        result = np.zeros(x.shape, grad.dtype)
        y = np.where(y == -np.inf, y.dtype.type(np.nan), y)  # the original compares with finite maxima
        for at, to in self._offsets(x.shape):
            np.add(result[to], grad[at], out=result[to], where=x[to] == y[at])
        return result

    def at_maximum(self, x: np.ndarray, values: np.ndarray) -> np.ndarray:
        """The element of `values` at the place of each window's first largest element of `x`: that is its first element
        if this is NaN."""
        if np.isnan(x).any():
            return values.ravel()[self._places(x)]
        for axis, k, s in reversed(self.axes):
            y = self._reduced(x, np.maximum, ((axis, k, s),))
            picked = np.zeros(y.shape, values.dtype)
            for o, i, chosen in _first(x, y, axis, spans(x.shape[axis], k, s, self.same)[1]):
                np.copyto(picked[o], values[i], where=chosen)
            x, values = y, picked
        return values if self.axes else values.copy()

    def at_output(self, x: np.ndarray, y: np.ndarray, values: np.ndarray) -> np.ndarray:
        """The element of `values` at the place of each window's first element of `x` that equals `y`, its maximum; 0
        where there is none because of NaN."""
        if not np.isnan(x).any():
            return self.at_maximum(x, values)
        result, open_ = np.zeros(y.shape, values.dtype), np.ones(y.shape, bool)
        for at, to in self._offsets(x.shape):
            chosen = open_[at] & (x[to] == y[at])
            np.copyto(result[at], values[to], where=chosen)
            open_[at] ^= chosen
        return result

    def _offsets(self, shape: Sequence[int]) -> Iterator[tuple[tuple, tuple]]:
        """Per offset in the window, in order of memory: the outputs that see an input there, and those inputs."""
        found = [spans(shape[axis], k, s, self.same)[1] for axis, k, s in self.axes]
        for offsets in itertools.product(*found):
            outputs, inputs = [slice(None)] * len(shape), [slice(None)] * len(shape)
            for (axis, _, _), (o, i) in zip(self.axes, offsets, strict=True):
                outputs[axis], inputs[axis] = o, i
            yield tuple(outputs), tuple(inputs)

    def _places(self, x: np.ndarray) -> np.ndarray:
        """The place in `x`, flat, of each window's first element that none after it is larger than."""
        here = np.arange(x.size).reshape(x.shape)
        largest = np.zeros(self.out_shape(x.shape), x.dtype)
        places = np.full(largest.shape, -1)
        for at, to in self._offsets(x.shape):
            better = (places[at] < 0) | (x[to] > largest[at])
            np.copyto(largest[at], x[to], where=better)
            np.copyto(places[at], here[to], where=better)
        return places

    def _reduced(self, x: np.ndarray, function: Callable, axes: Iterable[tuple[int, int, int]]) -> np.ndarray:
        y = x
        for axis, k, s in axes:
            y = _along(y, function, axis, *spans(y.shape[axis], k, s, self.same))
        return y.copy() if y is x else y

    def _counts(self, shape: Sequence[int], dtype: Any) -> np.ndarray:
        counts: Any = dtype.type(1)
        for axis, k, s in self.axes:
            out, found = spans(shape[axis], k, s, self.same)
            along = np.zeros(out, dtype)
            for o, _ in found:
                along[o] += 1
            if (along == k).all():
                counts = counts * dtype.type(k)
            else:
                counts = counts * along.reshape(-1, *(1,) * (len(shape) - axis - 1))
        return counts


def _at(axis: int, found: Iterable[Span]) -> list[tuple[tuple, tuple]]:
    lead = (slice(None),) * axis
    return [((*lead, o), (*lead, i)) for o, i in found]


def _along(x: np.ndarray, function: Callable, axis: int, out: int, found: tuple[Span, ...]) -> np.ndarray:
    shape = (*x.shape[:axis], out, *x.shape[axis + 1:])
    full = [n for n, (o, _) in enumerate(found) if o.stop - o.start == out]
    pairs = _at(axis, found)
    if len(full) > 1:
        y = function(x[pairs[full[0]][1]], x[pairs[full[1]][1]])
        done = full[:2]
    elif full:
        y = x[pairs[full[0]][1]].copy()
        done = full
    else:
        y = np.full(shape, 0 if function is np.add else _lowest(x.dtype), x.dtype)
        done = []
    for n, (o, i) in enumerate(pairs):
        if n not in done:
            target = y[o]
            function(target, x[i], out=target)
    return y


def _lowest(dtype: np.dtype) -> Any:
    return np.iinfo(dtype).min if dtype.kind in "iu" else -math.inf


def _first(
    x: np.ndarray, y: np.ndarray, axis: int, found: tuple[Span, ...]
) -> Iterable[tuple[tuple, tuple, np.ndarray]]:
    """Per offset of the window: where its element is the first to equal the maximum `y`."""
    pairs = _at(axis, found)
    free: Any = None
    for n, (o, i) in enumerate(pairs):
        full = found[n][0].stop - found[n][0].start == y.shape[axis]
        if n == len(pairs) - 1 and full and free is not None:
            chosen = free
        else:
            chosen = x[i] == y[o]
            if free is None:
                free = ~chosen if full else np.ones(y.shape, bool)
                if not full:
                    free[o] = ~chosen
            else:
                chosen &= free[o]
                free[o] ^= chosen
        yield o, i, chosen
