"""Images mirrored, transposed and turned by right angles, always or at random."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_core.control.cond import cond
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_image.ranks import with_at_least_3d_check
from ossia_ops.array.reversal import reverse
from ossia_ops.array.shape import reshape
from ossia_ops.array.shape import shape as shape_of
from ossia_ops.array.transposition import transpose as transposed
from ossia_ops.control.case import case
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import equal, less
from ossia_ops.math.division import floormod
from ossia_ops.math.elementwise import round as rounded
from ossia_ops.random.uniform import random_uniform


@public("image.flip_left_right", "compat.v2.image.flip_left_right")
def flip_left_right(image: Any) -> Tensor:
    """Mirrors images: the left side becomes the right one.

    Args:
        image: `[height, width, channels]` or `[batch, height, width, channels]`.

    Returns:
        A tensor of the same shape and dtype.

    Raises:
        ValueError: The rank is another.
    """
    return _flip(image, 1, "flip_left_right")


@public("image.flip_up_down", "compat.v2.image.flip_up_down")
def flip_up_down(image: Any) -> Tensor:
    """Turns images upside down, as a mirror does.

    Args:
        image: `[height, width, channels]` or `[batch, height, width, channels]`.

    Returns:
        A tensor of the same shape and dtype.

    Raises:
        ValueError: The rank is another.
    """
    return _flip(image, 0, "flip_up_down")


def _flip(image: Any, axis: int, scope_name: str) -> Tensor:
    with name_scope(None, scope_name, [image]):
        image = with_at_least_3d_check(convert_to_tensor(image, name="image"))
        sizes = image.shape
        if sizes.ndims == 3 or sizes.ndims is None:
            return _with_image_shape(image, reverse(image, [axis]))
        if sizes.ndims == 4:
            return reverse(image, [axis + 1])
        raise ValueError("'image' must have either 3 or 4 dimensions.")


def _with_image_shape(image: Tensor, result: Tensor) -> Tensor:
    if image.shape.ndims is None:
        result.set_shape([None] * 3)
    else:
        result.set_shape(image.shape)
    return result


@public("image.random_flip_left_right", "compat.v2.image.random_flip_left_right")
def random_flip_left_right(image: Any, seed: int | None = None) -> Tensor:
    """Mirrors each image with a probability of one half.

    Args:
        image: `[height, width, channels]` or `[batch, height, width, channels]`.
        seed: The op seed.

    Returns:
        A tensor of the same shape and dtype.

    Raises:
        ValueError: The rank is another.
    """
    return _random_flip(image, 1, seed, "random_flip_left_right")


@public("image.random_flip_up_down", "compat.v2.image.random_flip_up_down")
def random_flip_up_down(image: Any, seed: int | None = None) -> Tensor:
    """Turns each image upside down with a probability of one half.

    Args:
        image: `[height, width, channels]` or `[batch, height, width, channels]`.
        seed: The op seed.

    Returns:
        A tensor of the same shape and dtype.

    Raises:
        ValueError: The rank is another.
    """
    return _random_flip(image, 0, seed, "random_flip_up_down")


def _random_flip(image: Any, axis: int, seed: int | None, scope_name: str) -> Tensor:
    with name_scope(None, scope_name, [image]) as scope:
        image = with_at_least_3d_check(convert_to_tensor(image, name="image"))
        sizes = image.shape

        def one() -> Tensor:
            chosen = less(random_uniform([], 0, 1.0, seed=seed), 0.5)
            return cond(chosen, lambda: reverse(image, [axis]), lambda: image, name=scope)

        def each() -> Tensor:
            count = shape_of(image)[0]
            draws = random_uniform([count], 0, 1.0, seed=seed)
            flips = cast(rounded(reshape(draws, [count, 1, 1, 1])), image.dtype)
            return flips * reverse(image, [axis + 1]) + (1 - flips) * image

        if sizes.ndims == 3 or sizes.ndims is None:
            return _with_image_shape(image, one())
        if sizes.ndims == 4:
            return each()
        raise ValueError("'image' must have either 3 or 4 dimensions.")


@public("image.transpose", "image.transpose_image", "compat.v2.image.transpose")
def transpose(image: Any, name: str | None = None) -> Tensor:
    """Swaps rows and columns of images.

    Args:
        image: `[height, width, channels]` or `[batch, height, width, channels]`.
        name: A name for the ops.

    Returns:
        A tensor of the same dtype, `[width, height, channels]` or `[batch, width, height, channels]`.

    Raises:
        ValueError: The rank is another.
    """
    with name_scope(name, "transpose", [image]):
        image = with_at_least_3d_check(convert_to_tensor(image, name="image"))
        sizes = image.shape
        if sizes.ndims == 3 or sizes.ndims is None:
            return transposed(image, [1, 0, 2], name="transpose")
        if sizes.ndims == 4:
            return transposed(image, [0, 2, 1, 3], name="transpose")
        raise ValueError("'image' must have either 3 or 4 dimensions.")


@public("image.rot90", "compat.v2.image.rot90")
def rot90(image: Any, k: Any = 1, name: str | None = None) -> Tensor:
    """Turns images by right angles, against the clock.

    Args:
        image: `[height, width, channels]` or `[batch, height, width, channels]`.
        k: How many right angles, an integer or a scalar tensor.
        name: A name for the ops.

    Returns:
        The turned images, of the same dtype.

    Raises:
        ValueError: The rank is another.
    """
    with name_scope(name, "rot90", [image, k]) as scope:
        image = with_at_least_3d_check(convert_to_tensor(image, name="image"))
        k = convert_to_tensor(k, dtype=dtypes.int32, name="k")
        k.shape.assert_has_rank(0)
        k = floormod(k, 4)
        ndims = image.shape.ndims
        if ndims == 3 or ndims is None:
            return _turned(image, k, scope, 0)
        if ndims == 4:
            return _turned(image, k, scope, 1)
        raise ValueError("'image' must have either 3 or 4 dimensions.")


def _turned(image: Tensor, k: Tensor, scope: str, first: int) -> Tensor:
    rows, columns = first, first + 1
    swapped = [1, 0, 2] if first == 0 else [0, 2, 1, 3]

    def once() -> Tensor:
        return transposed(reverse(image, [columns]), swapped)

    def twice() -> Tensor:
        return reverse(image, [rows, columns])

    def thrice() -> Tensor:
        return reverse(transposed(image, swapped), [columns])

    branches: list[tuple[Tensor, Callable[[], Tensor]]] = [
        (equal(k, 1), once), (equal(k, 2), twice), (equal(k, 3), thrice),
    ]
    result = case(branches, default=lambda: image, exclusive=True, name=scope)
    sizes = image.shape
    channels = sizes[-1] if sizes.ndims is not None else None
    result.set_shape([None, None, channels] if first == 0 else [sizes[0], None, None, channels])
    return result


