"""Augment photographs with a dozen functions of tf.image, and write a contact sheet: a row for each photograph.

Written for TensorFlow 1. The first picture of a row is the photograph, the others are named in the output, in order:

    python augment.py --sheet=augmented.png --seed=7
"""
import glob
import os

import tensorflow as tf

flags = tf.app.flags
flags.DEFINE_string("photographs", os.path.join(os.path.dirname(os.path.abspath(__file__)), "photographs"),
                    "a folder of JPEG files")
flags.DEFINE_string("sheet", "augmented.png", "where the contact sheet goes")
flags.DEFINE_integer("seed", 7, "another seed draws other pictures")
flags.DEFINE_integer("height", 96, "of a picture, in pixels")
flags.DEFINE_integer("width", 144, "of a picture, in pixels")
FLAGS = flags.FLAGS

GAP = 4


def distorted_crop(image):
    """A random part of at least 30 % of the image, stretched back to its size."""
    whole = tf.constant([[[0.0, 0.0, 1.0, 1.0]]])
    begin, size, _ = tf.image.sample_distorted_bounding_box(
        tf.shape(image), whole, seed=FLAGS.seed, min_object_covered=0.3, area_range=[0.3, 0.7])
    part = tf.slice(image, begin, size)
    return tf.image.resize_images(part, tf.shape(image)[:2], method=tf.image.ResizeMethod.BICUBIC)


def turned(image):
    """Turned by a quarter, fitted in with borders."""
    return tf.image.resize_image_with_pad(tf.image.rot90(image), FLAGS.height, FLAGS.width)


def boxed(image):
    boxes = tf.constant([[[0.15, 0.2, 0.85, 0.8], [0.3, 0.05, 0.6, 0.45]]])
    return tf.image.draw_bounding_boxes(image[tf.newaxis], boxes)[0]


def edges(image):
    """How steep brightness is, by Sobel's filters."""
    slopes = tf.image.sobel_edges(image[tf.newaxis])[0]
    return tf.norm(slopes, axis=-1) / 2


def glimpse(image):
    """The middle of the image, seen three times as large."""
    size = [FLAGS.height // 3, FLAGS.width // 3]
    seen = tf.image.extract_glimpse(image[tf.newaxis], size, [[0.0, 0.0]])
    return tf.image.resize_bilinear(seen, [FLAGS.height, FLAGS.width])[0]


def rough_jpeg(image):
    return tf.image.adjust_jpeg_quality(tf.clip_by_value(image, 0.0, 1.0), 5)


AUGMENTATIONS = [
    ("as it is", tf.identity),
    ("mirrored", tf.image.flip_left_right),
    ("distorted crop", distorted_crop),
    ("brightness", lambda image: tf.image.random_brightness(image, 0.4)),
    ("contrast", lambda image: tf.image.random_contrast(image, 0.3, 2.5)),
    ("hue", lambda image: tf.image.random_hue(image, 0.4)),
    ("saturation", lambda image: tf.image.random_saturation(image, 0.0, 3.0)),
    ("gamma", lambda image: tf.image.adjust_gamma(image, 0.45)),
    ("grey", lambda image: tf.image.grayscale_to_rgb(tf.image.rgb_to_grayscale(image))),
    ("turned", turned),
    ("boxes", boxed),
    ("edges", edges),
    ("glimpse", glimpse),
    ("rough JPEG", rough_jpeg),
]


def photograph(name):
    """A photograph as floats from 0 to 1, cut to the shape of a picture and brought to its size."""
    image = tf.image.convert_image_dtype(tf.image.decode_jpeg(tf.read_file(name), channels=3), tf.float32)
    image = tf.image.resize_images(image, [FLAGS.height, FLAGS.width], method=tf.image.ResizeMethod.AREA)
    image.set_shape([FLAGS.height, FLAGS.width, 3])
    return image


def framed(image):
    """A picture of the sheet: with a white border, in bytes."""
    image = tf.image.convert_image_dtype(tf.clip_by_value(image, 0.0, 1.0), tf.uint8, saturate=True)
    return tf.pad(image, [[GAP, GAP], [GAP, GAP], [0, 0]], constant_values=255)


def main(_):
    tf.set_random_seed(FLAGS.seed)
    names = sorted(glob.glob(os.path.join(FLAGS.photographs, "*.jpg")))
    rows = []
    for name in names:
        image = photograph(name)
        rows.append(tf.concat([framed(augment(image)) for _, augment in AUGMENTATIONS], axis=1))
    sheet = tf.concat(rows, axis=0)
    with tf.Session() as session:
        pixels, file = session.run([sheet, tf.image.encode_png(sheet)])
    with tf.gfile.GFile(FLAGS.sheet, "wb") as out:
        out.write(file)
    for number, (title, _) in enumerate(AUGMENTATIONS):
        print("%2d  %s" % (number, title))
    print("%d photographs, %d by %d pixels: %s" % (len(names), pixels.shape[1], pixels.shape[0], FLAGS.sheet))


if __name__ == "__main__":
    tf.app.run()
