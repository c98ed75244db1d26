"""Kernels of images in C on larger arrays than samples have: as on NumPy."""
from __future__ import annotations

import numpy as np
import pytest

import ossia as tf
from ossia_backend_cffi.loader import native
from ossia_testkit import watching

pytestmark = pytest.mark.skipif(native() is None, reason="built without a compiler")
RANDOM = np.random.RandomState(0)


def agree(make, *arrays, tolerance=0.0):
    """What `make(*placeholders)` gives is alike on both backends."""
    found = []
    for backend in ("numpy", "cffi"):
        with watching.chosen(backend), tf.Graph().as_default(), tf.Session() as session:
            feeds = [tf.placeholder(array.dtype, array.shape) for array in arrays]
            fetches = make(*feeds)
            found.append(session.run(list(fetches), dict(zip(feeds, arrays, strict=True))))
    for left, right in zip(*found, strict=True):
        assert left.dtype == right.dtype
        np.testing.assert_allclose(right, left, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("options", [{}, {"align_corners": True}, {"half_pixel_centers": True}])
@pytest.mark.parametrize("shape", [(2, 31, 47, 3), (3, 16, 9, 1), (1, 20, 20, 7), (9, 40, 30, 4)])
@pytest.mark.parametrize("name", ["resize_bilinear", "resize_bicubic", "resize_area"])
def test_other_sizes(name, shape, options):
    if name == "resize_area" and "half_pixel_centers" in options:
        return
    x = RANDOM.randn(*shape).astype("f4")
    x[0, 3, 4] = np.nan
    for size in ([50, 60], [7, 5], [1, 1], [31, 20]):

        def make(x, size=size):
            y = getattr(tf.image, name)(x, size, **options)
            whole = getattr(tf.image, name)(tf.cast(tf.fill(shape, 200.0), tf.uint8), size, **options)
            return [y, whole, *([] if name == "resize_area" else tf.gradients(y * y, x))]

        agree(make, x, tolerance=1e-5)


def test_colours():
    x = RANDOM.rand(5, 33, 17, 3).astype("f4")
    x[0, :4] = RANDOM.choice([0, 1, np.nan, np.inf, -np.inf, 0.5, -2], (4, 17, 3))
    with np.errstate(all="ignore"):
        agree(lambda x: [
            tf.image.adjust_hue(x, 0.3), tf.image.adjust_hue(x, -0.9), tf.image.adjust_saturation(x, 1.7),
            tf.image.rgb_to_hsv(x), tf.image.hsv_to_rgb(x),
        ], x)  # fmt: skip


@pytest.mark.parametrize("method", ["bilinear", "nearest"])
@pytest.mark.parametrize("channels", [1, 3, 6])
def test_crops(channels, method):
    x = RANDOM.randn(3, 40, 30, channels).astype("f4")
    boxes = (RANDOM.rand(50, 4) * 1.6 - 0.3).astype("f4")
    boxes[0, 0], boxes[1, 1], boxes[2] = np.nan, np.inf, [0, 0, 1, 1]
    of = RANDOM.randint(0, 3, 50).astype("i4")
    with np.errstate(all="ignore"):
        for size in ([9, 14], [1, 1], [60, 1]):
            agree(lambda *given, size=size: [tf.image.crop_and_resize(*given, size, method, 0.5)], x, boxes, of)


def test_crops_of_images_that_are_not_there():
    for of in (3, -1):
        with watching.chosen("cffi"), tf.Graph().as_default(), tf.Session() as session:
            number = tf.placeholder(tf.int32, [1])
            y = tf.image.crop_and_resize(tf.ones([3, 4, 4, 1]), tf.zeros([1, 4]), number, [2, 2])
            with pytest.raises(tf.errors.InvalidArgumentError, match="outside"):
                session.run(y, {number: [of]})


@pytest.mark.parametrize("count", [30, 9000])
def test_best_boxes(count):
    corners = RANDOM.rand(count, 2)
    boxes = np.concatenate([corners, corners + RANDOM.rand(count, 2) * 0.3 - 0.05], axis=1).astype("f4")
    boxes[:5], boxes[5] = boxes[6], np.nan
    scores = RANDOM.choice(RANDOM.rand(200), count).astype("f4")
    scores[9] = np.nan

    def make(boxes, scores):
        for limit in (0, 10, 2000, count + 9):
            yield tf.image.non_max_suppression(boxes, scores, limit, 0.4)
            yield tf.image.non_max_suppression(boxes, scores, limit, 0.0, 0.3)
            yield from tf.image.non_max_suppression_padded(boxes, scores, limit, 0.6, 0.1, pad_to_max_output_size=True)
            yield from tf.image.non_max_suppression_with_scores(boxes, scores, limit, 0.5)
        for classes in (1, 3):
            of_classes = tf.reshape(boxes[: count // 6 * 6], [2, -1, classes, 4])
            marks = tf.reshape(scores[: count // 6 * 6], [2, -1, classes])
            for pad in (True, False):
                yield from tf.image.combined_non_max_suppression(of_classes, marks, 20, 30, 0.5, 0.2, pad)

    agree(make, boxes, scores)
