"""Boxes of a single-shot detector, after its last convolutions.

Source: W. Liu and others, "SSD: Single Shot MultiBox Detector", https://arxiv.org/abs/1512.02325.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from flatbuffers import flexbuffers

from ossia_lite.kernels import Call
from ossia_lite.kernels.quantize import dequantize


def tflite_detection_postprocess(
    call: Call, boxes: np.ndarray, scores: np.ndarray, anchors: np.ndarray
) -> tuple[np.ndarray, ...]:
    """The best boxes that do not overlap much: their corners, classes, scores and number.

    `boxes` is `[1, anchors, 4]` as offsets from the anchors, `scores` `[1, anchors, classes]`, with or without one for
    the background.
    """
    options = _options(call)
    if call.inputs[0] is not None and call.inputs[0].quantized:
        boxes, scores, anchors = (_real(call, index, array) for index, array in enumerate((boxes, scores, anchors)))
    corners = _corners(boxes[0, :, :4], anchors, options)
    probabilities = scores[0, :, scores.shape[2] - options["num_classes"] :]
    if options.get("use_regular_nms"):
        places, classes, kept = _per_class(corners, probabilities, options)
    else:
        places, classes, kept = _best_classes(corners, probabilities, options)
    count = options["max_detections"] * (1 if options.get("use_regular_nms") else options["max_classes_per_detection"])
    result_boxes, result_classes, result_scores = (
        np.zeros((1, count, 4), np.float32),
        np.zeros((1, count), np.float32),
        np.zeros((1, count), np.float32),
    )
    found = min(len(places), count)
    result_boxes[0, :found] = corners[places[:found]]
    result_classes[0, :found], result_scores[0, :found] = classes[:found], kept[:found]
    return result_boxes, result_classes, result_scores, np.array([found], np.float32)


def _options(call: Call) -> dict[str, Any]:
    if "options" not in call.packed:
        try:
            found = flexbuffers.Loads(call.custom_options)
            wanted = {
                "max_detections",
                "max_classes_per_detection",
                "num_classes",
                "nms_score_threshold",
                "nms_iou_threshold",
                "y_scale",
                "x_scale",
                "h_scale",
                "w_scale",
            }
            if not isinstance(found, dict) or not wanted <= set(found):
                raise ValueError("options are missing")
            if not 0 < found["max_detections"] < 1 << 20 or not 0 < found["num_classes"] < 1 << 20:
                raise ValueError("a number of classes or detections is out of range")
        except Exception as error:  # the reader of the library fails in many ways on damaged bytes
            raise ValueError(f"{call.name}: its options cannot be read ({error}).") from None
        call.packed["options"] = found
    return call.packed["options"]


def _real(call: Call, index: int, array: np.ndarray) -> np.ndarray:
    return dequantize(
        Call("DEQUANTIZE", None, [call.inputs[index]], call.outputs, b"", call.run_subgraph, [False]), array
    )


def _corners(boxes: np.ndarray, anchors: np.ndarray, options: dict[str, Any]) -> np.ndarray:
    centre_y = boxes[:, 0] / np.float32(options["y_scale"]) * anchors[:, 2] + anchors[:, 0]
    centre_x = boxes[:, 1] / np.float32(options["x_scale"]) * anchors[:, 3] + anchors[:, 1]
    half_height = np.float32(0.5) * np.exp(boxes[:, 2] / np.float32(options["h_scale"])) * anchors[:, 2]
    half_width = np.float32(0.5) * np.exp(boxes[:, 3] / np.float32(options["w_scale"])) * anchors[:, 3]
    return np.stack([centre_y - half_height, centre_x - half_width, centre_y + half_height, centre_x + half_width], 1)


def _best_classes(
    corners: np.ndarray, scores: np.ndarray, options: dict[str, Any]
) -> tuple[list[int], list[int], list[float]]:
    each = min(options["max_classes_per_detection"], scores.shape[1])
    order = np.argsort(-scores, axis=1, kind="stable")[:, :each]
    chosen = _suppress(corners, scores[np.arange(len(scores)), order[:, 0]], options, options["max_detections"])
    places = [place for place in chosen for _ in range(each)]
    classes = [int(kind) for place in chosen for kind in order[place]]
    return places, classes, [float(scores[place, kind]) for place, kind in zip(places, classes, strict=True)]


def _per_class(
    corners: np.ndarray, scores: np.ndarray, options: dict[str, Any]
) -> tuple[list[int], list[int], list[float]]:
    found: list[tuple[float, int, int]] = []
    for kind in range(scores.shape[1]):
        chosen = _suppress(corners, scores[:, kind], options, options.get("detections_per_class", 100))
        found += [(float(scores[place, kind]), place, kind) for place in chosen]
        found = sorted(found, key=lambda entry: -entry[0])[: options["max_detections"]]
    return [place for _, place, _ in found], [kind for _, _, kind in found], [score for score, _, _ in found]


def _suppress(corners: np.ndarray, scores: np.ndarray, options: dict[str, Any], count: int) -> list[int]:
    """Non-maximum suppression: boxes by falling score, without those that overlap a better one too much."""
    candidates = np.flatnonzero(scores >= np.float32(options["nms_score_threshold"]))
    order = candidates[np.argsort(-scores[candidates], kind="stable")]
    area = (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1])
    chosen: list[int] = []
    while order.size and len(chosen) < count:
        best, order = int(order[0]), order[1:]
        chosen.append(best)
        low = np.maximum(corners[best, :2], corners[order, :2])
        high = np.minimum(corners[best, 2:], corners[order, 2:])
        shared = np.prod(np.maximum(high - low, 0), axis=1)
        union = area[best] + area[order] - shared
        ratio = np.divide(shared, union, out=np.zeros_like(shared), where=(area[best] > 0) & (area[order] > 0))
        order = order[ratio <= np.float32(options["nms_iou_threshold"])]
    return chosen
