"""Boxes drawn at random, distorted, that cover enough of given ones: parts of images to train with."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import vector, with_rank, with_value
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.seeds import get_seed
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public
from ossia_ops.random.samplers.philox import WordReader
from ossia_ops.random.streams import stream_of

_TYPES = "{uint8, int8, int16, int32, int64}"
_SEEDS = {"seed": "int = 0", "seed2": "int = 0"}
_OPTIONS = {
    "aspect_ratio_range": "list(float) = [0.75, 1.33]",
    "area_range": "list(float) = [0.05, 1]", "max_attempts": "int = 100",
    "use_image_if_no_bounding_boxes": "bool = false",
}
_SIZE, _BOXES = np.array([40, 50, 3], np.int32), np.array([[[0.1, 0.2, 0.7, 0.8]]], np.float32)


def _shapes(image_size: Any, bounding_boxes: Any) -> tuple:
    with_value(with_rank(image_size, 1).as_tuple()[0], 3)
    with_value(with_rank(bounding_boxes, 3).as_tuple()[2], 4)
    return vector(3), vector(3), (1, 1, 4)


class _Draws:
    """Numbers drawn one at a time from the words of a stream."""

    def __init__(self, reader: WordReader) -> None:
        self._words: Iterator[int] = (int(reader.take(1)[0]) for _ in itertools.count())

    def real(self) -> np.float32:
        """A number in [0, 1) with the 23 low bits of a word."""
        word = next(self._words)
        bits = np.array((127 << 23) | (word & 0x7FFFFF), np.uint32)
        return np.float32(bits.view(np.float32) - np.float32(1))

    def below(self, count: int) -> int:
        """An integer in [0, count), each as likely as the others."""
        if count & (count - 1) == 0:
            return next(self._words) & (count - 1)
        rest = 0xFFFFFFFF % count + 1
        word = next(self._words)
        while word < rest:
            word = next(self._words)
        return word % count


def _rounded(value: Any) -> int:
    return int(np.rint(value))


def _crop(
    draws: _Draws, height: int, width: int, least: np.float32, most: np.float32, ratio: np.float32
) -> tuple[int, int, int, int] | None:
    """A part of an image of the given aspect ratio, as top, left, bottom, right; None if there is none."""
    if height <= 0 or width <= 0 or ratio <= 0 or least <= 0 or least > most:
        return None
    one = np.float32
    smallest, largest = one(least * one(width) * one(height)), one(most * one(width) * one(height))
    rows = _rounded(np.sqrt(smallest / ratio))
    most_rows = _rounded(np.sqrt(largest / ratio))
    if _rounded(one(most_rows) * ratio) > width:
        most_rows = int((one(width) + one(0.5) - one(1e-7)) / ratio)
    most_rows = min(most_rows, height)
    rows = min(rows, most_rows)
    if rows < most_rows:
        rows += draws.below(most_rows - rows + 1)
    columns = _rounded(one(rows) * ratio)
    area = one(columns * rows)
    if area < smallest:
        rows += 1
        columns = _rounded(one(rows) * ratio)
        area = one(columns * rows)
    if area > largest:
        rows -= 1
        columns = _rounded(one(rows) * ratio)
        area = one(columns * rows)
    if area < smallest or area > largest or columns > width or rows > height or columns <= 0 or rows <= 0:
        return None
    top = draws.below(height - rows) if rows < height else 0
    left = draws.below(width - columns) if columns < width else 0
    return top, left, top + rows, left + columns


def _covers(part: tuple[int, int, int, int], boxes: list[tuple[int, int, int, int]], least: float) -> bool:
    """Whether a part holds at least that fraction of one of the boxes."""
    part_area = (part[2] - part[0]) * (part[3] - part[1])
    if part_area < 1:
        return False
    for box in boxes:
        area = (box[2] - box[0]) * (box[3] - box[1])
        if area < 1:
            continue
        rows = min(part[2], box[2]) - max(part[0], box[0])
        columns = min(part[3], box[3]) - max(part[1], box[1])
        common = rows * columns if rows > 0 and columns > 0 else 0
        if np.float32(common) / np.float32(area) >= np.float32(least):
            return True
    return False


def _kernel_for(node: Any, session: Any) -> Any:
    stream, attrs = stream_of(node, session), node.attrs
    attempts = attrs["max_attempts"]
    low_ratio, high_ratio = map(np.float32, attrs["aspect_ratio_range"])
    low_area, high_area = map(np.float32, attrs["area_range"])

    def kernel(image_size: np.ndarray, bounding_boxes: np.ndarray, min_object_covered: float) -> tuple:
        if image_size.shape != (3,):
            raise InvalidArgumentError(None, None, f"image_size must contain 3 elements, got {image_size.tolist()}")
        if bounding_boxes.ndim != 3 or bounding_boxes.shape[2] != 4:
            shape = list(bounding_boxes.shape)
            raise InvalidArgumentError(None, None, f"bounding boxes must be [batch, boxes, 4], not {shape}")
        if min_object_covered < 0:
            raise InvalidArgumentError(None, None, f"Min object covered must be non-negative: {min_object_covered}")
        height, width = int(image_size[0]), int(image_size[1])
        if height <= 0 or width <= 0:
            raise InvalidArgumentError(None, None, f"Image height and width must be positive: {height}, {width}")
        boxes = []
        for box in bounding_boxes.reshape(-1, 4):
            top, left, bottom, right = box
            if not ((box >= 0) & (box <= 1)).all():
                raise InvalidArgumentError(None, None, f"Coordinates of boxes must be in [0, 1]: {box.tolist()}")
            if left >= right or top >= bottom:
                raise InvalidArgumentError(None, None, f"Coordinates of boxes must be in order: {box.tolist()}")
            boxes.append((int(top * height), int(left * width), int(bottom * height), int(right * width)))
        if not boxes:
            if not attrs["use_image_if_no_bounding_boxes"]:
                raise InvalidArgumentError(
                    None, None, "No bounding boxes provided as input. One must enable use_image_if_no_bounding_boxes "
                    "if you wish to not provide any bounding boxes.",
                )
            boxes.append((0, 0, height, width))
        draws = _Draws(WordReader(stream.reserve(4 * attempts)))
        found = (0, 0, height, width)
        for _ in range(attempts):
            ratio = np.float32(draws.real() * (high_ratio - low_ratio) + low_ratio)
            part = _crop(draws, height, width, low_area, high_area, ratio)
            if part is not None and _covers(part, boxes, min_object_covered):
                found = part
                break
        top, left, bottom, right = found
        kind = image_size.dtype
        corners = np.array([top / height, left / width, bottom / height, right / width], np.float32)
        return (
            np.array([top, left, 0]).astype(kind), np.array([bottom - top, right - left, -1]).astype(kind),
            corners.reshape(1, 1, 4),
        )

    return kernel


sample_distorted_bounding_box_op = op(
    "SampleDistortedBoundingBox(image_size: T, bounding_boxes: float) -> begin: T, size: T, bboxes: float",
    T=_TYPES, stateful=True, **_SEEDS, min_object_covered="float = 0.1", **_OPTIONS,
)
sample_distorted_bounding_box_op.shape(_shapes)


@sample_distorted_bounding_box_op.kernel_for
def _sample_distorted_bounding_box_kernel(node, *, session):
    kernel, least = _kernel_for(node, session), node.attrs["min_object_covered"]
    return lambda image_size, bounding_boxes: kernel(image_size, bounding_boxes, least)


sample_distorted_bounding_box_op.not_differentiable()
sample_distorted_bounding_box_op.samples(
    box=sample(_SIZE, _BOXES, seed=3, seed2=4),
    whole=sample(_SIZE, _BOXES[:, :0], seed=3, seed2=4, use_image_if_no_bounding_boxes=True),
    refused_none=sample(_SIZE, _BOXES[:, :0], seed=3),
)

sample_distorted_bounding_box_v2_op = op(
    "SampleDistortedBoundingBoxV2(image_size: T, bounding_boxes: float, min_object_covered: float)"
    " -> begin: T, size: T, bboxes: float", T=_TYPES, stateful=True, **_SEEDS, **_OPTIONS,
)


@sample_distorted_bounding_box_v2_op.shape
def _sample_distorted_bounding_box_v2_shape(image_size, bounding_boxes, min_object_covered):
    with_rank(min_object_covered, 0)
    return _shapes(image_size, bounding_boxes)


@sample_distorted_bounding_box_v2_op.kernel_for
def _sample_distorted_bounding_box_v2_kernel(node, *, session):
    kernel = _kernel_for(node, session)
    return lambda image_size, bounding_boxes, least: kernel(image_size, bounding_boxes, float(least))


sample_distorted_bounding_box_v2_op.not_differentiable()
sample_distorted_bounding_box_v2_op.samples(
    box=sample(_SIZE, _BOXES, 0.3, seed=3, seed2=4),
    wide=sample(_SIZE, _BOXES, 0.9, seed=3, seed2=4, aspect_ratio_range=[2.0, 3.0], max_attempts=20),
    refused_box=sample(_SIZE, _BOXES * 2, 0.3, seed=3),
    refused_size=sample(_SIZE[:2], _BOXES, 0.3, seed=3),
)


@public("image.sample_distorted_bounding_box")
def sample_distorted_bounding_box(
    image_size: Any, bounding_boxes: Any, seed: int | None = None, seed2: int | None = None,
    min_object_covered: Any = 0.1, aspect_ratio_range: Any = None, area_range: Any = None,
    max_attempts: int | None = None, use_image_if_no_bounding_boxes: bool | None = None, name: str | None = None,
) -> Any:
    """Draws a part of an image that holds enough of one of some boxes.

    Args:
        image_size: Height, width and channels, a vector of integers.
        bounding_boxes: `[batch, boxes, 4]`: top, left, bottom and right, where 0 and 1 are the borders.
        seed: The graph's part of the seed, as the op has it.
        seed2: The op's part.
        min_object_covered: Which fraction of a box the part must hold.
        aspect_ratio_range: Least and largest width over height; by default 0.75 and 1.33.
        area_range: Least and largest fraction of the image; by default 0.05 and 1.
        max_attempts: How often to try before the whole image is taken; by default 100.
        use_image_if_no_bounding_boxes: Whether the whole image counts as a box where there is none.
        name: A name for the ops.

    Returns:
        A named tuple: `begin` and `size` as `tf.slice` takes them, and the part as a box, `[1, 1, 4]`.
    """
    options = {
        "seed": seed, "seed2": seed2, "aspect_ratio_range": aspect_ratio_range, "area_range": area_range,
        "max_attempts": max_attempts, "use_image_if_no_bounding_boxes": use_image_if_no_bounding_boxes,
    }
    given = {key: value for key, value in options.items() if value is not None}
    with name_scope(name, "sample_distorted_bounding_box"):
        return sample_distorted_bounding_box_v2_op(image_size, bounding_boxes, min_object_covered, **given)


@public("compat.v2.image.sample_distorted_bounding_box")
def sample_distorted_bounding_box_v2(
    image_size: Any, bounding_boxes: Any, seed: int = 0, min_object_covered: Any = 0.1,
    aspect_ratio_range: Any = None, area_range: Any = None, max_attempts: int | None = None,
    use_image_if_no_bounding_boxes: bool | None = None, name: str | None = None,
) -> Any:
    """As `tf.image.sample_distorted_bounding_box`; `seed` is an op seed, and 0 draws anew in each session."""
    first, second = get_seed(seed) if seed else (0, 0)
    return sample_distorted_bounding_box(
        image_size, bounding_boxes, first, second, min_object_covered, aspect_ratio_range, area_range, max_attempts,
        use_image_if_no_bounding_boxes, name,
    )


