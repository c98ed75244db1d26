"""Decoding of `tf.contrib.seq2seq` agrees with TensorFlow 1.15.5."""

from ossia_testkit.golden import golden_tests

test_decoding = golden_tests(__file__, "decoding_cases.py")
