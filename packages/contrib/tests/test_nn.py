"""Functions of `tf.contrib.nn` agree with TensorFlow 1.15.5."""

from ossia_testkit.golden import golden_tests

test_nn = golden_tests(__file__, "nn_cases.py")
