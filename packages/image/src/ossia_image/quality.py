"""How alike images are: PSNR and structural similarity; and how much they vary."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import identity
from ossia_image.conversion import convert_image_dtype
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import zeros
from ossia_ops.array.padding import pad
from ossia_ops.array.shape import expand_dims, reshape, shape_n, size
from ossia_ops.array.shape import shape as shape_of
from ossia_ops.array.stacking import stack, unstack
from ossia_ops.array.tiling import tile
from ossia_ops.control.assertion import Assert
from ossia_ops.math.arithmetic import pow, squared_difference, subtract
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import equal, greater_equal
from ossia_ops.math.elementwise import abs, square
from ossia_ops.math.exponential import log
from ossia_ops.math.reduction import reduce_all, reduce_mean, reduce_prod, reduce_sum
from ossia_ops.nn.activation import relu
from ossia_ops.nn.depthwise import depthwise_conv2d
from ossia_ops.nn.pool import avg_pool
from ossia_ops.nn.softmax import softmax

_SCALES = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)


def _verified(first: Tensor, second: Tensor) -> tuple[Tensor, Tensor, list]:
    """The shapes of two batches of images, and assertions that they can be compared.

    Raises:
        ValueError: They cannot, as their static shapes tell.
    """
    one, two = first.shape.with_rank_at_least(3), second.shape.with_rank_at_least(3)
    one[-3:].assert_is_compatible_with(two[-3:])
    if one.ndims is not None and two.ndims is not None:
        for a, b in zip(reversed(list(one)[:-3]), reversed(list(two)[:-3])):
            if not (a == 1 or b == 1 or a.is_compatible_with(b)):
                raise ValueError(f"Two images are not compatible: {one} and {two}")
    sizes, others = shape_n([first, second])
    checks = [
        Assert(greater_equal(size(sizes), 3), [sizes, others], summarize=10),
        Assert(reduce_all(equal(sizes[-3:], others[-3:])), [sizes, others], summarize=10),
    ]
    return sizes, others, checks


@public("image.psnr", "compat.v2.image.psnr")
def psnr(a: Any, b: Any, max_val: Any, name: str | None = None) -> Tensor:
    """The peak signal-to-noise ratio of images, in decibels.

    Args:
        a: `[..., height, width, channels]`, of any number type.
        b: Images of the same shape.
        max_val: The largest value that a pixel can have, less the smallest.
        name: A name for the ops.

    Returns:
        A tensor of float32, `[...]`.

    Raises:
        ValueError: The shapes do not match; InvalidArgumentError in a run, where they are not known before.
    """
    with name_scope(name, "PSNR", [a, b]):
        max_val = cast(max_val, a.dtype if isinstance(a, Tensor) else np.asarray(a).dtype)
        max_val = convert_image_dtype(max_val, dtypes.float32)
        a, b = convert_image_dtype(a, dtypes.float32), convert_image_dtype(b, dtypes.float32)
        error = reduce_mean(squared_difference(a, b), [-3, -2, -1])
        value = subtract(
            20 * log(max_val) / log(10.0), np.float32(10 / np.log(10)) * log(error), name="psnr"
        )
        _, _, checks = _verified(a, b)
        with control_dependencies(checks):
            return identity(value)


def _kernel(size_: Tensor, sigma: Tensor) -> Tensor:
    """A Gaussian window `[size, size, 1, 1]` whose values sum to 1."""
    from ossia_ops.math.sequence import range as number_range

    size_ = convert_to_tensor(size_, dtypes.int32)
    sigma = convert_to_tensor(sigma)
    places = cast(number_range(size_), sigma.dtype)
    places -= cast(size_ - 1, sigma.dtype) / 2.0
    weights = square(places)
    weights *= -0.5 / square(sigma)
    weights = reshape(weights, shape=[1, -1]) + reshape(weights, shape=[-1, 1])
    weights = reshape(weights, shape=[1, -1])
    weights = softmax(weights)
    return reshape(weights, shape=[size_, size_, 1, 1])


def _similarity(
    x: Tensor, y: Tensor, reducer: Any, max_val: Tensor, compensation: float, k1: float, k2: float
) -> tuple[Tensor, Tensor]:
    """The luminance term, and contrast times structure, at each place."""
    c1, c2 = (k1 * max_val) ** 2, (k2 * max_val) ** 2
    mean_x, mean_y = reducer(x), reducer(y)
    products = mean_x * mean_y * 2.0
    squares = square(mean_x) + square(mean_y)
    luminance = (products + c1) / (squares + c1)
    means_of_products = reducer(x * y) * 2.0
    means_of_squares = reducer(square(x) + square(y))
    c2 *= compensation
    contrast = (means_of_products - products + c2) / (means_of_squares - squares + c2)
    return luminance, contrast


def _ssim_per_channel(
    first: Tensor, second: Tensor, max_val: Tensor, filter_size: int, filter_sigma: float, k1: float, k2: float
) -> tuple[Tensor, Tensor]:
    filter_size_ = constant(filter_size, dtype=dtypes.int32)
    filter_sigma_ = constant(filter_sigma, dtype=first.dtype)
    sizes, others = shape_n([first, second])
    checks = [
        Assert(reduce_all(greater_equal(found[-3:-1], filter_size_)), [found, filter_size_], summarize=8)
        for found in (sizes, others)
    ]
    with control_dependencies(checks):
        first = identity(first)
    kernel = _kernel(filter_size_, filter_sigma_)
    kernel = tile(kernel, multiples=[1, 1, sizes[-1], 1])

    def reducer(x: Tensor) -> Tensor:
        shape = shape_of(x)
        x = reshape(x, shape=concat([[-1], shape[-3:]], 0))
        y = depthwise_conv2d(x, kernel, strides=[1, 1, 1, 1], padding="VALID")
        return reshape(y, concat([shape[:-3], shape_of(y)[1:]], 0))

    luminance, contrast = _similarity(first, second, reducer, max_val, 1.0, k1, k2)
    axes = constant([-3, -2], dtype=dtypes.int32)
    similarity = reduce_mean(luminance * contrast, axes)
    contrast = reduce_mean(contrast, axes)
    return similarity, contrast


@public("image.ssim", "compat.v2.image.ssim")
def ssim(
    img1: Any, img2: Any, max_val: Any, filter_size: int = 11, filter_sigma: float = 1.5, k1: float = 0.01,
    k2: float = 0.03,
) -> Tensor:
    """The structural similarity of images.

    Args:
        img1: `[..., height, width, channels]`, of any number type.
        img2: Images of the same shape.
        max_val: The largest value that a pixel can have, less the smallest.
        filter_size: The side of the Gaussian window; images must be at least as large.
        filter_sigma: Its deviation.
        k1: Steadies the luminance term.
        k2: Steadies the contrast term.

    Returns:
        A tensor of float32, `[...]`, values in (-1, 1].

    Raises:
        ValueError: The shapes do not match; InvalidArgumentError in a run, where they are not known before.

    Source: Wang, Bovik, Sheikh, Simoncelli, "Image quality assessment: from error visibility to structural
    similarity" (2004).
    """
    img1, img2 = convert_to_tensor(img1, name="img1"), convert_to_tensor(img2, name="img2")
    _, _, checks = _verified(img1, img2)
    with control_dependencies(checks):
        img1 = identity(img1)
    max_val = cast(max_val, img1.dtype)
    max_val = convert_image_dtype(max_val, dtypes.float32)
    img1, img2 = convert_image_dtype(img1, dtypes.float32), convert_image_dtype(img2, dtypes.float32)
    similarity, _ = _ssim_per_channel(img1, img2, max_val, filter_size, filter_sigma, k1, k2)
    return reduce_mean(similarity, [-1])


@public("image.ssim_multiscale", "compat.v2.image.ssim_multiscale")
def ssim_multiscale(
    img1: Any, img2: Any, max_val: Any, power_factors: Any = _SCALES, filter_size: int = 11,
    filter_sigma: float = 1.5, k1: float = 0.01, k2: float = 0.03,
) -> Tensor:
    """The structural similarity of images at several scales, each half as large as the one before.

    Args:
        img1: `[..., height, width, channels]`, of any number type.
        img2: Images of the same shape.
        max_val: The largest value that a pixel can have, less the smallest.
        power_factors: The weight of each scale.
        filter_size: The side of the Gaussian window; the smallest images must be at least as large.
        filter_sigma: Its deviation.
        k1: Steadies the luminance term.
        k2: Steadies the contrast term.

    Returns:
        A tensor of float32, `[...]`, values in [0, 1].

    Raises:
        ValueError: The shapes do not match; InvalidArgumentError in a run, where they are not known before.

    Source: Wang, Simoncelli, Bovik, "Multiscale structural similarity for image quality assessment" (2003).
    """
    with name_scope(None, "MS-SSIM", [img1, img2]):
        img1, img2 = convert_to_tensor(img1, name="img1"), convert_to_tensor(img2, name="img2")
        sizes, others, checks = _verified(img1, img2)
        with control_dependencies(checks):
            img1 = identity(img1)
        max_val = cast(max_val, img1.dtype)
        max_val = convert_image_dtype(max_val, dtypes.float32)
        img1, img2 = convert_image_dtype(img1, dtypes.float32), convert_image_dtype(img2, dtypes.float32)
        images, shapes = [img1, img2], [sizes, others]
        heads, tails = [shape[:-3] for shape in shapes], [shape[-3:] for shape in shapes]
        divisor = [1, 2, 2, 1]
        divisor_tensor = constant(divisor[1:], dtype=dtypes.int32)

        def padded(batches: list[Tensor], remainder: Tensor) -> list[Tensor]:
            paddings = pad(expand_dims(remainder, axis=-1), [[1, 0], [1, 0]])
            return [pad(batch, paddings, mode="SYMMETRIC") for batch in batches]

        terms = []
        for scale in range(len(power_factors)):
            with name_scope(None, f"Scale{scale}", images):
                if scale > 0:
                    flat = [reshape(x, concat([[-1], tail], 0)) for x, tail in zip(images, tails)]
                    remainder = tails[0] % divisor_tensor
                    from ossia_core.control.cond import cond
                    from ossia_ops.math.comparison import not_equal
                    from ossia_ops.math.reduction import reduce_any

                    needed = reduce_any(not_equal(remainder, 0))
                    even = cond(needed, lambda flat=flat, r=remainder: padded(flat, r), lambda flat=flat: flat)
                    halves = [avg_pool(x, ksize=divisor, strides=divisor, padding="VALID") for x in even]
                    tails = [x[1:] for x in shape_n(halves)]
                    images = [reshape(x, concat([head, tail], 0)) for x, head, tail in zip(halves, heads, tails)]
                first, second = images
                similarity, contrast = _ssim_per_channel(first, second, max_val, filter_size, filter_sigma, k1, k2)
                terms.append(relu(contrast))
        terms.pop()  # of the last scale the whole similarity counts
        stacked = stack([*terms, relu(similarity)], axis=-1)
        product = reduce_prod(pow(stacked, power_factors), [-1])
        return reduce_mean(product, [-1])


@public("image.total_variation", "compat.v2.image.total_variation")
def total_variation(images: Any, name: str | None = None) -> Tensor:
    """The sum of the absolute differences of neighbouring pixels.

    Args:
        images: `[height, width, channels]` or `[batch, height, width, channels]`.
        name: A name for the ops.

    Returns:
        A scalar, or one number per image.

    Raises:
        ValueError: The rank is another.
    """
    with name_scope(name, "total_variation"):
        ndims = images.get_shape().ndims
        if ndims == 3:
            rows, columns = images[1:, :, :] - images[:-1, :, :], images[:, 1:, :] - images[:, :-1, :]
            axes = None
        elif ndims == 4:
            rows = images[:, 1:, :, :] - images[:, :-1, :, :]
            columns = images[:, :, 1:, :] - images[:, :, :-1, :]
            axes = [1, 2, 3]
        else:
            raise ValueError("'images' must be either 3 or 4-dimensional.")
        return reduce_sum(abs(rows), axis=axes) + reduce_sum(abs(columns), axis=axes)


@public("image.image_gradients", "compat.v2.image.image_gradients")
def image_gradients(image: Any) -> tuple[Tensor, Tensor]:
    """Differences of neighbouring pixels, downwards and to the right; zero in the last row or column.

    Args:
        image: `[batch, height, width, channels]`.

    Returns:
        Two tensors of the shape of the images.

    Raises:
        ValueError: The rank is not 4.
    """
    if image.get_shape().ndims != 4:
        raise ValueError(
            "image_gradients expects a 4D tensor [batch_size, h, w, d], not {}.".format(image.get_shape())  # noqa: UP032
        )
    shape = shape_of(image)
    batch, height, width, depth = unstack(shape)
    down, right = image[:, 1:, :, :] - image[:, :-1, :, :], image[:, :, 1:, :] - image[:, :, :-1, :]
    down = concat([down, zeros(stack([batch, 1, width, depth]), image.dtype)], 1)
    down = reshape(down, shape)
    right = concat([right, zeros(stack([batch, height, 1, depth]), image.dtype)], 2)
    return down, reshape(right, shape)


_SOBEL = np.array(
    [[[-1, -2, -1], [0, 0, 0], [1, 2, 1]], [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]], np.float32
).transpose(1, 2, 0)[:, :, np.newaxis, :]


@public("image.sobel_edges", "compat.v2.image.sobel_edges")
def sobel_edges(image: Any) -> Tensor:
    """Edges by the two Sobel filters, vertical and horizontal; images are mirrored at their borders.

    Args:
        image: `[batch, height, width, channels]`, of float32 or float64.

    Returns:
        A tensor `[batch, height, width, channels, 2]`.
    """
    static, shape = image.get_shape(), shape_of(image)
    kernel = constant(_SOBEL, dtypes.float32)
    kernel = tile(kernel, [1, 1, shape[-1], 1], name="sobel_filters")
    mirrored = pad(image, [[0, 0], [1, 1], [1, 1], [0, 0]], mode="REFLECT")
    edges = depthwise_conv2d(mirrored, kernel, [1, 1, 1, 1], "VALID")
    result = reshape(edges, concat([shape, [2]], 0))
    result.set_shape(static.concatenate([2]))
    return result


