"""Boxes of which those stay that overlap no better one.

Source: N. Bodla and others, "Soft-NMS", https://arxiv.org/abs/1704.04503.
"""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np

from ossia_lite.kernels import Call
from ossia_lite.kernels.shape import sizes


def non_max_suppression_v4(
    call: Call, boxes: np.ndarray, scores: np.ndarray, most: np.ndarray, overlap: np.ndarray, least: np.ndarray
) -> Any:
    """The indices of boxes in falling order of their scores, zeros behind them, and how many they are."""
    indices, _, count = _selected(boxes, scores, most, overlap, least, 0.0)
    return indices, count


def non_max_suppression_v5(
    call: Call, boxes: np.ndarray, scores: np.ndarray, most: np.ndarray, overlap: np.ndarray, least: np.ndarray,
    sigma: np.ndarray,
) -> Any:
    """As version 4, with the scores; with a sigma, overlapping boxes lose a part of their score instead of all."""
    return _selected(boxes, scores, most, overlap, least, float(sigma.reshape(())))


def _selected(boxes: Any, scores: Any, most: Any, overlap: Any, least: Any, sigma: float) -> Any:
    (count,) = sizes(most)
    threshold, lowest = float(overlap.reshape(())), float(least.reshape(()))
    corners = np.concatenate([np.minimum(boxes[:, :2], boxes[:, 2:]), np.maximum(boxes[:, :2], boxes[:, 2:])], 1)
    area = (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1])
    weight = -0.5 / sigma if sigma > 0 else 0.0
    queue = [(-float(score), index, 0) for index, score in enumerate(scores) if score > lowest]
    heapq.heapify(queue)
    chosen: list[int] = []
    kept: list[float] = []
    while queue and len(chosen) < count:
        negative, index, seen = heapq.heappop(queue)
        before = score = np.float32(-negative)
        for other in reversed(chosen[seen:]):
            common = _overlap(corners[index], corners[other], area[index], area[other])
            if sigma > 0:
                score = np.float32(score * (np.exp(weight * common * common) if common <= threshold else 0.0))
            elif common > threshold:
                score = np.float32(0)
            if score <= lowest or (not sigma and common > threshold):
                score = np.float32(-np.inf)
                break
        if score == before:
            chosen.append(index)
            kept.append(float(score))
        elif score > lowest:
            heapq.heappush(queue, (-float(score), index, len(chosen)))
    indices, values = np.zeros(count, np.int32), np.zeros(count, np.float32)
    indices[: len(chosen)], values[: len(chosen)] = chosen, kept
    return indices, values, np.array(len(chosen), np.int32)


def _overlap(first: np.ndarray, second: np.ndarray, area: float, other: float) -> float:
    """The common area over that of both together."""
    if area <= 0 or other <= 0:
        return 0.0
    sides = np.minimum(first[2:], second[2:]) - np.maximum(first[:2], second[:2])
    common = float(max(sides[0], 0) * max(sides[1], 0))
    return common / (area + other - common)
