"""Projective transforms of images, and the numbers that describe them."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_contrib.image.projective_op import image_projective_transform_v2_op
from ossia_core.plugins.api_table import provides, public

_DTYPES = {tf.uint8, tf.int32, tf.int64, tf.float16, tf.float32, tf.float64}


def _batch(images: Any) -> Any:
    """Images as a batch of images with channels.

    Raises:
      TypeError: dtype or rank is none of an image, or the rank is not known.
    """
    if images.dtype.base_dtype not in _DTYPES:
        raise TypeError(f"Invalid dtype {images.dtype}.")
    rank = images.shape.ndims
    if rank is None:
        raise TypeError("image_or_images rank must be statically known")
    if rank == 2:
        return images[None, :, :, None]
    if rank == 3:
        return images[None, :, :, :]
    if rank == 4:
        return images
    raise TypeError("Images should have rank between 2 and 4.")


def _unbatched(images: Any, rank: int) -> Any:
    return images[0, :, :, 0] if rank == 2 else images[0, :, :, :] if rank == 3 else images


@public("contrib.image.rotate")
def rotate(images: Any, angles: Any, interpolation: str = "NEAREST", name: str | None = None) -> Any:
    """Images turned around their middle, against the clock.

    Args:
      images: images `[batch, height, width, channels]`, one of them, or one `[height, width]`.
      angles: angles in radians, one, or one for each image.
      interpolation: "NEAREST" or "BILINEAR".
      name: name of the scope.

    Returns:
      Images of the same shape, zeros where nothing is known.

    Raises:
      TypeError: the images' dtype or rank is none of an image.
    """
    with tf.name_scope(name, "rotate"):
        given = tf.convert_to_tensor(images)
        batch = _batch(given)
        height = tf.cast(tf.shape(batch)[1], tf.float32)[None]
        width = tf.cast(tf.shape(batch)[2], tf.float32)[None]
        turned = transform(batch, angles_to_projective_transforms(angles, height, width), interpolation)
        return _unbatched(turned, given.shape.ndims)


@public("contrib.image.translate")
def translate(images: Any, translations: Any, interpolation: str = "NEAREST", name: str | None = None) -> Any:
    """Images moved by `[dx, dy]`.

    Args:
      images: as of `rotate`.
      translations: one pair of distances, or one for each image.
      interpolation: "NEAREST" or "BILINEAR".
      name: name of the scope.

    Returns:
      Images of the same shape, zeros where nothing is known.
    """
    with tf.name_scope(name, "translate"):
        return transform(images, translations_to_projective_transforms(translations), interpolation)


@public("contrib.image.angles_to_projective_transforms")
def angles_to_projective_transforms(
    angles: Any, image_height: Any, image_width: Any, name: str | None = None
) -> Any:
    """The transforms that turn images around their middle.

    Args:
      angles: angles in radians, a scalar or `[batch]`.
      image_height, image_width: size of the images.
      name: name of the scope.

    Returns:
      Transforms `[batch, 8]`, as `transform` takes them.

    Raises:
      TypeError: the angles have another rank.
    """
    with tf.name_scope(name, "angles_to_projective_transforms"):
        given = tf.convert_to_tensor(angles, name="angles", dtype=tf.float32)
        if len(given.shape) == 0:
            turns = given[None]
        elif len(given.shape) == 1:
            turns = given
        else:
            raise TypeError("Angles should have rank 0 or 1.")
        x = (
            (image_width - 1) - (tf.cos(turns) * (image_width - 1) - tf.sin(turns) * (image_height - 1))
        ) / 2.0
        y = (
            (image_height - 1) - (tf.sin(turns) * (image_width - 1) + tf.cos(turns) * (image_height - 1))
        ) / 2.0
        count = tf.shape(turns)[0]
        return tf.concat(
            [
                tf.cos(turns)[:, None], -tf.sin(turns)[:, None], x[:, None],
                tf.sin(turns)[:, None], tf.cos(turns)[:, None], y[:, None],
                tf.zeros((count, 2), tf.float32),
            ],
            axis=1,
        )


@public("contrib.image.translations_to_projective_transforms")
def translations_to_projective_transforms(translations: Any, name: str | None = None) -> Any:
    """The transforms that move images.

    Args:
      translations: `[dx, dy]`, or `[batch, 2]`.
      name: name of the scope.

    Returns:
      Transforms `[batch, 8]`, as `transform` takes them.

    Raises:
      TypeError: the translations have another rank, or none that is known.
    """
    with tf.name_scope(name, "translations_to_projective_transforms"):
        given = tf.convert_to_tensor(translations, name="translations", dtype=tf.float32)
        if given.shape.ndims is None:
            raise TypeError("translation_or_translations rank must be statically known")
        if len(given.shape) == 1:
            moves = given[None]
        elif len(given.shape) == 2:
            moves = given
        else:
            raise TypeError("Translations should have rank 1 or 2.")
        count = tf.shape(moves)[0]
        return tf.concat(
            [
                tf.ones((count, 1), tf.float32), tf.zeros((count, 1), tf.float32), -moves[:, 0, None],
                tf.zeros((count, 1), tf.float32), tf.ones((count, 1), tf.float32), -moves[:, 1, None],
                tf.zeros((count, 2), tf.float32),
            ],
            axis=1,
        )


@public("contrib.image.transform")
def transform(
    images: Any, transforms: Any, interpolation: str = "NEAREST", output_shape: Any = None, name: str | None = None
) -> Any:
    """Images whose pixel `(x, y)` is what their input has at `((a x + b y + c) / k, (d x + e y + f) / k)`, where
    `k = g x + h y + 1`.

    Args:
      images: as of `rotate`.
      transforms: the eight numbers `a` to `h`, or `[batch, 8]`.
      interpolation: "NEAREST" or "BILINEAR".
      output_shape: height and width of the result, the images' by default.
      name: name of the scope.

    Returns:
      Images of the same dtype, zeros where nothing is known.

    Raises:
      TypeError: dtype or rank of the images, or the rank of the transforms, does not fit.
      ValueError: `output_shape` is no pair.
    """
    with tf.name_scope(name, "transform"):
        given = tf.convert_to_tensor(images, name="images")
        numbers = tf.convert_to_tensor(transforms, name="transforms", dtype=tf.float32)
        batch = _batch(given)
        if output_shape is None:
            output_shape = tf.shape(batch)[1:3]
        size = tf.convert_to_tensor(output_shape, tf.int32, name="output_shape")
        if not size.shape.is_compatible_with([2]):
            raise ValueError("output_shape must be a 1-D Tensor of 2 elements: new_height, new_width")
        if len(numbers.shape) == 1:
            numbers = numbers[None]
        elif numbers.shape.ndims is None:
            raise TypeError("transforms rank must be statically known")
        elif len(numbers.shape) != 2:
            raise TypeError("Transforms should have rank 1 or 2.")
        moved = image_projective_transform_v2_op(batch, numbers, size, interpolation=interpolation.upper())
        return _unbatched(moved, given.shape.ndims)


@public("contrib.image.compose_transforms")
def compose_transforms(*transforms: Any) -> Any:
    """The transform that does what the given ones do one after the other.

    Args:
      *transforms: transforms `[8]` or `[batch, 8]`.

    Returns:
      Transforms `[batch, 8]`.

    Raises:
      AssertionError: there are none.
    """
    if not transforms:
        raise AssertionError("transforms cannot be empty")
    with tf.name_scope("compose_transforms"):
        product = flat_transforms_to_matrices(transforms[0])
        for each in transforms[1:]:
            product = tf.matmul(product, flat_transforms_to_matrices(each))
        return matrices_to_flat_transforms(product)


@public("contrib.image.flat_transforms_to_matrices")
def flat_transforms_to_matrices(transforms: Any) -> Any:
    """Transforms `[8]` or `[batch, 8]` as matrices `[batch, 3, 3]`.

    Raises:
      ValueError: they have another rank.
    """
    with tf.name_scope("flat_transforms_to_matrices"):
        flat = tf.convert_to_tensor(transforms, name="transforms")
        if flat.shape.ndims not in (1, 2):
            raise ValueError(f"Transforms should be 1D or 2D, got: {flat}")
        flat = tf.reshape(flat, tf.constant([-1, 8]))
        count = tf.shape(flat)[0]
        return tf.reshape(tf.concat([flat, tf.ones([count, 1])], axis=1), tf.constant([-1, 3, 3]))


@public("contrib.image.matrices_to_flat_transforms")
def matrices_to_flat_transforms(transform_matrices: Any) -> Any:
    """Matrices `[3, 3]` or `[batch, 3, 3]` as transforms `[batch, 8]`.

    Raises:
      ValueError: they have another rank.
    """
    with tf.name_scope("matrices_to_flat_transforms"):
        matrices = tf.convert_to_tensor(transform_matrices, name="transform_matrices")
        if matrices.shape.ndims not in (2, 3):
            raise ValueError(f"Matrices should be 2D or 3D, got: {matrices}")
        flat = tf.reshape(matrices, tf.constant([-1, 9]))
        flat /= flat[:, 8:9]
        return flat[:, :8]


@provides("ossia_gradients", "ImageProjectiveTransform", "ImageProjectiveTransformV2")
def image_projective_transform_gradient(op: Any, grad: Any) -> list[Any]:
    """The gradient, moved back by the inverse transform; the transforms get none.

    Raises:
      TypeError: the images' dtype is none of an image.
    """
    images, transforms = op.inputs[0], op.inputs[1]
    given = tf.convert_to_tensor(images, name="images")
    numbers = tf.convert_to_tensor(transforms, name="transforms", dtype=tf.float32)
    if given.dtype.base_dtype not in _DTYPES:
        raise TypeError(f"Invalid dtype {given.dtype}.")
    if numbers.shape.ndims is None:
        numbers = tf.reshape(numbers, [-1, 8])
    inverse = matrices_to_flat_transforms(tf.linalg.inv(flat_transforms_to_matrices(numbers)))
    back = image_projective_transform_v2_op(
        grad, inverse, tf.shape(given)[1:3], interpolation=op.get_attr("interpolation")
    )
    return [_unbatched(back, given.shape.ndims), *[None] * (len(op.inputs) - 1)]
