"""Products of integers by floats: exact, and wrapped around where sums of integers wrap around."""
from __future__ import annotations

import numpy as np
import pytest

import ossia as tf
from ossia_ops.linalg.integer_products import product_of_integers

RANDOM = np.random.RandomState(0)


@pytest.mark.parametrize("kind", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"])
@pytest.mark.parametrize("largest", [5, 200, None])
@pytest.mark.parametrize(
    "shapes", [((7, 300), (300, 5)), ((2, 3, 40), (2, 40, 3)), ((1, 3000), (3000, 1)), ((3, 0), (0, 2))]
)
def test_as_by_integers(kind, largest, shapes):
    limits = np.iinfo(kind)
    high = min(largest or limits.max, limits.max)
    a, b = (RANDOM.randint(max(limits.min, -high - 1), high, shape, dtype=kind) for shape in shapes)
    found = product_of_integers(a, b, np.dtype(kind))
    assert found.dtype == a.dtype
    np.testing.assert_array_equal(found, np.matmul(a, b))


def test_matmul():
    a, b = (RANDOM.randint(-(2**31), 2**31 - 1, shape).astype("i4") for shape in ((40, 60), (60, 50)))
    with tf.Session() as session:
        np.testing.assert_array_equal(session.run(tf.matmul(a, b)), np.matmul(a, b))
