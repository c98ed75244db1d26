"""Records what `ImageSummary` of TensorFlow 1.15.5 makes of images; run by hand: `python record_images.py`.

`images.npz` holds `x0`, `x1`, ... and the pixels `y0`, `y1`, ... of the PNGs in the summaries, all images of a batch.
"""
import pathlib

import numpy as np
import tensorflow as tf

RANGES = [(0, 1), (-1, 1), (-5, 0.1), (0, 300), (0, 1e-7), (-1e-7, 1e-7), (0, 0), (-3, -1)]
random = np.random.RandomState(0)
arrays = {}


def record(session, x):
    summary = tf.Summary.FromString(session.run(tf.raw_ops.ImageSummary(tag="t", tensor=x, max_images=9)))
    pixels = [session.run(tf.image.decode_png(value.image.encoded_image_string)) for value in summary.value]
    index = len(arrays) // 2
    arrays["x%d" % index], arrays["y%d" % index] = x, np.stack(pixels)


with tf.Session() as session:
    for kind in (np.float32, np.float64, np.float16, np.uint8):
        for channels in (1, 3, 4):
            for low, high in RANGES if kind != np.uint8 else [(0, 256), (0, 100)]:
                record(session, random.uniform(low, high, (2, 4, 5, channels)).astype(kind))
            if kind != np.uint8:
                broken = random.uniform(-1, 1, (1, 4, 4, channels)).astype(kind)
                broken[0, 1, 1, 0], broken[0, 2, 2, -1], broken[0, 3] = np.nan, np.inf, -np.inf
                record(session, broken)
                record(session, np.full_like(broken, np.nan))
np.savez_compressed(str(pathlib.Path(__file__).resolve().parent / "images.npz"), **arrays)
