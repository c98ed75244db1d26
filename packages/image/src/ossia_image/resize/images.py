"""`resize_images` and its like: one function for all ways of resizing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_core.declare.shape_rules import constant
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import with_dependencies
from ossia_image.cropping import as_batch, pad_to_bounding_box
from ossia_image.ranks import checked_at_least_3d, is_tensor, required, sizes_of
from ossia_image.resize.area import resize_area
from ossia_image.resize.bicubic import resize_bicubic
from ossia_image.resize.bilinear import resize_bilinear
from ossia_image.resize.nearest import resize_nearest_neighbor
from ossia_image.resize.scale_translate import scale_and_translate_op
from ossia_ops.array.fill import zeros
from ossia_ops.array.shape import shape as shape_of
from ossia_ops.array.shape import squeeze
from ossia_ops.math.arithmetic import maximum, minimum
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import greater
from ossia_ops.math.elementwise import floor
from ossia_ops.math.elementwise import round as rounded


@public("image.ResizeMethod")
class ResizeMethod:
    """How images are resized: `BILINEAR`, `NEAREST_NEIGHBOR`, `BICUBIC`, `AREA`, and those of the second version."""

    BILINEAR = 0
    NEAREST_NEIGHBOR = 1
    BICUBIC = 2
    AREA = 3
    LANCZOS3 = "lanczos3"
    LANCZOS5 = "lanczos5"
    GAUSSIAN = "gaussian"
    MITCHELLCUBIC = "mitchellcubic"


@public("compat.v2.image.ResizeMethod")
class ResizeMethodV2:
    """How images are resized, by name."""

    BILINEAR = "bilinear"
    NEAREST_NEIGHBOR = "nearest"
    BICUBIC = "bicubic"
    AREA = "area"
    LANCZOS3 = "lanczos3"
    LANCZOS5 = "lanczos5"
    GAUSSIAN = "gaussian"
    MITCHELLCUBIC = "mitchellcubic"


@public("image.resize", "image.resize_images")
def resize_images(
    images: Any, size: Any, method: Any = ResizeMethod.BILINEAR, align_corners: bool = False,
    preserve_aspect_ratio: bool = False, name: str | None = None, antialias: bool = False,
) -> Tensor:
    """Resizes images.

    Args:
        images: `[height, width, channels]` or `[batch, height, width, channels]`.
        size: The new height and width, two integers.
        method: One of `ResizeMethod`.
        align_corners: Whether the centers of the corner pixels stay where they are.
        preserve_aspect_ratio: Whether to keep the ratio of the sides: `size` is then the largest size.
        name: A name for the ops.
        antialias: Whether to widen the kernels of the second version where images shrink.

    Returns:
        Images of float32, or unchanged if they have the size already; of the same dtype for the nearest neighbour.

    Raises:
        ValueError: The method, the size or the rank is not what it should be.
    """
    if method in ("lanczos3", "lanczos5", "gaussian", "mitchellcubic"):
        return resize(images, size, method, preserve_aspect_ratio, antialias, name)

    def resizer(batch: Tensor, new: Tensor) -> Tensor:
        if method in (0, "bilinear"):
            return resize_bilinear(batch, new, align_corners=align_corners)
        if method in (1, "nearest"):
            return resize_nearest_neighbor(batch, new, align_corners=align_corners)
        if method in (2, "bicubic"):
            return resize_bicubic(batch, new, align_corners=align_corners)
        if method in (3, "area"):
            return resize_area(batch, new, align_corners=align_corners)
        raise ValueError("Resize method is not implemented.")

    return _resized(images, size, resizer, preserve_aspect_ratio, name, skip_same=True)


@public("compat.v2.image.resize")
def resize(
    images: Any, size: Any, method: Any = ResizeMethodV2.BILINEAR, preserve_aspect_ratio: bool = False,
    antialias: bool = False, name: str | None = None,
) -> Tensor:
    """Resizes images; pixels stand for their middles.

    Args:
        images: `[height, width, channels]` or `[batch, height, width, channels]`.
        size: The new height and width, two integers.
        method: One of `ResizeMethod`, by name.
        preserve_aspect_ratio: Whether to keep the ratio of the sides: `size` is then the largest size.
        antialias: Whether to widen the kernels where images shrink.
        name: A name for the ops.

    Returns:
        Images of float32; of the same dtype for the nearest neighbour.

    Raises:
        ValueError: The method, the size or the rank is not what it should be.
    """

    def resizer(batch: Tensor, new: Tensor) -> Tensor:
        if method == "bilinear":
            return _by_kernel(batch, new, "triangle") if antialias else resize_bilinear(
                batch, new, half_pixel_centers=True
            )
        if method == "nearest":
            return resize_nearest_neighbor(batch, new, half_pixel_centers=True)
        if method == "bicubic":
            return _by_kernel(batch, new, "keyscubic") if antialias else resize_bicubic(
                batch, new, half_pixel_centers=True
            )
        if method == "area":
            return resize_area(batch, new)
        if method in ("lanczos3", "lanczos5", "gaussian", "mitchellcubic"):
            return _by_kernel(batch, new, method)
        raise ValueError("Resize method is not implemented.")

    def _by_kernel(batch: Tensor, new: Tensor, kernel: str) -> Tensor:
        scale = cast(new, dtypes.float32) / cast(shape_of(batch)[1:3], dtypes.float32)
        return scale_and_translate_op(batch, new, scale, zeros([2]), kernel_type=kernel, antialias=antialias)

    return _resized(images, size, resizer, preserve_aspect_ratio, name, skip_same=False)


def _resized(
    images: Any, size: Any, resizer: Callable[[Tensor, Tensor], Tensor], preserve_aspect_ratio: bool,
    name: str | None, skip_same: bool,
) -> Tensor:
    with name_scope(name, "resize", [images, size]):
        images = convert_to_tensor(images, name="images")
        if images.shape.ndims is None:
            raise ValueError("'images' contains no shape.")
        batched = images.shape.ndims == 4
        if images.shape.ndims not in (3, 4):
            raise ValueError("'images' must have either 3 or 4 dimensions.")
        if not batched:
            images, _ = as_batch(images)
        _, height, width, _ = images.shape.as_list()
        try:
            size = convert_to_tensor(size, dtypes.int32, name="size")
        except (TypeError, ValueError):
            raise ValueError("'size' must be a 1-D int32 Tensor") from None
        if not size.shape.is_compatible_with([2]):
            raise ValueError("'size' must be a 1-D Tensor of 2 elements: new_height, new_width")
        if preserve_aspect_ratio:
            size = _within(images, size, height, width)
        known = constant(size)
        new_height, new_width = (None, None) if known is None else known.tolist()
        same = width is not None and new_width == width and height is not None and new_height == height
        if skip_same and same:
            return images if batched else squeeze(images, axis=[0])
        made = resizer(images, size)
        made.set_shape([None, new_height, new_width, None])
        return made if batched else squeeze(made, axis=[0])


def _within(images: Tensor, size: Tensor, height: int | None, width: int | None) -> Tensor:
    """The largest size within `size` that keeps the ratio of the sides."""
    known = constant(size)
    new_height, new_width = (size[0], size[1]) if known is None else known.tolist()
    _, current_height, current_width, _ = sizes_of(images, 4)
    scale = minimum(
        cast(new_height, dtypes.float32) / cast(current_height, dtypes.float32),
        cast(new_width, dtypes.float32) / cast(current_width, dtypes.float32),
    )
    scaled_height = cast(rounded(scale * cast(current_height, dtypes.float32)), dtypes.int32)
    scaled_width = cast(rounded(scale * cast(current_width, dtypes.float32)), dtypes.int32)
    return convert_to_tensor([scaled_height, scaled_width], dtypes.int32, name="size")


@public("image.resize_image_with_pad")
def resize_image_with_pad(
    image: Any, target_height: Any, target_width: Any, method: Any = ResizeMethod.BILINEAR,
    align_corners: bool = False,
) -> Tensor:
    """Resizes images within a size without changing the ratio of their sides, and fills the rest with zeros.

    Args:
        image: `[height, width, channels]` or `[batch, height, width, channels]`.
        target_height: The height, an integer or a scalar tensor.
        target_width: The width.
        method: One of `ResizeMethod`.
        align_corners: Whether the centers of the corner pixels stay where they are.

    Returns:
        Images of the size, of float32; of the same dtype for the nearest neighbour.

    Raises:
        ValueError: A size is not positive, or the rank is neither 3 nor 4.
    """
    return _padded(
        image, target_height, target_width, lambda images, size: resize_images(images, size, method, align_corners)
    )


@public("image.resize_with_pad", "compat.v2.image.resize_with_pad")
def resize_with_pad(
    image: Any, target_height: Any, target_width: Any, method: Any = ResizeMethodV2.BILINEAR, antialias: bool = False
) -> Tensor:
    """As `resize_image_with_pad`, by the second version of `resize`.

    Args:
        image: `[height, width, channels]` or `[batch, height, width, channels]`.
        target_height: The height, an integer or a scalar tensor.
        target_width: The width.
        method: One of `compat.v2.image.ResizeMethod`.
        antialias: Whether to widen the kernels where images shrink.

    Returns:
        Images of the size, of float32; of the same dtype for the nearest neighbour.

    Raises:
        ValueError: A size is not positive, or the rank is neither 3 nor 4.
    """
    return _padded(
        image, target_height, target_width,
        lambda images, size: resize(images, size, method, antialias=antialias),
    )


def _padded(image: Any, target_height: Any, target_width: Any, resizer: Callable[[Tensor, Any], Tensor]) -> Tensor:
    with name_scope(None, "resize_image_with_pad", [image]):
        image = convert_to_tensor(image, name="image")
        image, batched = as_batch(image)
        checks = checked_at_least_3d(image, require_static=False)
        checks += required(_positive(target_width), ValueError, "target_width must be > 0.")
        checks += required(_positive(target_height), ValueError, "target_height must be > 0.")
        image = with_dependencies(checks, image)
        _, height, width, _ = sizes_of(image, 4)
        height, width = cast(height, dtypes.float64), cast(width, dtypes.float64)
        wanted_height, wanted_width = cast(target_height, dtypes.float64), cast(target_width, dtypes.float64)
        ratio = maximum(width / wanted_width, height / wanted_height)
        exact_height, exact_width = height / ratio, width / ratio
        new_height = cast(floor(exact_height), dtypes.int32)
        new_width = cast(floor(exact_width), dtypes.int32)
        above, left = (wanted_height - exact_height) / 2, (wanted_width - exact_width) / 2
        above, left = floor(above), floor(left)
        above = maximum(0, cast(above, dtypes.int32))
        left = maximum(0, cast(left, dtypes.int32))
        resized = resizer(image, [new_height, new_width])
        padded = pad_to_bounding_box(resized, above, left, target_height, target_width)
        if padded.shape.ndims is None:
            raise ValueError("padded contains no shape.")
        sizes_of(padded, 4)
        return padded if batched else squeeze(padded, axis=[0])


def _positive(size: Any) -> Any:
    return greater(size, 0) if is_tensor(size) else size > 0
