"""Resizing by one of several kernels, widened where images shrink so that nothing aliases."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.names.errors import InvalidArgumentError
from ossia_image.resize.grid import IMAGES_BFLOAT16, along_both, image_gradient_shape, new_size, resized

_RAMP = np.square(np.arange(40, dtype=np.float32)).reshape(1, 5, 4, 2)


def _lanczos(radius: float) -> tuple[float, Callable[[np.ndarray], np.ndarray]]:
    def kernel(x: np.ndarray) -> np.ndarray:
        x = np.abs(x)
        safe = np.where(x <= 1e-3, 1, x)
        value = radius * np.sin(np.pi * safe) * np.sin(np.pi * safe / radius) / (np.pi * np.pi * safe * safe)
        return np.where(x > radius, 0, np.where(x <= 1e-3, 1, value))

    return radius, kernel


def _gaussian(x: np.ndarray, radius: float = 1.5) -> np.ndarray:
    sigma = radius / 3
    return np.where(np.abs(x) >= radius, 0, np.exp(-x * x / (2 * sigma * sigma)))


def _box(x: np.ndarray) -> np.ndarray:
    x = np.abs(x)
    return np.where(x < 0.5, 1.0, np.where(x == 0.5, 0.5, 0.0))


def _triangle(x: np.ndarray) -> np.ndarray:
    return np.maximum(0, 1 - np.abs(x))


def _keys_cubic(x: np.ndarray) -> np.ndarray:
    x = np.abs(x)
    inner = ((1.5 * x - 2.5) * x) * x + 1
    outer = ((-0.5 * x + 2.5) * x - 4) * x + 2
    return np.where(x >= 2, 0, np.where(x >= 1, outer, inner))


def _mitchell_cubic(x: np.ndarray) -> np.ndarray:
    x = np.abs(x)
    inner = ((7 / 6 * x - 2) * x) * x + 16 / 18
    outer = ((-7 / 18 * x + 2) * x - 10 / 3) * x + 16 / 9
    return np.where(x >= 2, 0, np.where(x >= 1, outer, inner))


_KERNELS: dict[bytes, tuple[float, Callable[[np.ndarray], np.ndarray]]] = {
    b"lanczos1": _lanczos(1.0),
    b"lanczos3": _lanczos(3.0),
    b"lanczos5": _lanczos(5.0),
    b"gaussian": (1.5, _gaussian),
    b"box": (1.0, _box),
    b"triangle": (1.0, _triangle),
    b"keyscubic": (2.0, _keys_cubic),
    b"mitchellcubic": (2.0, _mitchell_cubic),
}


def _spans(
    old: int, new: int, scale: float, translation: float, kernel_type: bytes, antialias: bool
) -> np.ndarray:
    """The weights `[new, old]` of old places in each new one; those of places outside of the image are zero.

    Raises:
        InvalidArgumentError: The scale is not positive, or there is no such kernel.
    """
    if not np.isfinite(scale) or scale <= 0:
        raise InvalidArgumentError(None, None, f"scale must be greater than zero: {scale}")
    if kernel_type not in _KERNELS:
        raise InvalidArgumentError(None, None, f"Unrecognized kernel type: {kernel_type.decode(errors='replace')}")
    radius, kernel = _KERNELS[kernel_type]
    inverse = np.float32(1) / np.float32(scale)
    shift = -inverse * np.float32(translation)
    width = np.float32(max(inverse, 1)) if antialias else np.float32(1)
    at = (np.arange(new, dtype=np.float32) + np.float32(0.5)) * inverse + shift
    reach = np.float32(radius) * width
    first = np.maximum(np.ceil(at - reach - np.float32(0.5)), 0)[:, np.newaxis]
    last = np.minimum(np.floor(at + reach - np.float32(0.5)), old - 1)[:, np.newaxis]
    places = np.arange(old, dtype=np.float32)
    distance = (places + np.float32(0.5) - at[:, np.newaxis]) / width
    matrix = np.where((places >= first) & (places <= last), kernel(distance), 0).astype(np.float32)
    matrix[(at < 0) | (at > old)] = 0
    total = matrix.sum(axis=1, keepdims=True, dtype=np.float32)
    enough = np.abs(total) >= 1000 * np.finfo(np.float32).tiny
    return np.where(enough, matrix / np.where(enough, total, 1), matrix).astype(np.float32)


def _matrices(old, new, scale, translation, kernel_type, antialias):
    if np.shape(scale) != (2,) or np.shape(translation) != (2,):
        raise InvalidArgumentError(None, None, "scale and translation must have two elements each")
    return [
        _spans(old[axis], new[axis], float(scale[axis]), float(translation[axis]), kernel_type, antialias)
        for axis in (0, 1)
    ]


scale_and_translate_op = op(
    "ScaleAndTranslate(images: T, size: int32, scale: float, translation: float) -> resized_images: float",
    T=IMAGES_BFLOAT16, kernel_type="string = 'lanczos3'", antialias="bool = true",
)


@scale_and_translate_op.shape
def _scale_and_translate_shape(images, size, scale, translation):
    return resized(images, size)


@scale_and_translate_op.kernel
def _scale_and_translate_kernel(images, size, scale, translation, *, kernel_type, antialias):
    new = new_size(images, size)
    return along_both(
        images.astype(np.float32), *_matrices(images.shape[1:3], new, scale, translation, kernel_type, antialias)
    )


@scale_and_translate_op.gradient
def _scale_and_translate_gradient(node, grad):
    image, _, scale, translation = node.inputs
    if image.dtype.name != "float32":
        return None, None, None, None
    made = scale_and_translate_grad_op(
        grad, image, scale, translation, kernel_type=node.attrs["kernel_type"], antialias=node.attrs["antialias"]
    )
    return made, None, None, None


scale_and_translate_op.samples(
    lanczos=(_RAMP, [7, 9], [1.4, 2.25], [0.0, 0.0]),
    shrunk=sample(_RAMP, [2, 2], [0.4, 0.5], [0.0, 0.0], kernel_type="triangle"),
    sharp=sample(_RAMP, [2, 2], [0.4, 0.5], [0.0, 0.0], kernel_type="keyscubic", antialias=False),
    moved=sample(_RAMP, [5, 4], [1.0, 1.0], [1.5, -2.0], kernel_type="gaussian"),
    box=sample(_RAMP, [7, 9], [1.4, 2.25], [0.0, 0.0], kernel_type="box"),
    mitchell=sample(_RAMP, [7, 9], [1.4, 2.25], [0.0, 0.0], kernel_type="mitchellcubic"),
    refused_kernel=sample(_RAMP, [7, 9], [1.4, 2.25], [0.0, 0.0], kernel_type="none"),
    refused_scale=(_RAMP, [7, 9], [0.0, 2.25], [0.0, 0.0]),
)

scale_and_translate_grad_op = op(
    "ScaleAndTranslateGrad(grads: T, original_image: T, scale: float, translation: float) -> output: T",
    T="{float}", kernel_type="string = 'lanczos3'", antialias="bool = true",
)


@scale_and_translate_grad_op.shape
def _scale_and_translate_grad_shape(grads, original_image, scale, translation):
    return image_gradient_shape(grads, original_image)


@scale_and_translate_grad_op.kernel
def _scale_and_translate_grad_kernel(grads, original_image, scale, translation, *, kernel_type, antialias):
    rows, columns = _matrices(
        original_image.shape[1:3], grads.shape[1:3], scale, translation, kernel_type, antialias
    )
    return along_both(grads, rows.T, columns.T)


scale_and_translate_grad_op.samples(
    lanczos=(np.ones((1, 7, 9, 2), np.float32), _RAMP, [1.4, 2.25], [0.0, 0.0]),
)
