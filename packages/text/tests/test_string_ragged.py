"""Strings split into ragged rows, and n-grams, as the original makes them."""

import pytest

import ossia as tf
from ossia_testkit.golden import golden_tests

test_string_ragged = golden_tests(__file__, "string_ragged_cases.py")


def grams(splits, **options):
    with tf.Graph().as_default(), tf.Session() as session:
        given = tf.placeholder(tf.int64, [None])
        made = tf.raw_ops.StringNGrams(data=["a", "b"], data_splits=given, separator=" ", left_pad="<", right_pad=">",
                                       preserve_short_sequences=False, **options)
        return session.run(made, {given: splits})


@pytest.mark.parametrize("splits", [[0, 1], [0, 3], [0, 2, 1, 2], [1, 2], [0, -1, 2]])
def test_bad_splits(splits):
    # The original reads beyond its strings here.
    with pytest.raises(tf.errors.InvalidArgumentError, match="data_splits"):
        grams(splits, ngram_widths=[1], pad_width=0)


def test_empty_rows_with_padding():
    # The original reads a string of another row here.
    made = grams([0, 0, 2], ngram_widths=[3], pad_width=-1)
    assert made.ngrams.tolist() == [b"< < >", b"< > >", b"< < a", b"< a b", b"a b >", b"b > >"]
    assert made.ngrams_splits.tolist() == [0, 2, 6]
