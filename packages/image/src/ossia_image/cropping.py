"""Parts cut out of images, and images put into larger ones."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import with_dependencies
from ossia_image.ranks import checked_at_least_3d, is_tensor, required, sizes_of
from ossia_ops.array.padding import pad
from ossia_ops.array.part import slice_
from ossia_ops.array.shape import expand_dims, reshape, squeeze
from ossia_ops.array.shape import shape as shape_of
from ossia_ops.array.stacking import stack
from ossia_ops.math.arithmetic import maximum, minimum
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import equal, greater, greater_equal


def as_batch(image: Tensor) -> tuple[Tensor, bool]:
    """The image or images as a batch, and whether it was one before.

    Raises:
        ValueError: The rank is neither 3 nor 4.
    """
    ndims = image.shape.ndims
    if ndims == 3:
        return expand_dims(image, 0), False
    if ndims is None:
        image = expand_dims(image, 0)
        image.set_shape([None] * 4)
        return image, False
    if ndims != 4:
        raise ValueError("'image' must have either 3 or 4 dimensions.")
    return image, True


def _known(sizes: list[Any]) -> list[Any]:
    return [None if is_tensor(size) else size for size in sizes]


def _numbers(values: list[Any]) -> Any:
    """Sizes and offsets as one vector, known ones as one constant."""
    return stack(values)


@public("image.pad_to_bounding_box", "compat.v2.image.pad_to_bounding_box")
def pad_to_bounding_box(
    image: Any, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any
) -> Tensor:
    """Puts images into larger ones, surrounded by zeros.

    Args:
        image: `[height, width, channels]` or `[batch, height, width, channels]`.
        offset_height: Rows of zeros above, an integer or a scalar tensor.
        offset_width: Columns of zeros on the left.
        target_height: Rows of the result.
        target_width: Columns of the result.

    Returns:
        A tensor of the same dtype and rank.

    Raises:
        ValueError: The image does not fit, or an offset is negative; InvalidArgumentError in a run, where the sizes
            are tensors.
    """
    with name_scope(None, "pad_to_bounding_box", [image]):
        image = convert_to_tensor(image, name="image")
        image, batched = as_batch(image)
        checks = checked_at_least_3d(image, require_static=False)
        batch, height, width, depth = sizes_of(image, 4)
        after_width = target_width - offset_width - width
        after_height = target_height - offset_height - height
        checks += required(_at_least(offset_height, 0), ValueError, "offset_height must be >= 0")
        checks += required(_at_least(offset_width, 0), ValueError, "offset_width must be >= 0")
        checks += required(_at_least(after_width, 0), ValueError, "width must be <= target - offset")
        checks += required(_at_least(after_height, 0), ValueError, "height must be <= target - offset")
        image = with_dependencies(checks, image)
        paddings = reshape(
            _numbers([0, 0, offset_height, after_height, offset_width, after_width, 0, 0]), [4, 2]
        )
        padded = pad(image, paddings)
        padded.set_shape(_known([batch, target_height, target_width, depth]))
        return padded if batched else squeeze(padded, axis=[0])


@public("image.crop_to_bounding_box", "compat.v2.image.crop_to_bounding_box")
def crop_to_bounding_box(
    image: Any, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any
) -> Tensor:
    """Cuts a part out of images.

    Args:
        image: `[height, width, channels]` or `[batch, height, width, channels]`.
        offset_height: Its first row, an integer or a scalar tensor.
        offset_width: Its first column.
        target_height: Its rows.
        target_width: Its columns.

    Returns:
        A tensor of the same dtype and rank.

    Raises:
        ValueError: The part lies outside of the image or is empty; InvalidArgumentError in a run, where the sizes are
            tensors.
    """
    with name_scope(None, "crop_to_bounding_box", [image]):
        image = convert_to_tensor(image, name="image")
        image, batched = as_batch(image)
        checks = checked_at_least_3d(image, require_static=False)
        batch, height, width, depth = sizes_of(image, 4)
        checks += required(_at_least(offset_width, 0), ValueError, "offset_width must be >= 0.")
        checks += required(_at_least(offset_height, 0), ValueError, "offset_height must be >= 0.")
        checks += required(_above(target_width, 0), ValueError, "target_width must be > 0.")
        checks += required(_above(target_height, 0), ValueError, "target_height must be > 0.")
        checks += required(
            _at_least(width, target_width + offset_width), ValueError, "width must be >= target + offset."
        )
        checks += required(
            _at_least(height, target_height + offset_height), ValueError, "height must be >= target + offset."
        )
        image = with_dependencies(checks, image)
        cropped = slice_(
            image, _numbers([0, offset_height, offset_width, 0]), _numbers([-1, target_height, target_width, -1])
        )
        cropped.set_shape(_known([batch, target_height, target_width, depth]))
        return cropped if batched else squeeze(cropped, axis=[0])


def _at_least(a: Any, b: Any) -> Any:
    return greater_equal(a, b) if is_tensor(a) or is_tensor(b) else a >= b


def _above(a: Any, b: Any) -> Any:
    return greater(a, b) if is_tensor(a) or is_tensor(b) else a > b


@public(
    "image.resize_image_with_crop_or_pad", "image.resize_with_crop_or_pad", "compat.v2.image.resize_with_crop_or_pad"
)
def resize_image_with_crop_or_pad(image: Any, target_height: Any, target_width: Any) -> Tensor:
    """Brings images to a size by cutting what is too much and adding zeros where something lacks, evenly on both sides.

    Args:
        image: `[height, width, channels]` or `[batch, height, width, channels]`.
        target_height: The new height, an integer or a scalar tensor.
        target_width: The new width.

    Returns:
        A tensor of the same dtype and rank.

    Raises:
        ValueError: A size is not positive; InvalidArgumentError in a run, where it is a tensor.
    """
    with name_scope(None, "resize_image_with_crop_or_pad", [image]):
        image = convert_to_tensor(image, name="image")
        image, batched = as_batch(image)
        checks = checked_at_least_3d(image, require_static=False)
        checks += required(_above(target_width, 0), ValueError, "target_width must be > 0.")
        checks += required(_above(target_height, 0), ValueError, "target_height must be > 0.")
        image = with_dependencies(checks, image)
        if is_tensor(target_height):
            target_height = with_dependencies(checks, target_height)
        if is_tensor(target_width):
            target_width = with_dependencies(checks, target_width)
        _, height, width, _ = sizes_of(image, 4)
        more_width = target_width - width
        cut_left, pad_left = _larger(-more_width // 2, 0), _larger(more_width // 2, 0)
        more_height = target_height - height
        cut_top, pad_top = _larger(-more_height // 2, 0), _larger(more_height // 2, 0)
        cropped = crop_to_bounding_box(
            image, cut_top, cut_left, _smaller(target_height, height), _smaller(target_width, width)
        )
        resized = pad_to_bounding_box(cropped, pad_top, pad_left, target_height, target_width)
        if resized.shape.ndims is None:
            raise ValueError("resized contains no shape.")
        _, new_height, new_width, _ = sizes_of(resized, 4)
        ends = required(_same(new_height, target_height), ValueError, "resized height is not correct.")
        ends += required(_same(new_width, target_width), ValueError, "resized width is not correct.")
        resized = with_dependencies(ends, resized)
        return resized if batched else squeeze(resized, axis=[0])


def _larger(a: Any, b: Any) -> Any:
    return maximum(a, b) if is_tensor(a) or is_tensor(b) else max(a, b)


def _smaller(a: Any, b: Any) -> Any:
    return minimum(a, b) if is_tensor(a) or is_tensor(b) else min(a, b)


def _same(a: Any, b: Any) -> Any:
    return equal(a, b) if is_tensor(a) or is_tensor(b) else a == b


@public("image.central_crop", "compat.v2.image.central_crop")
def central_crop(image: Any, central_fraction: float) -> Tensor:
    """Cuts the middle out of images.

    Args:
        image: `[height, width, channels]` or `[batch, height, width, channels]`.
        central_fraction: Which part of the height and of the width to keep, above 0 and at most 1.

    Returns:
        A tensor of the same dtype and rank.

    Raises:
        ValueError: The fraction is out of range, or the rank is another.
    """
    with name_scope(None, "central_crop", [image]):
        image = convert_to_tensor(image, name="image")
        if central_fraction <= 0.0 or central_fraction > 1.0:
            raise ValueError("central_fraction must be within (0, 1]")
        if central_fraction == 1.0:
            return image
        checked = with_dependencies(checked_at_least_3d(image, require_static=False), image)
        ndims = checked.shape.ndims
        if ndims not in (3, 4):
            raise ValueError(f"`image` should either be a Tensor with rank = 3 or rank = 4. Had rank = {ndims}.")
        first = ndims - 3
        height, width = (_size(image, first + axis) for axis in (0, 1))
        depth = image.shape.as_list()[-1]
        start_height, start_width = (_margin(size, central_fraction) for size in (height, width))
        new_height, new_width = height - start_height * 2, width - start_width * 2
        if ndims == 3:
            begin, size = [start_height, start_width, 0], [new_height, new_width, -1]
        else:
            begin, size = [0, start_height, start_width, 0], [-1, new_height, new_width, -1]
        cropped = slice_(image, _numbers(begin), _numbers(size))
        known = [None if is_tensor(found) else found for found in (new_height, new_width)]
        cropped.set_shape([*known, depth] if ndims == 3 else [image.shape.as_list()[0], *known, depth])
        return cropped


def _size(image: Tensor, axis: int) -> Any:
    known = image.shape.as_list()[axis]
    return shape_of(image)[axis] if known is None else known


def _margin(size: Any, fraction: float) -> Any:
    """What is left out on one side; in double precision where a run computes it, as the original does."""
    if is_tensor(size):
        whole = cast(size, dtypes.float64)
        return cast((whole - whole * fraction) / 2, dtypes.int32)
    return int((size - size * fraction) / 2)


