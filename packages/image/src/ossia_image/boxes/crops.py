"""Boxes cut out of images and resized, and the gradients."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import constant, merge_dim, with_rank, with_value
from ossia_core.graph.tensor import Tensor
from ossia_core.names import sizes
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public
from ossia_ops.array.shape import shape as shape_of

_TYPES = "{uint8, uint16, int8, int16, int32, int64, half, float, double}"
_IMAGES = np.square(np.arange(48, dtype=np.float32)).reshape(2, 4, 3, 2)
_BOXES = np.array([[0.1, 0.2, 0.9, 0.7], [0, 0, 1, 1], [0.8, 0.9, -0.2, 0.1]], np.float32)

crop_and_resize_op = op(
    "CropAndResize(image: T, boxes: float, box_ind: int32, crop_size: int32) -> crops: float", T=_TYPES,
    method="{'bilinear', 'nearest'} = 'bilinear'", extrapolation_value="float = 0",
)


@crop_and_resize_op.shape
def _crop_and_resize_shape(image, boxes, box_ind, crop_size):
    channels = with_rank(image, 4).as_tuple()[3]
    count, four = with_rank(boxes, 2).as_tuple()
    with_value(four, 4)
    count = merge_dim(count, with_rank(box_ind, 1).as_tuple()[0])
    with_value(with_rank(crop_size, 1).as_tuple()[0], 2)
    known = constant(crop_size)
    height, width = (None, None) if known is None else known.tolist()
    return count, height, width, channels


def _check(batch: int, boxes: np.ndarray, box_ind: np.ndarray) -> None:
    if boxes.ndim != 2 or boxes.shape[1] != 4:
        raise InvalidArgumentError(None, None, f"boxes must be 2-D of 4 columns{list(boxes.shape)}")
    if box_ind.shape != boxes.shape[:1]:
        raise InvalidArgumentError(None, None, f"box_ind has incompatible shape {list(box_ind.shape)}")
    if box_ind.size and (box_ind.min() < 0 or box_ind.max() >= batch):
        raise InvalidArgumentError(None, None, "box_index has values outside [0, batch_size)")


def _places(low: np.ndarray, high: np.ndarray, old: int, new: int) -> tuple[np.ndarray, np.ndarray]:
    """Where each row of each crop lies in its image, `[boxes, new]`, and whether that is inside."""
    last = np.float32(old - 1)
    if new > 1:
        scale = (high - low) * last / np.float32(new - 1)
        at = low[:, np.newaxis] * last + np.arange(new, dtype=np.float32) * scale[:, np.newaxis]
    else:
        at = np.float32(0.5) * (low + high)[:, np.newaxis] * last
    return at, (at >= 0) & (at <= last)


@crop_and_resize_op.kernel
def _crop_and_resize_kernel(image, boxes, box_ind, crop_size, *, method, extrapolation_value):
    if image.ndim != 4:
        raise InvalidArgumentError(None, None, f"input image must be 4-D{list(image.shape)}")
    box_ind = np.array(box_ind)
    _check(image.shape[0], boxes, box_ind)
    if crop_size.shape != (2,):
        raise InvalidArgumentError(None, None, f"crop_size must have two elements {list(crop_size.shape)}")
    height, width = crop_size.tolist()
    if height <= 0 or width <= 0:
        raise InvalidArgumentError(None, None, "crop dimensions must be positive")
    if not image.shape[1] or not image.shape[2]:
        raise InvalidArgumentError(None, None, "image dimensions must be positive")
    count, channels = len(boxes), image.shape[3]
    sizes.allocatable([count, height, width, channels], 4)
    y, inside_y = _places(boxes[:, 0], boxes[:, 2], image.shape[1], height)
    x, inside_x = _places(boxes[:, 1], boxes[:, 3], image.shape[2], width)
    inside = (inside_y[:, :, np.newaxis] & inside_x[:, np.newaxis])[..., np.newaxis]
    y, x = np.where(inside_y, y, 0), np.where(inside_x, x, 0)
    which = box_ind[:, np.newaxis, np.newaxis]

    def pixels(rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        rows, columns = rows.astype(np.int64)[:, :, np.newaxis], columns.astype(np.int64)[:, np.newaxis]
        return image[which, rows, columns].astype(np.float32)

    if method == b"nearest":
        found = pixels(np.floor(y + np.float32(0.5)), np.floor(x + np.float32(0.5)))
    else:
        above, left = np.floor(y), np.floor(x)
        below, right = np.ceil(y), np.ceil(x)
        down = (y - above)[:, :, np.newaxis, np.newaxis]
        across = (x - left)[:, np.newaxis, :, np.newaxis]
        top_left, bottom_left = pixels(above, left), pixels(below, left)
        top = top_left + (pixels(above, right) - top_left) * across
        bottom = bottom_left + (pixels(below, right) - bottom_left) * across
        found = top + (bottom - top) * down
    return np.where(inside, found, np.float32(extrapolation_value)).astype(np.float32)


@crop_and_resize_op.gradient
def _crop_and_resize_gradient(node, grad):
    image, boxes, box_ind, _ = node.inputs
    known = image.shape
    size = known.as_list() if known.is_fully_defined() else shape_of(image)
    float_types = ("float16", "float32", "float64")
    to_image = (
        crop_and_resize_grad_image_op(
            grad, boxes, box_ind, size, T=image.dtype, method=node.attrs["method"]
        )
        if image.dtype.name in float_types
        else None
    )
    return to_image, crop_and_resize_grad_boxes_op(grad, image, boxes, box_ind), None, None


crop_and_resize_op.samples(
    boxes=(_IMAGES, _BOXES, [0, 1, 1], [3, 4]),
    nearest=sample(_IMAGES, _BOXES, [0, 1, 1], [3, 4], method="nearest", extrapolation_value=-1.0),
    one=(_IMAGES, _BOXES, [0, 1, 0], [1, 1]),
    bytes=(np.arange(48).reshape(2, 4, 3, 2).astype(np.uint8), _BOXES, [0, 1, 1], [3, 4]),
    empty=(_IMAGES, _BOXES[:0], np.zeros(0, np.int32), [3, 4]),
    refused_index=(_IMAGES, _BOXES, [0, 2, 1], [3, 4]),
    refused_size=(_IMAGES, _BOXES, [0, 1, 1], [0, 4]),
)

crop_and_resize_grad_image_op = op(
    "CropAndResizeGradImage(grads: float, boxes: float, box_ind: int32, image_size: int32) -> output: T",
    T="{float, half, double}", method="{'bilinear', 'nearest'} = 'bilinear'",
)


@crop_and_resize_grad_image_op.shape
def _crop_and_resize_grad_image_shape(grads, boxes, box_ind, image_size):
    known = constant(image_size)
    with_rank(grads, 4)
    return (None,) * 4 if known is None else tuple(known.tolist())


@crop_and_resize_grad_image_op.kernel_for
def _crop_and_resize_grad_image_kernel(node, *, session):
    dtype, method = node.outputs[0].dtype.as_numpy_dtype, node.attrs["method"]

    def kernel(grads, boxes, box_ind, image_size):
        if image_size.shape != (4,) or (image_size <= 0).any():
            raise InvalidArgumentError(None, None, f"image_size must have four positive elements {image_size.tolist()}")
        batch, height, width, channels = image_size.tolist()
        box_ind = np.array(box_ind)
        _check(batch, boxes, box_ind)
        if grads.ndim != 4 or len(grads) != len(boxes) or grads.shape[3] != channels:
            raise InvalidArgumentError(None, None, f"grads have another shape: {list(grads.shape)}")
        sizes.allocatable([batch, height, width, channels], 4)
        made = np.zeros((batch, height, width, channels), np.float32)
        y, inside_y = _places(boxes[:, 0], boxes[:, 2], height, grads.shape[1])
        x, inside_x = _places(boxes[:, 1], boxes[:, 3], width, grads.shape[2])
        inside = (inside_y[:, :, np.newaxis] & inside_x[:, np.newaxis])[..., np.newaxis]
        grads = np.where(inside, grads, 0)
        y, x = np.where(inside_y, y, 0), np.where(inside_x, x, 0)
        which = box_ind[:, np.newaxis, np.newaxis]

        def put(rows: np.ndarray, columns: np.ndarray, values: np.ndarray) -> None:
            rows, columns = rows.astype(np.int64)[:, :, np.newaxis], columns.astype(np.int64)[:, np.newaxis]
            np.add.at(made, (which, rows, columns), values)

        if method == b"nearest":
            put(np.floor(y + np.float32(0.5)), np.floor(x + np.float32(0.5)), grads)
        else:
            above, left = np.floor(y), np.floor(x)
            down = (y - above)[:, :, np.newaxis, np.newaxis]
            across = (x - left)[:, np.newaxis, :, np.newaxis]
            put(above, left, grads * (1 - down) * (1 - across))
            put(above, np.ceil(x), grads * (1 - down) * across)
            put(np.ceil(y), left, grads * down * (1 - across))
            put(np.ceil(y), np.ceil(x), grads * down * across)
        return made.astype(dtype)

    return kernel


crop_and_resize_grad_image_op.samples(
    boxes=sample(np.ones((3, 3, 4, 2), np.float32), _BOXES, [0, 1, 1], [2, 4, 3, 2], T="float"),
    nearest=sample(
        np.ones((3, 3, 4, 2), np.float32), _BOXES, [0, 1, 1], [2, 4, 3, 2], T="float", method="nearest"
    ),
    refused_size=sample(np.ones((3, 3, 4, 2), np.float32), _BOXES, [0, 1, 1], [2, 4, 0, 2], T="float"),
)

crop_and_resize_grad_boxes_op = op(
    "CropAndResizeGradBoxes(grads: float, image: T, boxes: float, box_ind: int32) -> output: float", T=_TYPES,
    method="{'bilinear'} = 'bilinear'",
)


@crop_and_resize_grad_boxes_op.shape
def _crop_and_resize_grad_boxes_shape(grads, image, boxes, box_ind):
    return with_rank(boxes, 2)


@crop_and_resize_grad_boxes_op.kernel
def _crop_and_resize_grad_boxes_kernel(grads, image, boxes, box_ind):
    box_ind = np.array(box_ind)
    _check(image.shape[0], boxes, box_ind)
    if grads.ndim != 4 or len(grads) != len(boxes) or grads.shape[3] != image.shape[3]:
        raise InvalidArgumentError(None, None, f"grads have another shape: {list(grads.shape)}")
    new_height, new_width = grads.shape[1:3]
    last_y, last_x = np.float32(image.shape[1] - 1), np.float32(image.shape[2] - 1)
    y, inside_y = _places(boxes[:, 0], boxes[:, 2], image.shape[1], new_height)
    x, inside_x = _places(boxes[:, 1], boxes[:, 3], image.shape[2], new_width)
    inside = (inside_y[:, :, np.newaxis] & inside_x[:, np.newaxis])[..., np.newaxis]
    y, x = np.where(inside_y, y, 0), np.where(inside_x, x, 0)
    which = box_ind[:, np.newaxis, np.newaxis]

    def pixels(rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        rows, columns = rows.astype(np.int64)[:, :, np.newaxis], columns.astype(np.int64)[:, np.newaxis]
        return image[which, rows, columns].astype(np.float32)

    above, left, below, right = np.floor(y), np.floor(x), np.ceil(y), np.ceil(x)
    down = (y - above)[:, :, np.newaxis, np.newaxis]
    across = (x - left)[:, np.newaxis, :, np.newaxis]
    corners = [pixels(above, left), pixels(above, right), pixels(below, left), pixels(below, right)]
    slope_y = (1 - across) * (corners[2] - corners[0]) + across * (corners[3] - corners[1])
    slope_x = (1 - down) * (corners[1] - corners[0]) + down * (corners[3] - corners[2])
    weighted = np.where(inside, grads, 0)
    dy = (weighted * slope_y).sum(axis=(2, 3), dtype=np.float32)
    dx = (weighted * slope_x).sum(axis=(1, 3), dtype=np.float32)
    columns = [_ends(dy, last_y, new_height), _ends(dx, last_x, new_width)]
    return np.stack([columns[0][0], columns[1][0], columns[0][1], columns[1][1]], axis=1).astype(np.float32)


def _ends(slopes: np.ndarray, last: np.float32, new: int) -> tuple[np.ndarray, np.ndarray]:
    """Gradients of the low and the high end of boxes along one dimension."""
    if new > 1:
        part = np.arange(new, dtype=np.float32) * last / np.float32(new - 1)
        return (slopes * (last - part)).sum(axis=1), (slopes * part).sum(axis=1)
    half = (slopes * np.float32(0.5) * last).sum(axis=1)
    return half, half


crop_and_resize_grad_boxes_op.samples(
    boxes=(np.ones((3, 3, 4, 2), np.float32), _IMAGES, _BOXES, [0, 1, 1]),
    one=(np.ones((3, 1, 1, 2), np.float32), _IMAGES, _BOXES, [0, 1, 1]),
)


@public("image.crop_and_resize")
def crop_and_resize(
    image: Any, boxes: Any, box_ind: Any = None, crop_size: Any = None, method: str = "bilinear",
    extrapolation_value: float = 0, name: str | None = None, box_indices: Any = None,
) -> Tensor:
    """Cuts boxes out of images and resizes them.

    Args:
        image: `[batch, height, width, channels]`, of any number type.
        boxes: `[boxes, 4]`: top, left, bottom and right, where 0 and 1 are the borders; a box may be turned round, and
            may reach beyond the image.
        box_ind: Which image each box is of, `[boxes]`.
        crop_size: The height and width of the results.
        method: `"bilinear"` or `"nearest"`.
        extrapolation_value: What pixels outside of the image count as.
        name: A name for the op.
        box_indices: Another name of `box_ind`.

    Returns:
        A tensor of float32, `[boxes, height, width, channels]`.

    Raises:
        ValueError: Both names of an argument are given.
    """
    if box_indices is not None and box_ind is not None:
        raise ValueError("Cannot specify both 'box_indices' and 'box_ind'")
    return crop_and_resize_op(
        image=image, boxes=boxes, box_ind=box_ind if box_indices is None else box_indices, crop_size=crop_size,
        method=method, extrapolation_value=extrapolation_value, name=name,
    )


@public("compat.v2.image.crop_and_resize")
def crop_and_resize_v2(
    image: Any, boxes: Any, box_indices: Any, crop_size: Any, method: str = "bilinear",
    extrapolation_value: float = 0, name: str | None = None,
) -> Tensor:
    """As `tf.image.crop_and_resize`, with the arguments of the second version."""
    return crop_and_resize(image, boxes, box_indices, crop_size, method, extrapolation_value, name)
