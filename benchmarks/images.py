"""Times functions of tf.image: Ossia beside whichever peers are given, by turns, medians over the rounds.

    python benchmarks/images.py [--only TEXT] [--rounds N] [--threads N] [--cpu] [LABEL=INTERPRETER ...]

The columns are those of `table.py`, which runs the contestants. Runs on Python 3.7.
"""
from __future__ import annotations

import numpy as np
import table
from family_registry import RANDOM, floats, held, ints, positive

ROWS = {}


def rows(function):
    """Register a function `f(tf)` that yields (case, fetch)."""
    ROWS[function.__name__] = function
    return function


def smooth(height, width):
    """A picture that compresses as photographs do."""
    y, x = np.mgrid[:height, :width] / 40.0
    waves = np.stack([np.sin(x + y), np.sin(2 * x - y), np.cos(x * y / 9)], axis=2)
    return (127.5 + 90 * waves + RANDOM.randn(height, width, 3) * 6).clip(0, 255).astype("u1")


def boxes_of(tf, count):
    """Boxes within an image, top, left, bottom and right, as a variable."""
    corners = RANDOM.rand(count, 2)
    return held(tf, np.concatenate([corners, corners + 0.02 + 0.2 * RANDOM.rand(count, 2)], axis=1).astype("f4"))


@rows
def resizing(tf):
    """Batches of 8 images."""
    x, whole = positive(tf, 8, 224, 224, 3), held(tf, RANDOM.randint(0, 256, (8, 224, 224, 3)).astype("u1"))
    yield "bilinear 8x224x224x3 to 299", tf.image.resize_bilinear(x, [299, 299]).op
    yield "bilinear of bytes", tf.image.resize_bilinear(whole, [299, 299]).op
    yield "bilinear to 112", tf.image.resize_bilinear(x, [112, 112]).op
    yield "bicubic 8x224x224x3 to 299", tf.image.resize_bicubic(x, [299, 299]).op
    yield "area 8x224x224x3 to 299", tf.image.resize_area(x, [299, 299]).op
    yield "area to 112", tf.image.resize_area(x, [112, 112]).op
    yield "nearest 8x224x224x3 to 299", tf.image.resize_nearest_neighbor(x, [299, 299]).op
    bilinear = tf.image.resize_bilinear(x, [299, 299])
    yield "bilinear gradient", tf.gradients(bilinear, x, floats(tf, 8, 299, 299, 3))[0].op


@rows
def cropping(tf):
    """Parts of images."""
    x = positive(tf, 8, 224, 224, 3)
    yield "crop_and_resize 256 boxes to 32", tf.image.crop_and_resize(x, boxes_of(tf, 256), ints(tf, 8, 256), [32, 32]).op
    deep = positive(tf, 2, 38, 50, 256)
    yield "crop_and_resize 256 boxes of 256 channels", tf.image.crop_and_resize(
        deep, boxes_of(tf, 256), ints(tf, 2, 256), [14, 14]).op
    yield "extract_glimpse 64x64", tf.image.extract_glimpse(x, [64, 64], held(tf, RANDOM.rand(8, 2).astype("f4") - 0.5)).op
    yield "flip_left_right", tf.image.flip_left_right(x).op
    yield "rot90", tf.image.rot90(x).op


@rows
def colours(tf):
    """Tones and colours of 8 images."""
    x = positive(tf, 8, 224, 224, 3)
    yield "adjust_hue", tf.image.adjust_hue(x, 0.1).op
    yield "adjust_saturation", tf.image.adjust_saturation(x, 1.5).op
    yield "adjust_contrast", tf.image.adjust_contrast(x, 1.5).op
    yield "rgb_to_hsv", tf.image.rgb_to_hsv(x).op
    yield "hsv_to_rgb", tf.image.hsv_to_rgb(x).op
    yield "rgb_to_grayscale", tf.image.rgb_to_grayscale(x).op
    yield "per_image_standardization", tf.image.per_image_standardization(x).op


@rows
def boxes(tf):
    """Boxes chosen, and drawn."""
    for count in (2000, 20000):
        yield "non_max_suppression %d" % count, tf.image.non_max_suppression(
            boxes_of(tf, count), positive(tf, count), 200).op
    yield "combined_non_max_suppression", tf.image.combined_non_max_suppression(
        tf.reshape(boxes_of(tf, 4000), [2, 2000, 1, 4]), positive(tf, 2, 2000, 10), 50, 100)[0].op
    yield "draw_bounding_boxes", tf.image.draw_bounding_boxes(
        positive(tf, 8, 224, 224, 3), tf.reshape(boxes_of(tf, 80), [8, 10, 4])).op


@rows
def quality(tf):
    """How alike images are."""
    one, other = (tf.identity(positive(tf, 4, 256, 256, 3)) for _ in range(2))
    yield "psnr", tf.image.psnr(one, other, 1.0).op
    yield "ssim 4x256x256x3", tf.image.ssim(one, other, 1.0).op
    yield "total_variation", tf.image.total_variation(one).op
    yield "sobel_edges", tf.image.sobel_edges(one).op


@rows
def codecs(tf):
    """Files of 640x480 pixels."""
    picture = smooth(480, 640)
    pixels = held(tf, picture)
    with tf.Graph().as_default(), tf.Session() as session:
        jpeg, png = session.run([tf.image.encode_jpeg(picture), tf.image.encode_png(picture)])
    yield "decode_jpeg", tf.image.decode_jpeg(held(tf, jpeg)).op
    yield "decode_jpeg, a quarter", tf.image.decode_jpeg(held(tf, jpeg), ratio=4).op
    yield "decode_png", tf.image.decode_png(held(tf, png)).op
    yield "encode_jpeg", tf.image.encode_jpeg(pixels).op
    yield "encode_png", tf.image.encode_png(pixels).op


if __name__ == "__main__":
    table.main(ROWS, __doc__)
