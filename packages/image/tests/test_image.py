"""`tf.image` beside TensorFlow 1.15: graphs, static shapes and values."""

from ossia_testkit.golden import golden_tests

test_image = golden_tests(__file__, "image_cases.py")
