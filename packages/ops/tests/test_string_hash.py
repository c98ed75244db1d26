"""Hashes of strings, as the original computes them."""

import numpy as np

import ossia as tf
from ossia_testkit.golden import golden_tests

test_string_hash = golden_tests(__file__, "string_hash_cases.py")


def test_fingerprints_of_nothing():
    # The original divides by zero here and dies.
    with tf.Graph().as_default(), tf.Session() as session:
        none, empty = session.run([tf.fingerprint(np.zeros((0, 3))), tf.fingerprint(np.zeros((2, 0)))])
    assert none.shape == (0, 8)
    assert empty[0].tolist() == empty[1].tolist()
