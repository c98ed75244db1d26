"""Boxes drawn into images."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op
from ossia_core.declare.shape_rules import with_rank, with_rank_at_least, with_value
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public

_IMAGES = np.zeros((2, 6, 5, 3), np.float32)
_BOXES = np.array([[[0.1, 0.1, 0.7, 0.8]], [[0, 0, 1, 1]]], np.float32)
# Yellow, blue, red, lime, purple, olive, maroon, navy, aqua, fuchsia.
_COLOURS = np.array(
    [
        [1, 1, 0, 1], [0, 0, 1, 1], [1, 0, 0, 1], [0, 1, 0, 1], [0.5, 0, 0.5, 1], [0.5, 0.5, 0, 1], [0.5, 0, 0, 1],
        [0, 0, 0.5, 1], [0, 1, 1, 1], [1, 0, 1, 1],
    ],
    np.float32,
)


def _shape(images: Any, boxes: Any) -> Any:
    sizes = with_rank_at_least(images, 3)
    with_value(with_rank(boxes, 3).as_tuple()[2], 4)
    return sizes


def _drawn(images: np.ndarray, boxes: np.ndarray, colours: np.ndarray | None) -> np.ndarray:
    if images.ndim != 4:
        raise InvalidArgumentError(None, None, "The rank of the images should be 4")
    if boxes.ndim != 3 or boxes.shape[2] != 4:
        raise InvalidArgumentError(None, None, "The size of the third dimension of the box must be 4")
    if len(images) != len(boxes):
        raise InvalidArgumentError(None, None, "The batch sizes should be the same")
    depth = images.shape[3]
    if depth not in (1, 3, 4):
        raise InvalidArgumentError(None, None, "Channel depth should be either 1 (GRY), 3 (RGB), or 4 (RGBA)")
    table = _COLOURS
    if colours is not None and colours.size:
        if colours.ndim != 2 or colours.shape[1] < depth:
            raise InvalidArgumentError(None, None, "colors must be a matrix with a column for each channel")
        table = colours.astype(np.float32)
    if depth == 1 and table is _COLOURS:
        table = np.ones((1, 4), np.float32)
    made = images.copy()
    _, height, width, _ = images.shape
    for image, own in zip(made, boxes.astype(np.float32)):
        for number, box in enumerate(own):
            if np.isfinite(box).all():
                _draw(image, box, table[number % len(table), :depth].astype(images.dtype), height, width)
    return made


def _draw(image: np.ndarray, box: np.ndarray, colour: np.ndarray, height: int, width: int) -> None:
    top, left, bottom, right = (
        int(np.trunc(part * np.float32(last - 1))) if abs(part) < 1e6 else (10**9 if part > 0 else -(10**9))
        for part, last in zip(box, (height, width, height, width))
    )
    if top > bottom or left > right or top >= height or bottom < 0 or left >= width or right < 0:
        return
    rows = slice(max(top, 0), min(bottom, height - 1) + 1)
    columns = slice(max(left, 0), min(right, width - 1) + 1)
    for row in (top, bottom):
        if 0 <= row < height:
            image[row, columns] = colour
    for column in (left, right):
        if 0 <= column < width:
            image[rows, column] = colour


draw_bounding_boxes_op = op(
    "DrawBoundingBoxes(images: T, boxes: float) -> output: T", T="{float, half} = float"
)
draw_bounding_boxes_op.shape(_shape)


@draw_bounding_boxes_op.kernel
def _draw_bounding_boxes_kernel(images, boxes):
    return _drawn(images, boxes, None)


draw_bounding_boxes_op.not_differentiable()
draw_bounding_boxes_op.samples(
    boxes=(_IMAGES, _BOXES), half=(_IMAGES.astype(np.float16), _BOXES), grey=(_IMAGES[..., :1], _BOXES),
    outside=(_IMAGES, _BOXES * 3 - 1), refused_batch=(_IMAGES, _BOXES[:1]), refused_depth=(_IMAGES[..., :2], _BOXES),
)

draw_bounding_boxes_v2_op = op(
    "DrawBoundingBoxesV2(images: T, boxes: float, colors: float) -> output: T", T="{float, half} = float"
)


@draw_bounding_boxes_v2_op.shape
def _draw_bounding_boxes_v2_shape(images, boxes, colors):
    return _shape(images, boxes)


@draw_bounding_boxes_v2_op.kernel
def _draw_bounding_boxes_v2_kernel(images, boxes, colors):
    return _drawn(images, boxes, colors)


draw_bounding_boxes_v2_op.samples(
    boxes=(_IMAGES, _BOXES, [[0.2, 0.4, 0.6, 1.0]]), refused_colours=(_IMAGES, _BOXES, [[0.2, 0.4]]),
)


@public("image.draw_bounding_boxes")
def draw_bounding_boxes(images: Any, boxes: Any, name: str | None = None, colors: Any = None) -> Tensor:
    """Draws boxes into images.

    Args:
        images: `[batch, height, width, 1, 3 or 4]`, of float32 or half.
        boxes: `[batch, boxes, 4]`: top, left, bottom and right, where 0 and 1 are the borders.
        name: A name for the op.
        colors: `[colours, channels]`, taken in turn; None takes ten that differ.

    Returns:
        A tensor of the shape and dtype of the images.
    """
    if colors is None:
        return draw_bounding_boxes_op(images, boxes, name=name)
    return draw_bounding_boxes_v2_op(images, boxes, colors, name=name)


@public("compat.v2.image.draw_bounding_boxes")
def draw_bounding_boxes_v2(images: Any, boxes: Any, colors: Any, name: str | None = None) -> Tensor:
    """As `tf.image.draw_bounding_boxes`, with the arguments of the second version."""
    return draw_bounding_boxes(images, boxes, name, colors)
