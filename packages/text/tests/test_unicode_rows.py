"""Strings to ragged rows of code points and back, as the original does it."""

import pytest

import ossia as tf
from ossia_testkit.golden import golden_tests

test_unicode_rows = golden_tests(__file__, "unicode_rows_cases.py")


@pytest.mark.parametrize("splits", [[0, 2, 1, 2], [0, 3], [1, 2], []])
def test_bad_splits(splits):
    # The original reads beyond its values here.
    with tf.Graph().as_default(), tf.Session() as session:
        given = tf.placeholder(tf.int64, [None])
        out = tf.raw_ops.UnicodeEncode(input_values=[97, 98], input_splits=given, output_encoding="UTF-8")
        with pytest.raises(tf.errors.InvalidArgumentError, match="input_splits"):
            session.run(out, {given: splits})


def test_uniform_rows_in_ragged_ones():
    # The original refuses these.
    with tf.Graph().as_default(), tf.Session() as session:
        codes = tf.strings.unicode_decode(tf.ragged.constant([[["a", "bc"]], []], ragged_rank=1), "UTF-8")
        assert session.run(codes).to_list() == [[[[97], [98, 99]]], []]
