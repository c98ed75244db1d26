"""What programs find in `tf.contrib.learn` agrees with TensorFlow 1.15.5."""

from ossia_testkit.golden import golden_tests

test_learn = golden_tests(__file__, "learn_cases.py")
