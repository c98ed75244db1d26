"""Codecs, Example parsing and sparse serialisation, as the original builds and computes them."""

import base64

import pytest

import ossia as tf
from ossia_testkit.golden import golden_tests

test_codecs = golden_tests(__file__, "codec_cases.py")
test_examples = golden_tests(__file__, "example_cases.py")
test_sparse = golden_tests(__file__, "sparse_cases.py")
test_proto_fields = golden_tests(__file__, "proto_cases.py")


@pytest.mark.parametrize("pad", [False, True])
def test_many_strings_in_base64(pad):
    texts = [bytes(range(k % 13, k % 13 + k % 7)) for k in range(300)]
    coded = [base64.urlsafe_b64encode(text) for text in texts]
    coded = coded if pad else [text.rstrip(b"=") for text in coded]
    with tf.Session() as session:
        assert session.run(tf.io.encode_base64(tf.constant(texts), pad=pad)).tolist() == coded
        assert session.run(tf.io.decode_base64(tf.constant(coded))).tolist() == texts
        assert session.run(tf.io.decode_base64(tf.constant([*coded, b"YQ=="]))).tolist() == [*texts, b"a"]
