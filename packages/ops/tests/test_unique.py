"""Distinct rows; what is expected is what the original gives."""

from __future__ import annotations

import numpy as np
import pytest

import ossia as tf


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "c8"])
def test_rows_with_zeros_of_both_signs_and_nan(dtype):
    x = np.array([[0, 1], [-0.0, 1], [np.nan, 1], [np.nan, 1], [1, 2], [0, 1]], dtype)
    with tf.Session() as session:
        rows, places, counts = session.run(tf.raw_ops.UniqueWithCountsV2(x=x, axis=[0]))
        np.testing.assert_array_equal(rows, x[[0, 2, 3, 4]])
        assert (places.tolist(), counts.tolist()) == ([0, 0, 1, 2, 3, 0], [3, 1, 1, 1])
        x = x[[0, 1, 4, 5]]
        rows, places, counts = session.run(tf.raw_ops.UniqueWithCountsV2(x=x, axis=[0]))
        np.testing.assert_array_equal(rows, x[[0, 2]])
        assert (places.tolist(), counts.tolist()) == ([0, 0, 1, 0], [3, 1])


@pytest.mark.parametrize("dtype", ["i1", "u2", "i4", "i8", "?"])
def test_slices_of_integers(dtype):
    x = np.random.RandomState(0).randint(0, 2, (3, 40, 1)).astype(dtype)
    with tf.Session() as session:
        found, places = session.run(tf.raw_ops.UniqueV2(x=x, axis=[1]))
    np.testing.assert_array_equal(found[:, places], x)
    assert len({found[:, k].tobytes() for k in range(found.shape[1])}) == found.shape[1] <= 8


def test_rows_without_elements():
    with tf.Session() as session:
        found, places = session.run(tf.raw_ops.UniqueV2(x=np.zeros((3, 0), "f4"), axis=[0]))
    assert (found.shape, places.tolist()) == ((1, 0), [0, 0, 0])
