"""Images sampled at given places."""

from __future__ import annotations

from typing import Any

import numpy as np

import ossia as tf
from ossia_core.declare.opdef import op
from ossia_core.names.errors import InvalidArgumentError, UnimplementedError
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public

_DTYPES = "{half, bfloat16, float, double}"


class _Cells:
    """The four pixels around each place `[batch, count]`: their indices, weights, and which of them there are."""

    def __init__(self, data: np.ndarray, warp: np.ndarray) -> None:
        text = [f"[{','.join(map(str, each.shape))}]" for each in (data, warp)]
        if data.ndim != 4:
            raise UnimplementedError(
                None, None, "Only bilinear interpolation is currently supported. The input data shape must be "
                f"[batch_size, data_height, data_width, data_channels], but is: {text[0]}",
            )
        if warp.ndim < 2:
            raise InvalidArgumentError(None, None, f"warp should be at least a matrix, got shape {text[1]}")
        if warp.shape[-1] != 2:
            raise UnimplementedError(
                None, None, "Only bilinear interpolation is supported, warping coordinates must be 2D; warp shape last "
                f"entry should be 2, but shape vector is: {text[1]}",
            )
        if data.shape[0] != warp.shape[0]:
            raise InvalidArgumentError(
                None, None, "Batch size of data and warp tensor must be the same, but input shapes are: "
                f"{text[0]}, {text[1]}",
            )
        self.dtype = np.float64 if data.dtype == np.float64 else np.float32
        self.batch, self.height, self.width = data.shape[:3]
        places = warp.reshape(self.batch, int(np.prod(warp.shape[1:-1])), 2).astype(self.dtype)
        x, y = places[..., 0], places[..., 1]
        inside = (x > -1) & (y > -1) & (x < self.width) & (y < self.height)
        x, y = np.where(inside, x, 0), np.where(inside, y, 0)
        left, top = np.floor(x).astype(np.int64), np.floor(y).astype(np.int64)
        self.along, self.down = (x - left)[..., None], (y - top)[..., None]
        self.data = data.astype(self.dtype)
        self.rows, self.columns, self.inside = (top, top + 1), (left, left + 1), inside

    def corner(self, row: int, column: int) -> tuple[Any, np.ndarray]:
        """Index of the pixels of one corner, and which of them there are."""
        rows, columns = self.rows[row], self.columns[column]
        there = self.inside & (rows >= 0) & (columns >= 0) & (rows < self.height) & (columns < self.width)
        index = np.arange(self.batch)[:, None], np.where(there, rows, 0), np.where(there, columns, 0)
        return index, there[..., None]

    def values(self, row: int, column: int) -> np.ndarray:
        """Pixels of one corner, zeros where there are none."""
        index, there = self.corner(row, column)
        if not self.data.size:
            return np.zeros((*index[1].shape, self.data.shape[3]), self.dtype)
        return np.where(there, self.data[index], 0)

    def weight(self, row: int, column: int) -> np.ndarray:
        """Weight of one corner."""
        return (self.down if row else 1 - self.down) * (self.along if column else 1 - self.along)


_CORNERS = ((0, 0), (0, 1), (1, 0), (1, 1))
resampler_op = op("Resampler(data: T, warp: T) -> output: T", T=_DTYPES)


@resampler_op.shape
def _(data, warp):
    places, pixels = warp.shape.as_tuple(), data.shape.as_tuple()
    if places is None:
        return TensorShape(None)
    return TensorShape.from_tuple((*places[:-1], pixels[-1] if pixels else None))


@resampler_op.kernel
def _(data, warp):
    cells = _Cells(data, warp)
    sampled = sum(cells.weight(*corner) * cells.values(*corner) for corner in _CORNERS)
    return np.asarray(sampled).reshape(*warp.shape[:-1], data.shape[3]).astype(data.dtype)


@resampler_op.gradient
def _(node, grad):
    data, warp = node.inputs
    return resampler_grad_op(data, warp, tf.convert_to_tensor(grad, name="grad_output"))


resampler_grad_op = op(
    "ResamplerGrad(data: T, warp: T, grad_output: T) -> grad_data: T, grad_warp: T", T=_DTYPES
)


@resampler_grad_op.shape
def _(data, warp, grad_output):
    return data.shape, warp.shape


@resampler_grad_op.kernel
def _(data, warp, grad_output):
    cells = _Cells(data, warp)
    if grad_output.shape != (*warp.shape[:-1], data.shape[3]):
        raise InvalidArgumentError(None, None, f"grad_output has the shape {grad_output.shape} of no output")
    grad = grad_output.reshape(*cells.inside.shape, data.shape[3]).astype(cells.dtype)
    of_data = np.zeros(data.shape, cells.dtype)
    for corner in _CORNERS:
        index, there = cells.corner(*corner)
        if data.size:
            np.add.at(of_data, index, np.where(there, cells.weight(*corner) * grad, 0))
    upper_left, upper_right, lower_left, lower_right = (cells.values(*corner) for corner in _CORNERS)
    down, along = cells.down, cells.along
    of_x = (1 - down) * (upper_right - upper_left) + down * (lower_right - lower_left)
    of_y = (1 - along) * (lower_left - upper_left) + along * (lower_right - upper_right)
    of_warp = np.stack([(grad * each).sum(-1) for each in (of_x, of_y)], axis=-1)
    return of_data.astype(data.dtype), of_warp.reshape(warp.shape).astype(data.dtype)


resampler_grad_op.not_differentiable()
_DATA = np.linspace(0, 1, 24, dtype=np.float32).reshape(1, 3, 4, 2)
_WARP = np.array([[[0.3, 1.2], [-0.5, 0.5], [3.4, 2.6], [-2.0, 7.0]]], np.float32)
resampler_op.samples(
    places=(_DATA, _WARP),
    grid=(_DATA, np.full((1, 2, 2, 2), 0.25, np.float32)),
    empty=(_DATA, np.zeros((1, 0, 2), np.float32)),
    refused_rank=(_DATA[0], _WARP),
    refused_batch=(_DATA, np.zeros((2, 1, 2), np.float32)),
    refused_places=(_DATA, np.zeros((1, 1, 3), np.float32)),
)
resampler_grad_op.samples(
    places=(_DATA, _WARP, np.ones((1, 4, 2), np.float32)),
    refused_rank=(_DATA, _WARP, np.ones((1, 3, 2), np.float32)),
)


@public("contrib.resampler.resampler")
def resampler(data: Any, warp: Any, name: str = "resampler") -> Any:
    """Samples images at given places, bilinearly; beyond them is zero.

    Args:
      data: images `[batch, height, width, channels]`.
      warp: places `[batch, ..., 2]`, columns and rows.
      name: name of the scope.

    Returns:
      Pixels `[batch, ..., channels]`.
    """
    with tf.name_scope(name, "resampler", [data, warp]):
        return resampler_op(tf.convert_to_tensor(data, name="data"), tf.convert_to_tensor(warp, name="warp"))
