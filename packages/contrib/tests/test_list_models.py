"""Models of `tf.contrib.legacy_seq2seq` agree with TensorFlow 1.15.5."""

from ossia_testkit.golden import golden_tests

test_list_models = golden_tests(__file__, "list_models_cases.py")
