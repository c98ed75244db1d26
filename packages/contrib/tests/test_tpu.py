"""What programs find in `tf.contrib.tpu` agrees with TensorFlow 1.15.5."""

from ossia_testkit.golden import golden_tests

test_tpu = golden_tests(__file__, "tpu_cases.py")
