"""Transforms, warps, components and colours of `tf.contrib.image` agree with TensorFlow 1.15.5."""

import numpy as np

import ossia as tf
from ossia_testkit.golden import golden_tests

test_images = golden_tests(__file__, "image_cases.py")


def test_stereogram_repeats_its_dots():
    picture = tf.contrib.image.single_image_random_dot_stereograms(
        np.zeros([3, 3], np.float32), output_image_shape=[300, 20, 1], output_data_window=[300, 20], normalize=False
    )
    with tf.Session() as session:
        line = session.run(picture)[0, :, 0]
    apart = round(2.5 * 72 / 2)
    assert picture.shape == (20, 300, 1)
    assert (line[apart:] == line[:-apart]).all() and len(set(line[:apart].tolist())) > 20
