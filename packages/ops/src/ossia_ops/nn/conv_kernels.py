"""Convolutions of arrays over any number of spatial dimensions, as products of patches and weights, and their
gradients."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ossia_core.names.errors import InvalidArgumentError, UnimplementedError
from ossia_core.names.sizes import elements
from ossia_ops.nn.windows import fitted, padded, scatter_windows, unpadded, windows

_CHUNK = 1 << 19  # elements of patches that are multiplied at a time, few enough to stay in the cache


class Convolution:
    """The spatial part of a convolution's attributes, and what they mean for arrays.

    Args:
      rank: number of spatial dimensions.
      strides, dilations: one integer per dimension of the input.
      padding: b"SAME", b"VALID" or b"EXPLICIT".
      explicit: amounts of padding, two per dimension of the input, flat.
      channels_last: whether the channels are the last dimension, or the second.

    Raises:
      ValueError: attributes of another length, or padding outside the spatial dimensions.
    """

    __slots__ = ("channels_last", "dilations", "explicit", "name", "padding", "spatial_only", "strides")

    def __init__(
        self,
        rank: int,
        strides: Sequence[int],
        dilations: Sequence[int],
        padding: bytes,
        explicit: Sequence[int],
        channels_last: bool,
    ) -> None:
        self.name = f"Conv{rank}D"
        if len(strides) != rank + 2:
            raise ValueError(
                f"{self.name}{_of_format(rank, channels_last)} requires the stride attribute to contain {rank + 2} "
                f"values, but got: {len(strides)}"
            )
        if len(dilations) != rank + 2:
            raise ValueError(
                f"{self.name} requires the dilation attribute to contain {rank + 2} values, but got: {len(dilations)}"
            )
        if padding == b"EXPLICIT" and len(explicit) != 2 * (rank + 2):
            raise ValueError(
                f"explicit_paddings attribute must contain {2 * (rank + 2)} values, but got: {len(explicit)}"
            )
        if padding != b"EXPLICIT" and explicit:
            raise ValueError("explicit_paddings attribute must be empty if the padding attribute is not EXPLICIT")
        self.channels_last = channels_last
        first = 1 if channels_last else 2
        inside = range(first, first + rank)
        outside = [i for i in range(rank + 2) if i not in inside]
        self.strides, self.dilations = tuple(strides[i] for i in inside), tuple(dilations[i] for i in inside)
        self.padding = padding
        self.explicit = [explicit[2 * i + j] for i in inside for j in (0, 1)] if explicit else []
        if any(amount < 0 for amount in explicit):
            raise ValueError("All elements of explicit_paddings must be nonnegative")
        if explicit and any(explicit[2 * i] or explicit[2 * i + 1] for i in outside):
            raise ValueError("Nonzero explicit padding in the batch or depth dimensions is not supported")
        self.spatial_only = all(strides[i] == 1 == dilations[i] for i in outside)

    def last(self, x: np.ndarray) -> np.ndarray:
        """`x` with channels last."""
        return x if self.channels_last else np.moveaxis(x, 1, -1)

    def restored(self, x: np.ndarray) -> np.ndarray:
        """A result with channels last, in the data format asked for."""
        return np.ascontiguousarray(x if self.channels_last else np.moveaxis(x, -1, 1))

    def forward(self, x: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """The convolution of x [batch, *spatial, channels] with weights [*window, channels / groups, outputs]."""
        window, depth, out_depth = weights.shape[:-2], weights.shape[-2], weights.shape[-1]
        pads, out = self._fit(x.shape, window)
        elements((x.shape[0], *out, out_depth))
        kind = x.dtype
        if math.prod(window) == 0:  # sums of nothing
            return np.zeros((x.shape[0], *out, out_depth), kind)
        x, weights = _precise(x), _precise(weights)
        x = padded(x, pads)
        groups = _groups(x.shape[-1], depth)
        if groups == 1:
            return _product(windows(x, window, self.strides, self.dilations, out), weights, out).astype(
                kind, copy=False
            )
        width = out_depth // groups
        parts = [_product(windows(x[..., g * depth:(g + 1) * depth], window, self.strides, self.dilations, out),
                          weights[..., g * width:(g + 1) * width], out) for g in range(groups)]
        return np.concatenate(parts, axis=-1).astype(kind, copy=False)

    def input_gradient(self, shape: Sequence[int], weights: np.ndarray, grad: np.ndarray) -> np.ndarray:
        """The gradient for an input of `shape`, [batch, *spatial, channels]."""
        window, depth = weights.shape[:-2], weights.shape[-2]
        pads, out = self._checked("Input", shape, weights.shape, grad)
        groups = _groups(shape[-1], depth)
        kind = grad.dtype
        grad, weights = _precise(grad), _precise(weights)
        # Turned round, the weights meet zeros around the gradient, which only finite ones leave zero.
        if groups == 1 and all(s == 1 for s in self.strides) and np.isfinite(weights).all():
            return self._turned(shape, weights, grad, pads).astype(kind, copy=False)
        padded_shape = (shape[0], *(n + b + a for n, (b, a) in zip(shape[1:-1], pads, strict=True)), shape[-1])
        width = weights.shape[-1] // groups
        rows = math.prod(grad.shape[:-1])
        parts = []
        for g in range(groups):
            flat = weights[..., g * width:(g + 1) * width].reshape(math.prod(window) * depth, width)
            part = np.matmul(grad[..., g * width:(g + 1) * width].reshape(rows, width), flat.T)
            parts.append(part.reshape(shape[0], *out, *window, depth))
        patches = parts[0] if groups == 1 else np.concatenate(parts, axis=-1)
        return unpadded(scatter_windows(patches, padded_shape, self.strides, self.dilations), pads).astype(
            kind, copy=False
        )

    def _turned(
        self, shape: Sequence[int], weights: np.ndarray, grad: np.ndarray, pads: Sequence[tuple[int, int]]
    ) -> np.ndarray:
        """The gradient of a convolution with stride 1: a convolution with the weights turned round."""
        rank = len(shape) - 2
        turned = weights[(slice(None, None, -1),) * rank].swapaxes(-1, -2)
        reach = [(k - 1) * d for k, d in zip(weights.shape[:-2], self.dilations, strict=True)]
        around = [(r - before, r - after) for r, (before, after) in zip(reach, pads, strict=True)]
        cut = tuple(slice(max(-b, 0), n - max(-a, 0)) for n, (b, a) in zip(grad.shape[1:-1], around, strict=True))
        inside = (slice(None), *cut, slice(None))
        grad = padded(grad[inside], tuple((max(b, 0), max(a, 0)) for b, a in around))
        return _product(
            windows(grad, weights.shape[:-2], self.strides, self.dilations, shape[1:-1]), turned, tuple(shape[1:-1])
        )

    def filter_gradient(self, x: np.ndarray, shape: Sequence[int], grad: np.ndarray) -> np.ndarray:
        """The gradient for weights of `shape`, [*window, channels / groups, outputs]."""
        window, (depth, out_depth) = shape[:-2], shape[-2:]
        pads, out = self._checked("Filter", x.shape, shape, grad)
        groups = _groups(x.shape[-1], depth)
        kind = grad.dtype
        x, grad = padded(_precise(x), pads), _precise(grad)
        width = out_depth // groups
        parts = []
        for g in range(groups):
            patches = windows(
                x[..., g * depth : (g + 1) * depth] if groups > 1 else x, window, self.strides, self.dilations, out
            )
            part = grad[..., g * width:(g + 1) * width] if groups > 1 else grad
            parts.append(_outer(patches, part, out).reshape(*window, depth, width))
        return (parts[0] if groups == 1 else np.concatenate(parts, axis=-1)).astype(kind, copy=False)

    def _fit(self, x_shape: Sequence[int], window: Sequence[int]) -> tuple:
        return fitted(x_shape[1:-1], window, self.strides, self.dilations, self.padding, self.explicit)

    def _checked(
        self, wanted: str, x_shape: Sequence[int], weights_shape: Sequence[int], grad: np.ndarray
    ) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
        pads, out = self._fit(x_shape, weights_shape[:-2])
        if math.prod(weights_shape[:-2]) == 0:
            raise InvalidArgumentError(None, None, f"{self.name}: windows must not be empty")
        if grad.shape == (x_shape[0], *out, weights_shape[-1]):
            return pads, out
        name = f"Conv2DCustomBackprop{wanted}" if len(out) == 2 else f"{self.name}Backprop{wanted}Op"
        if grad.shape[0] != x_shape[0]:
            message = (
                f"input and out_backprop must have the same batch sizeinput batch: {x_shape[0]}outbackprop batch: "
                f"{grad.shape[0]} batch_dim: 0"
            )
        elif grad.shape[-1] != weights_shape[-1]:
            message = "filter and out_backprop must have the same out_depth"
        else:
            at = next(i for i, (has, size) in enumerate(zip(grad.shape[1:-1], out, strict=True)) if has != size)
            message = (
                f"Size of out_backprop doesn't match computed: actual = {grad.shape[at + 1]}, computed = {out[at]} "
                f"spatial_dim: {at + 1} input: {x_shape[at + 1]} filter: {weights_shape[at]} output: "
                f"{grad.shape[at + 1]} stride: {self.strides[at]} dilation: {self.dilations[at]}"
            )
        raise InvalidArgumentError(None, None, f"{name}: {message}")


def _of_format(rank: int, channels_last: bool) -> str:
    """How the original says which format a convolution in two dimensions has; of the others it says nothing."""
    return f" on data format {'NHWC' if channels_last else 'NCHW'}" if rank == 2 else ""


def _groups(depth: int, filter_depth: int) -> int:
    if depth == 0 != filter_depth:
        raise UnimplementedError(
            None,
            None,
            "The Conv2D op currently does not support grouped convolutions on the CPU. A grouped convolution was "
            "attempted to be run because the input depth of 0 does not match the filter input depth of "
            f"{filter_depth}",
        )
    if filter_depth == 0 or depth % filter_depth:
        raise InvalidArgumentError(
            None, None, f"input depth must be evenly divisible by filter depth: {depth} vs {filter_depth}"
        )
    return depth // filter_depth


def _precise(x: np.ndarray) -> np.ndarray:
    return x.astype(np.float32) if x.dtype.itemsize < 4 else x


def _product(patches: np.ndarray, weights: np.ndarray, out: Sequence[int]) -> np.ndarray:
    """patches [batch, *out, *window, channels] times weights [*window, channels, outputs]."""
    batch, inner, out_depth = patches.shape[0], math.prod(weights.shape[:-1]), weights.shape[-1]
    rows = math.prod(out)
    flat = weights.reshape(inner, out_depth)
    step = max(_CHUNK // max(rows * inner, 1), 1)
    if step >= batch:
        return np.matmul(patches.reshape(batch * rows, inner), flat).reshape(batch, *out, out_depth)
    result = np.empty((batch, *out, out_depth), patches.dtype)
    lines = result.reshape(batch, rows, out_depth)
    for start in range(0, batch, step):
        block = patches[start:start + step]
        np.matmul(
            block.reshape(len(block) * rows, inner),
            flat,
            out=lines[start : start + step].reshape(len(block) * rows, out_depth),
        )
    return result


def _outer(patches: np.ndarray, grad: np.ndarray, out: Sequence[int]) -> np.ndarray:
    """The sum over batch and positions of patches [batch, *out, *window, channels] times grad [batch, *out,
    outputs]."""
    batch, rows, out_depth = patches.shape[0], math.prod(out), grad.shape[-1]
    inner = math.prod(patches.shape[1 + len(out):])
    step = max(_CHUNK // max(rows * inner, 1), 1)
    result = np.zeros((inner, out_depth), grad.dtype)
    for start in range(0, batch, step):
        block, part = patches[start:start + step], grad[start:start + step]
        product = np.matmul(block.reshape(len(block) * rows, inner).T, part.reshape(len(block) * rows, out_depth))
        if step >= batch:
            return product
        result += product
    return result
