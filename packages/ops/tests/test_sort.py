"""The largest elements of long rows."""
from __future__ import annotations

import numpy as np
import pytest

import ossia as tf

RANDOM = np.random.RandomState(0)
ROWS = {
    "random": RANDOM.randn(2, 40_000) * 1e6,
    "ascending": np.sort(RANDOM.randn(1, 20_000) * 1e6),
    "equal": RANDOM.randint(0, 9, (1, 20_000)),
}


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4"])
@pytest.mark.parametrize("name", list(ROWS))
def test_top_k(name, dtype):
    x = ROWS[name].astype(dtype)
    places = x.shape[1] - 1 - np.argsort(x[:, ::-1], axis=1, kind="stable")[:, ::-1]
    with tf.Session() as session:
        for k in (2, 7, 600, 5000):
            values, indices = session.run(tf.nn.top_k(x, k))
            np.testing.assert_array_equal(indices, places[:, :k])
            np.testing.assert_array_equal(values, np.take_along_axis(x, places[:, :k], 1))
