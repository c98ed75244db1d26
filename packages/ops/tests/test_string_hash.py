"""Hashes of strings, as the original computes them."""

import numpy as np

import ossia as tf
from ossia_ops.strings.hashes import murmur64, murmur64s, siphash, siphashes
from ossia_testkit.golden import golden_tests

test_string_hash = golden_tests(__file__, "string_hash_cases.py")


def test_fingerprints_of_nothing():
    # The original divides by zero here and dies.
    with tf.Graph().as_default(), tf.Session() as session:
        none, empty = session.run([tf.fingerprint(np.zeros((0, 3))), tf.fingerprint(np.zeros((2, 0)))])
    assert none.shape == (0, 8)
    assert empty[0].tolist() == empty[1].tolist()


def test_many_texts_are_hashed_as_one_is():
    random = np.random.RandomState(3)
    texts = [random.bytes(size) for size in (*range(40), *random.randint(0, 40, 100))]
    assert murmur64s(texts).tolist() == [murmur64(text) for text in texts]
    key = (12345, 2**64 - 7)
    assert siphashes(texts, key).tolist() == [siphash(text, key) for text in texts]
