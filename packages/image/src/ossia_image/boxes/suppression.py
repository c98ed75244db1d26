"""Non-maximum suppression: the best of many boxes, without those that overlap a better one."""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import constant, merge_dim, scalar, vector, with_rank, with_value
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public

BOXES = np.array([[0, 0, 1, 1], [0, 0.1, 1, 1.1], [0, -0.1, 1, 0.9], [0, 10, 1, 11], [0, 10.1, 1, 11.1]], np.float32)
SCORES = np.array([0.9, 0.75, 0.6, 0.95, 0.5], np.float32)


def areas(boxes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Boxes with their corners in order, and their areas."""
    low, high = np.minimum(boxes[:, :2], boxes[:, 2:]), np.maximum(boxes[:, :2], boxes[:, 2:])
    return np.concatenate([low, high], axis=1), (high - low).prod(axis=1)


def overlaps(box: np.ndarray, area: Any, boxes: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Intersection over union of one box with others; 0 where an area is empty."""
    shared = np.minimum(box[2:], boxes[:, 2:]) - np.maximum(box[:2], boxes[:, :2])
    common = np.maximum(shared, 0).prod(axis=1)
    union = area + others - common
    return np.where((area > 0) & (others > 0), common / np.where(union > 0, union, 1), 0).astype(boxes.dtype)


def suppressed(boxes: np.ndarray, scores: np.ndarray, limit: int, threshold: float, least: float) -> np.ndarray:
    """Indices of the boxes that stay, the best first: those that no better one overlaps by more than `threshold`."""
    boxes, sizes = areas(boxes)
    order = np.argsort(-scores, kind="stable")
    order = order[scores[order] > least]
    chosen: list[int] = []
    left = boxes[order], sizes[order]
    while len(order) and len(chosen) < limit:
        chosen.append(int(order[0]))
        alike = overlaps(left[0][0], left[1][0], left[0][1:], left[1][1:])
        stays = np.flatnonzero(alike <= threshold) + 1
        order, left = order[stays], (left[0][stays], left[1][stays])
    return np.array(chosen, np.int32)


def _softly_suppressed(
    boxes: np.ndarray, scores: np.ndarray, limit: int, threshold: float, least: float, sigma: float
) -> tuple[np.ndarray, np.ndarray]:
    """As `suppressed`, but an overlap lowers a score by `exp(-overlap**2 / (2 sigma))` (Bodla et al. 2017)."""
    kind = scores.dtype.type
    boxes, sizes = areas(boxes)
    heap = [(-score, index, 0) for index, score in enumerate(scores.tolist()) if score > least]
    heapq.heapify(heap)
    chosen: list[int] = []
    kept: list[Any] = []
    slope = kind(-0.5) / kind(sigma) if sigma > 0 else kind(0)
    while heap and len(chosen) < limit:
        negative, index, begin = heapq.heappop(heap)
        score = kind(-negative)
        before = score
        dropped = False
        for other in reversed(chosen[begin:]):
            alike = overlaps(boxes[index], sizes[index], boxes[[other]], sizes[[other]])[0]
            weight = np.exp(slope * alike * alike) if sigma > 0 else kind(1)
            score = kind(score * (weight if alike <= threshold else 0))
            if not score > least:  # or NaN
                dropped = True
                break
        if dropped:
            continue
        if score == before:
            chosen.append(index)
            kept.append(score)
        else:
            heapq.heappush(heap, (-float(score), index, len(chosen)))
    return np.array(chosen, np.int32), np.array(kept, scores.dtype)


def _checked(boxes: np.ndarray, scores: np.ndarray, limit: np.ndarray, threshold: Any) -> int:
    """The number of boxes wanted.

    Raises:
        InvalidArgumentError: An argument is not of the shape or size that it should be.
    """
    if boxes.ndim != 2 or boxes.shape[1] != 4:
        raise InvalidArgumentError(None, None, f"boxes must be 2-D with 4 columns{list(boxes.shape)}")
    if scores.shape != boxes.shape[:1]:
        raise InvalidArgumentError(None, None, "scores has incompatible shape")
    if not 0 <= threshold <= 1:
        raise InvalidArgumentError(None, None, "iou_threshold must be in [0, 1]")
    if np.ndim(limit):
        raise InvalidArgumentError(None, None, f"max_output_size must be 0-D, got shape {list(limit.shape)}")
    if limit < 0:
        raise InvalidArgumentError(None, None, "output size must be non-negative")
    return int(limit)


def _matching(boxes: Any, scores: Any, *scalars: Any) -> None:
    count, four = with_rank(boxes, 2).as_tuple()
    merge_dim(count, with_rank(scores, 1).as_tuple()[0])
    with_value(four, 4)
    for number in scalars:
        with_rank(number, 0)


non_max_suppression_op = op(
    "NonMaxSuppression(boxes: float, scores: float, max_output_size: int32) -> selected_indices: int32",
    iou_threshold="float = 0.5",
)


@non_max_suppression_op.shape
def _non_max_suppression_shape(boxes, scores, max_output_size):
    _matching(boxes, scores, max_output_size)
    return vector(None)


@non_max_suppression_op.kernel
def _non_max_suppression_kernel(boxes, scores, max_output_size, *, iou_threshold):
    limit = _checked(boxes, scores, max_output_size, iou_threshold)
    return suppressed(boxes, scores, limit, np.float32(iou_threshold), -np.inf)


non_max_suppression_op.not_differentiable()
non_max_suppression_op.samples(
    some=(BOXES, SCORES, 3), loose=sample(BOXES, SCORES, 9, iou_threshold=1.0), none=(BOXES, SCORES, 0),
    empty=(BOXES[:0], SCORES[:0], 3), refused_limit=(BOXES, SCORES, -1), refused_scores=(BOXES, SCORES[:2], 3),
)

non_max_suppression_v2_op = op(
    "NonMaxSuppressionV2(boxes: T, scores: T, max_output_size: int32, iou_threshold: T_threshold)"
    " -> selected_indices: int32", T="{half, float} = float", T_threshold="{half, float} = float",
)


@non_max_suppression_v2_op.shape
def _non_max_suppression_v2_shape(boxes, scores, max_output_size, iou_threshold):
    _matching(boxes, scores, max_output_size)
    return vector(None)


@non_max_suppression_v2_op.kernel
def _non_max_suppression_v2_kernel(boxes, scores, max_output_size, iou_threshold):
    limit = _checked(boxes, scores, max_output_size, iou_threshold)
    return suppressed(boxes, scores, limit, iou_threshold, -np.inf)


non_max_suppression_v2_op.not_differentiable()
non_max_suppression_v2_op.samples(
    some=(BOXES, SCORES, 3, 0.5), half=(BOXES.astype(np.float16), SCORES.astype(np.float16), 3, np.float16(0.5)),
    refused_threshold=(BOXES, SCORES, 3, 1.5),
)

non_max_suppression_v3_op = op(
    "NonMaxSuppressionV3(boxes: T, scores: T, max_output_size: int32, iou_threshold: T_threshold, "
    "score_threshold: T_threshold) -> selected_indices: int32",
    T="{half, float} = float", T_threshold="{half, float} = float",
)


@non_max_suppression_v3_op.shape
def _non_max_suppression_v3_shape(boxes, scores, max_output_size, iou_threshold, score_threshold):
    _matching(boxes, scores, max_output_size, iou_threshold, score_threshold)
    return vector(None)


@non_max_suppression_v3_op.kernel
def _non_max_suppression_v3_kernel(boxes, scores, max_output_size, iou_threshold, score_threshold):
    limit = _checked(boxes, scores, max_output_size, iou_threshold)
    return suppressed(boxes, scores, limit, iou_threshold, score_threshold)


non_max_suppression_v3_op.samples(
    some=(BOXES, SCORES, 3, 0.5, 0.4), high=(BOXES, SCORES, 3, 0.5, 0.8), tied=(BOXES, SCORES * 0, 3, 0.5, -1.0),
)

non_max_suppression_v4_op = op(
    "NonMaxSuppressionV4(boxes: T, scores: T, max_output_size: int32, iou_threshold: T_threshold, "
    "score_threshold: T_threshold) -> selected_indices: int32, valid_outputs: int32",
    T="{half, float} = float", T_threshold="{half, float} = float", pad_to_max_output_size="bool = false",
)


def _chosen_shape(max_output_size: Any, pad_to_max_output_size: bool) -> Any:
    known = constant(max_output_size) if pad_to_max_output_size else None
    return vector(None if known is None else int(known))


@non_max_suppression_v4_op.shape
def _non_max_suppression_v4_shape(
    boxes, scores, max_output_size, iou_threshold, score_threshold, *, pad_to_max_output_size
):
    _matching(boxes, scores, max_output_size, iou_threshold, score_threshold)
    return _chosen_shape(max_output_size, pad_to_max_output_size), scalar()


@non_max_suppression_v4_op.kernel
def _non_max_suppression_v4_kernel(
    boxes, scores, max_output_size, iou_threshold, score_threshold, *, pad_to_max_output_size
):
    limit = _checked(boxes, scores, max_output_size, iou_threshold)
    chosen = suppressed(boxes, scores, limit, iou_threshold, score_threshold)
    count = np.int32(len(chosen))
    if pad_to_max_output_size:
        chosen = np.pad(chosen, (0, limit - len(chosen)))
    return chosen, count


non_max_suppression_v4_op.samples(
    some=(BOXES, SCORES, 3, 0.5, 0.4), padded=sample(BOXES, SCORES, 7, 0.5, 0.4, pad_to_max_output_size=True),
)

non_max_suppression_v5_op = op(
    "NonMaxSuppressionV5(boxes: T, scores: T, max_output_size: int32, iou_threshold: T, score_threshold: T, "
    "soft_nms_sigma: T) -> selected_indices: int32, selected_scores: T, valid_outputs: int32",
    T="{half, float} = float", pad_to_max_output_size="bool = false",
)


@non_max_suppression_v5_op.shape
def _non_max_suppression_v5_shape(
    boxes, scores, max_output_size, iou_threshold, score_threshold, soft_nms_sigma, *, pad_to_max_output_size
):
    _matching(boxes, scores, max_output_size, iou_threshold, score_threshold, soft_nms_sigma)
    chosen = _chosen_shape(max_output_size, pad_to_max_output_size)
    return chosen, chosen, scalar()


@non_max_suppression_v5_op.kernel
def _non_max_suppression_v5_kernel(
    boxes, scores, max_output_size, iou_threshold, score_threshold, soft_nms_sigma, *, pad_to_max_output_size
):
    limit = _checked(boxes, scores, max_output_size, iou_threshold)
    if soft_nms_sigma < 0:
        raise InvalidArgumentError(None, None, "soft_nms_sigma_val must be non-negative")
    if soft_nms_sigma == 0:
        chosen = suppressed(boxes, scores, limit, iou_threshold, score_threshold)
        kept = scores[chosen]
    else:
        chosen, kept = _softly_suppressed(
            boxes, scores, limit, iou_threshold, score_threshold, float(soft_nms_sigma)
        )
    count = np.int32(len(chosen))
    if pad_to_max_output_size:
        chosen, kept = np.pad(chosen, (0, limit - len(chosen))), np.pad(kept, (0, limit - len(kept)))
    return chosen, kept, count


non_max_suppression_v5_op.samples(
    hard=(BOXES, SCORES, 3, 0.5, 0.4, 0.0), soft=(BOXES, SCORES, 5, 0.9, 0.1, 0.5),
    padded=sample(BOXES, SCORES, 7, 0.5, 0.4, 0.5, pad_to_max_output_size=True),
)

non_max_suppression_with_overlaps_op = op(
    "NonMaxSuppressionWithOverlaps(overlaps: float, scores: float, max_output_size: int32, "
    "overlap_threshold: float, score_threshold: float) -> selected_indices: int32"
)


@non_max_suppression_with_overlaps_op.shape
def _non_max_suppression_with_overlaps_shape(overlaps, scores, max_output_size, overlap_threshold, score_threshold):
    rows, columns = with_rank(overlaps, 2).as_tuple()
    merge_dim(merge_dim(rows, columns), with_rank(scores, 1).as_tuple()[0])
    for number in (max_output_size, overlap_threshold, score_threshold):
        with_rank(number, 0)
    return vector(None)


@non_max_suppression_with_overlaps_op.kernel
def _non_max_suppression_with_overlaps_kernel(overlaps, scores, max_output_size, overlap_threshold, score_threshold):
    if overlaps.ndim != 2 or overlaps.shape[0] != overlaps.shape[1]:
        raise InvalidArgumentError(None, None, "overlaps must be square")
    if scores.shape != overlaps.shape[:1]:
        raise InvalidArgumentError(None, None, "scores has incompatible shape")
    if max_output_size < 0:
        raise InvalidArgumentError(None, None, "output size must be non-negative")
    order = np.argsort(-scores, kind="stable")
    order = order[scores[order] > score_threshold]
    chosen: list[int] = []
    while len(order) and len(chosen) < max_output_size:
        best = int(order[0])
        chosen.append(best)
        order = order[1:][overlaps[order[1:], best] <= overlap_threshold]
    return np.array(chosen, np.int32)


non_max_suppression_with_overlaps_op.not_differentiable()
non_max_suppression_with_overlaps_op.samples(
    some=(np.eye(5, dtype=np.float32) + 0.3, SCORES, 3, 0.5, 0.4), all=(np.ones((5, 5)), SCORES, 3, 0.5, 0.4),
    refused_square=(np.ones((5, 4)), SCORES, 3, 0.5, 0.4),
)

@public("image.non_max_suppression", "compat.v2.image.non_max_suppression")
def non_max_suppression(
    boxes: Any, scores: Any, max_output_size: Any, iou_threshold: Any = 0.5, score_threshold: Any = float("-inf"),
    name: str | None = None,
) -> Tensor:
    """Chooses the best boxes, and none that overlaps a better one by more than a threshold.

    Args:
        boxes: `[boxes, 4]`, two opposite corners each, y before x.
        scores: `[boxes]`.
        max_output_size: How many to choose at most, a scalar.
        iou_threshold: The largest intersection over union of two chosen boxes.
        score_threshold: Scores must be above it.
        name: A name for the ops.

    Returns:
        The indices of the chosen boxes, int32, the best first.
    """
    with name_scope(name, "non_max_suppression"):
        iou_threshold = convert_to_tensor(iou_threshold, name="iou_threshold")
        score_threshold = convert_to_tensor(score_threshold, name="score_threshold")
        return non_max_suppression_v3_op(boxes, scores, max_output_size, iou_threshold, score_threshold)


@public("image.non_max_suppression_with_scores", "compat.v2.image.non_max_suppression_with_scores")
def non_max_suppression_with_scores(
    boxes: Any, scores: Any, max_output_size: Any, iou_threshold: Any = 0.5, score_threshold: Any = float("-inf"),
    soft_nms_sigma: Any = 0.0, name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """As `non_max_suppression`, or with `soft_nms_sigma` above 0 softly: overlaps lower the scores of other boxes.

    Args:
        boxes: `[boxes, 4]`, two opposite corners each, y before x.
        scores: `[boxes]`.
        max_output_size: How many to choose at most, a scalar.
        iou_threshold: The largest intersection over union of two chosen boxes.
        score_threshold: Scores must be above it.
        soft_nms_sigma: The width of the Gaussian that lowers scores; 0 turns it off.
        name: A name for the ops.

    Returns:
        The indices of the chosen boxes, int32, and their scores.

    Source: Bodla, Singh, Chellappa, Davis, "Soft-NMS: improving object detection with one line of code" (2017).
    """
    with name_scope(name, "non_max_suppression_with_scores"):
        iou_threshold = convert_to_tensor(iou_threshold, name="iou_threshold")
        score_threshold = convert_to_tensor(score_threshold, name="score_threshold")
        soft_nms_sigma = convert_to_tensor(soft_nms_sigma, name="soft_nms_sigma")
        indices, kept, _ = non_max_suppression_v5_op(
            boxes, scores, max_output_size, iou_threshold, score_threshold, soft_nms_sigma,
            pad_to_max_output_size=False,
        )
        return indices, kept


@public("image.non_max_suppression_padded", "compat.v2.image.non_max_suppression_padded")
def non_max_suppression_padded(
    boxes: Any, scores: Any, max_output_size: Any, iou_threshold: Any = 0.5, score_threshold: Any = float("-inf"),
    pad_to_max_output_size: bool = False, name: str | None = None,
) -> Any:
    """As `non_max_suppression`, with the number of chosen boxes, and filled up with zeros if that is asked for.

    Args:
        boxes: `[boxes, 4]`, two opposite corners each, y before x.
        scores: `[boxes]`.
        max_output_size: How many to choose at most, a scalar.
        iou_threshold: The largest intersection over union of two chosen boxes.
        score_threshold: Scores must be above it.
        pad_to_max_output_size: Whether there are always `max_output_size` indices.
        name: A name for the ops.

    Returns:
        The indices, int32, and how many of them count.
    """
    with name_scope(name, "non_max_suppression_padded"):
        iou_threshold = convert_to_tensor(iou_threshold, name="iou_threshold")
        score_threshold = convert_to_tensor(score_threshold, name="score_threshold")
        return non_max_suppression_v4_op(
            boxes, scores, max_output_size, iou_threshold, score_threshold,
            pad_to_max_output_size=pad_to_max_output_size,
        )


@public("image.non_max_suppression_overlaps", "compat.v2.image.non_max_suppression_overlaps")
def non_max_suppression_overlaps(
    overlaps: Any, scores: Any, max_output_size: Any, overlap_threshold: Any = 0.5,
    score_threshold: Any = float("-inf"), name: str | None = None,
) -> Tensor:
    """As `non_max_suppression`, of boxes whose overlaps are given.

    Args:
        overlaps: `[boxes, boxes]`.
        scores: `[boxes]`.
        max_output_size: How many to choose at most, a scalar.
        overlap_threshold: The largest overlap of two chosen boxes.
        score_threshold: Scores must be above it.
        name: A name for the ops.

    Returns:
        The indices of the chosen boxes, int32, the best first.
    """
    with name_scope(name, "non_max_suppression_overlaps"):
        overlap_threshold = convert_to_tensor(overlap_threshold, name="overlap_threshold")
        return non_max_suppression_with_overlaps_op(
            overlaps, scores, max_output_size, overlap_threshold, score_threshold
        )
