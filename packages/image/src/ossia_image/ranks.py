"""Which tensors count as images: checks while the graph is built, and in a run where shapes are not known before."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.tensor import Tensor
from ossia_core.primitives.identity import with_dependencies
from ossia_debugging.comparisons import assert_equal, assert_greater_equal, assert_positive
from ossia_ops.array.shape import rank as rank_of
from ossia_ops.array.shape import shape as shape_of
from ossia_ops.array.stacking import unstack
from ossia_ops.control.assertion import Assert


def checked_3d(image: Tensor, require_static: bool = True) -> list:
    """Checks that a tensor is one image `[height, width, channels]`; returns assertions that a run has to make.

    Raises:
        ValueError: It has another rank, or its shape is not known though `require_static` asks for it.
    """
    try:
        sizes = image.shape.with_rank(3)
    except ValueError:
        raise ValueError(f"'image' (shape {image.shape}) must be three-dimensional.") from None
    if require_static and not sizes.is_fully_defined():
        raise ValueError(f"'image' (shape {sizes}) must be fully defined.")
    if any(size == 0 for size in sizes.as_list() or ()):
        raise ValueError(f"all dims of 'image.shape' must be > 0: {sizes}")
    if not sizes.is_fully_defined():
        return [assert_positive(shape_of(image), ["all dims of 'image.shape' must be > 0."])]
    return []


def checked_at_least_3d(image: Tensor, require_static: bool = True) -> list:
    """Checks that a tensor is one image or a batch of images; returns assertions that a run has to make.

    Raises:
        ValueError: It has a lower rank, or its shape is not known though `require_static` asks for it.
    """
    try:
        sizes = image.shape.with_rank(3) if image.shape.ndims is None else image.shape.with_rank_at_least(3)
    except ValueError:
        raise ValueError(f"'image' (shape {image.shape}) must be at least three-dimensional.") from None
    if require_static and not sizes.is_fully_defined():
        raise ValueError("'image' must be fully defined.")
    if any(size == 0 for size in sizes.as_list()[-3:]):
        raise ValueError(f"inner 3 dims of 'image.shape' must be > 0: {sizes}")
    if not sizes[-3:].is_fully_defined():
        return [
            assert_positive(shape_of(image), ["all dims of 'image.shape' must be > 0."]),
            assert_greater_equal(rank_of(image), 3, message="'image' must be at least three-dimensional."),
        ]
    return []


def with_3d_check(image: Tensor) -> Tensor:
    """The image, with the assertions of `checked_3d` before it."""
    return with_dependencies(checked_3d(image, require_static=False), image)


def with_at_least_3d_check(image: Tensor) -> Tensor:
    """The image or images, with the assertions of `checked_at_least_3d` before them."""
    return with_dependencies(checked_at_least_3d(image, require_static=False), image)


def with_grey_check(image: Tensor) -> Tensor:
    """Images of one channel, with assertions before them where the shape does not tell.

    Raises:
        ValueError: The rank is below 3, or there are more channels.
    """
    try:
        sizes = image.shape.with_rank(3) if image.shape.ndims is None else image.shape.with_rank_at_least(3)
    except ValueError:
        raise ValueError("A grayscale image must be at least two-dimensional.") from None
    if sizes[-1].value not in (None, 1):
        raise ValueError(f"Last dimension of a grayscale image should be size 1. Got {sizes[-1]}.")
    checks = []
    if not sizes.is_fully_defined():
        checks.append(
            assert_equal(shape_of(image)[-1], 1, message="Last dimension of a grayscale image should be size 1.")
        )
        message = "A grayscale image must be at least two-dimensional."
        checks.append(assert_greater_equal(rank_of(image), 3, message=message))
    return with_dependencies(checks, image)


def is_tensor(value: Any) -> bool:
    """Whether a size is a tensor rather than a number."""
    return isinstance(value, Tensor)


def sizes_of(image: Tensor, rank: int) -> list[Any]:
    """The sizes of an image: numbers where they are known, else tensors."""
    known = image.shape
    if known.is_fully_defined():
        return known.as_list()
    fixed = known.with_rank(rank).as_list()
    dynamic = unstack(shape_of(image), rank)
    return [size if size is not None else tensor for size, tensor in zip(fixed, dynamic)]


def required(condition: Any, error: type[Exception], message: str) -> list:
    """Refuses a condition that is known to be false, and returns an assertion for one that only a run knows.

    Raises:
        Exception: The condition is false: `error` with the message.
    """
    if is_tensor(condition):
        return [Assert(condition, [message])]
    if not condition:
        raise error(message)
    return []
