"""The makers of kernels for images: other sizes, colours, boxes."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_backend_cffi.kernels.byte_strings import Refused, or_else
from ossia_backend_cffi.kernels.registry import empty, kind_of, makes, pointer, threads_of
from ossia_core.backend import Kernel

_CANDIDATES = 1024  # boxes that are looked at first
_LINEAR, _CUBIC, _AREA = range(3)
_METHODS = {
    "ResizeBilinear": _LINEAR,
    "ResizeBilinearGrad": _LINEAR,
    "ResizeBicubic": _CUBIC,
    "ResizeBicubicGrad": _CUBIC,
    "ResizeArea": _AREA,
}
_COLOURS = ("RGBToHSV", "HSVToRGB", "AdjustHue", "AdjustSaturation")


def _of_floats(array: Any) -> bool:
    return kind_of(array) == 0


def _resized(native: Any, node: Any, session: Any, gradient: bool) -> Any:
    """A function that resizes float32 images `x` into `out`, or back."""
    lib, ffi = native.lib, native.ffi
    how = _METHODS[node.type]
    corners, half = node.attrs["align_corners"], node.attrs.get("half_pixel_centers", False)

    def resize(x: np.ndarray, sizes: tuple[int, ...], shape: tuple[int, ...]) -> np.ndarray:
        out = empty(shape, x.dtype)
        if lib.oc_resize(
            how, corners, half, gradient, pointer(ffi, x, "float *"),
            pointer(ffi, np.array(sizes, np.int64), "int64_t *"), threads_of(session), pointer(ffi, out, "float *"),
        ):  # fmt: skip
            raise Refused
        return out

    return resize


@makes("ResizeBilinear", "ResizeBicubic", "ResizeArea")
def _resize(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel:
    resize = _resized(native, node, session, False)

    def kernel(images: Any, size: Any) -> Any:
        if images.ndim != 4 or not images.size or np.shape(size) != (2,) or size.min() < 1:
            raise Refused
        new = tuple(size.tolist())
        numbers = np.ascontiguousarray(images, np.float32)
        return resize(numbers, (*images.shape, *new), (len(images), *new, images.shape[3]))

    return or_else(reference, kernel)


@makes("ResizeBilinearGrad", "ResizeBicubicGrad")
def _resize_gradient(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel:
    resize = _resized(native, node, session, True)

    def kernel(grads: Any, original: Any) -> Any:
        shapes = grads.shape, original.shape
        if not _of_floats(grads) or original.dtype != np.float32 or any(len(shape) != 4 for shape in shapes):
            raise Refused
        if not grads.size or not original.size or shapes[0][::3] != shapes[1][::3]:
            raise Refused
        return resize(grads, (*original.shape, *grads.shape[1:3]), original.shape)

    return or_else(reference, kernel)


@makes(*_COLOURS)
def _colours(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel:
    lib, ffi, how = native.lib, native.ffi, _COLOURS.index(node.type)

    def kernel(images: Any, *by: Any) -> Any:
        if not _of_floats(images) or images.ndim < (3 if by else 1) or images.shape[-1] != 3 or any(map(np.ndim, by)):
            raise Refused
        out = empty(images.shape, images.dtype)
        if lib.oc_colours(
            how, images.size // 3, pointer(ffi, images, "float *"), float(by[0]) if by else 0.0, threads_of(session),
            pointer(ffi, out, "float *"),
        ):  # fmt: skip
            raise Refused
        return out

    return or_else(reference, kernel)


@makes("CropAndResize")
def _crops(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel:
    lib, ffi = native.lib, native.ffi
    nearest, outside = node.attrs["method"] == b"nearest", float(node.attrs["extrapolation_value"])

    def kernel(images: Any, boxes: Any, of: Any, size: Any) -> Any:
        if images.ndim != 4 or not images.size or not _of_floats(boxes) or boxes.shape[1:] != (4,):
            raise Refused
        of = np.array(of, np.int32)
        if of.shape != boxes.shape[:1] or np.shape(size) != (2,) or size.min() < 1:
            raise Refused
        new = tuple(size.tolist())
        numbers = np.ascontiguousarray(images, np.float32)
        out = empty((len(boxes), *new, images.shape[3]), numbers.dtype)
        if lib.oc_crops(
            nearest, pointer(ffi, numbers, "float *"),
            pointer(ffi, np.array([*images.shape, len(boxes), *new], np.int64), "int64_t *"),
            pointer(ffi, boxes, "float *"), pointer(ffi, of, "int32_t *"), outside, threads_of(session),
            pointer(ffi, out, "float *"),
        ):  # fmt: skip
            raise Refused
        return out

    return or_else(reference, kernel)


class _Suppression:
    """Chooses boxes in C, by the best scores first."""

    def __init__(self, native: Any) -> None:
        self._lib, self._ffi = native.lib, native.ffi

    def __call__(self, boxes: np.ndarray, scores: np.ndarray, limit: int, threshold: Any, least: Any) -> np.ndarray:
        candidates = np.flatnonzero(scores > least)
        few = max(_CANDIDATES, 4 * limit)
        if 2 * few < len(candidates):  # often some of the best are enough, all that score alike among them
            marks = scores[candidates]
            best = candidates[marks >= np.partition(marks, -few)[-few]]
            chosen = self._chosen(boxes, best[np.argsort(-scores[best], kind="stable")], limit, threshold)
            if len(chosen) == limit:
                return chosen
        return self._chosen(boxes, candidates[np.argsort(-scores[candidates], kind="stable")], limit, threshold)

    def _chosen(self, boxes: np.ndarray, order: np.ndarray, limit: int, threshold: Any) -> np.ndarray:
        pointers, most = self._ffi, min(limit, len(order))
        chosen = np.empty(most, np.int32)
        count = self._lib.oc_suppress(
            pointer(pointers, boxes, "float *"), len(boxes), pointer(pointers, order, "int64_t *"), len(order), most,
            float(threshold), pointer(pointers, chosen, "int32_t *"),
        )  # fmt: skip
        if count < 0:
            raise Refused
        return chosen[:count].copy()


@makes("NonMaxSuppression", "NonMaxSuppressionV2", "NonMaxSuppressionV3", "NonMaxSuppressionV4", "NonMaxSuppressionV5")
def _suppression(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel:
    choose, version = _Suppression(native), int(node.type[-1:] if node.type[-2] == "V" else 1)
    padded = version > 3 and node.attrs["pad_to_max_output_size"]

    def kernel(boxes: Any, scores: Any, limit: Any, *bounds: Any) -> Any:
        if not _of_floats(boxes) or not _of_floats(scores) or boxes.shape[1:] != (4,) or scores.ndim != 1:
            raise Refused
        if len(scores) != len(boxes) or np.ndim(limit) or limit < 0 or any(map(np.ndim, bounds)):
            raise Refused
        threshold = np.float32(node.attrs["iou_threshold"]) if version == 1 else bounds[0]
        if not 0 <= threshold <= 1 or version == 5 and bounds[2] != 0:
            raise Refused
        chosen = choose(boxes, scores, int(limit), threshold, bounds[1] if version > 2 else -np.inf)
        kept: tuple[np.ndarray, ...] = (chosen, scores[chosen]) if version == 5 else (chosen,)
        if padded:
            kept = tuple(np.pad(each, (0, int(limit) - len(chosen))) for each in kept)
        return (*kept, np.int32(len(chosen))) if version > 3 else chosen

    return or_else(reference, kernel)


@makes("CombinedNonMaxSuppression")
def _combined(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel:
    choose, padded, clipped = _Suppression(native), node.attrs["pad_per_class"], node.attrs["clip_boxes"]

    def kernel(boxes: Any, scores: Any, each: Any, total: Any, threshold: Any, least: Any) -> Any:
        if not _of_floats(boxes) or not _of_floats(scores) or boxes.ndim != 4 or scores.ndim != 3:
            raise Refused
        batch, count, classes = scores.shape
        if boxes.shape[:2] != (batch, count) or boxes.shape[2] not in (1, classes) or boxes.shape[3] != 4:
            raise Refused
        if any(map(np.ndim, (each, total, threshold, least))) or each < 1 or total < 1 or not 0 <= threshold <= 1:
            raise Refused
        size = min(int(total), int(each) * classes) if padded else int(total)
        made, kept, labels = (empty((batch, size, *last), boxes.dtype) for last in ((4,), (), ()))
        counts = np.zeros(batch, np.int32)
        for array in (made, kept, labels):
            array[...] = 0
        for number in range(batch):
            by_class = np.ascontiguousarray(boxes[number].swapaxes(0, 1))
            marks = np.ascontiguousarray(scores[number].T)
            found = [
                choose(by_class[label % len(by_class)], marks[label], int(each), threshold, least)
                for label in range(classes)
            ]
            of = np.repeat(np.arange(classes), [len(own) for own in found])
            which = np.concatenate(found) if found else of
            best = np.argsort(-marks[of, which], kind="stable")[:size]
            of, which, counts[number] = of[best], which[best], len(best)
            chosen = by_class[of % len(by_class), which]
            made[number, : len(best)] = np.clip(chosen, 0, 1) if clipped else chosen
            kept[number, : len(best)], labels[number, : len(best)] = marks[of, which], of
        return made, kept, labels, counts

    return or_else(reference, kernel)
