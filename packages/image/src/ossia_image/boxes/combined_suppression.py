"""Non-maximum suppression of many classes at once, image by image: `tf.image.combined_non_max_suppression`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import constant, merge_dim, vector, with_rank, with_value
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public
from ossia_image.boxes.suppression import BOXES, SCORES, suppressed

combined_non_max_suppression_op = op(
    "CombinedNonMaxSuppression(boxes: float, scores: float, max_output_size_per_class: int32, max_total_size: int32, "
    "iou_threshold: float, score_threshold: float) -> nmsed_boxes: float, nmsed_scores: float, "
    "nmsed_classes: float, valid_detections: int32", pad_per_class="bool = false", clip_boxes="bool = true",
)


@combined_non_max_suppression_op.shape
def _combined_non_max_suppression_shape(
    boxes, scores, max_output_size_per_class, max_total_size, iou_threshold, score_threshold, *, pad_per_class
):
    batch, count, _, four = with_rank(boxes, 4).as_tuple()
    with_value(four, 4)
    others, rows, classes = with_rank(scores, 3).as_tuple()
    batch = merge_dim(batch, others)
    merge_dim(count, rows)
    total, each = constant(max_total_size), constant(max_output_size_per_class)
    size = None
    if total is not None:
        size = int(total)
        if pad_per_class:
            size = None if each is None or classes is None else min(size, int(each) * classes)
    return (batch, size, 4), (batch, size), (batch, size), vector(batch)


@combined_non_max_suppression_op.kernel
def _combined_non_max_suppression_kernel(
    boxes, scores, max_output_size_per_class, max_total_size, iou_threshold, score_threshold, *, pad_per_class,
    clip_boxes,
):
    if boxes.ndim != 4 or boxes.shape[3] != 4 or scores.ndim != 3 or scores.shape[:2] != boxes.shape[:2]:
        raise InvalidArgumentError(None, None, "boxes must be [batch, boxes, classes, 4], and scores match them")
    if boxes.shape[2] not in (1, scores.shape[2]):
        raise InvalidArgumentError(None, None, "third dimension of boxes must be either 1 or num classes")
    if max_output_size_per_class <= 0 or max_total_size <= 0:
        raise InvalidArgumentError(None, None, "output sizes must be positive")
    if not 0 <= iou_threshold <= 1:
        raise InvalidArgumentError(None, None, "iou_threshold must be in [0, 1]")
    batch, _, classes = scores.shape
    size = int(max_total_size)
    if pad_per_class:
        size = min(size, int(max_output_size_per_class) * classes)
    made = np.zeros((batch, size, 4), np.float32)
    kept, labels, counts = np.zeros((batch, size), np.float32), np.zeros((batch, size), np.float32), []
    for number in range(batch):
        found = []
        for label in range(classes):
            own = boxes[number, :, label if boxes.shape[2] > 1 else 0]
            marks = scores[number, :, label]
            chosen = suppressed(own, marks, int(max_output_size_per_class), iou_threshold, score_threshold)
            found += [(marks[index], label, own[index]) for index in chosen]
        found.sort(key=lambda item: -item[0])
        counts.append(min(len(found), size))
        for place, (score, label, box) in enumerate(found[:size]):
            made[number, place] = np.clip(box, 0, 1) if clip_boxes else box
            kept[number, place], labels[number, place] = score, label
    return made, kept, labels, np.array(counts, np.int32)


combined_non_max_suppression_op.samples(
    shared=(BOXES[np.newaxis, :, np.newaxis] / 12, np.stack([SCORES, SCORES[::-1]], 1)[np.newaxis], 2, 3, 0.5, 0.1),
    padded=sample(
        BOXES[np.newaxis, :, np.newaxis], np.stack([SCORES, SCORES[::-1]], 1)[np.newaxis], 2, 9, 0.5, 0.1,
        pad_per_class=True, clip_boxes=False,
    ),
    refused_total=(BOXES[np.newaxis, :, np.newaxis], SCORES[np.newaxis, :, np.newaxis], 2, 0, 0.5, 0.1),
)


@public("image.combined_non_max_suppression", "compat.v2.image.combined_non_max_suppression")
def combined_non_max_suppression(
    boxes: Any, scores: Any, max_output_size_per_class: Any, max_total_size: Any, iou_threshold: Any = 0.5,
    score_threshold: Any = float("-inf"), pad_per_class: bool = False, clip_boxes: bool = True,
    name: str | None = None,
) -> Any:
    """Non-maximum suppression for each class of each image of a batch.

    Args:
        boxes: `[batch, boxes, classes or 1, 4]`.
        scores: `[batch, boxes, classes]`.
        max_output_size_per_class: How many to choose of a class at most.
        max_total_size: How many to choose in an image at most.
        iou_threshold: The largest intersection over union of two chosen boxes of a class.
        score_threshold: Scores must be above it.
        pad_per_class: Whether the results have room for `max_output_size_per_class` of each class, if that is less.
        clip_boxes: Whether to clip coordinates to [0, 1].
        name: A name for the ops.

    Returns:
        A named tuple: boxes, scores and classes of what was chosen, the best first, and how many of them count.
    """
    with name_scope(name, "combined_non_max_suppression"):
        iou_threshold = convert_to_tensor(iou_threshold, dtype=dtypes.float32, name="iou_threshold")
        score_threshold = convert_to_tensor(score_threshold, dtype=dtypes.float32, name="score_threshold")
        return combined_non_max_suppression_op(
            boxes, scores, max_output_size_per_class, max_total_size, iou_threshold, score_threshold,
            pad_per_class=pad_per_class, clip_boxes=clip_boxes,
        )
